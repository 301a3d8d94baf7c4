// See place_results.h.
#include "place_results.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "common/interrupt.h"
#include "common/output.h"
#include "common/text.h"
#include "place_plot.h"
#include "run_options.h"

namespace alnsmith::tool {
namespace {

using placement::ExtendedAlignment;
using placement::PlacedRead;

namespace fs = std::filesystem;

// A file that is written at the end. One in the folder of the results comes after that.
Status check_file(const std::string &path, const std::string &folder) {
  std::error_code failed;
  if (path.empty() || fs::is_fifo(path, failed)) return Ok{};  // the reader of a fifo would see its end
  const fs::path parent = fs::absolute(path, failed).lexically_normal().parent_path();
  if (!fs::exists(parent, failed) && parent == (fs::absolute(folder, failed) / "x").lexically_normal().parent_path())
    return Ok{};
  const Result<Output> trial = Output::open(path);
  return trial ? Status(Ok{}) : trial.error();
}

class Writer {
 public:
  Writer(const Placements &placements, const PlaceOutputs &outputs)
      : placements_(placements),
        references_(placements.references),
        outputs_(outputs),
        counts_{0, std::vector<double>(references_.tree.branches())},
        with_(placements.run.alignment.columns(), references_.kept, true),
        without_(placements.run.alignment.columns(), references_.kept, false) {}

  Result<ReadCounts> run() {
    if (Status ok = survey(); !ok) return ok.error();
    const auto header = [](Output &out) { out.text(placement::table_header()); };
    if (Status ok = write("/reads.tsv", header, placement::table_row, ""); !ok) return ok.error();
    if (Status ok = jplace(); !ok) return ok.error();
    if (outputs_.insertions == "both" || outputs_.insertions == "keep")
      if (Status ok = alignment("/alignment", with_); !ok) return ok.error();
    if (outputs_.insertions == "both" || outputs_.insertions == "drop")
      if (Status ok = alignment("/alignment.columns", without_); !ok) return ok.error();
    const Status overview = write_overview(references_.tree, counts_, placements_.run.name, outputs_);
    if (!overview) return overview.error();
    return std::move(counts_);
  }

 private:
  template <class Use>
  Status each(const Use &use) {
    for (std::uint64_t b = 0; b < placements_.blocks; ++b) {
      if (interrupted()) return interrupted_error();
      const Result<std::vector<PlacedRead>> block = placements_.block(b);
      if (!block) return block.error();
      for (const PlacedRead &read : *block)
        if (Status ok = use(read); !ok) return ok;
    }
    return Ok{};
  }

  // Room for insertions, and reads of each branch: one that ties is shared.
  Status survey() {
    return each([&](const PlacedRead &read) -> Status {
      if (!placement::fits(read, references_.tree.branches(), references_.kept.size()))
        return Error{
            fmt::format("read {}: its block is damaged, or of other references: remove {}/blocks and run again",
                        printable(read.read.name), printable(outputs_.folder, 400))};
      with_.add(read);
      ++counts_.reads;
      const double share = 1.0 / static_cast<double>(read.branches.size());
      for (const std::uint32_t branch : read.branches) counts_.of_branch[branch] += share;
      return Ok{};
    });
  }

  // A file of a piece for each read.
  template <class Head, class Piece>
  Status write(const std::string &name, const Head &head, const Piece &piece, std::string_view tail) {
    Result<Output> output = Output::open(outputs_.folder + name);
    if (!output) return output.error();
    head(*output);
    const Status done = each([&](const PlacedRead &read) -> Status {
      output->text(piece(read));
      return Ok{};
    });
    if (!done) return done;
    output->text(tail);
    return output->finish();
  }

  Status jplace() {
    const std::string invocation =
        fmt::format("alnsmith place --spec {} --flags {}", placements_.run.name, placements_.run.flags);
    bool first = true;
    return write(
        "/placements.jplace", [&](Output &out) { out.text(placement::jplace_head(references_.tree, invocation)); },
        [&](const PlacedRead &read) {
          return placement::jplace_read(read, references_.tree, placements_.run.minimize, std::exchange(first, false));
        },
        placement::jplace_tail());
  }

