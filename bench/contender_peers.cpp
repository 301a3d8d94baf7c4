// Loads the peers' shared objects and picks each peer's fastest form of a task.
#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "contender.h"
#include "measure.h"

namespace bench {

class Peer {
 public:
  static std::unique_ptr<Peer> open(const PeerFile &file) {
    void *handle = dlopen(file.path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return nullptr;
    auto peer = std::make_unique<Peer>();
    peer->name = file.name;
    const auto symbol = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    };
    symbol(peer->variant, "peer_variant");
    symbol(peer->prepare, "peer_prepare");
    symbol(peer->run, "peer_run");
    symbol(peer->free, "peer_free");
    symbol(peer->build, "peer_build");
    return peer;
  }

  std::string name;
  decltype(&peer_variant) variant = nullptr;
  decltype(&peer_prepare) prepare = nullptr;
  decltype(&peer_run) run = nullptr;
  decltype(&peer_free) free = nullptr;
  decltype(&peer_build) build = nullptr;
};

namespace {

// The views of a batch that the C interface wants.
struct Views {
  explicit Views(const Case &one) : matrix_file(one.matrix_file) {
    const Batch &batch = one.batch;
    const bool one_query = batch.each && batch.queries.size() == 1;
    for (std::size_t i = 0; i < (one_query ? 1 : batch.pairs()); ++i) {
      query_letters.push_back(batch.query(i).data());
      query_length.push_back(static_cast<int>(batch.query(i).size()));
    }
    for (std::size_t i = 0; i < batch.pairs(); ++i) {
      target_letters.push_back(batch.target(i).data());
      target_length.push_back(static_cast<int>(batch.target(i).size()));
    }
    view = {static_cast<long>(batch.pairs()),
            query_letters.data(),
            query_length.data(),
            target_letters.data(),
            target_length.data(),
            matrix_file.c_str(),
            one_query ? 1 : 0};
  }
  std::string matrix_file;
  std::vector<const char *> query_letters, target_letters;
  std::vector<int> query_length, target_length;
  peer_batch view{};
};

bool runs_here(const std::string &name) {
  if (name.ends_with("avx512"))
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  return !name.ends_with("avx2") || __builtin_cpu_supports("avx2");
}

void take_alignment(void *to, long pair, int query_begin, int target_begin, const unsigned *runs, long count) {
  Results &results = *static_cast<Results *>(to);
  const auto place = static_cast<std::size_t>(pair);
  results.query_begins[place] = query_begin;
  results.target_begins[place] = target_begin;
  results.cigars.set(place, {runs, static_cast<std::size_t>(count)});
}

void run_peer(decltype(&peer_run) run, void *prepared, Results &results) {
  results.cigars.reset(results.cigars.size());
  const peer_results places = {results.scores.data(), &results, take_alignment};
  run(prepared, &places);
}

}  // namespace

std::vector<PeerFile> peer_files() {
  std::vector<PeerFile> files;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "peers";
  std::error_code missing;
  for (const auto &entry : std::filesystem::directory_iterator(folder, missing))
    if (entry.path().extension() == ".so") files.push_back({entry.path().stem().string(), entry.path().string()});
  std::sort(files.begin(), files.end(), [](const PeerFile &a, const PeerFile &b) { return a.name < b.name; });
  return files;
}

Peers::Peers() {
  for (const PeerFile &file : peer_files())
    if (runs_here(file.name))
      if (auto peer = Peer::open(file)) peers_.push_back(std::move(peer));
}

Peers::~Peers() = default;

std::vector<std::string> Peers::descriptions() const {
  std::vector<std::string> lines;
  for (const auto &peer : peers_) lines.push_back(peer->name + ": " + peer->build());
  return lines;
}

std::vector<Runner> Peers::ready(const Case &one, const oracle::Problem &exact, const OracleSample &sample,
                                 std::vector<std::string> &warnings) const {
  std::vector<Runner> runners;
  auto views = std::make_shared<Views>(one);
  Results results = room_for(one);
  for (const auto &peer : peers_) {
    Runner best;
    double best_time = 0;
    for (int index = 0; const char *variant = peer->variant(&one.task, &views->view, index); ++index) {
      void *prepared = peer->prepare(&one.task, &views->view, index);
      if (prepared == nullptr) continue;
      // The state keeps the views alive too: a peer may hold pointers into them.
      Runner runner{peer->name, variant, [run = peer->run, prepared](Results &to) { run_peer(run, prepared, to); },
                    std::shared_ptr<void>(prepared, [free = peer->free, views](void *state) { free(state); }),
                    one.task.cigar != 0};
      double time = timed([&] { runner.run(results); }).wall;
      const auto out = [&](const std::string &why) {
        warnings.push_back(peer->name + " [" + variant + "] is out: " + why);
      };
      if (const std::size_t wrong = sample.differing(results.scores); wrong > 0) {
        out("wrong on " + std::to_string(wrong) + " of " + std::to_string(sample.places.size()) + " pairs");
        continue;
      }
      if (one.task.cigar)
        if (const Complaints wrong = complaints(one, exact, results, sample.places); wrong.pairs > 0) {
          out(wrong.first);
          continue;
        }
      if (best.run && time > 2 * best_time) continue;  // no second pass helps
      time = std::min(time, timed([&] { runner.run(results); }).wall);
      if (best.run && best_time <= time) continue;
      best = std::move(runner);
      best_time = time;
    }
    if (best.run) runners.push_back(std::move(best));
  }
  return runners;
}

}  // namespace bench
