// See file.h.
#include "circuits/file.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "../../templates/circuit.h"
#include "circuits/gate_sets.h"
#include "circuits/states.h"
#include "spec/yaml_tree.h"

namespace alnsmith::circuits {

namespace {

using spec::Node;

// A refusal, thrown within read() alone.
struct Refusal {
  spec::Place place;
  std::string why;
};
[[noreturn]] void refuse(const Node &node, const std::string &why) { throw Refusal{node.place, why}; }

std::string number_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

template <class Numbers>
std::string list_text(const Numbers &numbers) {
  std::string text;
  for (const auto &n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "[" + text + "]";
}

std::vector<std::string> input_names(const Codes &codes) {
  std::vector<std::string> names = plane_names(codes);
  names.insert(names.begin(), "equal");
  return names;
}

// The planes of u', v', x' and y' by their letter, with the number of the first.
struct Group {
  char letter;
  int first, count;
};
std::vector<Group> groups(const Circuit &c) {
  const int d = c.difference_planes(), x = c.gap_planes(0), y = c.gap_planes(1);
  return {{'u', 0, d}, {'v', d, d}, {'x', 2 * d, x}, {'y', 2 * d + x, y}};
}

const Node &child(const Node &map, std::string_view key, spec::Type type) {
  const Node *found = map.find(key);
  if (!found) refuse(map, "`" + std::string(key) + "` is missing");
  if (found->type != type) refuse(*found, "`" + std::string(key) + "` is no " + std::string(spec::type_name(type)));
  return *found;
}

std::uint64_t number(const Node &node, std::uint64_t most, int base = 10) {
  std::uint64_t value = 0;
  const char *begin = node.text.data() + (base == 16 && node.text.starts_with("0x") ? 2 : 0);
  const char *end = node.text.data() + node.text.size();
  const auto read = std::from_chars(begin, end, value, base);
  if (read.ec != std::errc() || read.ptr != end || value > most)
    refuse(node, spec::shown(node.text) + " is no number of 0 to " + std::to_string(most));
  return value;
}

void check_keys(const Node &map, std::initializer_list<std::string_view> known) {
  for (const Node &node : map.children)
    if (std::ranges::find(known, node.key) == known.end())
      throw Refusal{node.key_place, "no key " + spec::shown(node.key)};
}

Scheme read_scheme(const Node &node) {
  check_keys(node, {"total", "floor", "open"});
  Scheme scheme{};
  const auto value = [&](std::string_view key, std::uint64_t most) {
    return static_cast<int>(number(child(node, key, spec::Type::integer), most));
  };
  scheme.total = value("total", MAX_VALUES - 1);
  scheme.floor = value("floor", static_cast<std::uint64_t>(scheme.total));
  const Node &opens = child(node, "open", spec::Type::list);
  if (opens.children.size() != 2) refuse(opens, "`open` are two numbers, of insertions and of deletions");
  for (std::size_t side = 0; side < 2; ++side)
    scheme.opens[side] = static_cast<int>(number(opens.children[side], MAX_GAP_VALUES - 1));
  if (scheme.opens[0] + scheme.opens[1] > scheme.total) refuse(opens, "gaps open for more than `total`");
  return scheme;
}

std::vector<std::uint8_t> read_code(const Node &node, int values, int planes) {
  std::vector<std::uint8_t> code;
  if (static_cast<int>(node.children.size()) != values)
    refuse(node, "`" + node.key + "` has a code for each value of 0 to " + std::to_string(values - 1));
  for (const Node &value : node.children) {
    const auto read = static_cast<std::uint8_t>(number(value, (std::uint64_t{1} << planes) - 1));
    if (std::ranges::find(code, read) != code.end())
      refuse(value, "two values have the code " + spec::shown(value.text));
    code.push_back(read);
  }
  return code;
}

std::uint16_t read_value(const Node &node, const std::map<std::string, std::uint16_t> &values) {
  const auto found = values.find(node.text);
  if (found == values.end())
    refuse(node,
           "no value " + spec::shown(node.text) + " here; those of gates that stand before, equal and planes are");
  return found->second;
}

Progress read_progress(const Node &node) {
  check_keys(node, {"gates", "seed", "steps", "rounds"});
  Progress progress;
  const Node &gates = child(node, "gates", spec::Type::text);
  if (!find_gate_set(gates.text)) refuse(gates, "no set of gates " + spec::shown(gates.text));
  progress.gates = gates.text;
  progress.seed = number(child(node, "seed", spec::Type::integer), ~std::uint64_t{0});
  progress.steps = static_cast<int>(number(child(node, "steps", spec::Type::integer), 1'000'000'000));
  progress.rounds = static_cast<int>(number(child(node, "rounds", spec::Type::integer), 1'000'000'000));
  return progress;
}

CircuitFile read_tree(const Node &root) {
  if (root.type != spec::Type::map) refuse(root, "a circuit is a map");
  check_keys(root, {"scheme", "difference", "gap_x", "gap_y", "gates", "u", "v", "x", "y", "searched"});
  CircuitFile file;
  Circuit &c = file.circuit;
  c.scheme = read_scheme(child(root, "scheme", spec::Type::map));
  c.codes.difference = read_code(child(root, "difference", spec::Type::list), c.scheme.total + 1, MAX_PLANES);
  for (std::size_t side = 0; side < 2; ++side)
    if (c.scheme.opens[side] > 0)
      c.codes.gap[side] =
          read_code(child(root, side ? "gap_y" : "gap_x", spec::Type::list), c.scheme.opens[side] + 1, MAX_GAP_PLANES);
  std::map<std::string, std::uint16_t> values;
  const auto put = [&](const std::string &name) { values.emplace(name, static_cast<std::uint16_t>(values.size())); };
  for (const std::string &name : input_names(c.codes)) put(name);
  const Node &gates = child(root, "gates", spec::Type::list);
  if (gates.children.size() > MAX_GATES)
    refuse(gates, "more than " + std::to_string(MAX_GATES) + " gates, which templates/circuit.h has room for");
  for (const Node &gate : gates.children) {
    if (gate.type != spec::Type::list || gate.children.size() != 4)
      refuse(gate, "a gate is a table and three values: [0x96, u0, v0, equal]");
    Gate read{static_cast<std::uint8_t>(number(gate.children[0], 255, 16)), {}};
    for (std::size_t i = 0; i < 3; ++i) read.in[i] = read_value(gate.children[1 + i], values);
    c.gates.push_back(read);
    put("g" + std::to_string(c.gates.size() - 1));
  }
  for (const Group &group : groups(c)) {
    if (group.count == 0) continue;
    const Node &planes = child(root, std::string(1, group.letter), spec::Type::list);
    if (static_cast<int>(planes.children.size()) != group.count)
      refuse(planes, "`" + planes.key + "` has " + std::to_string(group.count) + " planes");
    for (const Node &plane : planes.children) c.outputs.push_back(read_value(plane, values));
  }
  if (const Node *searched = root.find("searched")) file.progress = read_progress(*searched);
  if (const std::string why = disproof(c); !why.empty()) refuse(root, "this circuit is wrong: " + why);
  return file;
}

}  // namespace

std::string write(const CircuitFile &file) {
  const Circuit &c = file.circuit;
  std::vector<std::string> names = input_names(c.codes);
  for (std::size_t g = 0; g < c.gates.size(); ++g) names.push_back("g" + std::to_string(g));
  const auto three = std::ranges::count_if(c.gates, [](const Gate &g) { return support_of(g.table) == 3; });
  std::string text =
      "# " + std::to_string(c.gates.size()) + " gates, " + std::to_string(three) + " of three operands. Weights:";
  for (const GateSet &set : gate_sets())
    text += (text.ends_with(':') ? " " : ", ") + std::string(set.name) + " " + number_text(weight(c, costs_of(set)));
  text += "\nscheme: {total: " + std::to_string(c.scheme.total) + ", floor: " + std::to_string(c.scheme.floor) +
          ", open: " + list_text(c.scheme.opens) + "}\n";
  if (file.progress.rounds > 0)
    text += "searched: {gates: " + file.progress.gates + ", seed: " + std::to_string(file.progress.seed) +
            ", steps: " + std::to_string(file.progress.steps) + ", rounds: " + std::to_string(file.progress.rounds) +
            "}\n";
  text += "difference: " + list_text(c.codes.difference) + "\n";
  for (const std::size_t side : {0u, 1u})
    if (!c.codes.gap[side].empty()) text += (side ? "gap_y: " : "gap_x: ") + list_text(c.codes.gap[side]) + "\n";
  text += "gates:\n";
  constexpr char hex[] = "0123456789abcdef";
  for (std::size_t g = 0; g < c.gates.size(); ++g) {
    const Gate &gate = c.gates[g];
    text += std::string("  - [0x") + hex[gate.table >> 4] + hex[gate.table & 15];
    for (const std::uint16_t in : gate.in) text += ", " + names[in];
    text += "]  # g" + std::to_string(g) + "\n";
  }
  for (const Group &group : groups(c)) {
    if (group.count == 0) continue;
    std::string planes;
    for (int p = 0; p < group.count; ++p)
      planes += (p ? ", " : "") + names[c.outputs[static_cast<std::size_t>(group.first + p)]];
    text += std::string(1, group.letter) + ": [" + planes + "]\n";
  }
  return text;
}

Result<CircuitFile> read(const std::string &text, const std::string &name) {
  const auto tree = spec::load_tree(text, name);
  if (!tree) return tree.error();
  try {
    return read_tree(*tree);
  } catch (const Refusal &refusal) {
    return spec::error_at(name, refusal.place, refusal.why);
  }
}

}  // namespace alnsmith::circuits
