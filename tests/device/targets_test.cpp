// Every shipped spec, generated and compiled for devices: nothing spills, and the loops hold the instructions that
// their arithmetic is chosen for, about as many as the model counts. Prints one table. By default a spec is compiled
// for OpenCL and, by turns, for sm_90 or gfx90a; one for every target; of kernels that differ by their tile alone one
// of the widest, in turns. ALNSMITH_FULL=1 takes every kernel of every spec for every target.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <optional>
#include <set>
#include <string_view>
#include <thread>

#include "base/files.h"
#include "base/process.h"
#include "compile/tools.h"
#include "generated.h"
#include "processors.h"
#include "sample.h"

namespace alnsmith::test {
namespace {

const std::string kHopper = "cuda:sm_90";
const std::string kEveryTarget = "dna-global-linear";  // this spec for all architectures

// Instructions for one cell pair that the model of docs/performance.md counts on, for Hopper. Where a loop needs more
// than 1.15 times as many, the reason stands beside it.
struct Model {
  std::string_view spec, form, arithmetic;
  double instructions, most;
  const char *reason;
};
constexpr const char *kCopies =
    "16 columns share a row's letter, shuffles and counter; ptxas copies registers besides, on the multiplier's pipe";
constexpr Model kModel[] = {
    // Two sums, a maximum of three, two maxima with a sum, half a maximum for the best, a quarter of a load.
    {"protein-local-blosum62", "shared_profile", "s16x2", 5.75, 1.28, kCopies},
    // One instruction more where both halves are looked up by themselves; five (two addresses, two loads, one that puts
    // the halves together), and no profile's, where each has a query of its own.
    {"protein-local-blosum62", "single_query", "s16x2", 6.75, 1.28, kCopies},
    {"protein-local-blosum62", "pairwise", "s16x2", 10.5, 1.40, "two instructions an address, not one"},
    {"dna-global-affine", "shared_profile", "s16x2", 5.25, 1.17, kCopies},
    // The pick of a letter's score instead of a load.
    {"anyseq-global-affine", "pairwise", "s16x2", 6.0, 1.20, kCopies},
    // Two rows per turn, 8.4 per cell pair of each: the score, two comparisons for the way back, each with an addition,
    // and
    // their packing.
    {"edit-distance-cigar", "pairwise", "hybrid", 16.8, 1.35,
     "each row has four stores and their address besides, a letter, shuffles and the borders on both sides"},
    {"dna-global-linear", "shared_profile", "s16x2", 2.6, 1.30,
     "32 cells of two instructions each share the eight reads of a step's profile and about a dozen for its letter, "
     "shuffles and counter; ptxas copies registers besides, on the multiplier's pipe, which has room"},
};

struct Job {
  std::string spec, target;
  std::optional<std::size_t> turn;  // nothing: all kernels
};

struct Outcome {
  std::vector<KernelRow> rows;
  std::vector<std::string> failures, skipped;
};

std::vector<Job> jobs_of(const std::string &spec) {
  const bool full = sample::full(), every = full || spec == kEveryTarget;
  const bool modelled = std::ranges::find(kModel, spec, &Model::spec) != std::end(kModel);
  const auto specs = shipped_specs();
  const auto place = static_cast<std::size_t>(std::ranges::find(specs, spec) - specs.begin());
  const std::string turn = place % 2 != 0 && !modelled ? "hip:gfx90a" : kHopper;
  std::vector<Job> list;
  for (const std::string &target : device_targets())
    if (every || target == turn || target == "opencl")
      list.push_back({spec, target, full ? std::nullopt : std::optional(place / 2)});
  return list;
}

// SPIR-V of an OpenCL text, where there is a validator.
void check_spirv(const Job &job, const std::string &text, Outcome &outcome) {
  if (rt::find_program("spirv-val").empty()) return outcome.skipped.push_back("spirv-val: run tools/setup opencl");
  const auto binary = rt::compile::compile_device(text, "opencl:spirv64", {}, {});
  if (!binary) return outcome.failures.push_back(job.spec + ": " + binary.error().message);
  const rt::compile::WorkFolder folder;
  if (auto ok = rt::write_file(folder.file("kernels.spv"), binary->bytes); !ok)
    return outcome.failures.push_back(ok.error().message);
  const auto checked = rt::run_process({"spirv-val", "--target-env", "opencl1.2", folder.file("kernels.spv")}, {});
  if (!checked || checked->exit_code != 0)
    outcome.failures.push_back(job.spec +
                               ": spirv-val: " + (checked ? checked->out + checked->err : checked.error().message));
}

// The instructions that make an arithmetic worth its name; empty where all are there.
std::string missing_instructions(const KernelRow &row) {
  const models::Loop &loop = *row.loop;
  const auto any = [&](std::initializer_list<const char *> names) {
    int number = 0;
    for (const char *name : names) number += loop.count(name);
    return number >= row.k * row.rows / 2;
  };
  const bool hopper = row.target == "cuda:sm_90" || row.target == "cuda:sm_100";
  std::string missing;
  if (row.target.starts_with("cuda")) {
    if (row.arithmetic == "half2" || row.arithmetic == "hybrid") {
      if (!any({"HADD2", "HFMA2"})) missing += " HADD2";
    }
    if (row.arithmetic == "half2" && !any({"HMNMX2", "VHMNMX"})) missing += " HMNMX2 or VHMNMX";
    // Local alignments with linear gaps have maxima of two only: the larger neighbour is found before the gap is paid.
    if ((row.arithmetic == "hybrid" || row.arithmetic == "s16x2") && hopper && !any({"VIADDMNMX", "VIMNMX3", "VIMNMX"}))
      missing += " VIADDMNMX, VIMNMX3 or VIMNMX";
  } else if (row.arithmetic == "s16x2") {
    if (!any({"v_pk_max_i16", "v_pk_max_u16"})) missing += " v_pk_max_i16";
    if (!any({"v_pk_add_u16", "v_pk_add_i16", "v_pk_sub_u16", "v_pk_sub_i16"})) missing += " v_pk_add_u16";
  } else if (row.arithmetic == "half2" && !any({"v_pk_max_f16", "v_pk_maximum3_f16"})) {
    missing += " v_pk_max_f16";
  }
  return missing;
}

Outcome run(const Job &job) {
  Outcome outcome;
  auto generated = generate(job.spec, job.target, job.turn);
  if (!generated) {
    const std::string &why = generated.error().message;
    (why.find("has no template") != std::string::npos ? outcome.skipped : outcome.failures).push_back(why);
    return outcome;
  }
  rt::compile::CompileOptions options;
  options.check = true;
  if (auto there = rt::compile::find_device_compiler(job.target, options, {}); !there)
    return outcome.skipped.push_back(there.error().message), outcome;
  std::string said;
  const auto binary = compile_generated(*generated, job.spec, job.target, options, said);
  if (!binary) return outcome.failures.push_back(job.spec + ": " + binary.error().message), outcome;
  if (!said.empty()) outcome.skipped.push_back(said);
  for (const KernelRow &row : generated->kernels) {
    const std::string at = job.spec + ", " + job.target + ", " + row.entry + ": ";
    const bool machine_code = !job.target.starts_with("opencl");
    // Clang makes PTX without ptxas, which alone knows its registers.
    if (!row.resources && job.target.starts_with("cuda:compute_") && rt::find_program("ptxas").empty()) {
      outcome.skipped.push_back("ptxas is missing, so the registers of PTX are not known: run tools/setup cuda");
      continue;
    }
    if (machine_code && !row.resources) {
      outcome.failures.push_back(at + "is not in the binary");
    } else if (machine_code) {
      if (auto fits = check_resources(*row.resources, row.entry, job.target); !fits)
        outcome.failures.push_back(job.spec + ": " + fits.error().message);
    }
    if (!row.loop) continue;
    if (row.loop->count("v_readlane_b32") + row.loop->count("v_writelane_b32") > 0 && row.resources->scalar_spills > 0)
      outcome.failures.push_back(at + "scalar registers are spilled in its loop: take a smaller k");
    if (const std::string missing = missing_instructions(row); !missing.empty())
      outcome.failures.push_back(at + "its loop has too few of" + missing);
  }
  if (job.target == "opencl") check_spirv(job, generated->text, outcome);
  outcome.rows = std::move(generated->kernels);
  return outcome;
}

std::vector<Outcome> run_all(const std::vector<Job> &list) {
  std::vector<Outcome> outcomes(list.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < list.size();) outcomes[i] = run(list[i]);
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < processors(); ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return outcomes;
}

constexpr const char *kRow = "{:26} {:15} {:6} {:9} {:6} {:>6} {:>5} {:>6} {:>6} {:>6} {:>7} {:>7}\n";

void print(const KernelRow &row) {
  const auto number = [](int value) { return std::to_string(value); };
  const bool known = row.resources.has_value();
  const models::Resources r = known ? *row.resources : models::Resources();
  fmt::print(fmt::runtime(kRow), row.spec, row.target, row.form, row.mapping, row.arithmetic,
             fmt::format("{}x{}", row.p, row.k), known ? number(r.registers) : "-",
             known ? number(std::max(r.spill_store_bytes, r.spill_load_bytes)) +
                         (r.scalar_spills > 0 ? "+" + number(r.scalar_spills) + "s" : "")
                   : "-",
             known ? number(r.local_bytes) : "-", known ? number(r.shared_bytes) : "-",
             row.loop ? number(row.loop->instructions) : "-",
             row.loop ? fmt::format("{:.2f}", row.instructions_per_cell()) : "-");
}

// One table over all specs. spills: bytes, and with an s the scalar registers kept in vector lanes. loop: instructions
// of one turn of the loop over rows; a cell: of them, for one cell of the alignments of a register.
class DeviceTargets : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    fmt::print(fmt::runtime(kRow), "spec", "target", "form", "mapping", "arith", "p x k", "regs", "spills", "local",
               "shared", "loop", "a cell");
  }
};

