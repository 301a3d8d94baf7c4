// Partial evaluation of a template (online, over Clang's AST).
//
// Every value is known or residual. Known ones are computed; operations on residual ones go into the IR. Calls are
// inlined, static ifs taken, static loops unrolled, local arrays with static indices become named values; a residual
// if or loop becomes a statement with phis for what changes in it. What the dialect forbids is refused with a
// place, a rule and the inlining trace.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alnsmith/result.hpp"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "ir/ir.h"
#include "llvm/ADT/DenseMap.h"

namespace alnsmith::pe {

// Where files lie that are in no folder: Clang keeps absolute paths in the trees that it writes. Shown without it.
inline constexpr std::string_view kNoFolder = "/no-folder/";

// The static values of templates/spec.h's struct, by field path: "k", "match.value", ...
using Statics = std::map<std::string, std::int64_t>;

// A part of an object of the store: `offset` slots into it.
struct Place {
  int object = -1, offset = 0;
  bool operator==(const Place &) const = default;
};

enum class Kind { undefined, known, residual, pointer, aggregate };

// A value of a leaf type.
struct Leaf {
  static constexpr Kind undefined = Kind::undefined, known = Kind::known, residual = Kind::residual,
                        pointer = Kind::pointer, aggregate = Kind::aggregate;
  Kind kind = undefined;
  std::int64_t integer = 0;    // known
  ir::Value *value = nullptr;  // residual
  Place place;                 // pointer: into a local array
  bool operator==(const Leaf &) const = default;
};

struct Value : Leaf {
  std::vector<Leaf> slots;  // aggregate
  Value() = default;
  Value(const Leaf &leaf) : Leaf(leaf) {}
  static Value of(std::int64_t i);
  static Value of(ir::Value *v);
};

// A local variable: its leaves in order, each a value of a leaf type. Values change; copies of the store share the
// rest.
struct Layout {
  std::vector<ir::Type> types;
  std::vector<std::string> names;
};
struct Object {
  std::vector<Leaf> slots;
  std::shared_ptr<const Layout> layout;
};

// Thrown inside the evaluator only; run() turns it into an Error.
struct Refusal {
  std::string message;
};

class Evaluator {
 public:
  explicit Evaluator(clang::ASTContext &context) : context_(context) {}

  // The kernel `entry(Spec, const aln_args_v1 *)` for these static values.
  Result<ir::Function> run(const clang::FunctionDecl &entry, const Statics &statics);
  // What is told of one (templates/exactness.h): a function that returns each member of the entry's struct in turn, and
  // their names.
  Result<std::pair<ir::Function, std::vector<std::string>>> tell(const clang::FunctionDecl &entry,
                                                                 const Statics &statics);

 private:
  struct Frame {
    llvm::SmallDenseMap<const clang::VarDecl *, Place, 8> variables;
    Place self;  // object of a member function
    const clang::FunctionDecl *function = nullptr;
    clang::SourceLocation call;
    Frame *caller = nullptr;
    bool returned = false;
    int residual_depth = 0;  // residual ifs and loops around the current statement, in this frame
    Value result;
  };

  Value evaluate(const clang::FunctionDecl &entry, const Statics &statics);

  // places and types (store.cpp)
  [[noreturn]] void refuse(clang::SourceLocation where, const std::string &rule_and_mend);
  std::string place_text(clang::SourceLocation where) const;
  ir::Origin origin(clang::SourceLocation where) const;
  static bool annotated(const clang::Decl *declaration, llvm::StringRef word);
  bool is_leaf(clang::QualType type);
  ir::Type leaf_type(clang::QualType type, clang::SourceLocation where);
  int slot_count(clang::QualType type, clang::SourceLocation where);
  int counted_slots(clang::QualType type, clang::SourceLocation where);
  void lay_out(clang::QualType type, const std::string &name, Layout &layout, clang::SourceLocation where);
  std::shared_ptr<const Layout> layout_of(clang::QualType type, const std::string &name, clang::SourceLocation where);
  Place allocate(clang::QualType type, const std::string &name, clang::SourceLocation where);
  void assign(Place place, const Value &value);
  Value load(Place place, clang::QualType type, clang::SourceLocation where);
  Place find_variable(const clang::VarDecl *variable, clang::SourceLocation where);
  void bind_spec(clang::QualType type, const std::string &path, Place place, const Statics &statics,
                 clang::SourceLocation where);

