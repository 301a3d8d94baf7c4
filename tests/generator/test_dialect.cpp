// What the dialect forbids is refused with file:line:column, the rule and the inlining trace; never a crash, never
// text. Each case is a kernels.cc of its own over the real dialect.h.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "frontend/registry.h"
#include "frontend/templates.h"
#include "scratch.h"

namespace {

using namespace alnsmith;

class Folder : public scratch::Folder {
 public:
  Folder() {
    for (const auto &entry : std::filesystem::directory_iterator(ALNSMITH_TEMPLATES))
      std::filesystem::copy_file(entry.path(), path(entry.path().filename().string()));
  }
};

// A kernel over a Spec of one static number, k = 3. Line 1 is the include, the helper starts at line 3.
Result<ir::Function> evaluate(const std::string &helper, const std::string &body) {
  const Folder folder;
  folder.write("kernels.cc", "#include \"dialect.h\"\nstruct Spec { int k; };\n" + helper +
                                 "\nALN_KERNEL(\"lanes\") int kernel(Spec sp, const aln_args_v1 *a) {\n" + body +
                                 "\nreturn 0; }\n");
  auto templates = frontend::Templates::parse(folder.path());
  if (!templates) return templates.error();
  return templates->evaluate("lanes", {{"k", 3}});
}

struct Forbidden {
  const char *name, *helper, *body;
  const char *place;  // "kernels.cc:line:"
  const char *rule;
};

class Dialect : public testing::TestWithParam<Forbidden> {};

TEST_P(Dialect, RefusesWithPlaceAndRule) {
  const auto result = evaluate(GetParam().helper, GetParam().body);
  ASSERT_FALSE(result) << "accepted";
  const std::string &message = result.error().message;
  EXPECT_NE(message.find(std::string("kernels.cc:") + GetParam().place), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam().rule), std::string::npos) << message;
}

