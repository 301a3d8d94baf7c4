// The evaluator's store: types as rows of leaves, variables as objects, and refusals with their place.
#include <cctype>

#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "pe/evaluator.h"

namespace alnsmith::pe {

using namespace clang;

Value Value::of(std::int64_t i) {
  Value v;
  v.kind = known;
  v.integer = i;
  return v;
}

Value Value::of(ir::Value *value) {
  Value v;
  v.kind = residual;
  v.value = value;
  return v;
}

namespace {

const char *shown(const char *path) {
  return std::string_view(path).starts_with(kNoFolder) ? path + kNoFolder.size() : path;
}

}  // namespace

std::string Evaluator::place_text(SourceLocation where) const {
  const PresumedLoc p = context_.getSourceManager().getPresumedLoc(where);
  if (p.isInvalid()) return "templates";
  return std::string(shown(p.getFilename())) + ":" + std::to_string(p.getLine()) + ":" + std::to_string(p.getColumn());
}

ir::Origin Evaluator::origin(SourceLocation where) const {
  const PresumedLoc p = context_.getSourceManager().getPresumedLoc(where);
  if (p.isInvalid()) return {};
  return {shown(p.getFilename()), p.getLine()};
}

void Evaluator::refuse(SourceLocation where, const std::string &rule_and_mend) {
  std::string text = place_text(where) + ": " + rule_and_mend;
  for (Frame *f = frame_; f && f->call.isValid(); f = f->caller)
    text += "\n  in " + f->function->getNameAsString() + ", called at " + place_text(f->call);
  throw Refusal{text};
}

bool Evaluator::annotated(const Decl *declaration, llvm::StringRef word) {
  for (const auto *a : declaration->specific_attrs<AnnotateAttr>())
    if (a->getAnnotation() == word) return true;
  return false;
}

bool Evaluator::is_leaf(QualType type) {
  std::optional<bool> &leaf = facts_of(type).leaf;
  if (!leaf) {
    type = type.getCanonicalType();
    const auto *record = type->getAsCXXRecordDecl();
    leaf = record ? annotated(record, "aln.opaque") : !type->isArrayType();
  }
  return *leaf;
}

ir::Type Evaluator::leaf_type(QualType type, SourceLocation where) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto *record = type->getAsCXXRecordDecl()) {
    if (record->getName() == "sat64") return ir::Type::number;
    for (const ir::LaneType &t : ir::lane_types())
      if (record->getName() == llvm::StringRef(t.name)) return t.type;
  }
  if (type->isBooleanType()) return ir::Type::bool_;
  if (type->isPointerType()) return ir::Type::pointer;
  if (type->isIntegralOrEnumerationType() && context_.getIntWidth(type) <= 32) return ir::Type::int_;
  refuse(where,
         "type '" + type.getAsString() +
             "' is outside the dialect; use int, bool, an opaque type of dialect.h, or a struct or array of them");
}

int Evaluator::slot_count(QualType type, SourceLocation where) {
  if (const auto known = facts_of(type).slots) return *known;
  const int count = counted_slots(type.getCanonicalType(), where);
  facts_of(type).slots = count;  // looked up anew: counting asks of other types
  return count;
}

int Evaluator::counted_slots(QualType type, SourceLocation where) {
  if (is_leaf(type)) return 1;
  if (const auto *array = context_.getAsConstantArrayType(type))
    return static_cast<int>(array->getSize().getZExtValue()) * slot_count(array->getElementType(), where);
  if (const auto *record = type->getAsCXXRecordDecl()) {
    if (record->getNumBases()) refuse(where, "base classes are outside the dialect; make the base a member");
    if (record->isUnion()) refuse(where, "unions are outside the dialect");
    int count = 0;
    for (const auto *field : record->fields()) {
      if (field->getType()->isReferenceType())
        refuse(field->getLocation(), "reference members are outside the dialect; pass the object as a parameter");
      count += slot_count(field->getType(), where);
    }
    return count;
  }
  refuse(where, "type '" + type.getAsString() + "' is outside the dialect; an array needs a constant size");
}

