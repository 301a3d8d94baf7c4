// Running functions that random_ir.cpp made: the machines, and the memory that they start from.
#include <algorithm>
#include <stdexcept>

#include "random_ir.h"

namespace random_ir {

using namespace alnsmith;

namespace {

constexpr int shared_words = 64;  // of a block
constexpr int table_ints = elements * ALN_MATRIX_STRIDE;

}  // namespace

direct::Machine machine_of(unsigned seed) {
  using direct::Kept;
  static const direct::Machine machines[] = {
      {.lanes = 1, .bits = 8},
      {.lanes = 4, .bits = 8},
      {.lanes = 4, .bits = 16},
      {.lanes = 2, .bits = 32},
      {.lanes = 8, .bits = 16, .packing = 2},
      {.lanes = 8, .bits = 16, .kept = Kept::unsigned_, .packing = 2},
      {.lanes = 8, .bits = 11, .kept = Kept::floating, .packing = 2},
      {.lanes = 4, .bits = 24, .kept = Kept::floating},
  };
  return machines[seed % std::size(machines)];
}

Ready ready(const ir::Function &function, const direct::Machine &machine) {
  try {
    return {ir::Program(function, machine, ir::Bounds{elements, shared_words}), {}};
  } catch (const std::logic_error &e) {
    return {{}, e.what()};
  }
}

Outcome run(const Ready &ready, const direct::Machine &machine, unsigned filling) {
  std::mt19937 random(filling);
  const std::size_t size = elements * static_cast<std::size_t>(machine.lanes);
  Outcome o;
  o.error = ready.error;
  if (!ready.program) return o;
  std::vector<int> numbers(std::max<std::size_t>(size, table_ints));
  std::vector<unsigned char> letters(size + 4);
  o.scores.resize(size);
  o.totals.resize(size);
  o.flags.resize(size + 4);
  o.planes.resize((elements + plane_bits) * static_cast<std::size_t>(machine.lanes));
  const auto number = [&] { return random() % 4 ? static_cast<int>(random() % 16) - 4 : static_cast<int>(random()); };
  for (int &n : numbers) n = number();
  for (int &n : o.totals) n = number();
  for (int &n : o.scores) n = machine.wrap(number());
  for (unsigned char &c : letters) c = static_cast<unsigned char>(random() % 6);
  for (unsigned char &c : o.flags) c = static_cast<unsigned char>(random() % 3);
  for (unsigned char &c : o.planes) c = static_cast<unsigned char>(random() % 2);
  const ir::Fields fields = {{"numbers", numbers.data()},
                             {"letters", letters.data()},
                             {"flags", o.flags.data()},
                             {"totals", o.totals.data()},
                             {"scores", o.scores.data()},
                             {"planes", o.planes.data()},
                             {"few", static_cast<int>(random() % 4)},
                             {"any", number()}};
  try {
    o.result = ready.program->run_blocks(machine, fields, 1 + static_cast<int>(filling % 2),
                                         1 + static_cast<int>(filling / 2 % 2), 4 * shared_words, 20000);
  } catch (const std::exception &e) {
    o.error = e.what();
  }
  return o;
}

}  // namespace random_ir