constexpr Forbidden forbidden[] = {
    {"dynamic_index", "",
     "vscore H[4]; for (int c = 0; c < 4; ++c) H[c] = splat(c);\nint i = load_int(a->scoring, 0); H[i] = splat(1);",
     "6:", "indexed by a run-time value"},
    {"index_out_of_range", "", "vscore H[4]; H[sp.k + 1] = splat(0);", "5:", "out of the array's range"},
    {"index_into_next_member", "struct S { vscore H[2], F[4]; };", "S s; s.H[sp.k] = splat(0);",
     "5:", "out of the array's range"},
    {"index_into_next_row", "", "vscore F[4][2]; F[0][sp.k] = splat(0);", "5:", "out of the array's range"},
    {"load_under_conditional", "",
     "int i = load_int(a->scoring, 0);\nint j = i > 0 ? load_int(a->scoring, i) : 0; store_wide(a->score, j, "
     "splat_wide(j));",
     "6:", "a load or store under a run-time '?:'"},
    {"load_under_and", "",
     "int i = load_int(a->scoring, 0);\nif (i > 0 && load_int(a->scoring, i) > 1) store_wide(a->score, 0, "
     "splat_wide(1));",
     "6:", "a load or store under a run-time '&&'"},
    {"unbounded_static_loop", "", "int x = 0;\nfor (int i = 0; i >= 0; ++i) x = 1 - x;", "6:", "4096 times"},
    {"loop_without_condition", "", "for (;;) {}", "5:", "without a condition"},
    {"saturating_number", "", "sat64 s = load_int(a->scoring, 0);\nif (s <= 7) store_wide(a->score, 0, splat_wide(1));",
     "5:", "no kernel holds a sat64"},
    {"static_overflow", "", "int x = 2147483647;\nint y = x + sp.k; store_wide(a->score, 0, splat_wide(y));",
     "6:", "overflows"},
    {"static_division_by_zero", "", "int x = 7 / (sp.k - 3); store_wide(a->score, 0, splat_wide(x));",
     "5:", "division by zero"},
    {"static_shift", "", "int x = 1 << (sp.k + 40); store_wide(a->score, 0, splat_wide(x));", "5:", "shift"},
    {"memory_by_subscript", "", "int x = a->scoring[1]; store_wide(a->score, 0, splat_wide(x));",
     "5:", "dialect's loads only"},
    {"memory_by_star", "", "int x = *a->scoring; store_wide(a->score, 0, splat_wide(x));",
     "5:", "dialect's loads only"},
    {"object_in_memory", "struct S { int f() const { return 1; } };",
     "int x = ((const S *)a->scratch)->f(); store_wide(a->score, 0, splat_wide(x));", "5:", "dialect's loads only"},
    {"recursion", "inline int f(int n) { return f(n + 1); }", "int x = f(0); store_wide(a->score, 0, splat_wide(x));",
     "3:", "recursion"},
    {"no_body", "int f(int n);", "int x = f(0); store_wide(a->score, 0, splat_wide(x));", "5:", "has no body"},
    {"unknown_operation", "ALN_OP int frobnicate(int);",
     "int x = frobnicate(0); store_wide(a->score, 0, splat_wide(x));", "5:", "no row in the generator's table"},
    {"global_variable", "static int counter;", "int x = counter; store_wide(a->score, 0, splat_wide(x));",
     "5:", "globals are outside"},
    {"static_local", "", "static int n = 0; store_wide(a->score, 0, splat_wide(n));", "5:", "static locals"},
    {"uninitialised", "", "vscore h; store_score(a->scratch, 0, h);", "5:", "uninitialised"},
    {"return_in_if", "inline int f(int n) { if (n > 0) return 1; return 2; }",
     "int x = f(load_int(a->scoring, 0)); store_wide(a->score, x, splat_wide(x));",
     "3:", "return inside a run-time if"},
    {"return_in_loop", "", "for (int i = residual(0); i < 9; ++i) return 1;", "5:", "return inside a run-time"},
    {"pointer_choice", "",
     "vscore A[1], B[1]; A[0] = splat(1); B[0] = splat(2); vscore *p = A;\nif (load_int(a->scoring, 0) > 0) p = "
     "B;\nstore_score(a->scratch, 0, *p);",
     "6:", "would point to one of two register arrays"},
    {"pointer_in_loop", "",
     "vscore A[8]; vscore *p = A; A[0] = splat(1);\nfor (int i = residual(0); i < 4; ++i) p = p + "
     "1;\nstore_score(a->scratch, 0, *p);",
     "6:", "different register array in each turn"},
    {"address_escapes", "ALN_OP int residual(const vscore *);",
     "vscore A[2]; A[0] = splat(0); store_wide(a->score, residual(A), splat_wide(1));", "5:", "leaves the registers"},
    {"base_class", "struct B { int x; }; struct D : B { int y; };",
     "D d; d.y = 1; store_wide(a->score, d.y, splat_wide(1));", "5:", "base classes"},
    {"reference_member", "struct R { int &x; };", "int n = 1; R r{n}; store_wide(a->score, r.x, splat_wide(1));",
     "3:", "reference members"},
    {"constructor", "struct C { int x; C(int n) : x(n + 1) {} };", "C c(3); store_wide(a->score, c.x, splat_wide(1));",
     "5:", "constructors"},
    {"virtual_function", "struct V { virtual int f() const { return 1; } };",
     "int x = ((const V *)a->scratch)->f(); store_wide(a->score, x, splat_wide(x));", "5:", "virtual functions"},
    {"union", "union U { int x; int y; };", "U u; u.x = 1; store_wide(a->score, u.y, splat_wide(1));", "5:", "unions"},
    {"call_through_pointer", "struct P { int (*f)(int); };",
     "int x = ((const P *)a->scratch)->f(1); store_wide(a->score, x, splat_wide(x));", "5:", "calls through pointers"},
    {"own_assignment", "struct A { int x; A &operator=(const A &o) { x = o.x + 1; return *this; } };",
     "A one{1}; A two{2}; one = two; store_wide(a->score, one.x, splat_wide(1));",
     "5:", "an assignment operator of one's own"},
    {"returned_reference", "inline int &f(int &n) { return n; }",
     "int n = 1; f(n) = 2; store_wide(a->score, n, splat_wide(1));", "5:", "functions that return references"},
    {"endless_evaluation", "",
     "int x = 0;\nfor (int i = 0; i < 4000; ++i)\nfor (int j = 0; j < 4000; ++j) x = 1 - x;\n"
     "store_wide(a->score, x, splat_wide(x));",
     "7:", "evaluation does not end"},
    {"function_pointer", "inline int f(int n) { return n; }",
     "int (*p)(int) = f; int x = p(1); store_wide(a->score, x, splat_wide(1));", "5:", "outside the dialect"},
    {"wide_integer", "", "long long x = load_int(a->scoring, 0); store_wide(a->score, 0, splat_wide((int)x));",
     "5:", "keep it an int"},
    {"floating_point", "", "double x = 1.5; store_wide(a->score, 0, splat_wide((int)x));", "5:", "outside the dialect"},
    {"switch_statement", "", "switch (sp.k) { case 3: break; }", "5:", "outside the dialect"},
    {"goto_statement", "", "goto end; end:;", "5:", "outside the dialect"},
    {"break_statement", "", "for (int i = 0; i < 4; ++i) break;", "5:", "outside the dialect"},
    {"lambda", "", "int y = [] { return 1; }();", "5:", "outside the dialect"},
    {"null_pointer", "", "const int *p = nullptr; store_wide(a->score, 0, splat_wide(load_int(p, 0)));",
     "5:", "outside the dialect"},
    {"local_struct", "", "struct S { int n; };", "5:", "this declaration is outside the dialect"},
    {"variable_in_if", "", "if (int i = load_int(a->scoring, 0)) store_wide(a->score, 0, splat_wide(i));",
     "5:", "declare the variable before the if"},
    {"pointer_sum", "", "store_wide(a->score + 4, 0, splat_wide(1));", "5:", "has no meaning for these types"},
    {"runtime_division", "", "int x = load_int(a->scoring, 0) / 2; store_wide(a->score, x, splat_wide(x));",
     "5:", "not known before run time"},
    {"not_cplusplus", "", "this is not C++", "5:", "a template is plain C++20"},
    {"unknown_name", "", "store_wide(a->scores, 0, splat_wide(1));", "5:", "no member named 'scores'"},
};

