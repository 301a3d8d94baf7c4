// NCBI text matrices: built-in ones, files, reordering, and every complaint at its line.
#include "helpers.h"
#include "spec/alphabet.h"
#include "spec/matrix.h"

namespace alnsmith::spec {
namespace {

int at(const std::vector<int> &matrix, const Alphabet &alphabet, char row, char column) {
  return matrix[alphabet.letters.find(row) * alphabet.letters.size() + alphabet.letters.find(column)];
}

TEST(Matrix, BuiltInNamesInAnyCase) {
  const Alphabet protein = *named_alphabet("protein");
  for (const std::string name :
       {"BLOSUM45", "blosum50", "Blosum62", "BLOSUM80", "BLOSUM90", "pam30", "PAM70", "PAM250"}) {
    const auto matrix = load_matrix(name, protein);
    ASSERT_TRUE(matrix) << matrix.error().message;
    EXPECT_EQ(matrix->size(), 625u);
  }
  const auto blosum = *load_matrix("BLOSUM62", protein);
  EXPECT_EQ(at(blosum, protein, 'W', 'W'), 11);
  EXPECT_EQ(at(blosum, protein, 'A', 'R'), -1);
  EXPECT_EQ(at(blosum, protein, '*', '*'), 1);
  EXPECT_EQ(at(blosum, protein, 'J', 'I'), 3);
}

TEST(Matrix, ReorderedToTheAlphabet) {
  const Alphabet iupac = *named_alphabet("iupac");
  const auto matrix = load_matrix("nuc.4.4", iupac);
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(at(*matrix, iupac, 'C', 'C'), 5);
  EXPECT_EQ(at(*matrix, iupac, 'A', 'W'), 1);
  EXPECT_EQ(at(*matrix, iupac, 'T', 'N'), -2);
}

TEST(Matrix, FewerLettersAndSynonyms) {
  const Alphabet rna = *named_alphabet("rna");
  const auto matrix = load_matrix("NUC.4.4", rna);  // which has T, not U
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(*matrix, (std::vector<int>{5, -4, -4, -4, -4, 5, -4, -4, -4, -4, 5, -4, -4, -4, -4, 5}));
}

TEST(Matrix, RowIsTheQueryLetter) {
  const scratch::Folder folder;
  const auto path = folder.write(
      "a.mat", "# asymmetric, rows in another order, lower case, CRLF\r\n  c a\r\na 3 4 \r\n\r\nC 1 2\r\n");
  const auto matrix = load_matrix(path, *custom_alphabet("AC", 0));
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(*matrix, (std::vector<int>{4, 3, 2, 1}));
}

TEST(Matrix, JTakesTheRowOfXInProteinOnly) {
  std::string header, rows;
  const std::string letters = "ARNDCQEGHILKMFPSTWYVBZX*";
  for (const char row : letters) {
    header += std::string(" ") + row;
    rows += row;
    for (const char column : letters) rows += row == column ? " 5" : row == 'X' ? " -2" : column == 'X' ? " -3" : " -1";
    rows += "\n";
  }
  const scratch::Folder folder;
  const auto path = folder.write("no-j.mat", header + "\n" + rows);
  const Alphabet protein = *named_alphabet("protein");
  const auto matrix = load_matrix(path, protein);
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(at(*matrix, protein, 'J', 'A'), -2);
  EXPECT_EQ(at(*matrix, protein, 'A', 'J'), -3);
  EXPECT_EQ(at(*matrix, protein, 'J', 'J'), 5);
  const auto custom = load_matrix(path, *custom_alphabet("AJ", 0));
  ASSERT_FALSE(custom);
  EXPECT_NE(custom.error().message.find("lacks the letter `J`"), std::string::npos);
}

TEST(Matrix, AnythingElseMissingIsNamed) {
  const auto matrix = load_matrix("BLOSUM62", *custom_alphabet("ACO", 0));
  ASSERT_FALSE(matrix);
  EXPECT_EQ(matrix.error().message,
            "BLOSUM62:2:4: the matrix lacks the letter `O` of the spec's alphabet; add its row and column");
}

TEST(Matrix, ComplaintsNameTheLine) {
  const auto complaint = [](const std::string &text) {
    const auto matrix = parse_matrix(text, "m");
    return matrix ? "none" : matrix.error().message;
  };
  EXPECT_EQ(complaint(""), "m:1:1: no header row of letters; begin with one, e.g. `A C G T`");
  EXPECT_EQ(complaint("# only\n"), "m:1:1: no header row of letters; begin with one, e.g. `A C G T`");
  EXPECT_EQ(complaint("A CG\n"), "m:1:3: the header row lists single letters, not `CG`; write e.g. `A C G T`");
  EXPECT_EQ(complaint("A C a\n"), "m:1:5: the letter `a` is listed twice; list it once");
  EXPECT_EQ(complaint("A C\nA 1 2\n"), "m:2:1: no row for the letter `C`; add it");
  EXPECT_EQ(complaint("A C\nA 1 2\nA 1 2\n"), "m:3:1: a second row for the letter `A`; remove one");
  EXPECT_EQ(complaint("A C\nA 1\n"), "m:2:1: the row of `A` has 1 scores, the header 2 letters; make them equal");
  EXPECT_EQ(complaint("A C\nA 1 2 3\n"), "m:2:1: the row of `A` has 3 scores, the header 2 letters; make them equal");
  EXPECT_EQ(complaint("A C\n1 2\n"), "m:2:1: a row begins with a letter of the header, not `1`; name the row's letter");
  EXPECT_EQ(complaint("A C\nA 1 2.5\n"), "m:2:5: a score is an integer from -10000 to 10000, not `2.5`; round it");
  EXPECT_EQ(complaint("A C\nA 1 10001\n"), "m:2:5: a score is an integer from -10000 to 10000, not `10001`; round it");
  EXPECT_EQ(complaint("A\nA 99999999999999999999\n"),
            "m:2:3: a score is an integer from -10000 to 10000, not `99999999999999999999`; round it");
  EXPECT_EQ(complaint(std::string("A\0\nA 1\n", 7)),
            "m:1:1: the header row lists single letters, not `A\\x00`; write e.g. `A C G T`");
}

TEST(Matrix, PathsAreRelativeToTheSpec) {
  const scratch::Folder folder;
  folder.write("my.mat", "A C G T\nA 1 -1 -1 -1\nC -1 1 -1 -1\nG -1 -1 1 -1\nT -1 -1 -1 1\n");
  const auto path = folder.write("s.yaml", with("{match: 2, mismatch: -1}", "{matrix: ./my.mat}"));
  const auto spec = parse_file(path);
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->score.matrix_name, "./my.mat");
  EXPECT_EQ(spec->score.matrix.size(), 16u);
  folder.write("my.mat", "A C G T\nA 1 -1 -1 x\n");
  EXPECT_EQ(parse_file(path).error().message,
            folder.path() + "/./my.mat:2:11: a score is an integer from -10000 to 10000, not `x`; round it");
}

TEST(Matrix, RuntimeHasNoValues) {
  const Spec spec = parse_ok(with("{match: 2, mismatch: -1}", "{matrix: runtime}"));
  EXPECT_TRUE(spec.score.matrix_runtime);
  EXPECT_TRUE(spec.score.matrix.empty());
}

TEST(Matrix, UnknownNameListsTheBuiltInOnes) {
  const auto matrix = load_matrix("BLOSUM63", *named_alphabet("protein"));
  ASSERT_FALSE(matrix);
  EXPECT_EQ(matrix.error().message,
            "BLOSUM63: no such file; check the path; the built-in matrices are BLOSUM45, BLOSUM50, "
            "BLOSUM62, BLOSUM80, BLOSUM90, NUC.4.4, PAM30, PAM70 and PAM250");
}

}  // namespace
}  // namespace alnsmith::spec