// The best of the rows that a line of the model is about, beside it.
void compare(const Model &model, const std::vector<KernelRow> &rows) {
  std::optional<double> best;
  for (const KernelRow &row : rows)
    if (row.target == kHopper && row.form == model.form && row.arithmetic == model.arithmetic && row.loop)
      best = std::min(best.value_or(row.instructions_per_cell()), row.instructions_per_cell());
  ASSERT_TRUE(best) << model.form << " " << model.arithmetic << ": no such kernel";
  fmt::print("{} {}: {:.2f} instructions for a cell pair, model {:.1f}: {:.2f} times{}{}\n", model.form,
             model.arithmetic, *best, model.instructions, *best / model.instructions, *model.reason ? "; " : "",
             model.reason);
  EXPECT_LE(*best / model.instructions, model.most) << model.form << " " << model.arithmetic;
}

TEST_P(DeviceTargets, CompileWithoutSpillsAndHoldTheirInstructions) {
  ONE_IN(6);
  std::set<std::string> skipped;
  std::size_t rows = 0;
  for (const Outcome &outcome : run_all(jobs_of(GetParam()))) {
    for (const KernelRow &row : outcome.rows) print(row);
    for (const std::string &failure : outcome.failures) ADD_FAILURE() << failure;
    skipped.insert(outcome.skipped.begin(), outcome.skipped.end());
    rows += outcome.rows.size();
    if (outcome.rows.empty() || outcome.rows.front().target != kHopper) continue;
    for (const Model &model : kModel)
      if (outcome.skipped.empty() && model.spec == GetParam()) compare(model, outcome.rows);
  }
  for (const std::string &reason : skipped) std::cout << "skipped: " << reason << "\n";
  if (rows == 0 && !skipped.empty()) GTEST_SKIP() << *skipped.begin();
  EXPECT_GT(rows, 0u);
}

