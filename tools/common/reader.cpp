// Reads FASTA and FASTQ through htslib's kseq over bgzf; see reader.h for what is refused.
//
// kseq alone is lenient: it skips text until a header, takes a read error for a letter, and returns a FASTQ
// record that lost its quality as FASTA. So reads go through `pull`, which turns errors and oversized records
// into an end of input and remembers why, and `next` looks at the header itself.
#include "common/reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "common/text.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <htslib/hts_log.h>
#include <htslib/kstring.h>

namespace alnsmith::tool {
namespace {

// Carries what is no regular file over to htslib, which reads in blocks that it waits for: a thread that does wait, and
// at the end, or where it is to end, closes the socket that htslib reads.
class Pump {
 public:
  // Takes over `from`.
  Pump(int from, const Cancelled &cancelled) : from_(from), cancelled_(cancelled) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      problem_ = errno;
      return;
    }
    out_ = ends[0];
    thread_ = std::thread([this, to = ends[1]] {
      carry(to);
      ::close(to);
    });
  }
  Pump(const Pump &) = delete;
  Pump &operator=(const Pump &) = delete;
  ~Pump() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    ::close(from_);
  }

  int out() const { return out_; }          // to read from, and to close before the end of this; -1: see problem()
  int problem() const { return problem_; }  // an errno; 0: none

 private:
  void carry(int to) {
    std::array<char, 1 << 16> buffer;
    while (!stop_ && !cancelled_()) {
      pollfd ready{from_, POLLIN, 0};
      if (::poll(&ready, 1, 50) <= 0) continue;  // also of a pipe that nobody has opened for writing yet
      const ssize_t got = ::read(from_, buffer.data(), buffer.size());
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got < 0) problem_ = errno;
      if (got <= 0) return;
      for (ssize_t sent = 0; sent < got;) {
        const ssize_t more = ::send(to, buffer.data() + sent, static_cast<std::size_t>(got - sent), MSG_NOSIGNAL);
        if (more < 0 && errno != EINTR) return;  // nobody reads any more
        sent += std::max<ssize_t>(more, 0);
      }
    }
  }

  int from_, out_ = -1;
  const Cancelled &cancelled_;
  std::atomic<bool> stop_{false};
  std::atomic<int> problem_{0};
  std::thread thread_;
};

struct Source {
  BGZF *file = nullptr;
  Cancelled cancelled;          // may be empty
  bool stopped = false;         // it said so
  bool failed = false;          // bgzf_read reported an error
  bool too_long = false;        // the record outgrew the budget
  std::size_t budget = 0;       // bytes of one record
  const kstring_t *parts[4]{};  // the record under construction: name, comment, letters, quality
};

int pull(Source *source, void *buffer, int size) {
  if (source->failed || source->too_long || source->stopped) return 0;
  std::size_t held = 0;
  for (const kstring_t *part : source->parts) held += part->l;
  if (held > source->budget) {
    source->too_long = true;
    return 0;
  }
  const ssize_t got = bgzf_read(source->file, buffer, static_cast<std::size_t>(size));
  if (source->cancelled && source->cancelled()) {
    source->stopped = true;
    return 0;
  }
  if (got < 0) {
    source->failed = true;
    return 0;
  }
  return static_cast<int>(got);
}

}  // namespace
}  // namespace alnsmith::tool

#include <htslib/kseq.h>
namespace alnsmith::tool {
namespace {
KSEQ_INIT(Source *, pull)
}  // namespace
}  // namespace alnsmith::tool
#pragma GCC diagnostic pop

