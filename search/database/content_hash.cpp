// See alnsmith/content_hash.hpp.
#include "alnsmith/content_hash.hpp"

#include <openssl/evp.h>

#include "base/bytes.h"

namespace alnsmith::search {
namespace {

constexpr std::size_t kState = 32;

struct FreeContext {
  void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
};

}  // namespace

struct ContentHash::Impl {
  // Copying a context that has begun is several times cheaper than beginning a new one.
  std::unique_ptr<EVP_MD_CTX, FreeContext> begun{EVP_MD_CTX_new()}, context{EVP_MD_CTX_new()};
  std::string state = std::string(kState, '\0');
};

ContentHash::ContentHash(std::string_view state) : impl_(std::make_unique<Impl>()) {
  if (!state.empty()) impl_->state = state;
  EVP_DigestInit_ex(impl_->begun.get(), EVP_sha256(), nullptr);
}
ContentHash::ContentHash(ContentHash &&) noexcept = default;
ContentHash &ContentHash::operator=(ContentHash &&) noexcept = default;
ContentHash::~ContentHash() = default;

void ContentHash::add(std::string_view name, std::string_view letters) {
  EVP_MD_CTX *context = impl_->context.get();
  EVP_MD_CTX_copy_ex(context, impl_->begun.get());
  std::string head = impl_->state;
  rt::put(head, name.size(), 8);
  head += name;
  rt::put(head, letters.size(), 8);
  EVP_DigestUpdate(context, head.data(), head.size());
  EVP_DigestUpdate(context, letters.data(), letters.size());
  EVP_DigestFinal_ex(context, reinterpret_cast<unsigned char *>(impl_->state.data()), nullptr);
}

const std::string &ContentHash::state() const { return impl_->state; }
std::string ContentHash::hex() const { return rt::to_hex(impl_->state); }

}  // namespace alnsmith::search