  Status alignment(const std::string &name, const ExtendedAlignment &extended) {
    const placement::ReferenceAlignment &own = placements_.run.alignment;
    const auto rows = [&](Output &out, const auto &row_of) {
      for (std::size_t i = 0; i < own.names.size(); ++i)
        out.text(row_of(own.names[i], extended.reference_row(own.rows[i])));
    };
    if (Status ok = write(
            name + ".fasta", [&](Output &out) { rows(out, placement::fasta_row); },
            [&](const PlacedRead &read) { return placement::fasta_row(read.read.name, extended.read_row(read)); }, "");
        !ok)
      return ok;
    return write(
        name + ".phy",
        [&](Output &out) {
          out.text(placement::phylip_head(own.names.size() + counts_.reads, extended.width()));
          rows(out, placement::phylip_row);
        },
        [&](const PlacedRead &read) { return placement::phylip_row(read.read.name, extended.read_row(read)); }, "");
  }

  const Placements &placements_;
  const References &references_;
  const PlaceOutputs &outputs_;
  ReadCounts counts_;
  ExtendedAlignment with_, without_;
};

}  // namespace

void add_place_outputs(CLI::App &command, PlaceOutputs &o) {
  command
      .add_option("--out", o.folder,
                  "Folder of the results, made where it is not there: reads.tsv, placements.jplace, alignment.fasta "
                  "and .phy, alignment.columns.fasta and .phy")
      ->type_name("DIR");
  command
      .add_option(
          "--insertions", o.insertions,
          "Which extended alignments to write: keep (alignment.*: letters between two columns of the references "
          "get columns of their own), drop (alignment.columns.*: the references' columns alone), both or none")
      ->check(CLI::IsMember({"both", "keep", "drop", "none"}))
      ->capture_default_str();
  command
      .add_option("--branches", o.branches, "Also write a table of branches: number, length, tips of the smaller side")
      ->type_name("FILE");
  command
      .add_option("--plot", o.plot,
                  "Also write a page with the tree and the reads of each branch, to be opened in a browser")
      ->type_name("FILE.html");
}

Status check_place_outputs(const PlaceOutputs &outputs, const std::vector<std::string> &inputs) {
  if (outputs.folder.empty()) return Error{"--out is required: name a folder for the results", 2};
  std::error_code failed;
  if (fs::exists(outputs.folder, failed) && !fs::is_directory(outputs.folder, failed))
    return Error{fmt::format("--out {}: is there and is no folder: name another", printable(outputs.folder, 400))};
  if (!outputs.plot.empty())
    if (Status ok = check_place_plot(); !ok) return ok;
  for (const auto &[option, path] : {std::pair("--branches", outputs.branches), std::pair("--plot", outputs.plot)})
    if (Status ok = keep_inputs(option, path, inputs); !ok) return ok;
  for (const std::string &path : {outputs.branches, outputs.plot})
    if (Status ok = check_file(path, outputs.folder); !ok) return ok;
  return Ok{};
}

Status check_place_folder(const PlaceOutputs &outputs) {
  std::error_code failed;
  fs::path there = fs::absolute(outputs.folder, failed);
  int why = 0;
  if (fs::is_symlink(there, failed) && !fs::exists(there, failed)) {
    why = ENOENT;  // a link to nothing
  } else {
    while (!fs::exists(there, failed) && there.has_relative_path()) there = there.parent_path();
    if (!fs::is_directory(there, failed))
      why = ENOTDIR;
    else if (::access(there.c_str(), W_OK | X_OK) != 0)
      why = errno;
  }
  if (why == 0) return Ok{};
  return Error{fmt::format("--out {}: cannot be written: {}: {}", printable(outputs.folder, 400),
                           printable(there.string(), 400), std::strerror(why))};
}

Status write_overview(const placement::Tree &tree, const ReadCounts &counts, const std::string &name,
                      const PlaceOutputs &outputs) {
  if (!outputs.branches.empty()) {
    Result<Output> output = Output::open(outputs.branches);
    if (!output) return output.error();
    output->text(placement::branch_header());
    for (std::size_t b = 0; b < tree.branches(); ++b) output->text(placement::branch_row(tree, b));
    if (Status ok = output->finish(); !ok) return ok;
  }
  if (outputs.plot.empty()) return Ok{};
  Result<Output> output = Output::open(outputs.plot);
  if (!output) return output.error();
  output->text(place_page(tree, counts.of_branch, counts.reads, name));
  return output->finish();
}

Result<ReadCounts> write_placements(const Placements &placements, const PlaceOutputs &outputs) {
  return Writer(placements, outputs).run();
}

}  // namespace alnsmith::tool