namespace alnsmith::tool {
namespace {

constexpr int kEnd = -1;
constexpr int kHeaderTaken = 1;  // tells kseq that the header's first character is read; left there at the end

std::string_view view(const kstring_t &text) { return {text.l == 0 ? "" : text.s, text.l}; }

bool is_space(int c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; }

// `part` of the text that `owner` has, its control bytes made blanks, without blanks around it.
std::string_view blanked(std::string_view part, const kstring_t &owner) {
  if (part.empty()) return {};
  char *begin = owner.s + (part.data() - owner.s), *end = begin + part.size();
  std::replace_if(begin, end, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }, ' ');
  while (begin != end && *begin == ' ') ++begin;
  while (begin != end && end[-1] == ' ') --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

// What a file that is neither FASTA nor FASTQ looks like by its first byte, for the mend.
const char *guess(int first) {
  if (first == 'B') return "; if it is bzip2 or BAM, convert it to FASTQ or gzip first";
  if (first == 0xfd || first == 0x28) return "; if it is xz or zstd, recompress it with gzip";
  if (first == 0xef || first == 0xff || first == 0xfe) return "; save it as plain text without a byte order mark";
  return "";
}

}  // namespace

struct SequenceReader::Impl {
  std::string label;
  bool regular = false;
  off_t size = 0;
  std::uint64_t records = 0;
  Source source;
  std::unique_ptr<Pump> pump;  // empty: htslib reads the file itself
  kseq_t *parser = nullptr;

  ~Impl() {
    if (parser != nullptr) kseq_destroy(parser);
    if (source.file != nullptr) (void)bgzf_close(source.file);
  }

  std::string here() const {
    const std::string name = printable(view(parser->name), 60);
    return fmt::format("{}: record {}{}", label, records + 1, name.empty() ? "" : " (" + name + ")");
  }
  bool compressed() const { return bgzf_compression(source.file) != 0; }

  // Why the input ended, if not because it was complete.
  Status ending() const {
    if (source.stopped) return Error{label + ": reading was ended", 130};
    if (pump && pump->problem() != 0)
      return Error{
          fmt::format("{}: cannot be read after record {}: {}", label, records, std::strerror(pump->problem()))};
    if (source.too_long)
      return Error{fmt::format("{} is larger than {} bytes, its share of the memory budget: raise --memory", here(),
                               source.budget)};
    if (source.failed && compressed())
      return Error{fmt::format(
          "{}: the gzip data is truncated or damaged after record {}: fetch or write the file again", label, records)};
    if (source.failed)
      return Error{fmt::format("{}: cannot be read after record {}: {}", label, records, std::strerror(errno))};
    if (source.file->no_eof_block)
      return Error{fmt::format(
          "{}: the bgzip data is truncated (its end marker is missing): fetch or write the file again", label)};
    return Ok{};
  }

  // The character that opens the next record, or kEnd.
  Result<int> find_header() {
    if (parser->last_char == '>' || parser->last_char == '@') return parser->last_char;
    parser->name.l = parser->comment.l = parser->seq.l = parser->qual.l = 0;
    int c = ks_getc(parser->f);
    while (is_space(c)) c = ks_getc(parser->f);
    if (c == kEnd) {
      if (const Status complete = ending(); !complete) return complete.error();
      return kEnd;
    }
    if (c != '>' && c != '@') {
      if (records == 0)
        return Error{fmt::format("{}: begins with {}, not with '>' (FASTA) or '@' (FASTQ){}", label,
                                 printable_letter(static_cast<char>(c)), guess(c))};
      return Error{
          fmt::format("{}: text after record {} belongs to no record: begin records with '>' or '@'", label, records)};
    }
    parser->last_char = c;
    return c;
  }
};

Result<SequenceReader> SequenceReader::open(const std::string &path, std::size_t max_record_bytes,
                                            Cancelled cancelled) {
  if (path == "-") {
    const int fd = ::dup(STDIN_FILENO);
    if (fd < 0) return Error{fmt::format("stdin cannot be read: {}", std::strerror(errno))};
    Result<SequenceReader> reader = open_fd(fd, "stdin", max_record_bytes, std::move(cancelled));
    if (reader) reader->impl_->regular = false;  // even if it is a file: its offset is shared and has moved
    return reader;
  }
  // Opening a pipe waits for its writer otherwise.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (cancelled ? O_NONBLOCK : 0));
  if (fd < 0) return Error{fmt::format("{}: cannot be opened: {}", printable(path, 400), std::strerror(errno))};
  return open_fd(fd, printable(path, 400), max_record_bytes, std::move(cancelled));
}

Result<SequenceReader> SequenceReader::open_fd(int fd, std::string label, std::size_t max_record_bytes,
                                               Cancelled cancelled) {
  hts_set_log_level(HTS_LOG_OFF);  // errors are values here
  struct stat info{};
  if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(fd);
    return Error{fmt::format("{}: is a folder, not a FASTA or FASTQ file", label)};
  }
  auto impl = std::make_unique<Impl>();
  impl->label = std::move(label);
  impl->regular = S_ISREG(info.st_mode);
  impl->size = info.st_size;
  impl->source.cancelled = std::move(cancelled);
  if (impl->source.cancelled && !impl->regular) {
    impl->pump = std::make_unique<Pump>(fd, impl->source.cancelled);
    fd = impl->pump->out();
  }
  errno = 0;
  impl->source.file = bgzf_dopen(fd, "r");
  const int code = impl->pump && impl->pump->problem() != 0 ? impl->pump->problem() : errno;
  if (impl->source.cancelled && impl->source.cancelled()) {
    if (impl->source.file == nullptr) ::close(fd);
    impl->source.stopped = true;
    return impl->ending().error();
  }
  if (impl->source.file == nullptr) {
    if (fd >= 0) ::close(fd);
    return Error{
        fmt::format("{}: cannot be read: {}", impl->label, code != 0 ? std::strerror(code) : "damaged gzip header")};
  }
  impl->source.budget = max_record_bytes;
  impl->parser = kseq_init(&impl->source);
  kseq_t *p = impl->parser;
  const kstring_t *parts[] = {&p->name, &p->comment, &p->seq, &p->qual};
  std::copy(std::begin(parts), std::end(parts), impl->source.parts);
  return SequenceReader(std::move(impl));
}

