// Mutated FASTA and FASTQ files: records or a one-line error, never a crash, never more letters than bytes.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <string>

#include "common/reader.h"
#include "full_run.h"
#include "program.h"

namespace alnsmith::tool {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random &random, std::size_t n) { return n == 0 ? 0 : random() % n; }

std::string letters(Random &random, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += "ACGTNacgtn"[below(random, 10)];
  return out;
}

std::string folded(const std::string &text, std::size_t width) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += width) out += text.substr(i, width) + "\n";
  return out;
}

std::string valid_file(Random &random) {
  const bool fastq = below(random, 2) == 0;
  std::string out;
  for (std::size_t i = 0, n = 1 + below(random, 6); i < n; ++i) {
    const std::string sequence = letters(random, 1 + below(random, 200));
    const std::size_t width = 1 + below(random, 90);
    out += (fastq ? "@r" : ">r") + std::to_string(i) + " comment\n" + folded(sequence, width);
    if (fastq) out += "+\n" + folded(std::string(sequence.size(), static_cast<char>('!' + below(random, 90))), width);
  }
  return out;
}

void mutate(Random &random, std::string &text) {
  using namespace std::string_literals;  // a literal ends at its NUL without
  static const std::string special = "\n\r>@+ \t\0\x1f\xff"s, any = special + "ACGT";
  for (std::size_t i = 0, n = 1 + below(random, 8); i < n; ++i) {
    const std::size_t at = below(random, text.size() + 1);
    switch (below(random, 6)) {
      case 0:
        text.insert(at, 1, special[below(random, special.size())]);
        break;
      case 1:
        text.erase(at, below(random, 20));
        break;
      case 2:
        text.insert(at, text.substr(below(random, text.size() + 1), below(random, 60)));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, below(random, 3000), any[below(random, any.size())]);
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(below(random, 256));
    }
  }
}

int cases() { return sample::full() ? 50000 : 1000; }

// Reads `bytes` to the end; returns the letters seen.
std::size_t read_all(const std::string &bytes) {
  const int fd = ::memfd_create("input", MFD_CLOEXEC);
  EXPECT_EQ(::write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  ::lseek(fd, 0, SEEK_SET);
  Result<SequenceReader> reader = SequenceReader::open_fd(fd, "input", 1 << 16);
  std::size_t seen = 0;
  Record record;
  Result<bool> more = reader ? Result<bool>(true) : Result<bool>(reader.error());
  while (more && *more) {
    more = reader->next(record);
    if (!more || !*more) break;
    EXPECT_FALSE(record.name.empty());
    seen += record.letters.size();
  }
  if (!more) {
    EXPECT_FALSE(more.error().message.empty());
    EXPECT_EQ(more.error().message.find_first_of("\n\r\t"), std::string::npos) << more.error().message;
    EXPECT_LT(more.error().message.size(), 400U);
    EXPECT_EQ(more.error().exit_code, 1);
  }
  return seen;
}

TEST(ReaderFuzz, MutatedTextGivesRecordsOrOneLine) {
  for (int i = 0; i < cases(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Random random(static_cast<std::uint64_t>(i));
    std::string text = valid_file(random);
    EXPECT_GT(read_all(text), 0U);
    mutate(random, text);
    EXPECT_LE(read_all(text), text.size());
  }
}

TEST(ReaderFuzz, MutatedGzipGivesRecordsOrOneLine) {
  const testing::Folder folder;
  for (int i = 0; i < cases() / 4; ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Random random(static_cast<std::uint64_t>(i));
    const std::string text = valid_file(random);
    testing::write_gzip(folder.path("x.gz"), text, below(random, 2) == 0);
    std::string bytes = testing::read_file(folder.path("x.gz"));
    EXPECT_GT(read_all(bytes), 0U);
    mutate(random, bytes);
    read_all(bytes);
  }
}

}  // namespace
}  // namespace alnsmith::tool
