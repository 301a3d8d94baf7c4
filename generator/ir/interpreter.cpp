// Running: the rows' meanings over registers of lanes. See flatten.cpp for how a function becomes a list.
#include "ir/interpreter.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ir/registers.h"

namespace alnsmith::ir {

namespace {

// How a meaning sees an operand of the dialect's types: its lanes in a register.
template <int Tag>
struct View {
  const int *v;
  int lanes;
  int operator[](int l) const { return v[l]; }
  int operator()(int part, int l) const { return v[part * lanes + (lanes == 1 ? 0 : l)]; }
};
enum Tag {
#define ALN_TYPE(name, ir, parts, each, note) tag_##name,
#include "templates/types.def"
};
#define ALN_TYPE(name, ir, parts, each, note) using name = View<tag_##name>;
#include "templates/types.def"

template <class T>
struct Fetch {
  static T from(const int *at, const direct::Machine &) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
};
template <>
struct Fetch<bool> {
  static bool from(const int *at, const direct::Machine &) { return *at != 0; }
};
#define ALN_TYPE(name, ir, parts, each, note)                                                         \
  template <>                                                                                         \
  struct Fetch<name> {                                                                                \
    static name from(const int *at, const direct::Machine &m) { return {at, lanes_of(Type::ir, m)}; } \
  };
#include "templates/types.def"

// Which of the IR's types a row's result is.
template <class T>
constexpr Type result_type = Type::int_;
#define ALN_TYPE(name, ir, parts, each, note) \
  template <>                                 \
  constexpr Type result_type<name> = Type::ir;
#include "templates/types.def"

using Call = void (*)(const direct::Machine &, int *registers, int out, const int *in);

// A row's meaning as a call: F(m, l, part, operands...) for each lane and part, or, where Once, a single time.
template <class R, bool Once, class F, class... T>
struct Caller {
  template <std::size_t... n>
  static void run(const direct::Machine &machine, int *registers, int out, const int *in, std::index_sequence<n...>) {
    const direct::Machine m = machine;  // by value: nothing that is stored changes it
    const std::tuple<T...> operands{Fetch<T>::from(registers + in[n], m)...};
    int *to = registers + out;
    if constexpr (Once) {
      if constexpr (std::is_void_v<R>) {
        F{}(m, 0, 0, std::get<n>(operands)...);
      } else {
        const R value = F{}(m, 0, 0, std::get<n>(operands)...);
        if constexpr (std::is_pointer_v<R>)
          std::memcpy(to, &value, sizeof value);
        else
          *to = value;
      }
    } else if constexpr (std::is_void_v<R>) {
      for (int l = 0; l < m.lanes; ++l) F{}(m, l, 0, std::get<n>(operands)...);
    } else {
      const int lanes = lanes_of(result_type<R>, m), parts = parts_of(result_type<R>, m);
      direct::over_lanes(m, [&](const direct::Machine &known) __attribute__((always_inline)) {
        for (int part = 0; part < parts; ++part)
          for (int l = 0; l < lanes; ++l) to[part * lanes + l] = F{}(known, l, part, std::get<n>(operands)...);
      });
    }
  }
  static void call(const direct::Machine &m, int *registers, int out, const int *in) {
    run(m, registers, out, in, std::index_sequence_for<T...>{});
  }
};

template <class R, bool Once, class F, class Result, class... T>
constexpr Call caller(Result (F::*)(const direct::Machine &, int, int, T...) const) {
  return Caller<R, Once, F, T...>::call;
}
template <class R, bool Once, class F>
constexpr Call caller(F) {
  return caller<R, Once, F>(&F::operator());
}

#define ALN_BEHIND_MACHINE(...)                                       \
  ([[maybe_unused]] const direct::Machine &m, [[maybe_unused]] int l, \
   [[maybe_unused]] int part __VA_OPT__(, ) __VA_ARGS__)
#define ALN_ROW(result, once, operands, ...) \
  caller<result, once>([] ALN_BEHIND_MACHINE operands { return __VA_ARGS__; }),

constexpr Call calls[] = {
#define ALN_UNIFORM(result, name, operands, order, printed, ...) ALN_ROW(result, true, operands, __VA_ARGS__)
#define ALN_EACH(result, name, operands, effect, order, printed, cost, note, ...) \
  ALN_ROW(result, false, operands, __VA_ARGS__)
#define ALN_ONCE(result, name, operands, effect, order, printed, cost, note, ...) \
  ALN_ROW(result, true, operands, __VA_ARGS__)
#include "templates/ops.def"
// and of devices
#include "templates/group_ops.def"
// and of bit-sliced kernels
#include "templates/sliced_ops.def"
};

}  // namespace

Program::Group Program::start(const Fields &fields) const {
  Group group;
  group.registers.assign(static_cast<std::size_t>(words_), 0);
  for (const Initial &i : initial_) {
    int *at = group.registers.data() + i.at;
    if (i.field.empty()) {
      std::fill_n(at, i.words, static_cast<int>(i.constant));
      continue;
    }
    const auto field = fields.find(i.field);
    if (field == fields.end()) throw std::logic_error("the argument block has no field '" + i.field + "'");
    if (const int *number = std::get_if<int>(&field->second); number && i.type == Type::int_)
      *at = *number;
    else if (const void *const *pointer = std::get_if<const void *>(&field->second); pointer && i.type == Type::pointer)
      std::memcpy(at, pointer, sizeof *pointer);
    else
      throw std::logic_error("the field '" + i.field + "' of the argument block is of another type");
  }
  return group;
}

// Registers of the usual lengths without a call.
static void move(int *to, const int *from, int words) {
  switch (words) {
    case 1:
      *to = *from;
      break;
    case 16:
      std::memcpy(to, from, 16 * sizeof(int));
      break;
    case 32:
      std::memcpy(to, from, 32 * sizeof(int));
      break;
    case 64:
      std::memcpy(to, from, 64 * sizeof(int));
      break;
    default:
      std::memmove(to, from, static_cast<std::size_t>(words) * sizeof(int));
  }
}

void Program::go_on(Group &group, const direct::Machine &machine, long &turns) const {
  int *const registers = group.registers.data();
  for (const Instruction *i = code_.data() + group.next;; ++i) {
    switch (i->kind) {
      case Kind::call:
        calls[i->op](machine, registers, i->out, i->in);
        break;
      case Kind::check:
        for (int l = 0; l < i->words; ++l)
          if (const int at = registers[i->in[0] + l]; at < 0 || at >= i->out)
            throw std::runtime_error(std::string(ops()[static_cast<std::size_t>(i->op)].name) + " at " +
                                     std::to_string(at) + ", out of bounds");
        break;
      case Kind::move:
        move(registers + i->out, registers + i->in[0], i->words);
        break;
      case Kind::jump:
        if (code_.data() + i->words <= i && --turns < 0) throw std::runtime_error("the function does not end");
        i = code_.data() + i->words - 1;
        break;
      case Kind::jump_unless:
        if (!registers[i->in[0]]) i = code_.data() + i->words - 1;
        break;
      case Kind::meet:
        group.next = static_cast<std::size_t>(i - code_.data()) + 1;
        return;
      case Kind::finish:
        group.result = registers[i->in[0]];
        group.finished = true;
        return;
    }
  }
}

int Program::run(const direct::Machine &machine, const Fields &fields, long most_turns) const {
  Group group = start(fields);
  while (!group.finished) go_on(group, machine, most_turns);
  return group.result;
}

int Program::run_blocks(direct::Machine machine, const Fields &fields, int blocks, int warps, std::size_t shared_bytes,
                        long most_turns) const {
  int result = 0;
  for (int b = 0; b < blocks; ++b) {
    const std::size_t words = shared_bytes / 4;
    std::vector<int> scores(words * static_cast<std::size_t>(machine.packing), machine.wrap(0x5a5a)),
        totals(words, 0x5a5a5a5a);
    // A barrier is an instruction of its own kind; meeting there is taking turns.
    direct::Block block{b, blocks, scores.data(), totals.data(), [](direct::Block *) {}, nullptr};
    machine.block = &block;
    std::vector<Group> groups(static_cast<std::size_t>(warps), start(fields));
    for (std::size_t open = groups.size(); open > 0;) {
      open = 0;
      for (std::size_t w = 0; w < groups.size(); ++w) {
        if (groups[w].finished) continue;
        machine.warp = static_cast<int>(w);
        go_on(groups[w], machine, most_turns);
        open += !groups[w].finished;
      }
    }
    for (const Group &g : groups)
      if (g.result) result = g.result;
  }
  return result;
}

static Field field(unsigned size) { return static_cast<int>(size); }
static Field field(int number) { return number; }
static Field field(const void *array) { return array; }

#define ALN_NAMED(type, name) fields[#name] = field(args.name);
#define ALN_FIELDS_OF(Block, LIST)      \
  Fields fields_of(const Block &args) { \
    Fields fields;                      \
    LIST(ALN_NAMED)                     \
    return fields;                      \
  }
ALN_FIELDS_OF(aln_args_v1, ALN_ARGS_V1)
ALN_FIELDS_OF(aln_device_args_v1, ALN_DEVICE_ARGS_V1)
ALN_FIELDS_OF(aln_strip_args_v1, ALN_STRIP_ARGS_V1)
#undef ALN_FIELDS_OF
#undef ALN_NAMED

}  // namespace alnsmith::ir
