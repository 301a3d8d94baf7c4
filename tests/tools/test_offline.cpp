// Opening where little is there: kernels of earlier runs without generator and compiler, specs by name, packs by spec.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "alnsmith/packs.hpp"
#include "program.h"

namespace alnsmith::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

// Two kernels on a CPU, so that two calls need all there are.
std::string spec_text(const std::string &name, int match = 3) {
  return "version: 1\nname: " + name +
         "\nalignment: global\ngap: {model: linear, extend: 2}\nalphabet: dna\nscore: {match: " +
         std::to_string(match) + ", mismatch: -1}\narithmetic: int32\ntargets: [scalar]\n";
}

class Offline : public ::testing::Test {
 protected:
  void SetUp() override {
    ALNSMITH_NEEDS_KERNELS();
    fs::create_directory(folder.path("bin"));
    fs::copy_file(program(), folder.path("bin/alnsmith"));  // and no generator
    spec = folder.write("my.yaml", spec_text("mine"));
    query = folder.write("q.fa", ">a\nACGTAC\n>b\nGGT\n");
  }
  Words align(const Words &more = {}) const {
    Words words = {"align", "--spec", spec, "--query", query, "--target", query, "--isa", "scalar", "--explain"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Finished start(const std::string &program, const Words &variables, const Words &arguments) const {
    Words words = {"env", "ALNSMITH_CACHE=" + cache, "XDG_DATA_HOME=" + folder.path("data")};
    words.insert(words.end(), variables.begin(), variables.end());
    words.push_back(program);
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run(words);
  }
  // On the login node, where kernels can be made; on a compute node, where there are neither compiler nor generator.
  Finished login(const Words &arguments) const { return start(program(), {}, arguments); }
  Finished compute(const Words &arguments) const {
    Words words = {"/usr/bin/env", "ALNSMITH_CACHE=" + cache, "XDG_DATA_HOME=" + folder.path("data"), "PATH=/nowhere",
                   folder.path("bin/alnsmith")};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run(words);
  }
  // A pack of one spec for `scalar`.
  std::string pack(const std::string &file, const std::string &text) const {
    const std::string path = folder.path(file);
    const Finished built =
        login({"pack", "build", folder.write(file + ".yaml", text), "--target", "scalar", "-o", path, "--quiet"});
    EXPECT_EQ(built.status, 0) << built.err;
    return path;
  }

  Folder folder;
  const std::string cache = folder.path("cache");
  std::string spec, query;
};

TEST_F(Offline, KernelsOfEarlierRunsServeWhereNothingCanBeGenerated) {
  const Finished none = compute(align());
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(one_line(none.err) && has(none.err, "cache: there is no cache folder")) << none.err;
  const Finished pairs = login(align()), all = login(align({"--all"}));
  ASSERT_EQ(pairs.status, 0) << pairs.err;
  ASSERT_EQ(all.status, 0) << all.err;
  const Finished later = compute(align());
  ASSERT_EQ(later.status, 0) << later.err;
  EXPECT_EQ(later.out, pairs.out);
  EXPECT_TRUE(has(later.err, ": from the cache, " + cache)) << later.err;
  EXPECT_FALSE(has(later.err, "note: ")) << later.err;
  EXPECT_EQ(compute(align({"--all"})).out, all.out);
  // In the library, by the file's name and by its hash alone.
  Sources sources = installed_sources(folder.path("bin"));
  EXPECT_EQ(sources.program, folder.path("bin/alnsmith"));
  EXPECT_EQ(sources.generator, "");
  sources.cache_dir = cache;
  Options scalar;
  scalar.isa = Isa{};
  const auto by_file = Aligner::open(spec, sources, scalar);
  ASSERT_TRUE(by_file) << by_file.error().message;
  const auto found = find_spec(spec, sources);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->name, "mine");
  const auto by_hash = Aligner::open(SpecRef{"", "mine", found->hash}, sources, scalar);
  ASSERT_TRUE(by_hash) << by_hash.error().message;
}

TEST_F(Offline, APartOfTheKernelsIsSaid) {
  ASSERT_EQ(login(align()).status, 0);
  const Finished later = compute(align());
  ASSERT_EQ(later.status, 0) << later.err;
  EXPECT_TRUE(has(later.err, "alnsmith: note: the cache holds 1 of 2 kernels for scalar")) << later.err;
  EXPECT_EQ(compute(align({"--all"})).out, login(align({"--all"})).out);  // pair by pair
}

// Other kernels than those that the call needs: neither the scores nor the spec are at fault.
TEST_F(Offline, ACallWhoseKernelsTheCacheLacksSaysSo) {
  ASSERT_EQ(login(align({"--all"})).status, 0);
  const Finished refused = compute(align());
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(has(refused.err,
                  "the cache lacks 1 of the kernels of the spec 'mine' for scalar (pairwise), and nothing can "
                  "be generated here; make such a call where a generator is"))
      << refused.err;
  EXPECT_FALSE(has(refused.err, "arithmetic: auto")) << refused.err;
}

// The second of them is for the alignments with the best branches.
TEST_F(Offline, ReadsArePlacedByAPackOfTwoShippedSpecs) {
  const std::string file = folder.path("place.pack"), out = folder.path("out");
  const Finished built = login({"pack", "build", shipped_spec("papara-v25"), shipped_spec("papara-v25-cigar"),
                                "--target", "scalar", "-o", file, "--quiet"});
  ASSERT_EQ(built.status, 0) << built.err;
  const Words place = {"place",
                       "--spec",
                       shipped_spec("papara-v25"),
                       "--pack",
                       file,
                       "--isa",
                       "scalar",
                       "--tree",
                       folder.write("t.nwk", "((A:0.1,B:0.2):0.3,C:0.1,D:0.2);\n"),
                       "--reference",
                       folder.write("r.phy", "4 12\nA ACGTACGTACGT\nB ACGTACGTACGA\nC ACGTAC--ACGT\nD TTGTAC--ACGT\n"),
                       "--query",
                       folder.write("reads.fa", ">one\nACGTAC\n>two\nTTGTA\n"),
                       "--out",
                       out};
  const Finished placed = compute(place);
  ASSERT_EQ(placed.status, 0) << placed.err;
  EXPECT_TRUE(fs::exists(out + "/placements.jplace"));
}

TEST_F(Offline, WhatOthersMayWriteIsNotLoaded) {
  ASSERT_EQ(login(align()).status, 0);
  ::chmod(cache.c_str(), 0777);
  const Finished refused = compute(align());
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(one_line(refused.err) && has(refused.err, "others may write to it")) << refused.err;
}

TEST_F(Offline, ANamedPackIsTheOnlySource) {
  ASSERT_EQ(login(align()).status, 0);
  const Finished other = login(align({"--pack", pack("other.pack", spec_text("other"))}));
  EXPECT_EQ(other.status, 0) << other.err;  // the same hash: names do not count
  const Finished refused = login(align({"--pack", pack("third.pack", spec_text("third", 4))}));
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(one_line(refused.err) && has(refused.err, "no compiled kernels of it for scalar in ")) << refused.err;
}

TEST_F(Offline, APackThatIsMissingIsSaidFirst) {
  const Words wrong = {"align", "--spec", "no-such", "--query", "none", "--target", "none", "--pack"};
  const auto said = [&](const std::string &file) {
    Words words = wrong;
    words.push_back(file);
    return alnsmith(words).err;
  };
  const std::string none = folder.path("missing.pack");
  EXPECT_EQ(said(none),
            "alnsmith: --pack " + none + ": No such file or directory: name a pack, or a folder of packs\n");
  EXPECT_TRUE(has(said(folder.write("a.pack", "no pack")), "a.pack: ")) << said(folder.path("a.pack"));
  EXPECT_TRUE(has(said(query), "a pack's name ends in .pack"));
}

TEST_F(Offline, PacksAreSearchedBySpecNameToo) {
  const std::string file = pack("my.pack", spec_text("only-in-a-pack"));
  spec = "only-in-a-pack";
  const Finished got = compute(align({"--pack", file}));
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_TRUE(has(got.out, "a\ta\t18\n")) << got.out;
  EXPECT_TRUE(has(got.err, "spec only-in-a-pack of " + file + " hash ")) << got.err;
  // Installed, it is found without being named.
  ASSERT_EQ(compute({"pack", "install", file}).status, 0);
  EXPECT_EQ(compute(align()).out, got.out);
  const Finished id = compute({"spec", "show", "--id", spec});
  EXPECT_TRUE(has(id.out, "\tonly-in-a-pack\t\n")) << id.out;
  // The library needs no program for it.
  Sources sources;
  sources.kernel_dirs = {file};
  sources.only_kernel_dirs = true;
  Options scalar;
  scalar.isa = Isa{};
  const auto aligner = Aligner::open(spec, sources, scalar);
  ASSERT_TRUE(aligner) << aligner.error().message;
  // Two specs of the name are one too many.
  const std::string other = pack("z.pack", spec_text("only-in-a-pack", 5));
  sources.kernel_dirs = {folder.path("")};
  const auto both = find_spec(spec, sources);
  ASSERT_FALSE(both);
  EXPECT_TRUE(has(both.error().message, "several specs are named 'only-in-a-pack': ")) << both.error().message;
  EXPECT_TRUE(has(both.error().message, file) && has(both.error().message, other)) << both.error().message;
  EXPECT_TRUE(has(both.error().message, "set SpecRef::hash"));
  const Finished twice = compute(align({"--pack", folder.path("")}));
  EXPECT_EQ(twice.status, 1);
  EXPECT_TRUE(one_line(twice.err) && has(twice.err, "several specs are named")) << twice.err;
}

TEST_F(Offline, APackThatIsSkippedForItsNameIsSaid) {
  const std::string file = pack("my.pack", spec_text("only-in-a-pack"));
  ::chmod(file.c_str(), 0666);
  spec = "only-in-a-pack";
  const Finished refused = compute(align({"--pack", file}));
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(one_line(refused.err) && has(refused.err, "no shipped spec of that name") &&
              has(refused.err, "pack skipped: " + file + ": not loaded: others may write to it"))
      << refused.err;
}

// A pack of kernels whose scoring comes with the call serves every spec of that form, without a compiler.
TEST_F(Offline, GenericKernelsServeSpecsWithoutKernelsOfTheirOwn) {
  const Finished own = login(align({"--all"}));
  ASSERT_EQ(own.status, 0) << own.err;
  const std::string form =
      "version: 1\nname: any-scoring\nalignment: global\ngap: {model: linear, extend: runtime}\n"
      "alphabet: dna\nscore: {match: runtime, mismatch: runtime}\n";
  const std::string file = pack("generic.pack", form);
  const Finished got = compute(align({"--all", "--pack", file}));
  ASSERT_EQ(got.status, 0) << got.err;
  EXPECT_EQ(got.out, own.out);
  EXPECT_TRUE(
      has(got.err, "note: no kernels of the spec 'mine' are at hand: generic kernels of 'any-scoring' serve it"))
      << got.err;
  EXPECT_TRUE(has(got.err, " kernel=aln_any_scoring_") && has(got.err, " gap=2*L ")) << got.err;
  // Scoring stays the spec's: nothing that it fixes can be given.
  Sources sources;
  sources.program = program();
  sources.kernel_dirs = {file};
  sources.only_kernel_dirs = true;
  Options scalar;
  scalar.isa = Isa{};
  const auto aligner = Aligner::open(spec, sources, scalar);
  ASSERT_TRUE(aligner) << aligner.error().message;
  EXPECT_EQ(aligner->gap_formula(), "cost(L) = 0 + 2*L");
  const std::string_view letters = "ACGT";
  std::int32_t score = 0;
  Options other;
  other.scoring.values["match"] = 5;
  const auto refused = aligner->align_pairs({&letters, 1}, {&letters, 1}, {&score, 1}, other);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(has(refused.error().message, "the spec 'mine' fixes score.match")) << refused.error().message;
  ASSERT_TRUE(aligner->align_pairs({&letters, 1}, {&letters, 1}, {&score, 1}));
  EXPECT_EQ(score, 12);
  // Lengths, too; another form is not served.
  const std::string with_length = spec_text("short") + "max_length: {query: 3, target: 3}\n";
  const auto bounded = Aligner::open(folder.write("short.yaml", with_length), sources, scalar);
  ASSERT_TRUE(bounded) << bounded.error().message;
  EXPECT_TRUE(has(bounded->align_pairs({&letters, 1}, {&letters, 1}, {&score, 1}).error().message, "(max_length)"));
  for (const auto &[from, to] : {std::pair<std::string, std::string>{"global", "local"},
                                 {"dna", "dna5"},
                                 {"linear, extend: 2", "affine, open: 1, extend: 2"},
                                 {"version: 1", "version: 1\noutput: [score, end]"}}) {
    std::string text = spec_text("else");
    text.replace(text.find(from), from.size(), to);
    EXPECT_FALSE(Aligner::open(folder.write("else.yaml", text), sources, scalar)) << to;
  }
}

// Costs that minimise, and a matrix: signs and places are the kernels' to get right.
TEST_F(Offline, GenericKernelsScoreAsTheirOwn) {
  const std::string distance =
      "version: 1\nname: d\nobjective: minimize\nalignment: {free_ends: [target_end]}\n"
      "gap: {insertion: {model: linear, extend: 2}, deletion: {model: linear, extend: 3}}\n"
      "alphabet: dna5\nscore: {match: 0, mismatch: 4}\n";
  const std::string matrix =
      "version: 1\nname: m\nalignment: local\ngap: {model: affine, open: 3, extend: 1}\n"
      "alphabet: dna\nscore: {matrix: ./my.mat}\n";
  folder.write("my.mat", "   A  C  G  T\nA  5 -3 -1 -3\nC -4  5 -3 -1\nG -1 -3  6 -3\nT -3 -2 -3  5\n");
  const std::string generic_distance =
      "version: 1\nname: gd\nalignment: {free_ends: [target_end]}\n"
      "gap: {model: linear, extend: runtime}\nalphabet: dna5\nscore: {match: runtime, mismatch: runtime}\n";
  const std::string generic_matrix =
      "version: 1\nname: gm\nalignment: local\n"
      "gap: {model: affine, open: runtime, extend: runtime}\n"
      "alphabet: dna\nscore: {matrix: runtime}\n";
  query = folder.write("more.fa", ">a\nACGTACGGTT\n>b\nGGTCA\n>c\nTTACGCAGT\n>d\nG\n");
  for (const auto &[own, generic] : {std::pair{distance, generic_distance}, {matrix, generic_matrix}}) {
    spec = folder.write("own.yaml", own);
    const Finished expected = login(align({"--all"}));
    ASSERT_EQ(expected.status, 0) << expected.err;
    const Finished got = compute(align({"--all", "--pack", pack("g.pack", generic)}));
    ASSERT_EQ(got.status, 0) << got.err;
    EXPECT_EQ(got.out, expected.out);
    EXPECT_TRUE(has(got.err, "generic kernels of 'g")) << got.err;
  }
}

TEST_F(Offline, NamesInPacksAreSuggestedToo) {
  const std::string own = pack("own.pack", spec_text("barcodes-strict"));
  const auto said = [&](const std::string &name) {
    spec = name;
    const Finished got = compute(align({"--pack", own}));
    EXPECT_TRUE(got.status == 1 && one_line(got.err)) << got.err;
    return got.err;
  };
  EXPECT_TRUE(has(said("barcodes-strickt"), "; the nearest is barcodes-strict (")) << said("barcodes-strickt");
  EXPECT_TRUE(has(said("barcodes"), "; there is barcodes-strict (")) << said("barcodes");
}

TEST_F(Offline, OneCallOpensAShippedSpecAndErrorsNameTheField) {
  const auto aligner = Aligner::open("dna-global-linear");  // this build's folder: programs, specs, generator
  ASSERT_TRUE(aligner) << aligner.error().message;
  EXPECT_TRUE(has(aligner->manifest(), "\"dna-global-linear\""));
  const auto unknown = Aligner::open("dna-global-linera");
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(has(unknown.error().message, "the nearest is dna-global-linear")) << unknown.error().message;
  const auto without = find_spec(spec, Sources{});
  ASSERT_FALSE(without);
  const std::string mend =
      "set ALNSMITH_PREFIX to an installation that has it, or Sources::program (alnsmith_sources.program in C)";
  EXPECT_TRUE(has(without.error().message, mend + ", or open it by SpecRef::hash (spec_hash of alnsmith_open)"))
      << without.error().message;
  const auto name = find_spec("some-name", Sources{});
  ASSERT_FALSE(name);
  EXPECT_TRUE(has(name.error().message, mend)) << name.error().message;
  Sources wrong;
  wrong.program = folder.path("none");
  EXPECT_TRUE(has(find_spec(spec, wrong).error().message, "Sources::program: "));
  // A mistake in the file is its own error.
  const auto bad = Aligner::open(folder.write("bad.yaml", "version: 1\nnmae: x\n"));
  ASSERT_FALSE(bad);
  EXPECT_TRUE(has(bad.error().message, "bad.yaml:2:1: ")) << bad.error().message;
}

}  // namespace
}  // namespace alnsmith::testing