  // expressions.cpp
  Value value_of(const clang::Expr *e);
  Place place_of(const clang::Expr *e);
  Value cast(const clang::CastExpr *e);
  Value argument_field(const clang::MemberExpr *e);

  // operators.cpp
  Value binary(clang::BinaryOperatorKind op, const Value &a, const Value &b, clang::QualType operand_type,
               clang::QualType result_type, clang::SourceLocation where);
  Value unary(const clang::UnaryOperator *e);
  Value conditional(const clang::ConditionalOperator *e);
  Value logical(const clang::BinaryOperator *e);
  Value without_loads(const clang::Expr *e, const char *construct);
  ir::Value *residual_of(const Leaf &v, clang::QualType type, clang::SourceLocation where);
  Value emit(const char *op, std::initializer_list<ir::Value *> operands, clang::SourceLocation where);
  Value known(std::int64_t value, clang::QualType type, clang::SourceLocation where);

  // calls.cpp
  Value call(const clang::CallExpr *e);
  Value operation(const clang::FunctionDecl *f, llvm::ArrayRef<const clang::Expr *> arguments,
                  clang::SourceLocation where);
  Value inline_call(const clang::FunctionDecl *f, llvm::ArrayRef<const clang::Expr *> arguments, Place self,
                    clang::SourceLocation where);

  // statements.cpp
  void execute(const clang::Stmt *s);
  void declare(const clang::VarDecl *variable);
  void residual_if(const clang::IfStmt *s, ir::Value *condition);
  void loop(const clang::Stmt *s, const clang::Expr *condition, const clang::Expr *increment, const clang::Stmt *body);
  void residual_loop(const clang::Stmt *s, const clang::Expr *condition, const clang::Expr *increment,
                     const clang::Stmt *body);
  ir::Value *phi_input(const Leaf &v, ir::Type type);
  void append(ir::Statement *s) { blocks_.back()->statements.push_back(s); }

  // Residual loops in the order in which they were met, each below the one around it, with the slots that change in a
  // turn of it. A loop's body is evaluated until no more slots appear: what changed in a loop inside is where that one
  // starts from the next time. More is unknown then, so no less changes.
  struct Nest {
    const clang::Stmt *loop = nullptr;
    std::vector<unsigned> calls = {};  // where the functions around it are called
    std::size_t objects = 0;           // in the store
    std::set<std::pair<std::size_t, std::size_t>> changed = {};
    std::vector<Nest> inside = {};
    std::size_t next = 0;  // of those inside
  };
  Nest &enter(const clang::Stmt *loop);

  // What is asked of a type again and again; by canonical type.
  struct TypeFacts {
    std::optional<bool> leaf;
    std::optional<int> slots;
    std::shared_ptr<const Layout> layout;  // of an object without a name
  };
  TypeFacts &facts_of(clang::QualType type) { return facts_[type.getCanonicalType().getAsOpaquePtr()]; }

  clang::ASTContext &context_;
  llvm::DenseMap<void *, TypeFacts> facts_;
  bool telling_ = false;  // facts, not a kernel: sat64 may wait for the call
  ir::Function function_;
  std::vector<Object> store_;
  Nest nests_;
  Nest *nest_ = &nests_;
  std::vector<ir::Block *> blocks_;
  std::map<std::string, ir::Value *> arguments_;
  const clang::ParmVarDecl *argument_block_ = nullptr;
  Frame *frame_ = nullptr;
  long steps_ = 0;
  int loads_ = 0;  // load operations emitted so far
};

}  // namespace alnsmith::pe
