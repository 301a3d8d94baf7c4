// See device_folder.h.
#include "device_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "alnsmith/device_abi.h"

namespace device_folder {
namespace {

namespace fs = std::filesystem;
constexpr int kWarp = 32, kThreads = 64;
const std::string kHash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";  // of fake_kernels.cpp

// The words in which the languages differ.
struct Language {
  std::string target, ending, head, entry, global, thread, block, blocks, tail;
};

const std::vector<Language> &languages() {
  static const std::vector<Language> list = {
      {"cuda:sm_90", ".cubin", "", "extern \"C\" __global__ void __launch_bounds__(64) ", "", "threadIdx.x",
       "blockIdx.x", "gridDim.x", ""},
      {"hip:gfx90a", ".co", "",
       "extern \"C\" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 64))) void ", "",
       "__builtin_amdgcn_workitem_id_x()", "__builtin_amdgcn_workgroup_id_x()",
       "(__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x())", ""},
      {"opencl", ".cl", "", "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void ", "__global ",
       "get_local_id(0)", "get_group_id(0)", "get_num_groups(0)", ", __local uint4 *dynamic"}};
  return list;
}

std::string parameters(const std::string &global) {
  std::string list;
#define ALN_FIELD(type, name)                                                                              \
  list += (list.empty() ? "" : ", ") + (std::string(#type).find('*') == std::string::npos ? "" : global) + \
          #type " " #name;
  ALN_DEVICE_ARGS_V1(ALN_FIELD)
#undef ALN_FIELD
  return list;
}

// One alignment per thread, or by the first thread of a block (WHOLE). `border` holds H and F of a whole row: two ints
// per letter of the longest target and alignment.
const char *const kBody = R"({
  const int thread = THREAD, block = BLOCK, lane = thread % 32;
  const int warps = WHOLE ? BLOCKS : BLOCKS * 2, group = WHOLE ? block : block * 2 + thread / 32;
  if (WHOLE && thread > 0) return;
  const int match = scoring[0], mismatch = scoring[1], extend = scoring[3], open = scoring[2] + extend;
  for (int item = group; item * SLOTS * PACKING < alignments; item += warps)
    for (int part = 0; part < PACKING; ++part) {
      const int slot = lane * PACKING + part, a = item * SLOTS * PACKING + slot;
      if (a >= alignments) continue;
      const int q = pair_query[a], t = pair_target[a], m = query_length[q], n = target_length[t];
      GLOBAL int *H = border + group * 2 * SLOTS * PACKING * border_rows + slot * 2 * border_rows;
      GLOBAL int *F = H + border_rows;
      int best = 0, best_i = -1, best_j = -1;
      int sound = m > 0 && n > 0 && n <= border_rows;
      if (SINGLE) sound = sound && q == pair_query[0];
      if (SHARED) sound = sound && alignments % PACKING == 0 && q == pair_query[part] && t == pair_target[a - part];
      for (int j = 0; j < n; ++j) {
        H[j] = 0;
        F[j] = -1000000;
      }
      for (int i = 0; i < m && sound; ++i) {
        int diagonal = 0, left = 0, E = -1000000;
        const int letter = query_letters[query_offset[q] + i];
        for (int j = 0; j < n; ++j) {
          const int other = target_letters[target_offset[t] + j];
          sound = sound && letter < 4 && other < 4;
          E = E - extend > left - open ? E - extend : left - open;
          F[j] = F[j] - extend > H[j] - open ? F[j] - extend : H[j] - open;
          int h = diagonal + (letter == other ? match : mismatch);
          if (E > h) h = E;
          if (F[j] > h) h = F[j];
          if (h < 0) h = 0;
          diagonal = H[j];
          H[j] = left = h;
          if (h > best || (h > 0 && h == best && j < best_j)) {
            best = h;
            best_i = i;
            best_j = j;
          }
        }
      }
      status[a] = best > LIMIT;
      score[a] = !sound ? -777 : best > LIMIT ? 7 : best;
      query_end[a] = best_i;
      target_end[a] = best_j;
    }
}
)";

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

int slots(const Kernel &kernel) { return kernel.block ? 1 : kWarp; }  // threads with alignments, of a warp

std::string text_of(const Language &language, const std::vector<Kernel> &kernels) {
  std::string text;
  for (const Kernel &kernel : kernels) {
    std::string body = replaced(kBody, "BLOCKS", "(int)" + language.blocks);
    body = replaced(replaced(body, "THREAD", "(int)" + language.thread), "BLOCK", "(int)" + language.block);
    body = replaced(replaced(body, "GLOBAL ", language.global), "PACKING", std::to_string(kernel.packing));
    body = replaced(replaced(body, "SHARED", kernel.form == "shared_profile" ? "1" : "0"), "SINGLE",
                    kernel.form == "single_query" ? "1" : "0");
    body = replaced(replaced(body, "WHOLE", kernel.block ? "1" : "0"), "SLOTS", std::to_string(slots(kernel)));
    body = replaced(body, "LIMIT", std::to_string(kernel.limit));
    text += language.entry + kernel.name + "(" + parameters(language.global) + language.tail + ") " + body + "\n";
  }
  return text;
}

nlohmann::json described(const Kernel &kernel) {
  nlohmann::json made = {{"entry", kernel.name},
                         {"form", kernel.form},
                         {"mapping", kernel.block ? "block" : "lanes"},
                         {"arithmetic", "int32"},
                         {"level", kernel.level},
                         {"suits", kernel.suits},
                         {"width", kernel.limit < 128 ? 8 : 32},
                         {"warp", kWarp},
                         {"p", kWarp / slots(kernel)},
                         {"k", 1},
                         {"packing", kernel.packing},
                         {"threads", kThreads},
                         {"group", kernel.block ? "block" : "warp"},
                         {"shared_bytes", kernel.shared_bytes},
                         {"border_ints", 2 * slots(kernel) * kernel.packing},
                         {"layout", "sequences-u8-v1"},
                         {"register_side", "query"},
                         {"usable", "1"},
                         {"exact", kernel.exact},
                         {"lengths", "1"},
                         {"checked", kernel.exact != "1"},
                         {"end", true}};
  if (kernel.grid > 0) made["grid"] = kernel.grid;
  return made;
}

}  // namespace

std::vector<Kernel> usual_kernels() {
  const std::string narrow = "2 * min(query, target) <= 100";
  return {{"pairs_narrow", "pairwise", 0, 2, 100, "1", narrow, 0},
          {"pairs_wide_short", "pairwise", 1, 1, 1 << 30, "query <= 60", "1", 0},
          {"pairs_wide", "pairwise", 1, 1, 1 << 30, "1", "1", 64},
          {"shared_narrow", "shared_profile", 0, 2, 100, "1", narrow, 32768},
          {"single_narrow", "single_query", 0, 2, 100, "1", narrow, 32768}};
}

Kernel block_kernel() {
  Kernel kernel = usual_kernels().front();
  kernel.name = "pairs_block";
  kernel.suits = "query * target >= 16777216";
  kernel.block = true;
  return kernel;
}

Folder::Folder(const std::vector<Kernel> &kernels) {
  const std::string cpu = std::string(FAKE_DIR) + "/fake_local_end.so";
  fs::copy_file(cpu, file("fake-" + kHash.substr(0, 12) + "-scalar.so"));
  const auto aligner = alnsmith::Aligner::open_file(cpu);
  if (!aligner) throw std::runtime_error(aligner.error().message);
  for (const Language &language : languages()) {
    nlohmann::json manifest = nlohmann::json::parse(aligner->manifest());
    manifest["target"] = language.target;
    manifest["kernels"] = nlohmann::json::array();
    for (const Kernel &kernel : kernels) manifest["kernels"].push_back(described(kernel));
    std::ofstream(stem(language.target) + ".json") << manifest.dump();
    std::ofstream(stem(language.target) + language.ending) << text_of(language, kernels);
  }
}

std::string Folder::stem(const std::string &target) const {
  return file("fake-" + kHash.substr(0, 12) + "-" + replaced(target, ":", "-"));
}

alnsmith::Result<alnsmith::Aligner> Folder::open(const alnsmith::Options &options) const {
  alnsmith::Sources sources;
  sources.kernel_dirs = {path()};
  sources.cache_dir = file("cache");
  return alnsmith::Aligner::open({"", "fake", kHash}, sources, options);
}

}  // namespace device_folder
