// The side that runs the kernels. See worker.h.
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "tune/worker.h"

namespace alnsmith::tool::tune {
namespace {

// Seconds that this process has run; what it waited for other jobs of the machine is not in it.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Server {
 public:
  nlohmann::json answer(const nlohmann::json &request) {
    const std::string what = request.at("do");
    if (what == "open") return open(request);
    if (!aligner_) return {{"error", "open comes first"}};
    if (what == "sample") return answers_of(job_->work.sample);
    if (what == "answers") return answers_of(job_->work.classes.at(request.at("class").get<std::size_t>()));
    if (what == "run") return run();
    return {{"error", "unknown request"}};
  }

 private:
  // One class's inputs as the calls take them, and room for the answers.
  struct Call {
    std::vector<std::string_view> queries, targets;
    Answers answers;
  };

  nlohmann::json open(const nlohmann::json &request) {
    auto job = load_job(request.at("folder"));
    if (!job) return {{"error", job.error().message}};
    job_ = *std::move(job);
    Sources sources;
    sources.kernel_dirs = {request.at("kernels").get<std::string>()};
    sources.only_kernel_dirs = true;
    sources.cache_dir = request.at("folder").get<std::string>() + "/cache";  // holds nothing: no other kernels
    const std::string device = request.at("device");
    if (const auto isa = parse_isa(job_->target)) options_.isa = isa;
    if (device != "cpu") options_.devices = {device};
    options_.device_memory_bytes = std::size_t{2} << 30;  // eight candidates share a device
    options_.threads = request.at("threads");
    options_.scoring = job_->scoring;
    auto aligner = Aligner::open({"", job_->spec.name, job_->hash}, sources, options_);
    if (!aligner) return {{"error", aligner.error().message}};
    aligner_.emplace(*std::move(aligner));
    for (const Batch &batch : job_->work.classes) calls_.push_back(call_of(batch));
    return {{"target", std::string(aligner_->target())}};
  }

  Call call_of(const Batch &batch) const {
    Call call;
    call.queries.assign(batch.queries.begin(), batch.queries.end());
    call.targets.assign(batch.targets.begin(), batch.targets.end());
    call.answers = Answers(outputs_of(job_->spec), batch.pairs(job_->work.all));
    return call;
  }

  Result<Report> align(Call &call) const {
    const Columns columns = call.answers.columns();
    if (job_->work.all) return aligner_->align_all(call.queries, call.targets, columns, options_);
    return aligner_->align_pairs(call.queries, call.targets, columns, options_);
  }

  nlohmann::json answers_of(const Batch &batch) const {
    Call call = call_of(batch);
    const auto report = align(call);
    if (!report) return {{"error", report.error().message}};
    return to_json(call.answers);
  }

  static std::uint64_t mark_of(const Answers &answers) {
    std::uint64_t mark = 14695981039346656037U;
    for (const auto &list : answers.values)
      for (const std::int32_t value : list) mark = (mark ^ static_cast<std::uint32_t>(value)) * 1099511628211U;
    return mark;
  }

  nlohmann::json run() {
    nlohmann::json seconds = nlohmann::json::array(), marks = nlohmann::json::array();
    std::set<std::string> kernels;
    for (Call &call : calls_) {
      const double before = processor_seconds();
      const auto report = align(call);
      if (!report) return {{"error", report.error().message}};
      // One thread computes all the time, so where the two differ another job had the core.
      const bool alone = options_.devices.empty() && options_.threads == 1;
      seconds.push_back(alone ? std::min(report->seconds, processor_seconds() - before) : report->seconds);
      marks.push_back(mark_of(call.answers));
      kernels.insert(report->kernels.begin(), report->kernels.end());
    }
    return {{"seconds", seconds}, {"marks", marks}, {"kernels", kernels}};
  }

  std::optional<Job> job_;
  std::optional<Aligner> aligner_;
  Options options_;
  std::vector<Call> calls_;
};

}  // namespace

int serve_worker() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever asked is gone: nobody reads on
  std::signal(SIGINT, SIG_IGN);        // the asking side decides
  std::signal(SIGTERM, SIG_DFL);
  Server server;
  for (std::string line; std::getline(std::cin, line);) {
    nlohmann::json reply;
    try {
      reply = server.answer(nlohmann::json::parse(line));
    } catch (const std::exception &unexpected) {
      reply = {{"error", unexpected.what()}};
    }
    std::cout << reply.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  }
  return 0;
}

}  // namespace alnsmith::tool::tune
