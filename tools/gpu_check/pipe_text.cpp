// See pipe_text.h. A thread has eight chains of each operation, so that no operation waits for the one before.
#include "pipe_text.h"

#include <fmt/format.h>

#include "models/loop_bound.h"

namespace alnsmith::check {
namespace {

constexpr int kChains = 8, kRepeats = 4;  // of a turn

struct Code {
  std::string_view name;
  int architecture;      // from which on it is there
  std::string_view ptx;  // PTX; %0 the chain, %1 another chain, %2 a number that does not change
};

// What ptxas makes of it is looked at when the folder is prepared: it fuses where the architecture can.
constexpr Code kCodes[] = {
    {"viaddmnmx16", 90, "{.reg .b32 t; add.s16x2 t, %0, %2; max.s16x2 %0, t, %1;}"},
    {"viaddmnmx32", 90, "{.reg .b32 t; add.s32 t, %0, %2; max.s32 %0, t, %1;}"},
    {"vimnmx3_16", 90, "{.reg .b32 t; max.s16x2 t, %0, %1; max.s16x2 %0, t, %2;}"},
    {"vimnmx3_32", 90, "{.reg .b32 t; max.s32 t, %0, %1; max.s32 %0, t, %2;}"},
    {"vimnmx16", 90, "max.s16x2 %0, %0, %1;"},
    {"vimnmx32", 75, "max.s32 %0, %0, %1;"},
    {"viadd16", 90, "add.s16x2 %0, %0, %1;"},
    {"iadd", 75, "{.reg .b32 t; add.s32 t, %0, %1; add.s32 %0, t, %2;}"},
    {"vhmnmx", 80, "{.reg .b32 t; max.f16x2 t, %0, %1; max.f16x2 %0, t, %2;}"},
    {"hmnmx2", 80, "max.f16x2 %0, %0, %1;"},
    {"hadd2", 75, "add.f16x2 %0, %0, %1;"},
    {"hfma2", 75, "fma.rn.f16x2 %0, %0, %1, %2;"},
    {"hset2", 75, "set.eq.f16x2.f16x2 %0, %0, %1;"},
    {"imad", 75, "mad.lo.s32 %0, %0, %1, %2;"},
    {"fadd", 75, "add.f32 %0, %0, %1;"},
    {"fmnmx", 75, "max.f32 %0, %0, %1;"},
    {"lop3", 75, "lop3.b32 %0, %0, %1, %2, 0x96;"},
    {"prmt", 75, "prmt.b32 %0, %0, %1, 0x5431;"},
    {"sel", 75, "{.reg .pred p; setp.ne.s32 p, %2, 0; selp.b32 %0, %0, %1, p;}"},
    {"shf", 75, "shf.l.wrap.b32 %0, %0, %1, 7;"},
    {"shfl", 75, "shfl.sync.up.b32 %0, %0, 1, 0, 0xffffffff;"},
    {"lds32", 75, "ld.shared.b32 %0, [%0];"},
    {"lds128", 75,
     "{.reg .b32 q, r, s, t; ld.shared.v4.b32 {q, r, s, t}, [%0]; lop3.b32 q, q, r, s, 0xfe; or.b32 %0, q, t;}"},
};

// What a chain begins with. Chains of loads hold addresses: 512 bytes of shared memory hold a quad for each lane whose
// first word leads back to it, 128 bytes behind them a word for each lane, so that lanes never meet in a bank.
std::string beginning(std::string_view name, std::size_t n, int i) {
  if (name == "lds128") return "quad";
  if (name == "lds32") return "word";
  return fmt::format("threadIdx.x * {} + b * {}", 7 - 4 * n, i);
}

const Code *find(std::string_view name) {
  for (const Code &code : kCodes)
    if (code.name == name) return &code;
  return nullptr;
}

std::string issue(const Code &code, char chain, int i) {
  const std::string_view ptx = code.ptx;
  const std::string other = fmt::format("{}{}", chain, (i + 1) % kChains);
  std::string inputs;
  if (ptx.find("%1") != std::string_view::npos) inputs += fmt::format("\"r\"({})", other);
  // Operands are numbered as they come.
  std::string text(ptx);
  if (ptx.find("%2") != std::string_view::npos) {
    inputs += fmt::format("{}\"r\"(c)", inputs.empty() ? "" : ", ");
    if (ptx.find("%1") == std::string_view::npos)
      for (std::size_t at; (at = text.find("%2")) != std::string::npos;) text.replace(at, 2, "%1");
  }
  return fmt::format("      asm volatile(\"{}\" : \"+r\"({}{}) : {});\n", text, chain, i, inputs);
}

std::string kernel(const PipeEntry &entry) {
  std::string text = fmt::format(
      "extern \"C\" __global__ void __launch_bounds__({}) {}(int turns, unsigned b, unsigned c, unsigned *out,\n"
      "    long long *clocks) {{\n"
      "  unsigned base;\n"
      "  asm volatile(\"{{.reg .b64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t;}}\" : \"=r\"(base) : "
      "\"l\"(words));\n"
      "  const unsigned quad = base + threadIdx.x % 32 * 16, word = base + 512 + threadIdx.x % 32 * 4;\n"
      "  for (int i = threadIdx.x; i < 160; i += blockDim.x) words[i] = i % 4 && i < 128 ? 0 : base + i * 4;\n"
      "  __syncthreads();\n",
      kPipeThreads, entry.entry);
  const char names[] = {'x', 'y'};
  for (std::size_t n = 0; n < entry.names.size(); ++n)
    for (int i = 0; i < kChains; ++i)
      text += fmt::format("  unsigned {}{} = {};\n", names[n], i, beginning(entry.names[n], n, i));
  text +=
      "  __syncthreads();\n  const long long begin = clock64();\n"
      "#pragma unroll 1\n  for (int turn = 0; turn < turns; ++turn) {\n";
  for (int r = 0; r < kRepeats; ++r)
    for (int i = 0; i < kChains; ++i)
      for (std::size_t n = 0; n < entry.names.size(); ++n) text += issue(*find(entry.names[n]), names[n], i);
  text +=
      "  }\n  __syncthreads();\n  const long long end = clock64();\n  out[blockIdx.x * blockDim.x + threadIdx.x] = 0";
  for (std::size_t n = 0; n < entry.names.size(); ++n)
    for (int i = 0; i < kChains; ++i) text += fmt::format(" ^ {}{}", names[n], i);
  return text + ";\n  if (threadIdx.x == 0) clocks[blockIdx.x] = end - begin;\n}\n\n";
}

}  // namespace

PipeText pipe_text(int architecture) {
  PipeText pipes;
  pipes.text =
      "// Kernels that time operations: tools/gpu_check/pipe_text.cpp.\nextern __shared__ unsigned words[];\n\n";
  const auto add = [&](std::vector<std::string> names) {
    PipeEntry entry;
    entry.entry = "pipe";
    for (const std::string &name : names) {
      const Code *code = find(name);
      if (!code || code->architecture > architecture) return;
      entry.entry += "_" + name;
      entry.counts.push_back(kChains * kRepeats);
    }
    entry.names = std::move(names);
    pipes.text += kernel(entry);
    pipes.kernels.push_back(std::move(entry));
  };
  for (const Code &code : kCodes) add({std::string(code.name)});
  for (const std::string &reference : models::reference_operations())
    for (const Code &code : kCodes)
      if (code.name != reference) add({reference, std::string(code.name)});
  return pipes;
}

}  // namespace alnsmith::check
