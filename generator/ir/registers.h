// How many words of 32 bits a value takes in the interpreter: parts, and of each a word for every lane.
#pragma once

#include "ir/ops.h"
#include "templates/meaning.h"

namespace alnsmith::ir {

inline int parts_of(Type type, [[maybe_unused]] const direct::Machine &m) {
  switch (type) {
#define ALN_TYPE(name, ir, parts, each, note) \
  case Type::ir:                              \
    return parts;
#include "templates/types.def"
    default:
      return 1;
  }
}

inline int lanes_of(Type type, const direct::Machine &m) {
  switch (type) {
#define ALN_TYPE(name, ir, parts, each, note) \
  case Type::ir:                              \
    return each ? m.lanes : 1;
#include "templates/types.def"
    default:
      return 1;
  }
}

inline int words_of(Type type, const direct::Machine &m) {
  if (type == Type::void_) return 0;
  if (type == Type::pointer) return sizeof(void *) / sizeof(int);
  return parts_of(type, m) * lanes_of(type, m);
}

}  // namespace alnsmith::ir
