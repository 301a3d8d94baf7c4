// Stores over compiled files, and the order in which sources are asked.  See store.hpp.
#include "store.hpp"

namespace alnsmith::rt {
namespace {

class FileStore : public Store {
 public:
  FileStore(std::unique_ptr<SharedObject> object, std::vector<std::string> provenance)
      : object_(std::move(object)), provenance_(std::move(provenance)) {
    manifest_ = object_->manifest();
    for (const KernelInfo &kernel : manifest_.kernels) {
      functions_.push_back(object_->entry(kernel.entry));
      provenance_.push_back(kernel.entry + ": from " + object_->path());
    }
  }
  Status obtain(std::span<const int>, const std::function<bool()> &) override { return Ok{}; }
  KernelFn function(int kernel) const override { return functions_[static_cast<std::size_t>(kernel)]; }
  std::vector<std::string> provenance() const override { return provenance_; }

 private:
  std::unique_ptr<SharedObject> object_;
  std::vector<KernelFn> functions_;
  std::vector<std::string> provenance_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_file_store(const std::string &path, Isa widest) {
  auto object = SharedObject::open(path, widest);
  if (!object) return object.error();
  return std::unique_ptr<Store>(new FileStore(*std::move(object), {}));
}

Result<std::unique_ptr<Store>> find_store(const SpecRef &spec, const Sources &, Isa, const std::function<bool()> &) {
  return Error{"spec '" + spec.name + "': no source of kernels"};
}

}  // namespace alnsmith::rt
