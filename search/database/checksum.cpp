// See checksum.h.
#include "database/checksum.h"

#include <openssl/evp.h>

#include <algorithm>

namespace alnsmith::search {
namespace {

constexpr unsigned char kZeros[16] = {};
constexpr std::size_t kCallBytes = std::size_t{1} << 30;  // a call takes an int

EVP_CIPHER_CTX *cipher(void *context) { return static_cast<EVP_CIPHER_CTX *>(context); }

void drop(void *&context) {
  EVP_CIPHER_CTX_free(cipher(context));
  context = nullptr;
}

}  // namespace

Checksum::Checksum() : context_(EVP_CIPHER_CTX_new()) {
  if (context_ != nullptr && EVP_EncryptInit_ex(cipher(context_), EVP_aes_128_gcm(), nullptr, kZeros, kZeros) != 1)
    drop(context_);
}

Checksum::~Checksum() { drop(context_); }

void Checksum::add(std::string_view bytes) {
  while (context_ != nullptr && !bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kCallBytes);
    bytes.remove_prefix(piece.size());
    int taken = 0;
    if (EVP_EncryptUpdate(cipher(context_), nullptr, &taken, reinterpret_cast<const unsigned char *>(piece.data()),
                          static_cast<int>(piece.size())) != 1)
      drop(context_);
  }
}

std::string Checksum::finish() {
  std::string tag(kChecksumBytes, '\0');
  unsigned char nothing[16];
  int size = 0;
  const bool done = context_ != nullptr && EVP_EncryptFinal_ex(cipher(context_), nothing, &size) == 1 &&
                    EVP_CIPHER_CTX_ctrl(cipher(context_), EVP_CTRL_GCM_GET_TAG, kChecksumBytes, tag.data()) == 1;
  return done ? tag : "";
}

}  // namespace alnsmith::search