INSTANTIATE_TEST_SUITE_P(Forbidden, Dialect, testing::ValuesIn(forbidden),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(DialectTrace, NamesTheCallsThatLedThere) {
  const auto result =
      evaluate("inline int inner(int n) { return 5 / n; }\ninline int outer(int n) { return inner(n - 3); }",
               "store_wide(a->score, outer(sp.k), splat_wide(1));");
  ASSERT_FALSE(result);
  const std::string &m = result.error().message;
  EXPECT_NE(m.find("kernels.cc:3:36"), std::string::npos) << m;
  EXPECT_NE(m.find("in inner, called at"), std::string::npos) << m;
  EXPECT_NE(m.find("in outer, called at"), std::string::npos) << m;
  EXPECT_LT(m.find("in inner"), m.find("in outer")) << m;
}

TEST(DialectAccepts, StaticControlFlowLeavesNoTrace) {
  const auto result = evaluate("",
                               "int n = 0; for (int i = 0; i < sp.k; ++i) if (i != 1) n += i;\n"
                               "store_wide(a->score, 0, splat_wide(n));");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(ir::dump(*result), "%0 = splat_wide(2)\nstore_wide(args.score, 0, %0)\nreturn 0\n");
}

TEST(DialectAccepts, ResidualIfAndLoopBecomePhis) {
  const auto result = evaluate("",
                               "int n = load_int(a->scoring, 0); int s = 0;\n"
                               "for (int i = 0; i < n; ++i) { if (i < 3) s = s + i; else s = s - 1; }\n"
                               "store_wide(a->score, s, splat_wide(s));");
  ASSERT_TRUE(result) << result.error().message;
  const std::string text = ir::dump(*result);
  EXPECT_NE(text.find("while"), std::string::npos) << text;
  EXPECT_NE(text.find("else"), std::string::npos) << text;
  EXPECT_NE(text.find("phi("), std::string::npos) << text;
}

// A policy: members that use each other, of an object within another, which holds the argument block too.
// What a loop changes shows by evaluating it again; if each time all loops inside began anew, 24 of them would take
// millions of steps.
TEST(DialectAccepts, LoopsInLoopsTakeFewSteps) {
  std::string body = "int sum = 0;\nint n = load_int(a->scoring, 0);\n";
  constexpr int depth = 24;
  for (int i = 0; i < depth; ++i) {
    const std::string v = std::to_string(i);
    body += "int s" + v + " = " + v + ";\nfor (int i" + v + " = residual(0); i" + v + " < n; ++i" + v + ") {\n";
  }
  for (int i = depth; i-- > 0;) {
    const std::string v = std::to_string(i);
    body += "s" + v + " = s" + v + " + 1; }\nsum = sum + s" + v + ";\n";
  }
  const auto result = evaluate("", body + "store_wide(a->score, 0, splat_wide(sum));");
  ASSERT_TRUE(result) << result.error().message;
  int loops = 0;
  ir::for_each_statement(result->body, [&](const ir::Statement &s) { loops += s.kind == ir::StatementKind::loop; });
  EXPECT_EQ(loops, depth);
}

TEST(DialectAccepts, MemberFunctionsOfObjectsInObjects) {
  const auto result = evaluate(
      "struct Best { int best; bool grew(int n) const { return n > best; }\n"
      "  void take(int n) { if (grew(n)) best = n; } };\n"
      "struct Call { const aln_args_v1 *a; Best seen; static constexpr bool stores = true;\n"
      "  void take(int n) { seen.take(n); this->seen.take(n + 1); }\n"
      "  void store() const { store_wide(a->score, seen.best, splat_wide(load_int(a->scoring, 0))); } };",
      "Call c; c.a = a; c.seen.best = 0; c.take(sp.k); if constexpr (Call::stores) c.store();");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(ir::dump(*result),
            "%0 = load_int(args.scoring, 0)\n%1 = splat_wide(%0)\nstore_wide(args.score, 4, %1)\nreturn 0\n");
}

TEST(DialectAccepts, EnumeratorsAreStatic) {
  const auto result =
      evaluate("enum class Kind { plain, special };\ninline int f(Kind kind) { return kind == Kind::special ? 2 : 1; }",
               "store_wide(a->score, f(Kind::special), splat_wide(f(Kind::plain)));");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(ir::dump(*result), "%0 = splat_wide(1)\nstore_wide(args.score, 2, %0)\nreturn 0\n");
}

TEST(DialectFolder, NamesWhatIsMissing) {
  const auto none = frontend::Templates::parse("/nonexistent/templates");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("name a folder of templates"), std::string::npos);
  const Folder folder;
  std::filesystem::remove(folder.path() + "/kernels.cc");
  const auto headless = frontend::Templates::parse(folder.path());
  ASSERT_FALSE(headless);
  EXPECT_NE(headless.error().message.find("kernels.cc: not found"), std::string::npos);
  folder.write("kernels.cc", "#include \"dialect.h\"\n");
  const auto empty = frontend::Templates::parse(folder.path());
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message.find("registers no kernel"), std::string::npos);
}

