// What kernels do with memory, counted on the SIMT library with real sequences: profile reads never wait for a bank of
// shared memory, whatever the residues. Prints shared-memory conflicts and global sectors per 1,000 cells.
//
// Shipped specs of proteins and of reads, each kernel with one launch that fills a block; NVIDIA's banks and sectors.
// By default one spec of each, that of proteins with waves of 64 too, and of kernels without profiles one tile;
// ALNSMITH_FULL=1: three specs on three targets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>

#include "full_run.h"
#include "golden.h"
#include "material.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "workers.h"

namespace alnsmith::test {
namespace {

struct Job {
  std::string spec, target;
  std::string name() const { return spec + " for " + target; }
};

// Sequences of the large data where present, else the bundled ones; `longest`: letters of one.
std::vector<std::string> sequences(const spec::Spec &spec, std::size_t count, std::size_t longest) {
  const bool protein = spec.alphabet.name == "protein";
  std::vector<std::string> texts;
  if (const auto folder = golden::data_dir(); folder && protein) {
    for (const auto &record : golden::read_sequences(*folder + "/protein/db.fasta.gz"))
      if (record.letters.size() >= 100 && record.letters.size() <= longest) texts.push_back(record.letters);
    std::mt19937 random(3);
    std::ranges::shuffle(texts, random);
  } else {
    texts = real_sequences(spec);
  }
  texts.resize(std::min(texts.size(), count));
  return texts;
}

// As many pairs as a block of the kernel takes at once, of real sequences; all with the same queries where the form has
// it so.
std::vector<Pair> block_of_pairs(const plan::KernelPlan &kernel, const std::vector<std::string> &texts) {
  const std::size_t shared = static_cast<std::size_t>(kernel.queries());
  const std::size_t count = static_cast<std::size_t>(
      kernel.mapping == "block" ? kernel.packing : kernel.lanes / kernel.p * kernel.packing * kernel.warps);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t target = shared > 0 ? shared + i / shared : count + i, query = shared > 0 ? i % shared : i;
    pairs.emplace_back(texts[query % texts.size()], texts[target % texts.size()]);
  }
  return pairs;
}

struct Row {
  std::string name;
  double cells = 0;  // of the sequences, not of padded lanes
  simt::Counters counters;

  double per_1000(std::uint64_t count) const { return static_cast<double>(count) * 1000 / cells; }
};

// A sector has 32 bytes: what the lanes asked for, as a part of what was moved.
double used(const simt::Traffic &traffic) {
  return traffic.transactions ? static_cast<double>(traffic.bytes) / static_cast<double>(32 * traffic.transactions) : 1;
}

Row count(const SimtKernels &kernels, const plan::KernelPlan &kernel, const std::vector<std::string> &texts,
          const std::string &name) {
  const std::vector<Pair> pairs = block_of_pairs(kernel, texts);
  Row row{name, 0, kernels.launch(kernel, pairs, 0).counters};
  for (const Pair &pair : pairs) row.cells += static_cast<double>(pair.first.size() * pair.second.size());
  return row;
}

void print(const Row &row) {
  const simt::Counters &c = row.counters;
  std::printf("%-78s %8.2f %8.2f %8.2f %8.2f %5.0f%% %8.2f %5.0f%%\n", row.name.c_str(),
              row.per_1000(c.shared_load16.accesses), row.per_1000(c.shared_load16.conflicts),
              row.per_1000(c.shared_load.conflicts + c.shared_store.conflicts),
              row.per_1000(c.global_load.transactions), 100 * used(c.global_load),
              row.per_1000(c.global_store.transactions), 100 * used(c.global_store));
}

TEST(KernelCounters, ProfileReadsHaveNoBankConflict) {
  std::vector<Job> jobs;
  for (const char *spec : {"protein-local-blosum62", "protein-global-blosum62", "dna-semiglobal-affine"})
    for (const char *target : {"cuda:sm_90", "cuda:sm_80", "hip:gfx90a"}) {
      const std::string name = spec, device = target;
      const bool proteins = name == "protein-local-blosum62" && device != "cuda:sm_80";
      const bool reads = name == "dna-semiglobal-affine" && device == "cuda:sm_90";
      if (proteins || reads || sample::full()) jobs.push_back({name, device});
    }
  std::mutex mutex;
  std::vector<Row> rows;
  const std::string wrong = run_all(jobs, [&](const Job &job, const TextMaker &maker) -> std::string {
    const auto spec = spec::parse_file(ALNSMITH_SPECS "/" + job.spec + ".yaml");
    if (!spec) return spec.error().message + "\n";
    // Kernels without a profile have none whose reads could wait: by default one of those that differ by tile alone.
    std::set<std::string> without;
    auto text = maker.make(*spec, job.target, [&](const plan::KernelPlan &kernel) {
      return kernel.form != Form::pairwise || sample::full() ||
             without.insert(kernel.mapping + kernel.arithmetic).second;
    });
    if (!text) return text.error().message + "\n";
    simt::Build counting = build();
    counting.count = true;
    const SimtKernels kernels(*std::move(text), oracle::call_scoring(*spec), counting);
    const auto texts = sequences(*spec, 200, sample::full() ? 400 : 200);
    std::string said;
    for (const plan::KernelPlan &kernel : kernels.kernels()) {
      const Row row = count(kernels, kernel, texts,
                            job.name() + " " + name_of(kernel.form) + " " + kernel.mapping + " " + kernel.arithmetic +
                                " p" + std::to_string(kernel.p) + "k" + std::to_string(kernel.k));
      const simt::Traffic &reads = row.counters.shared_load16;
      if (kernel.form != Form::pairwise && reads.accesses == 0) said += row.name + ": reads no profile\n";
      if (reads.conflicts > 0)
        said += row.name + ": " + std::to_string(reads.conflicts) + " bank conflicts in profile reads\n";
      const std::lock_guard lock(mutex);
      rows.push_back(row);
    }
    return said;
  });
  std::ranges::sort(rows, {}, &Row::name);
  std::printf("%-78s %8s %8s %8s %8s %6s %8s %6s\n", "per 1,000 cells", "profile", "its", "all bank", "sectors", "",
              "sectors", "");
  std::printf("%-78s %8s %8s %8s %8s %6s %8s %6s\n", "", "reads", "conflict", "conflict", "loaded", "used", "stored",
              "used");
  for (const Row &row : rows) print(row);
  EXPECT_TRUE(wrong.empty()) << wrong;
  EXPECT_GT(rows.size(), 20u);
}

}  // namespace
}  // namespace alnsmith::test