SequenceReader::SequenceReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SequenceReader::SequenceReader(SequenceReader &&) noexcept = default;
SequenceReader &SequenceReader::operator=(SequenceReader &&) noexcept = default;
SequenceReader::~SequenceReader() = default;

Result<bool> SequenceReader::next(Record &record) {
  Impl &in = *impl_;
  const Result<int> header = in.find_header();
  if (!header) return header.error();
  if (*header == kEnd) return false;

  in.parser->last_char = kHeaderTaken;
  const int code = kseq_read(in.parser);
  const bool fastq = *header == '@';
  const kseq_t &p = *in.parser;
  if (const Status complete = in.ending(); !complete) return complete.error();
  if (code == -1) return Error{fmt::format("{}: ends in the header of record {}", in.label, in.records + 1)};
  if (code == -2)
    return Error{fmt::format("{}: {} quality values for {} letters: the FASTQ record is truncated or damaged",
                             in.here(), p.qual.l, p.seq.l)};
  if (code < 0) return Error{fmt::format("{}: is too long to be read", in.here())};
  if (fastq && p.seq.l != 0 && p.qual.l == 0)
    return Error{fmt::format(
        "{}: begins with '@' but has no quality: the FASTQ record is truncated, or FASTA is meant ('>')", in.here())};
  if (!fastq && p.qual.l != 0)
    return Error{
        fmt::format("{}: begins with '>' but has quality values: begin it with '@' if FASTQ is meant", in.here())};

  record.name = view(p.name);
  std::string_view rest = view(p.comment);
  if (record.name.empty()) {  // "> name": the first word comes after a blank
    const std::size_t begin = rest.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos) {
      record.name = rest.substr(begin, rest.find_first_of(" \t\r", begin) - begin);
      rest.remove_prefix(begin + record.name.size());
    }
  }
  if (record.name.empty())
    return Error{fmt::format("{}: has no name: write one after '{}'", in.here(), fastq ? '@' : '>')};
  // Names are printed: none of them may speak to a terminal.
  for (const char c : record.name)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      return Error{fmt::format("{}: has {} in its name: rename it", in.here(), printable_letter(c))};
  record.description = blanked(rest, in.parser->comment);
  record.letters = view(p.seq);
  while (record.letters.starts_with('\r')) record.letters.remove_prefix(1);  // kseq keeps it on an empty first line
  ++in.records;
  return true;
}

std::uint64_t SequenceReader::records() const { return impl_->records; }
const std::string &SequenceReader::label() const { return impl_->label; }
bool SequenceReader::can_reopen() const { return impl_->regular; }

std::optional<double> SequenceReader::share_read() const {
  if (!impl_->regular || impl_->size <= 0) return std::nullopt;
  return std::min(static_cast<double>(htell(impl_->source.file->fp)) / static_cast<double>(impl_->size), 1.0);
}

}  // namespace alnsmith::tool