namespace {

// H3; of H3 itself H3_0. The only element is called like its array.
std::string element_name(const std::string &array, std::uint64_t i, std::uint64_t size) {
  if (array.empty() || size == 1) return array;
  return array + (std::isdigit(static_cast<unsigned char>(array.back())) ? "_" : "") + std::to_string(i);
}

}  // namespace

void Evaluator::lay_out(QualType type, const std::string &name, Layout &layout, SourceLocation where) {
  type = type.getCanonicalType();
  if (is_leaf(type)) {
    layout.types.push_back(type->isPointerType() ? ir::Type::pointer : leaf_type(type, where));
    layout.names.push_back(name);
  } else if (const auto *array = context_.getAsConstantArrayType(type)) {
    const std::uint64_t size = array->getSize().getZExtValue();
    for (std::uint64_t i = 0; i < size; ++i)
      lay_out(array->getElementType(), element_name(name, i, size), layout, where);
  } else {
    for (const auto *field : type->getAsCXXRecordDecl()->fields())
      lay_out(field->getType(), field->getNameAsString(), layout, where);
  }
}

std::shared_ptr<const Layout> Evaluator::layout_of(QualType type, const std::string &name, SourceLocation where) {
  if (name.empty())
    if (auto known = facts_of(type).layout) return known;
  auto layout = std::make_shared<Layout>();
  lay_out(type, name, *layout, where);
  if (name.empty()) facts_of(type).layout = layout;
  return layout;
}

Place Evaluator::allocate(QualType type, const std::string &name, SourceLocation where) {
  Object object;
  object.slots.resize(slot_count(type, where));
  object.layout = layout_of(type, name, where);
  store_.push_back(std::move(object));
  return {static_cast<int>(store_.size()) - 1, 0};
}

void Evaluator::assign(Place place, const Value &value) {
  Object &object = store_[place.object];
  auto put = [&](const Leaf &v, int offset) {
    object.slots[offset] = v;
    // The first variable that holds an operation gives it the name under which it is printed.
    if (v.kind == Value::residual && v.value->op && v.value->name.empty()) v.value->name = object.layout->names[offset];
  };
  if (value.kind != Value::aggregate) return put(value, place.offset);
  for (std::size_t i = 0; i < value.slots.size(); ++i) put(value.slots[i], place.offset + static_cast<int>(i));
}

Value Evaluator::load(Place place, QualType type, SourceLocation where) {
  const int count = slot_count(type, where);
  const auto &slots = store_[place.object].slots;
  if (place.offset < 0 || place.offset + count > static_cast<int>(slots.size()))
    refuse(where, "index is out of range; the array has " + std::to_string(slots.size()) + " elements");
  if (is_leaf(type)) return slots[place.offset];
  Value v;
  v.kind = Value::aggregate;
  v.slots.assign(slots.begin() + place.offset, slots.begin() + place.offset + count);
  return v;
}

Place Evaluator::find_variable(const VarDecl *variable, SourceLocation where) {
  const auto it = frame_->variables.find(variable);
  if (it != frame_->variables.end()) return it->second;
  refuse(where, "'" + variable->getNameAsString() +
                    "' is neither a local, a parameter nor a constexpr; globals are outside the dialect");
}

void Evaluator::bind_spec(QualType type, const std::string &path, Place place, const Statics &statics,
                          SourceLocation where) {
  type = type.getCanonicalType();
  if (is_leaf(type)) {
    const auto it = statics.find(path);
    if (it == statics.end()) refuse(where, "the planner has no value for Spec::" + path);
    assign(place, Value::of(it->second));
  } else if (const auto *array = context_.getAsConstantArrayType(type)) {
    for (std::uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
      const std::string element = path + "." + std::to_string(i);
      if (is_leaf(array->getElementType()) && !statics.contains(element))
        assign(place, Value::of(std::int64_t{0}));  // an array may have more elements than values, or none
      else
        bind_spec(array->getElementType(), element, place, statics, where);
      place.offset += slot_count(array->getElementType(), where);
    }
  } else {
    for (const auto *field : type->getAsCXXRecordDecl()->fields()) {
      const std::string name = (path.empty() ? path : path + ".") + field->getNameAsString();
      bind_spec(field->getType(), name, place, statics, field->getLocation());
      place.offset += slot_count(field->getType(), where);
    }
  }
}

}  // namespace alnsmith::pe
