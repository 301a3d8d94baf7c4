// See makedb_copies.h.
#include "makedb_copies.h"

#include <fmt/format.h>

#include "common/interrupt.h"
#include "common/named_spec.h"
#include "common/text.h"
#include "run_options.h"

namespace alnsmith::tool {
namespace {

Result<std::string> layout_of_spec(const std::string &name) {
  RunArguments run;
  run.spec = name;
  auto named = named_spec(run.spec, run.packs);
  if (!named) return named.error();
  const spec::Output own = named->spec.output;
  named->spec.output = {};  // as searches open it
  const Result<std::size_t> memory = memory_of(run);
  if (!memory) return memory.error();
  const Result<Options> options = options_of(run, *memory, {});
  if (!options) return options.error();
  const auto opened = open_kernels(run, named->spec, named->path, named->spec.output != own, *options);
  if (!opened) return opened.error();
  const std::string layout = opened->aligner.target_layout(*options);
  if (layout.empty())
    return Error{fmt::format("--packed {}: the spec has no kernels that take many targets in lanes: search without it",
                             printable(name, 400)),
                 2};
  return layout;
}

}  // namespace

Result<std::set<std::string>> wanted_layouts(const std::string &database, const std::string &spec) {
  std::set<std::string> out;
  for (const std::string &path : search::packed_copies(database))
    if (const auto copy = search::PackedCopy::open(path); copy) out.insert(copy->layout());
  if (spec.empty()) return out;
  const auto layout = layout_of_spec(spec);
  if (!layout) return layout.error();
  out.insert(*layout);
  return out;
}

Status write_copies(const std::string &database, const std::set<std::string> &layouts,
                    const std::function<void(const std::string &, std::uint64_t)> &done) {
  if (layouts.empty()) return Ok{};
  const auto opened = search::Database::open(database);
  if (!opened) return opened.error();
  for (const std::string &layout : layouts) {
    const auto bytes = search::PackedCopy::write(*opened, layout, [](std::uint64_t) { return !interrupted(); });
    if (interrupted()) return interrupted_error();
    if (!bytes) return bytes.error();
    done(search::packed_copy_path(database, layout), *bytes);
  }
  return Ok{};
}

Result<std::string> copies_text(const search::Database &database) {
  std::string text;
  for (const std::string &path : search::packed_copies(database.path())) {
    const auto copy = search::PackedCopy::open(path);
    if (!copy) return copy.error();
    std::uint64_t covered = 0;
    for (std::uint64_t b = 0; b < database.blocks(); ++b) covered += copy->covers(database, b) ? 1 : 0;
    text += fmt::format("{}: packed={} blocks={} of {} bytes={}\n", printable(path, 400),
                        copy->layout().substr(0, copy->layout().find(" codes=")), covered, database.blocks(),
                        copy->bytes());
  }
  return text;
}

Status verify_copies(const search::Database &database, const std::function<bool(std::uint64_t)> &go_on) {
  for (const std::string &path : search::packed_copies(database.path())) {
    const auto copy = search::PackedCopy::open(path);
    if (!copy) return copy.error();
    if (auto ok = copy->verify(database, go_on); !ok) return ok;
  }
  return Ok{};
}

}  // namespace alnsmith::tool
