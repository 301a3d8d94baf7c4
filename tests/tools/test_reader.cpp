// The reader: what FASTA and FASTQ it takes, what it refuses, and in which words.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "common/reader.h"
#include "program.h"

namespace alnsmith::tool {
namespace {

using Records = std::vector<std::pair<std::string, std::string>>;

struct Outcome {
  Records records;
  std::string error;
};

Outcome drain(Result<SequenceReader> reader) {
  Outcome out;
  if (!reader) return {{}, reader.error().message};
  Record record;
  for (;;) {
    const Result<bool> more = reader->next(record);
    if (!more) {
      out.error = more.error().message;
      return out;
    }
    if (!*more) return out;
    out.records.emplace_back(record.name, record.letters);
  }
}

Outcome read_text(const std::string &text, std::size_t budget = 1 << 20) {
  const int fd = ::memfd_create("input", MFD_CLOEXEC);
  EXPECT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::lseek(fd, 0, SEEK_SET);
  return drain(SequenceReader::open_fd(fd, "input", budget));
}

TEST(Reader, TakesFasta) {
  const Outcome got = read_text(">a first\nACGT\nAC\n\n>b\nGG\n");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.records, (Records{{"a", "ACGTAC"}, {"b", "GG"}}));
}

TEST(Reader, TakesFastqOfSeveralLinesWithAtSignsInTheQuality) {
  const Outcome got = read_text("@a x\nACG\nTAC\n+a x\n@II\n@II\n@b\nGG\n+\n>+\n");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.records, (Records{{"a", "ACGTAC"}, {"b", "GG"}}));
}

TEST(Reader, TakesDosLineEndsAndAMissingLastNewline) {
  const Outcome got = read_text("\r\n>a\r\nAC\r\n\r\nGT\r\n>b\tc\r\n\r\nG");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.records, (Records{{"a", "ACGT"}, {"b", "G"}}));
}

TEST(Reader, TakesANameAfterABlank) { EXPECT_EQ(read_text("> a b\nAC\n").records, (Records{{"a", "AC"}})); }

TEST(Reader, GivesTheRestOfTheHeaderWithoutControlBytes) {
  const int fd = ::memfd_create("input", MFD_CLOEXEC);
  const std::string text =
      ">a\nAC\n>b  two words \r\nAC\n>c\tx\ty\x1b[0m\x7f\nAC\n> d  late one\nAC\n> e\nAC\n@f q=1 @x\nA\n+\nI\n>g \t "
      "\nA\n";
  EXPECT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::lseek(fd, 0, SEEK_SET);
  auto reader = SequenceReader::open_fd(fd, "input", 1 << 20);
  ASSERT_TRUE(reader);
  Records got;
  Record record;
  while (*reader->next(record)) got.emplace_back(record.name, record.description);
  EXPECT_EQ(
      got,
      (Records{
          {"a", ""}, {"b", "two words"}, {"c", "x y [0m"}, {"d", "late one"}, {"e", ""}, {"f", "q=1 @x"}, {"g", ""}}));
}

TEST(Reader, KeepsLettersThatAreNoLetters) {
  EXPECT_EQ(read_text(">a\nAC*-1 .\n").records, (Records{{"a", "AC*-1 ."}}));
}

TEST(Reader, GivesEmptySequencesToItsCaller) {
  EXPECT_EQ(read_text(">a\n>b\nA\n").records, (Records{{"a", ""}, {"b", "A"}}));
  EXPECT_EQ(read_text(">a").records, (Records{{"a", ""}}));
}

TEST(Reader, EndsAtOnceInAnEmptyInput) {
  EXPECT_EQ(read_text("").error, "");
  EXPECT_TRUE(read_text("\n\n").records.empty());
}

struct Refusal {
  std::string text, words;
};

TEST(Reader, RefusesInOneLine) {
  const Refusal refusals[] = {
      {"ACGT\n", "begins with 'A', not with '>' (FASTA) or '@' (FASTQ)"},
      {"@a\nACGT\n", "record 1 (a): begins with '@' but has no quality"},
      {"@a\nACGT\n+\nII\n", "record 1 (a): 2 quality values for 4 letters"},
      {"@a\nACGT\n+\nIIIIII\n", "record 1 (a): 6 quality values for 4 letters"},
      {"@a\nACGT\n+", "record 1 (a): 0 quality values for 4 letters"},
      {">a\nACGT\n+\nIIII\n", "record 1 (a): begins with '>' but has quality"},
      {"@a\nA\n+\nI\nACGT\n", "text after record 1 belongs to no record"},
      {">a\nA\n>\nC\n", "record 2: has no name"},
      {">a\nA\n>", "ends in the header of record 2"},
      {"\xef\xbb\xbf>a\nA\n", "byte order mark"},
  };
  for (const Refusal &refusal : refusals) {
    const Outcome got = read_text(refusal.text);
    EXPECT_NE(got.error.find(refusal.words), std::string::npos) << refusal.text << "\ngave " << got.error;
    EXPECT_EQ(got.error.rfind("input: ", 0), 0U) << got.error;
    EXPECT_EQ(got.error.find('\n'), std::string::npos);
  }
}

TEST(Reader, RefusesARecordBeyondItsBudgetWithoutStoringIt) {
  const Outcome got = read_text(">a\n" + std::string(1 << 20, 'A') + "\n", 1 << 16);
  EXPECT_NE(got.error.find("record 1 (a) is larger than 65536 bytes"), std::string::npos) << got.error;
  EXPECT_NE(read_text(">" + std::string(1 << 20, 'n') + "\nA\n", 1 << 16).error, "");
}

TEST(Reader, TakesGzipInBothForms) {
  const testing::Folder folder;
  for (const bool blocked : {false, true}) {
    testing::write_gzip(folder.path("x.gz"), ">a\nACGT\n>b\nGG\n", blocked);
    const Outcome got = drain(SequenceReader::open(folder.path("x.gz"), 1 << 20));
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(got.records, (Records{{"a", "ACGT"}, {"b", "GG"}}));
  }
}

TEST(Reader, NoticesEveryTruncationOfGzip) {
  const testing::Folder folder;
  for (const bool blocked : {false, true}) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += ">r" + std::to_string(i * 7919) + "\nACGTTGCA\n";
    testing::write_gzip(folder.path("x.gz"), text, blocked);
    const std::string whole = testing::read_file(folder.path("x.gz"));
    for (std::size_t n = 1; n < whole.size(); ++n)
      EXPECT_NE(read_text(whole.substr(0, n)).error, "")
          << n << " of " << whole.size() << " bytes, blocked " << blocked;
    EXPECT_EQ(read_text(whole).records.size(), 40U);
  }
}

TEST(Reader, NamesWhatCannotBeOpened) {
  EXPECT_NE(drain(SequenceReader::open("/nonexistent/x.fa", 1024))
                .error.find("/nonexistent/x.fa: cannot be opened: No such file"),
            std::string::npos);
  EXPECT_NE(drain(SequenceReader::open("/", 1024)).error.find("is a folder"), std::string::npos);
}

}  // namespace
}  // namespace alnsmith::tool
