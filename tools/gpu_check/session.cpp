// See session.h.
#include "session.h"

#include <charconv>

#include "internal.h"

namespace alnsmith::check {
namespace {

// 90 of "cuda:sm_90"; 0 for other platforms.
int architecture(std::string_view target) {
  constexpr std::string_view kPrefix = "cuda:sm_";
  int number = 0;
  if (target.starts_with(kPrefix))
    std::from_chars(target.data() + kPrefix.size(), target.data() + target.size(), number);
  return number;
}

// How well a folder's kernels fit a device: 0 not at all, more is better. `ending`: which binary to take.
int fit(const KernelEntry &entry, const std::string &device, std::string &ending) {
  const auto has = [&](const char *wanted) {
    for (const std::string &one : entry.endings)
      if (one == wanted) return ending = one, true;
    return false;
  };
  if (const int own = architecture(device), made = architecture(entry.target); own > 0 && made > 0) {
    if (made == own && has(".cubin")) return 10000;
    if (made / 10 == own / 10 && made < own && has(".cubin")) return 5000 + made;
    return made <= own && has(".ptx") ? made : 0;
  }
  const bool same = device == entry.target || device.starts_with(entry.target + ":");
  if (!same || entry.endings.empty()) return 0;
  ending = entry.endings.front();
  return 10000;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::open(const std::string &folder, const std::string &device,
                                               const std::string &out, double limit) {
  std::unique_ptr<Session> session(new Session(out));
  session->folder_ = folder;
  session->limit_ = limit;
  auto index = read_index(folder);
  if (!index) return index.error();
  session->index_ = *std::move(index);
  for (const std::string &name : session->index_.stored) {
    const std::string path = folder + "/data/" + name + ".seq";
    const auto bytes = read_part(folder, session->index_, "data/" + name + ".seq");
    if (!bytes) return bytes.error();
    auto list = unpack(*bytes, path);
    if (!list) return list.error();
    session->stored_[name] = *std::move(list);
  }
  auto executor = internal::open_device(device);
  if (!executor) return executor.error();
  session->executor_ = *std::move(executor);
  auto queue = session->executor_->queue();
  if (!queue) return queue.error();
  session->queue_ = *std::move(queue);
  return session;
}

Result<const SpecKernels *> Session::kernels(const std::string &spec) {
  auto known = kernels_.find(spec);
  if (known == kernels_.end()) {
    const auto load = [&]() -> Result<SpecKernels> {
      SpecKernels kernels;
      std::string ending, chosen;
      int best = 0;
      for (const KernelEntry &entry : index_.kernels) {
        if (entry.spec != spec) continue;
        if (const int fits = fit(entry, executor_->info().target, ending); fits > best) {
          best = fits;
          kernels.entry = &entry;
          chosen = ending;
        }
      }
      if (!kernels.entry)
        return Error{spec + ": the folder holds no kernels that " + executor_->info().target + " runs"};
      const std::string stem = folder_ + "/" + kernels.entry->stem;
      const auto text = read_part(folder_, index_, kernels.entry->stem + ".json");
      if (!text) return text.error();
      auto manifest = internal::parse_manifest(*text);
      if (!manifest) return Error{stem + ".json: " + manifest.error().message};
      kernels.manifest = *std::move(manifest);
      Scoring call;
      call.values = {kernels.entry->values.begin(), kernels.entry->values.end()};
      call.matrix = kernels.entry->matrix;
      auto scoring = internal::resolve_scoring(kernels.manifest, call, {});
      if (!scoring) return Error{spec + ": " + scoring.error().message};
      kernels.scoring = *std::move(scoring);
      auto binary = read_part(folder_, index_, kernels.entry->stem + chosen);
      if (!binary) return binary.error();
      kernels.binary = *std::move(binary);
      return kernels;
    };
    known = kernels_.emplace(spec, load()).first;
  }
  if (!known->second) return known->second.error();
  return &*known->second;
}

Result<const SequenceSet *> Session::set(const std::string &name) {
  if (set_name_ == name) return &set_;
  for (const SetEntry &entry : index_.sets) {
    if (entry.name != name) continue;
    set_name_.clear();
    auto made = make_set(entry.recipe, stored_);
    if (!made) return Error{"set " + name + ": " + made.error().message};
    set_ = *std::move(made);
    if (set_.queries.checksum() != entry.queries || set_.targets.checksum() != entry.targets)
      return Error{"set " + name +
                   ": other letters than when the folder was prepared: the expected scores mean nothing"};
    set_name_ = name;
    return &set_;
  }
  return Error{"the folder has no set " + name};
}

bool Session::possible(const internal::KernelInfo &kernel) const {
  const DeviceInfo &info = executor_->info();
  const bool steps = info.kind == DeviceKind::opencl || info.warp <= 1 || kernel.device.warp == info.warp;
  return steps && kernel.device.shared_bytes <= info.shared_memory;
}

void Session::step(const std::string &name, double most_seconds) {
  const std::lock_guard lock(mutex_);
  step_.reset();
  if (name.empty()) return;
  if (index_.fake) most_seconds = limit_;  // a CPU in a GPU's place, whatever else it does
  step_ = Step{name,
               Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(most_seconds))};
}

std::optional<Session::Step> Session::current_step() const {
  const std::lock_guard lock(mutex_);
  return step_;
}

}  // namespace alnsmith::check
