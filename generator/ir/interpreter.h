// Runs IR in process: each operation does what its row in templates/ops.def means.
//
// In: any function of the IR, a machine (templates/meaning.h: lanes, how they keep scores), the fields of an argument
// block. Out: what the function stores, and its result. A Program is the function made into a flat list of calls over
// registers of lanes; it keeps nothing of the function, so passes may change that afterwards. It serves the tests: the
// evaluator's IR, each pass's and the printed kernel must do the same as the template itself.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alnsmith/device_abi.h"
#include "alnsmith/kernel_abi.h"
#include "alnsmith/strip_abi.h"
#include "ir/ir.h"
#include "templates/meaning.h"

namespace alnsmith::ir {

using Field = std::variant<int, const void *>;
using Fields = std::map<std::string, Field, std::less<>>;
Fields fields_of(const aln_args_v1 &args);
Fields fields_of(const aln_device_args_v1 &args);
Fields fields_of(const aln_strip_args_v1 &args);

// Addresses that a function is held to: elements of every array, words of shared memory. For functions that might go
// astray, such as those that a broken pass has made.
struct Bounds {
  int elements, shared_words;
};

class Program {
 public:
  // For groups as large as that machine's. Throws std::logic_error where the function is not well-formed: a value is
  // read where it has not been computed, an operand's type is not the row's, a constant is no 32-bit integer.
  Program(const Function &function, const direct::Machine &machine, std::optional<Bounds> bounds = {});

  // One group. Throws std::runtime_error if loops turn more than `most_turns` times, or an address is out of bounds.
  int run(const direct::Machine &machine, const Fields &fields, long most_turns = 1l << 32) const;

  // Blocks one after another, of `warps` groups that take turns at barriers. `machine` says all but warp and block.
  // Shared memory has any content. The result is the last non-zero one.
  int run_blocks(direct::Machine machine, const Fields &fields, int blocks, int warps, std::size_t shared_bytes,
                 long most_turns = 1l << 32) const;

  // The same calls over the same registers.
  bool operator==(const Program &) const = default;

 private:
  friend class Compiler;
  static constexpr int most_operands = 8;
  enum class Kind { call, check, move, jump, jump_unless, meet, finish };
  struct Instruction {
    Kind kind = Kind::call;
    int op = 0;   // of ops()
    int out = 0;  // a register: words of 32 bits from here; check: the first address that is none
    int in[most_operands] = {};
    int words = 0;  // move: how many; check: lanes; jumps: where to
    bool operator==(const Instruction &) const = default;
  };
  struct Initial {  // a constant or field, put into its register before the first instruction
    int at, words;
    std::int64_t constant;
    std::string field;  // empty: a constant
    Type type;
    bool operator==(const Initial &) const = default;
  };
  struct Group {
    std::vector<int> registers;
    std::size_t next = 0;
    int result = 0;
    bool finished = false;
  };
  Group start(const Fields &fields) const;
  void go_on(Group &group, const direct::Machine &machine, long &turns) const;  // to its end or a barrier

  std::vector<Instruction> code_;
  std::vector<Initial> initial_;
  int words_ = 0;
};

}  // namespace alnsmith::ir
