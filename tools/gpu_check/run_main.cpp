// gpu-check-run: tests and times a device with what `gpu-check prepare` put into a folder; needs the driver only.
//
// In:  the folder, a device. Out: a result file and a table; exit status 1 where a score is wrong or a kernel fails.
// A kernel that takes the device down, or hangs, costs its own result: the program starts itself again and goes on
// behind it, from the result file.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <thread>

#include "model_table.h"
#include "session.h"

namespace {

using namespace alnsmith;
using namespace alnsmith::check;

constexpr int kMostStarts = 12;

struct Arguments {
  std::string folder, device = "cuda:0", out, results, date, model, rates;
  double limit = 480;
  int start = 0;
  double earlier = 0;
};

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

// "NVIDIA H200" is nvidia-h200.
std::string file_name(const std::string &device) {
  std::string name;
  for (const char c : device) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "device" : name;
}

// Replaces this process by one that goes on behind what the result file holds. Returns where it cannot.
void start_again(const Arguments &arguments, const Session &session, const std::string &out) {
  if (arguments.start + 1 >= kMostStarts) return;
  const std::vector<std::string> words = {"gpu-check-run", arguments.folder,
                                          "--device",      arguments.device,
                                          "--out",         out,
                                          "--limit",       fmt::format("{}", session.limit()),
                                          "--start",       std::to_string(arguments.start + 1),
                                          "--earlier",     fmt::format("{}", session.seconds())};
  std::vector<char *> argv;
  for (const std::string &word : words) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  execv("/proc/self/exe", argv.data());
}

// A step that does not end takes its kernel's result with it, not the run.
void watch(const std::stop_token &stop, const Arguments &arguments, Session &session, const std::string &out) {
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const auto step = session.current_step();
    const bool over = session.seconds() > session.limit() + 20;
    if (!step || (Clock::now() < step->end && !over)) continue;
    // The main thread sits in the driver: nothing else changes the report.
    const std::string line = step->name + ": did not end in time";
    session.report().failure(line);
    const auto behind = [&](const char *begin) { return step->name.starts_with(begin); };
    if (behind("test of ")) {
      const std::string kernel = step->name.substr(8);
      for (const TestEntry &test : session.index().tests)
        if (const auto spec = session.kernels(test.spec); spec)
          for (const auto &info : (*spec)->manifest.kernels)
            if (info.entry == kernel)
              session.report().add("tests",
                                   {{"spec", test.spec}, {"kernel", kernel}, {"status", "failed"}, {"message", line}});
    } else if (behind("bench ")) {
      const std::string name = step->name.substr(6, step->name.find(" with ") - 6);
      session.report().add("benches", {{"name", name}, {"status", "failed"}, {"message", line}});
    } else {
      session.report().at("pipes") = {{"status", "unavailable"}, {"reason", line}};
    }
    (void)session.report().save();
    if (!over) start_again(arguments, session, out);
    std::cout << table(session.report().root()) << "gpu-check: " << line << "; results so far in " << out << std::endl;
    _exit(1);
  }
}

int run(const Arguments &arguments) {
  const auto fail = [](const Error &error) {
    std::cerr << "gpu-check: " << error.message << "\n";
    return error.exit_code;
  };
  if (!arguments.model.empty()) {
    const auto text = model_table(arguments.folder, arguments.model, arguments.rates);
    if (!text) return fail(text.error());
    std::cout << *text;
    return 0;
  }
  auto opened = Session::open(arguments.folder, arguments.device, "", arguments.limit);
  if (!opened) return fail(opened.error());
  const std::string device = file_name((*opened)->executor().info().name);
  const std::string results = arguments.results.empty() ? arguments.folder + "/results" : arguments.results;
  const std::string date = arguments.date.empty() ? today() : arguments.date;
  const std::string out = arguments.out.empty() ? results + "/" + device + "-" + date + ".json" : arguments.out;
  std::error_code ignored;
  if (const auto parent = std::filesystem::path(out).parent_path(); !parent.empty())
    std::filesystem::create_directories(parent, ignored);
  Session &session = **opened;
  session.report() = RunReport(out);
  session.set_earlier(arguments.earlier);
  if (arguments.start > 0) {
    if (auto ok = session.report().resume(); !ok) return fail(ok.error());
  } else {
    session.report().device(session.executor().info(), date, session.index().version, session.index().fake);
    if (auto ok = session.report().save(); !ok) return fail(ok.error());
  }
  {
    std::jthread watchdog([&](const std::stop_token &stop) { watch(stop, arguments, session, out); });
    for (const auto &phase : {run_pipes, run_tests, run_benches}) {
      const Status status = phase(session);
      if (status) continue;
      if (session.executor().failure() == internal::Failure::lost) start_again(arguments, session, out);
      session.report().failure(status.error().message);
      break;
    }
  }
  if (session.report().root()["tests"].empty() && session.report().root()["benches"].empty())
    session.report().failure("nothing was run: the folder holds no tests and no benches for this device");
  session.report().at("seconds") = session.seconds();
  session.report().at("complete") = session.report().root()["skipped"].empty();
  if (auto ok = session.report().save(); !ok) return fail(ok.error());
  std::cout << table(session.report().root());
  std::cout << fmt::format("gpu-check: {} in {:.0f} s; results in {}\n",
                           session.report().failed() ? "FAILED" : "passed", session.seconds(), out);
  return session.report().failed() ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  CLI::App app("Tests and times a device with a folder of gpu-check prepare.", "gpu-check-run");
  app.add_option("folder", arguments.folder, "prepared folder")->required();
  app.add_option("--device", arguments.device, "cuda:0, hip:1, opencl:0");
  app.add_option("--out", arguments.out, "result file; default FOLDER/results/<device>-<date>.json");
  app.add_option("--results", arguments.results, "folder of the result file, if --out is not given");
  app.add_option("--date", arguments.date, "date of the result, YYYY-MM-DD; default today's");
  app.add_option("--limit", arguments.limit, "seconds that all may take")->check(CLI::PositiveNumber);
  app.add_option("--model", arguments.model, "print the model of the kernels for this target (cuda:sm_90) and end");
  app.add_option("--rates", arguments.rates, "with --model: a result file, whose measured pipes count");
  app.add_option("--start", arguments.start)->group("");
  app.add_option("--earlier", arguments.earlier)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return run(arguments);
}
