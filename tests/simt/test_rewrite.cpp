// The rewriter takes what its rules say and refuses what nearly matches, by line.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

#include "scratch.h"
#include "simt.h"

namespace {

using simt::Dialect;

const std::string kernel = "extern \"C\" __global__ void entry(int *p) {\n";

std::string problem(const std::string &text, Dialect dialect = Dialect::cuda, bool count = false) {
  try {
    simt::rewrite(text, dialect, {.count = count});
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return {};
}

#define EXPECT_REFUSED(text, part)                                                       \
  do {                                                                                   \
    const std::string said = problem(text);                                              \
    EXPECT_NE(said.find(part), std::string::npos) << "the message is: '" << said << "'"; \
  } while (false)

TEST(Asm, BecomesACall) {
  const std::string text = simt::rewrite(
      kernel + "asm volatile(\"mad.lo.s32 %0, %1, 3, %2;\" : \"=r\"(p[0]) : \"r\"(f(p, 1)), \"r\"(p[2]));\n}",
      Dialect::cuda);
  EXPECT_NE(text.find("(p[0]) = ::simt::ptx::mad_lo_s32((f(p, 1)), (unsigned)3, (p[2]));\n}"), std::string::npos)
      << text;
}

TEST(Asm, NearMissesAreRefused) {
  EXPECT_REFUSED(kernel + "\nasm(\"frob.s32 %0, %1;\" : \"=r\"(a) : \"r\"(b));}",
                 "line 3: asm: unknown instruction 'frob.s32'");
  EXPECT_REFUSED(kernel + "asm(\"add.s32 %0, %1;\" : \"=r\"(a) : \"r\"(b));}",
                 "unknown instruction 'add.s32' (=r from r)");
  EXPECT_REFUSED(kernel + "asm(\"add.f32 %0, %1, %2;\" : \"=f\"(a) : \"r\"(b), \"r\"(c));}",
                 "unknown instruction 'add.f32'");
  EXPECT_REFUSED(kernel + "asm(\"add.s32 %0, %1, %2; add.s32 %0, %1, %2;\" : \"=r\"(a) : \"r\"(b), \"r\"(c));}",
                 "not one instruction");
  EXPECT_REFUSED(kernel + "asm(\"add.s32 %1, %0, %2;\" : \"=r\"(a) : \"r\"(b), \"r\"(c));}", "must be %0");
  EXPECT_REFUSED(kernel + "asm(\"add.s32 %0, %1, %1;\" : \"=r\"(a) : \"r\"(b), \"r\"(c));}",
                 "does not use each of its inputs");
  EXPECT_REFUSED(kernel + "asm(\"add.s32 %0, %1, %2;\" : \"=r\"(a) : \"r\"(b), \"m\"(c));}", "constraint \"m\"");
  EXPECT_REFUSED(kernel + "asm(\"add.s32 %0, %1, [%2];\" : \"=r\"(a) : \"r\"(b), \"r\"(c));}", "neither %n");
  EXPECT_REFUSED(kernel + "asm(\"bar.sync 0;\");}", "asm: expected ':'");
  EXPECT_REFUSED("#define OP asm(\"add.s32 %0, %1, %2;\")\n" + kernel + "}", "line 1: asm in a macro");
  EXPECT_NE(problem(kernel + "asm(\"add.s32 %0, %1, %2;\" : \"=r\"(a) : \"r\"(b), \"r\"(c));}", Dialect::hip), "");
}

TEST(Asm, InCommentsAndStringsIsLeftAlone) {
  EXPECT_EQ(problem("// asm(\"frob;\")\n/* asm(\n */ const char *s = \"asm(\\\"x\\\")\";\n" + kernel + "}"), "");
}

TEST(SharedMemory, HasOneForm) {
  EXPECT_EQ(problem("extern __shared__ int x[];\n" + kernel + "}"), "");
  EXPECT_EQ(problem("extern __attribute__((shared)) int x[];\n" + kernel + "}", Dialect::hip), "");
  EXPECT_REFUSED("extern __shared__ int x[4];\n" + kernel + "}", "line 1: shared memory must be declared as");
  EXPECT_REFUSED("extern __shared__ unsigned int x[];\n" + kernel + "}", "with a one-word type");
  EXPECT_REFUSED("extern __shared__ int x[];\nextern __shared__ int y[];\n" + kernel + "}",
                 "line 2: a second declaration");
  EXPECT_REFUSED("extern __shared__ int x[]; int y;\n" + kernel + "}", "must end its line");
  EXPECT_REFUSED("int y; extern __shared__ int x[];\n" + kernel + "}", "must begin its line");
  EXPECT_REFUSED(kernel + "__shared__ int x[4];}", "line 2: shared memory must be declared as extern");
}

TEST(Entries, AreFoundWithTheirBounds) {
  const std::string text = simt::rewrite(
      "extern \"C\" __global__ void __launch_bounds__(128, 1) one(int a) {}\n"
      "namespace n { struct S { int a; };\n"
      "extern \"C\" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 64))) void\ntwo(int a) "
      "{}\n}\n"
      "extern \"C\" __global__ void three() {}\nextern \"C\" void four() {}\n",
      Dialect::cuda);
  EXPECT_NE(text.find("SIMT_ENTRY(\"one\", one, 128),\n    SIMT_ENTRY(\"two\", n::two, 64),\n"
                      "    SIMT_ENTRY(\"three\", three, 0),\n    {nullptr"),
            std::string::npos)
      << text;
}

TEST(Entries, InNamespacesRun) {
  const simt::Module module = simt::compile(
      "namespace a { static const int value = 4;\nextern \"C\" __global__ void one(int *p) { *p = value; }\n}\n"
      "namespace b { static const int value = 5;\nextern \"C\" __global__ void two(int *p) { *p = value; }\n}\n",
      Dialect::cuda);
  int result = 0, *pointer = &result;
  const auto arguments = simt::pointers(pointer);
  module.launch("two", 1, 1, 0, arguments);
  EXPECT_EQ(result, 5);
  module.launch("one", 1, 1, 0, arguments);
  EXPECT_EQ(result, 4);
}

TEST(Entries, CanBeChosen) {
  const std::string text =
      "namespace a {\nextern \"C\" __global__ void one(int *p) { if (*p) { *p = 1; } }\n}\n"
      "namespace b {\nextern \"C\" __global__ void two(int *p) {\n *p = 2;\n}\n}\n" +
      kernel + "}\n";
  const simt::Module module = simt::compile(text, Dialect::cuda, {.kernels = {"two"}});
  ASSERT_EQ(module.kernels().size(), 1u);
  EXPECT_EQ(module.kernels()[0].name, "two");
  EXPECT_EQ(module.kernels()[0].parameters, std::vector<unsigned>{sizeof(int *)});
  EXPECT_EQ(simt::kernel_names(text, Dialect::cuda), (std::vector<std::string>{"one", "two", "entry"}));
  EXPECT_THROW(simt::compile(text, Dialect::cuda, {.kernels = {"three"}}), std::runtime_error);
}

TEST(Entries, AreRequired) {
  EXPECT_REFUSED("int x;\n", "no kernel");
  EXPECT_REFUSED("__global__ void f() {}\n", "no kernel");
}

TEST(Text, IncludesNothing) {
  EXPECT_REFUSED("#include <x>\n" + kernel + "}", "line 1: a kernel text includes nothing");
}

TEST(Text, KeepsItsLineNumbers) {
  const std::string text =
      "struct __align__(16) q {\n unsigned x, y, z, w;\n};\nextern __shared__ q s[];\n" + kernel + "  nonsense;\n}\n";
  for (const bool count : {false, true}) {
    try {
      simt::compile(text, Dialect::cuda, {.count = count});
      FAIL();
    } catch (const std::runtime_error &error) {
      EXPECT_NE(std::string(error.what()).find("kernel:6:3: error"), std::string::npos) << error.what();
    }
  }
}

TEST(Counting, WantsQuadsThatItCanReport) {
  EXPECT_NE(problem("struct __align__(16) q { int x, y, z, w; };\n" + kernel + "}", Dialect::cuda, true)
                .find("line 1: counting: only struct"),
            std::string::npos);
}

TEST(Cache, KeepsObjectsByTextAndFlags) {
  const scratch::Folder made;
  const std::string &folder = made.path();
  const auto value = [&](const std::string &flag) {
    const simt::Module module = simt::compile("extern \"C\" __global__ void entry(int *p) { *p = VALUE; }\n",
                                              Dialect::cuda, {.flags = {"-DVALUE=" + flag}, .cache = folder});
    int result = 0, *pointer = &result;
    const auto arguments = simt::pointers(pointer);
    module.launch("entry", 1, 1, 0, arguments);
    return result;
  };
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator{});
  };
  EXPECT_EQ(value("5"), 5);
  EXPECT_EQ(value("5"), 5);
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(value("6"), 6);
  EXPECT_EQ(files(), 2);
}

}  // namespace