// The page's tables are the rows; ALNSMITH_UPDATE=1 writes them anew.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string types_table() {
  std::string out = "| type | what a lane has |\n|---|---|\n";
  for (const ir::LaneType &t : ir::lane_types())
    out += "| `" + std::string(t.name) + "` | " + std::string(t.note) + " |\n";
  return out;
}

std::string operations_table(ir::Table table) {
  static constexpr const char *effects[] = {"", "load", "store"};
  std::string out = "| operation | | printed | meaning | |\n|---|---|---|---|---|\n";
  for (const ir::Op &op : ir::ops()) {
    if (op.table != table) continue;
    const std::string result =
        op.result == ir::Type::pointer ? "const int *" : std::string(ir::type_name(op.result)) + " ";
    std::string kind = effects[static_cast<int>(op.effect)];
    if (op.commutative) kind = "commutes";
    if (op.uniform) kind = kind.empty() ? "C++'s own" : "C++'s own, " + kind;
    out += "| `" + result + cell(op.name) + cell(op.signature) + "` | " + kind + " | `" + cell(op.text) + "` | `" +
           cell(op.meaning) + "` | " + cell(op.note) + " |\n";
  }
  return out;
}

std::string page() {
  std::ifstream in(ALNSMITH_DOCS "/dialect.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(DialectPage, TablesAreTheRows) {
  std::string text = page();
  const std::pair<std::string, std::string> tables[] = {
      {"<!-- types: from templates/types.def -->\n", types_table()},
      {"<!-- operations: from templates/ops.def -->\n", operations_table(ir::Table::all)},
      {"<!-- device operations: from templates/group_ops.def -->\n", operations_table(ir::Table::group)},
      {"<!-- bit-sliced operations: from templates/sliced_ops.def -->\n", operations_table(ir::Table::sliced)}};
  for (const auto &[mark, table] : tables) {
    std::size_t begin = text.find(mark);
    ASSERT_NE(begin, std::string::npos) << mark;
    begin += mark.size();
    const std::size_t end = text.find("<!-- end -->", begin);
    ASSERT_NE(end, std::string::npos) << mark;
    text.replace(begin, end - begin, table);
  }
  if (std::getenv("ALNSMITH_UPDATE")) std::ofstream(ALNSMITH_DOCS "/dialect.md") << text;
  EXPECT_TRUE(page() == text) << "docs/dialect.md is not what the rows say: ALNSMITH_UPDATE=1 build/test_dialect "
                                 "--gtest_filter=DialectPage.*";
}

TEST(DialectPage, SaysWhatIsRefused) {
  const std::string text = page();
  for (const Forbidden &f : forbidden) {
    if (f.name == std::string("unknown_name")) continue;  // in Clang's words
    EXPECT_NE(text.find(f.rule), std::string::npos) << f.name << ": " << f.rule;
  }
}

TEST(Registry, ReadsTheMappingsThatClangSees) {
  const auto scanned = frontend::registered_mappings("");
  const auto parsed = frontend::Templates::parse("");
  ASSERT_TRUE(scanned) << scanned.error().message;
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(*scanned, parsed->mappings());
}

}  // namespace
