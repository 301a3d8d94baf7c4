// See index.h.
#include "index.h"

#include <algorithm>
#include <alnsmith/build.hpp>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "internal.h"

namespace alnsmith::models {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RowLoop, rows, instructions, operations)
}

namespace alnsmith::check {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Recipe, kind, source, queries, count, shortest, longest, substituted, inserted, lost,
                                   unrelated, level, read, seed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SetEntry, name, recipe, queries, targets)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelEntry, spec, hash, target, stem, endings, values, matrix, loops)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExpectedEntry, file, pairs, rows, columns, outputs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TestEntry, spec, set, expected)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BenchEntry, name, spec, form, set, expected, goal, stretch, relative, least, sweep)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PipeEntry, entry, names, counts, machine)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PipeFile, target, file, kernels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Index, schema, version, fake, stored, sets, kernels, tests, benches, pipes, left_out,
                                   files)

std::string index_text(const Index &index) { return nlohmann::json(index).dump(1) + "\n"; }

Result<Index> read_index(const std::string &folder) {
  const std::string path = folder + "/index.json";
  const auto text = internal::read_trusted(path);  // what the folder holds is run
  if (!text) return Error{text.error().message + ": is this a folder that `tools/gpu-check prepare` made?"};
  if (internal::deeper_than(64, *text)) return Error{path + ": nested too deeply to be an index"};
  try {
    Index index = nlohmann::json::parse(*text).get<Index>();
    if (index.schema != kSchema)
      return Error{path + ": made for another version of gpu-check: prepare the folder again"};
    return index;
  } catch (const nlohmann::json::exception &error) {
    return Error{path + ": " + error.what()};
  }
}

Result<std::string> read_part(const std::string &folder, const Index &index, const std::string &name) {
  const auto hash = index.files.find(name);
  if (hash == index.files.end() || hash->second.size() != 64)
    return Error{folder + "/" + name + ": index.json does not list it: prepare the folder again"};
  return trusted_bytes(folder + "/" + name, hash->second);
}

Status hash_parts(const std::string &folder, Index &index) {
  namespace fs = std::filesystem;
  index.files.clear();
  for (const auto &file : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(file.path(), folder).generic_string();
    if (!file.is_regular_file() || name == "index.json") continue;
    const auto bytes = internal::read_file(file.path().string());
    if (!bytes) return bytes.error();
    index.files[name] = sha256_of(*bytes);
  }
  return Ok{};
}

std::string expected_bytes(const Expected &expected) {
  std::string bytes;
  for (const Scores *scores : {&expected.pairs, &expected.rows})
    for (const auto &values : scores->values)
      bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(std::int32_t));
  return bytes;
}

Result<Expected> read_expected(const std::string &folder, const Index &index, const ExpectedEntry &entry) {
  const auto bytes = read_part(folder, index, entry.file);
  if (!bytes) return bytes.error();
  Expected expected;
  const std::size_t pairs = entry.pairs, rows = entry.rows * entry.columns;
  std::size_t place = 0;
  for (const auto &[scores, count] : {std::pair{&expected.pairs, pairs}, std::pair{&expected.rows, rows}})
    for (std::size_t i = 0; i < scores->values.size(); ++i) {
      const OutputInfo &info = info_of(static_cast<Output>(i));
      if (std::ranges::find(entry.outputs, info.name) == entry.outputs.end()) continue;
      const std::size_t size = count * sizeof(std::int32_t);
      if (bytes->size() - place < size)
        return Error{folder + "/" + entry.file + ": too short: prepare the folder again"};
      scores->values[i].resize(count);
      std::memcpy(scores->values[i].data(), bytes->data() + place, size);
      place += size;
    }
  return expected;
}

}  // namespace alnsmith::check
