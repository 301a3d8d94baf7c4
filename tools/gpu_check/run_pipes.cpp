// Pipe rates: how many lanes of each operation a processor takes in a clock, alone and with another operation.
//
// A driver that cannot run these kernels, such as the one in tests/simt, leaves the rates unavailable, and the model
// with the assumed ones.
#include <fmt/format.h>

#include <cstring>

#include "internal.h"
#include "models/loop_bound.h"
#include "pipe_text.h"
#include "session.h"

namespace alnsmith::check {
namespace {

struct Measured {
  double clocks = 0;   // of the block in the middle
  double seconds = 0;  // of the launch
};

class PipeRunner {
 public:
  static Result<std::unique_ptr<PipeRunner>> make(internal::Executor &executor, internal::DeviceQueue &queue,
                                                  std::string binary) {
    std::unique_ptr<PipeRunner> runner(new PipeRunner(executor, queue, std::move(binary)));
    const std::size_t blocks = runner->blocks();
    for (auto &[memory, bytes] : {std::pair{&runner->out_, blocks * kPipeThreads * sizeof(unsigned)},
                                  std::pair{&runner->clocks_, blocks * sizeof(long long)}}) {
      auto made = executor.allocate(bytes);
      if (!made) return made.error();
      *memory = *std::move(made);
    }
    auto host = executor.allocate_pinned(blocks * sizeof(long long));
    if (!host) return host.error();
    runner->host_ = *std::move(host);
    return runner;
  }

  // The median of three launches behind one that warms up.
  Result<Measured> run(const std::string &entry, int turns) {
    const auto kernel = executor_.load(binary_, entry);
    if (!kernel) return kernel.error();
    const auto number = [](int value) { return internal::Argument{nullptr, 0, value, true}; };
    const std::array arguments = {number(turns), number(0x00010001), number(0x00020003),
                                  internal::Argument{out_.get(), 0, 0, false},
                                  internal::Argument{clocks_.get(), 0, 0, false}};
    std::vector<double> clocks, seconds;
    for (int repeat = 0; repeat < 4; ++repeat) {
      const auto begin = Clock::now();
      if (auto ok = queue_.launch(**kernel, static_cast<int>(blocks()), kPipeThreads, kPipeShared, arguments); !ok)
        return ok.error();
      if (auto ok = queue_.finish(); !ok) return ok.error();
      const double wall = std::chrono::duration<double>(Clock::now() - begin).count();
      if (auto ok = queue_.copy_out(*host_, 0, *clocks_, 0, blocks() * sizeof(long long)); !ok) return ok.error();
      if (auto ok = queue_.finish(); !ok) return ok.error();
      std::vector<double> of_blocks(blocks());
      for (std::size_t i = 0; i < blocks(); ++i)
        of_blocks[i] = static_cast<double>(static_cast<const long long *>(host_->host())[i]);
      if (repeat == 0) continue;
      clocks.push_back(times_of(of_blocks).median);
      seconds.push_back(wall);
    }
    return Measured{times_of(clocks).median, times_of(seconds).median};
  }

 private:
  PipeRunner(internal::Executor &executor, internal::DeviceQueue &queue, std::string binary)
      : executor_(executor), queue_(queue), binary_(std::move(binary)) {}
  std::size_t blocks() const { return static_cast<std::size_t>(std::max(1, executor_.info().processors)); }

  internal::Executor &executor_;
  internal::DeviceQueue &queue_;
  std::string binary_;
  std::unique_ptr<internal::Memory> out_, clocks_, host_;
};

const PipeFile *fitting(const Session &session, const std::string &target) {
  for (const PipeFile &file : session.index().pipes)
    if (file.target == target) return &file;
  return nullptr;
}

// The instructions that a turn consists of most, "32 HADD2 + 32 IMAD".
std::string machine_words(const PipeEntry &entry) {
  std::string words;
  for (const auto &[name, count] : entry.machine)
    if (count >= 8) words += fmt::format("{}{} {}", words.empty() ? "" : " + ", count, name);
  return words;
}

Status unavailable(Session &session, const std::string &reason) {
  session.report().at("pipes") = {{"status", "unavailable"}, {"reason", reason}};
  return session.report().save();
}

}  // namespace

Status run_pipes(Session &session) {
  if (session.report().at("pipes").value("status", "") != "not run") return Ok{};
  const PipeFile *file = fitting(session, session.executor().info().target);
  if (!file) return unavailable(session, "the folder has no such kernels for " + session.executor().info().target);
  auto binary = read_part(session.folder(), session.index(), file->file);
  if (!binary) return unavailable(session, binary.error().message);
  auto runner = PipeRunner::make(session.executor(), session.queue(), *std::move(binary));
  if (!runner) return unavailable(session, runner.error().message);

  Json operations = Json::array(), pairs = Json::array();
  const models::Rates assumed = models::assumed_rates();
  std::map<std::string, double> alone;
  std::vector<models::TimedPair> timed;
  session.step("pipe rates", 120);
  constexpr int kTurns = 2000;
  for (const PipeEntry &kernel : file->kernels) {
    const auto got = (*runner)->run(kernel.entry, kTurns);
    if (!got) {
      session.step("", 0);
      if (!session.index().fake) session.report().failure("pipe kernel " + kernel.entry + ": " + got.error().message);
      if (auto ok = unavailable(session, got.error().message); !ok) return ok;
      if (session.executor().failure() == internal::Failure::lost) return got.error();
      return Ok{};
    }
    const double lanes = got->clocks > 0 ? double(kPipeThreads) * kTurns * kernel.counts[0] / got->clocks : 0;
    if (kernel.names.size() == 1) {
      alone[kernel.names[0]] = lanes;
      operations.push_back({{"name", kernel.names[0]},
                            {"lanes", lanes},
                            {"assumed", assumed.lanes.at(kernel.names[0])},
                            {"machine", machine_words(kernel)}});
    } else {
      timed.push_back({kernel.names[0], kernel.names[1], lanes});
    }
  }
  // Long enough that starting it does not count.
  const auto clock = (*runner)->run(file->kernels.front().entry, kTurns * 100);
  session.step("", 0);
  models::Rates rates = assumed;
  models::correct(rates, alone, timed);
  for (const models::TimedPair &pair : timed) {
    Json row = {{"a", pair.a}, {"b", pair.b}, {"lanes", pair.lanes}};
    for (const models::Sharing &sharing : rates.sharing)
      if (sharing.a == pair.a && sharing.b == pair.b) row["part"] = sharing.part;
    pairs.push_back(row);
  }
  Json result = {{"status", "measured"}, {"operations", operations}, {"pairs", pairs}};
  if (clock && clock->seconds > 0) result["clock_mhz"] = clock->clocks / clock->seconds / 1e6;
  session.report().at("pipes") = result;
  return session.report().save();
}

}  // namespace alnsmith::check