INSTANTIATE_TEST_SUITE_P(Shipped, DeviceTargets, testing::ValuesIn(shipped_specs()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(DeviceTexts, TheModelIsAboutShippedSpecs) {
  const auto specs = shipped_specs();
  for (const Model &model : kModel) EXPECT_NE(std::ranges::find(specs, model.spec), specs.end()) << model.spec;
}

TEST(DeviceTexts, TheGeneratorKnowsTheTargetsThatWePromise) {
  const auto known = device_targets();
  const std::set<std::string> names(known.begin(), known.end());
  for (const char *target :
       {"cuda:sm_75", "cuda:sm_80", "cuda:sm_86", "cuda:sm_89", "cuda:sm_90", "cuda:sm_100", "cuda:sm_120",
        "hip:gfx906", "hip:gfx908", "hip:gfx90a", "hip:gfx942", "hip:gfx1030", "hip:gfx1100", "hip:gfx1201", "opencl"})
    EXPECT_TRUE(names.contains(target)) << target;
}

TEST(DeviceTexts, OneTextServesAllThreeCudaCompilers) {
  const bool full = sample::full();
  for (const std::string target : {"cuda:sm_80", "cuda:sm_90"}) {
    if (target == "cuda:sm_80" && !full) continue;
    const auto generated = generate("dna-local-affine", target, full ? std::nullopt : std::optional<std::size_t>(0));
    ASSERT_TRUE(generated) << generated.error().message;
    for (const std::string choice : {"nvrtc", "nvcc", "clang"}) {
      rt::compile::CompileOptions options;
      options.cuda_compiler = choice;
      options.name = "dna-local-affine.cu";
      if (auto there = rt::compile::find_device_compiler(target, options, {}); !there) {
        std::cout << "skipped: " << there.error().message << "\n";
        continue;
      }
      const auto binary = rt::compile::compile_device(generated->text, target, options, {});
      ASSERT_TRUE(binary) << binary.error().message;
      EXPECT_EQ(binary->kernels.size(), generated->kernels.size()) << choice;
      const auto fits = rt::compile::check_resources(*binary, target);
      EXPECT_TRUE(fits) << choice << ": " << fits.error().message;
    }
  }
}

}  // namespace
}  // namespace alnsmith::test
