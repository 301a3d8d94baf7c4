// `alnsmith makedb`: databases of sequences from FASTA and FASTQ; what they hold; whether they are whole.
// docs/database.md.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "alnsmith/database_writer.hpp"
#include "commands.h"
#include "common/interrupt.h"
#include "common/reader.h"
#include "common/text.h"
#include "makedb_copies.h"
#include "progress.h"

namespace alnsmith::tool {
namespace {

using search::Database;
using search::DatabaseInfo;
using search::DatabaseWriter;

struct MakeArguments {
  std::vector<std::string> inputs;
  std::string out, block = "64M", memory = "2G", packed;
  bool append = false, quiet = false;
};

using Clock = std::chrono::steady_clock;

std::string shown_path(const std::string &text) { return printable(text, 400); }

struct Sizes {
  std::size_t block = 0, record = 0;
};

// A block and the sequence under construction are in memory, the latter up to three times while it grows and is copied.
Result<Sizes> sizes_of(const MakeArguments &arguments) {
  const auto block = parse_size(arguments.block), memory = parse_size(arguments.memory);
  if (!block) return block.error();
  if (!memory) return memory.error();
  if (*block < 1 || *block > search::kMaxBlockLetters)
    return Error{fmt::format("--block {}: 1 to 1G letters", printable(arguments.block)), 2};
  if (*memory < (std::size_t{16} << 20)) return Error{"--memory: at least 16M is needed", 2};
  if (*block > *memory / 4)
    return Error{fmt::format("--block {}: is more than a quarter of --memory {}: lower it, or raise --memory",
                             printable(arguments.block), printable(arguments.memory)),
                 2};
  return Sizes{*block, (*memory - *block) / 4};
}

// Inputs that can be read together, and into this output.
Status check_inputs(const MakeArguments &arguments) {
  if (arguments.inputs.empty() && (arguments.packed.empty() || arguments.append))
    return Error{"no input: name FASTA or FASTQ files, or - for stdin", 2};
  if (arguments.out.empty()) return Error{"no output: name the database with -o NAME.alndb", 2};
  if (std::ranges::count(arguments.inputs, "-") > 1) return Error{"stdin is named twice: it can be read once", 2};
  struct stat out{}, in{};
  if (::stat(arguments.out.c_str(), &out) != 0 || !S_ISREG(out.st_mode)) return Ok{};
  for (const std::string &path : arguments.inputs)
    if (::stat(path.c_str(), &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
      return Error{fmt::format("-o {}: is an input of this run: choose another file", shown_path(arguments.out)), 2};
  return Ok{};
}

// Which share of the inputs is read, by their sizes; nothing where one has none.
class ReadShare {
 public:
  explicit ReadShare(const std::vector<std::string> &inputs) {
    for (const std::string &path : inputs) {
      struct stat info{};
      known_ = known_ && ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
      sizes_.push_back(static_cast<double>(info.st_size));
      whole_ += sizes_.back();
    }
  }
  std::optional<double> at(std::size_t input, const SequenceReader &reader) const {
    const std::optional<double> share = reader.share_read();
    if (!known_ || !share || whole_ <= 0) return std::nullopt;
    double done = sizes_[input] * *share;
    for (std::size_t i = 0; i < input; ++i) done += sizes_[i];
    return done / whole_;
  }

 private:
  std::vector<double> sizes_;
  double whole_ = 0;
  bool known_ = true;
};

Status add_input(const std::string &path, std::size_t max_record, DatabaseWriter &writer,
                 const std::function<void(const SequenceReader &)> &step) {
  if (Database::recognised(path))
    return Error{
        fmt::format("{}: is a database, not FASTA or FASTQ: add the files that it was made of", shown_path(path))};
  auto reader = SequenceReader::open(path, max_record);
  if (!reader) return reader.error();
  Record record;
  for (;;) {
    if (interrupted()) return interrupted_error();
    const Result<bool> more = reader->next(record);
    if (!more) return more.error();
    if (!*more) break;
    const Status taken = writer.add(record.name, record.letters, record.description);
    if (!taken && writer.failed()) return taken;
    if (!taken)
      return Error{fmt::format("{}: record {} ({}): {}", reader->label(), reader->records(), printable(record.name, 60),
                               taken.error().message)};
    step(*reader);
  }
  if (reader->records() == 0)
    return Error{fmt::format("{}: has no records: give a FASTA or FASTQ file with at least one", reader->label())};
  return Ok{};
}

std::string totals(const DatabaseInfo &info) {
  return fmt::format("sequences={} letters={} longest={} blocks={} bytes={} content={}", info.sequences, info.letters,
                     info.longest_sequence, info.blocks, info.bytes, info.content);
}

Result<DatabaseWriter> begin(const MakeArguments &arguments, const search::WriterOptions &options) {
  const InterruptsHeld held;
  auto writer = arguments.append ? DatabaseWriter::append(arguments.out, options)
                                 : DatabaseWriter::create(arguments.out, options);
  if (writer) set_unfinished_file(writer->temporary());
  return writer;
}

// The database's sequences; without inputs it is there already.
Status make_database(const MakeArguments &arguments) {
  const Clock::time_point start = Clock::now();
  const auto sizes = sizes_of(arguments);
  if (!sizes) return sizes.error();
  auto writer = begin(arguments, {sizes->block});
  if (!writer) return writer.error();
  Progress progress(!arguments.quiet, std::chrono::seconds(30), "sequences read");
  const ReadShare share(arguments.inputs);
  for (std::size_t i = 0; i < arguments.inputs.size(); ++i)
    if (Status ok =
            add_input(arguments.inputs[i], sizes->record, *writer,
                      [&](const SequenceReader &reader) { progress.update(writer->added(), share.at(i, reader)); });
        !ok)
      return ok;
  const auto info = writer->finish();
  set_unfinished_file("");
  if (!info) return info.error();
  progress.wipe();
  if (!arguments.quiet)
    fmt::print(stderr, "added={} {} wall_seconds={:.3f}\n", writer->added(), totals(*info),
               std::chrono::duration<double>(Clock::now() - start).count());
  return Ok{};
}

Status make(const MakeArguments &arguments) {
  if (Status ok = check_inputs(arguments); !ok) return ok;
  const auto layouts = wanted_layouts(arguments.out, arguments.packed);
  if (!layouts) return layouts.error();
  if (!arguments.inputs.empty())
    if (Status ok = make_database(arguments); !ok) return ok;
  return write_copies(arguments.out, *layouts, [&](const std::string &path, std::uint64_t bytes) {
    if (!arguments.quiet) fmt::print(stderr, "packed={} bytes={}\n", shown_path(path), bytes);
  });
}

// Each byte that is a letter, and how often, most frequent first.
std::vector<std::pair<std::uint64_t, char>> letters_of(const DatabaseInfo &info) {
  std::vector<std::pair<std::uint64_t, char>> out;
  for (std::size_t byte = 0; byte < info.letter_counts.size(); ++byte)
    if (info.letter_counts[byte] != 0) out.emplace_back(info.letter_counts[byte], static_cast<char>(byte));
  std::ranges::stable_sort(out, std::greater<>(), [](const auto &entry) { return entry.first; });
  return out;
}

nlohmann::ordered_json json_of(const std::string &path, const DatabaseInfo &info) {
  nlohmann::ordered_json counts = nlohmann::ordered_json::object();
  for (const auto &[count, letter] : letters_of(info)) counts[printable({&letter, 1})] = count;
  return {{"path", path},
          {"sequences", info.sequences},
          {"letters", info.letters},
          {"longest", info.longest_sequence},
          {"longest_name", info.longest_name},
          {"blocks", info.blocks},
          {"bytes", info.bytes},
          {"content", info.content},
          {"letter_counts", counts}};
}

int run_info(const std::vector<std::string> &files, bool json, bool letters) {
  int status = 0;
  std::string text;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::string &file : files) {
    const auto database = Database::open(file);
    if (!database) {
      status = report_error(database.error());
      continue;
    }
    const DatabaseInfo &info = database->info();
    all.push_back(json_of(file, info));
    text += fmt::format("{}: {}\n", shown_path(file), totals(info));
    const auto copies = copies_text(*database);
    if (copies)
      text += *copies;
    else
      status = report_error(copies.error());
    if (!letters) continue;
    for (const auto &[count, letter] : letters_of(info))
      text += fmt::format("{}\t{}\t{:.6f}\n", printable({&letter, 1}), count,
                          static_cast<double>(count) / static_cast<double>(info.letters));
  }
  if (json) text = all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  const int printed = print(text);
  return status != 0 ? status : printed;
}

Status verify(const std::string &file, bool quiet) {
  const auto database = Database::open(file);
  if (!database) return database.error();
  Progress progress(!quiet, std::chrono::seconds(30), "blocks checked");
  const auto go_on = [&](std::uint64_t done) {
    progress.update(done, static_cast<double>(done) / static_cast<double>(database->blocks()));
    return !interrupted();
  };
  if (Status ok = database->verify(go_on); !ok) return ok;
  return verify_copies(*database, go_on);
}

int run_verify(const std::vector<std::string> &files, bool quiet) {
  int status = 0;
  for (const std::string &file : files) {
    if (const Status sound = verify(file, quiet); !sound) {
      status = report_error(sound.error());
      if (interrupted()) return status;
    } else if (const int printed = print(fmt::format("ok {}\n", shown_path(file))); printed != 0) {
      return printed;
    }
  }
  return status;
}

}  // namespace

void add_makedb(CLI::App &app, int &status) {
  CLI::App *command = app.add_subcommand("makedb", "Make a database of sequences, to be searched as often as wanted");
  auto arguments = std::make_shared<MakeArguments>();
  MakeArguments &a = *arguments;
  command->add_option("IN", a.inputs, "FASTA or FASTQ files, plain or gzip; - is stdin");
  command->add_option("-o,--out", a.out, "The database, NAME.alndb; put in place when complete");
  command->add_flag("--append", a.append, "Add to the database that is there");
  command->add_option("--block", a.block, "Letters of a block, such as 64M: what is in memory at a time")
      ->capture_default_str();
  command->add_option("--memory", a.memory, "Upper bound; a sequence of more than some quarter of it is refused")
      ->capture_default_str();
  command
      ->add_option("--packed", a.packed,
                   "Also write a copy beside it in the layout that this spec's kernels read on this machine, so that "
                   "searches with few queries need not pack letters; without IN, of the database that is there")
      ->type_name("SPEC");
  command->add_flag("--quiet", a.quiet, "No progress and no closing line");
  command->require_subcommand(0, 1);
  command->footer(
      "The closing line on stderr gives added, sequences, letters, longest, blocks, bytes, content (a hash of names "
      "and\n"
      "letters) and wall_seconds as key=value. A file called info or verify is named ./info.\n"
      "Examples:\n"
      "  alnsmith makedb proteins.fa.gz -o proteins.alndb\n"
      "  zcat reads*.fq.gz | alnsmith makedb - -o reads.alndb\n"
      "  alnsmith makedb new.fa -o proteins.alndb --append\n"
      "  alnsmith makedb -o proteins.alndb --packed protein-local-blosum62\n"
      "  alnsmith makedb info proteins.alndb --letters\n"
      "  alnsmith makedb verify proteins.alndb");

  auto files = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false), letters = std::make_shared<bool>(false);
  CLI::App *info = command->add_subcommand("info", "What databases hold, without reading their sequences");
  info->add_option("FILE", *files, "Databases")->required();
  info->add_flag("--json", *json, "Print one JSON list");
  info->add_flag("--letters", *letters, "List each letter, how often it occurs, and its share");
  info->callback([=, &status] { status = run_info(*files, *json, *letters); });

  CLI::App *check = command->add_subcommand("verify", "Read and check every byte that counts");
  auto quiet = std::make_shared<bool>(false);
  check->add_option("FILE", *files, "Databases")->required();
  check->add_flag("--quiet", *quiet, "No progress");
  check->callback([=, &status] { status = run_verify(*files, *quiet); });

  command->callback([=, &status] {
    if (!command->get_subcommands().empty()) return;
    const Status done = make(*arguments);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace alnsmith::tool
