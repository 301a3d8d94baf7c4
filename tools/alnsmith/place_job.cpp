// See place_job.h.
#include "place_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "common/interrupt.h"
#include "common/text.h"
#include "common/text_file.h"
#include "scoring.h"
#include "shard_option.h"
#include "spec/canonical.h"

namespace alnsmith::tool {
namespace {

using namespace placement;

// PHYLIP by its first line, else FASTA.
Result<ReferenceAlignment> read_references(const std::string &path, std::size_t most_bytes) {
  Result<std::string> text = read_text_file(path, most_bytes);
  if (!text) return text.error();
  if (is_phylip(*text)) return read_phylip(*text, printable(path, 400));
  text->clear();
  Result<SequenceReader> reader = SequenceReader::open(path, most_bytes);
  if (!reader) return reader.error();
  ReferenceAlignment out;
  for (Record record;;) {
    const Result<bool> more = reader->next(record);
    if (!more) return more.error();
    if (!*more) return out;
    out.names.emplace_back(record.name);
    out.rows.emplace_back(record.letters);
  }
}

// Whether a band ends at the diagonal of both ends, as equation 1's: it holds no read longer than the target.
bool ends_with_the_target(const spec::Spec &spec) {
  std::string to = spec.band_to;
  std::erase_if(to, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  return to == "target-query";
}

int threads_of(int wanted) {
  const int here = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return wanted > 0 ? std::min(wanted, here) : here;
}

}  // namespace

Result<StateAlphabet> states_of(const spec::Spec &spec) {
  const spec::Alphabet &alphabet = spec.alphabet;
  if (alphabet.sets.empty())
    return Error{
        fmt::format("--spec {}: its alphabet is {}, and reads are placed by sets of states: choose a spec whose "
                    "alphabet is state_sets, such as papara-v25",
                    spec.name, alphabet.name),
        2};
  return StateAlphabet::of(alphabet.state_set_base, alphabet.letters.size(), alphabet.sets);
}

PlaceJob::PlaceJob(const PlaceArguments &arguments, OpenKernels open)
    : arguments_(arguments),
      run_(arguments.run),
      open_(std::move(open)),
      progress_(!run_.quiet, std::chrono::seconds(30), "reads placed", "reads/s"),
      warnings_(progress_),
      folder_(arguments.outputs.folder) {}

Status PlaceJob::check() {
  for (const auto &[option, value] :
       {std::pair("--tree", arguments_.tree), std::pair("--reference", arguments_.reference),
        std::pair("--query", arguments_.query)})
    if (value.empty()) return Error{fmt::format("{} is required (see `alnsmith place --help`)", option), 2};
  const std::vector<std::string> inputs{arguments_.tree, arguments_.reference, arguments_.query, run_.spec};
  if (Status ok = check_place_outputs(arguments_.outputs, inputs); !ok) return ok;
  if (Status ok = check_packs(run_.packs); !ok) return ok;
  const Result<std::size_t> memory = memory_of(run_);
  if (!memory) return memory.error();
  memory_ = *memory;
  const Result<search::Shard> shard = shard_of(arguments_.shard);
  if (!shard) return shard.error();
  shard_ = shard->index;
  shards_ = shard->count;
  return Ok{};
}

Status PlaceJob::references() {
  Result<NamedSpec> named = named_spec(run_.spec, run_.packs);
  if (!named) return named.error();
  spec_.emplace(std::move(*named));
  Result<StateAlphabet> alphabet = states_of(spec_->spec);
  if (!alphabet) return alphabet.error();
  alphabet_.emplace(std::move(*alphabet));
  if (spec_->spec.column_flags == 0 && arguments_.flags != "none")
    return Error{
        fmt::format("--flags {}: spec {} has no column_flags: give --flags none", arguments_.flags, spec_->spec.name),
        2};
  const std::string tree_file = printable(arguments_.tree, 400), file = printable(arguments_.reference, 400);
  // A tree takes up to a hundred times its text; of the alignment there are four copies where an earlier run is gone
  // on with.
  Result<std::string> newick = read_text_file(arguments_.tree, memory_ / 256);
  if (!newick) return newick.error();
  Result<Tree> tree = Tree::read(*newick, tree_file);
  if (!tree) return tree.error();
  warnings_.print(tree->warnings());
  Result<ReferenceAlignment> alignment = read_references(arguments_.reference, memory_ / 16);
  if (!alignment) return alignment.error();
  if (Status ok = check_alignment(*alignment, *alphabet_, file); !ok) return ok;
  const Result<std::vector<std::size_t>> row_of = match_names(*tree, tree_file, *alignment, file);
  if (!row_of) return row_of.error();
  const std::optional<FlagRule> rule = flag_rule(arguments_.flags);
  Result<BranchVectors> vectors = BranchVectors::compute(
      *tree, *alignment, *row_of, *alphabet_, {*rule, memory_ / 4, threads_of(run_.threads), tree_file, file});
  if (!vectors) return vectors.error();
  warnings_.print(vectors->warnings());
  state_.run = {ALNSMITH_VERSION,   spec_->spec.name,     spec::canonical(spec_->spec),
                arguments_.flags,   alphabet_->name,      spec_->spec.objective == spec::Objective::minimize,
                std::move(*newick), std::move(*alignment)};
  hash_ = state_.run.hash();
  references_.emplace(References{std::move(*tree), vectors->kept()});
  vectors_.emplace(std::move(*vectors));
  return Ok{};
}

// Another run's folder is left alone.
Status PlaceJob::folder() {
  Result<std::optional<RunState>> earlier = folder_.state();
  if (!earlier) return earlier.error();
  if (!*earlier) return check_place_folder(arguments_.outputs);
  if ((*earlier)->run.hash() != hash_)
    return Error{
        fmt::format("--out {}: has results of another run (spec, flags, tree or references differ): name another "
                    "folder, or remove it",
                    printable(arguments_.outputs.folder, 400))};
  state_.blocks = (*earlier)->blocks;
  state_.reads = (*earlier)->reads;
  was_complete_ = (*earlier)->complete;
  if (!was_complete_)
    if (Status ok = check_place_folder(arguments_.outputs); !ok) return ok;
  state_.reads_of_branch = std::move((*earlier)->reads_of_branch);
  if (was_complete_ && state_.reads_of_branch.size() != references_->tree.branches())
    return Error{
        fmt::format("{}/run.json is damaged: remove it and place again", printable(arguments_.outputs.folder, 400))};
  return Ok{};
}

Status PlaceJob::kernels() {
  Result<std::unique_ptr<PlaceKernels>> opened = open_(run_, spec_->spec, spec_->path, memory_ / 4);
  if (!opened) return opened.error();
  kernels_ = std::move(*opened);
  warnings_.print(kernels_->warnings());
  return Ok{};
}

// A block that is there already must be of the same reads.
Status PlaceJob::block(std::uint64_t number, const std::vector<Read> &reads) {
  if (!mine(number)) return Ok{};
  if (folder_.has(number)) {
    const Result<std::vector<PlacedRead>> earlier = folder_.read(number, hash_);
    if (!earlier) return earlier.error();
    if (!std::ranges::equal(*earlier, reads, {}, &PlacedRead::read))
      return Error{fmt::format("--out {}: has results of other reads: name another folder, or remove it",
                               printable(arguments_.outputs.folder, 400))};
    ++kept_blocks_;
    begun_ = true;
    placed_ += reads.size();
    return Ok{};
  }
  if (kernels_ == nullptr)
    if (Status ok = kernels(); !ok) return ok;
  PlaceOptions options;
  options.memory_bytes = memory_ / 4;
  options.cancelled = interrupted;
  const Result<std::vector<PlacedRead>> placed = placement::place(reads, *vectors_, kernels_->aligner(), options);
  if (interrupted()) return interrupted_error();
  if (!placed) return Error{fmt::format("{}: {}", reads_label_, placed.error().message), placed.error().exit_code};
  if (!begun_)
    if (Status ok = folder_.set_state(state_); !ok) return ok;
  begun_ = true;
  if (Status ok = folder_.write(number, hash_, *placed); !ok) return ok;
  placed_ += reads.size();
  return Ok{};
}

Status PlaceJob::place() {
  ReadRules rules;
  rules.alphabet = &*alphabet_;
  rules.block_letters = block_letters(*vectors_);
  rules.block_reads = block_reads(*vectors_);
  if (ends_with_the_target(spec_->spec)) rules.below = vectors_->columns();
  const std::vector<std::string> &names = state_.run.alignment.names;
  rules.taken.insert(names.begin(), names.end());
  Result<PlaceReads> reads = PlaceReads::open(arguments_.query, std::move(rules), memory_ / 16);
  if (!reads) return reads.error();
  reads_label_ = reads->label();
  std::uint64_t blocks = 0;
  for (;; ++blocks) {
    const Result<std::vector<Read>> next = reads->next();
    if (!next) return next.error();
    if (next->empty()) break;
    reads_ += next->size();
    if (was_complete_) continue;
    if (Status ok = block(blocks, *next); !ok) return ok;
    progress_.update(placed_, reads->share_read());
  }
  gapped_ = reads->gapped();
  if (!state_.reads.empty() && state_.reads != reads->content())
    return Error{fmt::format("--out {}: has results of other reads: name another folder, or remove it",
                             printable(arguments_.outputs.folder, 400))};
  state_.blocks = blocks;
  state_.reads = reads->content();
  return was_complete_ ? Status(Ok{}) : folder_.set_state(state_);
}

Status PlaceJob::finish() {
  const Placements placements{*references_, state_.run, *state_.blocks,
                              [&](std::uint64_t b) { return folder_.read(b, hash_); }};
  Result<ReadCounts> written = write_placements(placements, arguments_.outputs);
  if (!written) return written.error();
  state_.complete = true;
  state_.reads_of_branch = std::move(written->of_branch);
  if (Status ok = folder_.set_state(state_); !ok) return ok;
  return folder_.remove_blocks();
}

Status PlaceJob::run() {
  for (const auto step : {&PlaceJob::check, &PlaceJob::references, &PlaceJob::folder, &PlaceJob::place})
    if (Status ok = (this->*step)(); !ok) return ok;
  progress_.wipe();
  if (was_complete_) {
    const Status overview =
        write_overview(references_->tree, {reads_, state_.reads_of_branch}, state_.run.name, arguments_.outputs);
    if (!overview) return overview;
    if (Status ok = folder_.remove_blocks(); !ok) return ok;  // where that run was killed before it could
    if (!run_.quiet) print_line(fmt::format("{}: is complete already", printable(arguments_.outputs.folder, 400)));
    return Ok{};
  }
  if (shards_ == 1)
    if (Status ok = finish(); !ok) return ok;
  if (run_.explain && kernels_ != nullptr) kernels_->explain();
  if (!run_.quiet)
    print_line(fmt::format("reads={} placed={} blocks={} blocks_kept={} reads_with_gaps={} branches={} columns={} {}",
                           reads_, placed_, *state_.blocks, kept_blocks_, gapped_, references_->tree.branches(),
                           references_->kept.size(), kernels_ ? kernels_->closing(watch_.seconds()) : ""));
  return Ok{};
}

}  // namespace alnsmith::tool
