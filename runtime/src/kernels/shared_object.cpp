// dlopen and the manifest symbol.  See shared_object.h.
#include "kernels/shared_object.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "base/files.h"

namespace alnsmith::rt::kernels {
namespace {

// A file in memory that nobody can change any more; -1 where the kernel has none.
int memory_file(std::string_view bytes) {
  constexpr unsigned kExecutable = 0x0010U;  // MFD_EXEC, Linux 6.3 and later
  constexpr unsigned kUsual = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int fd = ::memfd_create("alnsmith-kernels", kUsual | kExecutable);
  if (fd < 0) fd = ::memfd_create("alnsmith-kernels", kUsual);
  if (fd < 0) return -1;
  if (write_all(fd, bytes) && ::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0) return fd;
  ::close(fd);
  return -1;
}

// A path of the open file `fd` that no library was loaded by before. The loader knows libraries by their names, those
// too that it never unloads, and numbers of files are used again; so a count is spelled in ways to write "here".
std::string memory_path(int fd) {
  static std::atomic<std::uint64_t> count{0};
  std::string path = "/proc/self/fd/";
  for (std::uint64_t n = ++count; n != 0; n >>= 1) path += n & 1 ? "./" : "/";
  return path + std::to_string(fd);
}

// A file that only this user sees, for as long as the object lives.
class PrivateFile {
 public:
  explicit PrivateFile(std::string_view bytes) {
    const char *base = std::getenv("TMPDIR");
    folder_ = std::string(base && *base == '/' ? base : "/tmp") + "/alnsmith-XXXXXX";
    if (::mkdtemp(folder_.data()))
      written_ = bool(write_file(path(), bytes));
    else
      folder_.clear();
  }
  ~PrivateFile() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  PrivateFile(const PrivateFile &) = delete;
  PrivateFile &operator=(const PrivateFile &) = delete;
  std::string path() const { return folder_ + "/kernels.so"; }
  bool written() const { return written_; }

 private:
  std::string folder_;
  bool written_ = false;
};

}  // namespace

Status SharedObject::load(const std::string &file, const std::string &name) {
  handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_) return Ok{};
  const char *why = ::dlerror();
  return Error{name + ": not loaded: " + (why ? why : "no shared object")};
}

Status SharedObject::check(const std::string &name, Isa widest) {
  const auto *text = static_cast<const char *>(::dlsym(handle_, "aln_manifest_v1"));
  if (!text) return Error{name + ": not loaded: carries no aln_manifest_v1, so it holds no alnsmith kernels"};
  auto manifest = parse_manifest(text);
  if (!manifest) return Error{name + ": not loaded: " + manifest.error().message};
  manifest_ = *std::move(manifest);
  if (manifest_.for_device)
    return Error{name + ": not loaded: holds kernels for " + manifest_.target_name + ", not for CPUs"};
  if (!(manifest_.target <= widest))
    return Error{name + ": not loaded: made for " + std::string(isa_name(manifest_.target)) +
                 ", this CPU or the given limit has " + std::string(isa_name(widest))};
  for (const KernelInfo &kernel : manifest_.kernels)
    if (!entry(kernel.entry)) return Error{name + ": not loaded: the entry " + kernel.entry + " is missing"};
  return Ok{};
}

Result<std::unique_ptr<SharedObject>> SharedObject::open(const std::string &path, Isa widest) {
  const auto trusted = check_trusted(path);
  if (!trusted) return trusted.error();
  std::unique_ptr<SharedObject> object(new SharedObject);
  std::error_code ignored;
  object->path_ = std::filesystem::absolute(path, ignored).string();
  if (auto ok = object->load(*trusted, path); !ok) return ok.error();
  if (auto ok = object->check(path, widest); !ok) return ok.error();
  return object;
}

Result<std::unique_ptr<SharedObject>> SharedObject::open_bytes(const std::string &name, std::string_view bytes,
                                                               Isa widest) {
  std::unique_ptr<SharedObject> object(new SharedObject);
  object->path_ = name;
  Status loaded = Error{name + ": not loaded: the system has no files in memory"};
  if (const int fd = memory_file(bytes); fd >= 0) {
    loaded = object->load(memory_path(fd), name);
    ::close(fd);
  }
  if (!loaded) {  // no /proc, as in a bare chroot, or a system that executes nothing from memory
    const PrivateFile file(bytes);
    if (file.written()) loaded = object->load(file.path(), name);
  }
  if (!loaded) return loaded.error();
  if (auto ok = object->check(name, widest); !ok) return ok.error();
  return object;
}

SharedObject::~SharedObject() {
  if (handle_) ::dlclose(handle_);
}

KernelFn SharedObject::entry(const std::string &name) const {
  return reinterpret_cast<KernelFn>(::dlsym(handle_, name.c_str()));
}

}  // namespace alnsmith::rt::kernels
