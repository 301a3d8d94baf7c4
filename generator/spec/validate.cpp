// The table applied to a tree: see validate.h.
#include "spec/validate.h"

#include <algorithm>
#include <optional>
#include <set>

#include "spec/pattern.h"
#include "targets/targets.h"

namespace alnsmith::spec {
namespace {

using Complaint = std::optional<Error>;

// Saturates: a number of a thousand digits is out of every range.
long long wide_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (text.starts_with('+') || negative) text.remove_prefix(1);
  long long value = 0;
  for (const char c : text) value = std::min(value * 10 + (c - '0'), 1000000000000LL);
  return negative ? -value : value;
}

class Validator {
 public:
  explicit Validator(const std::string &file) : file_(file) {}

  Complaint check_map(const Node &node, const std::vector<std::string_view> &alternatives, const std::string &path) {
    const std::string_view map = choose(node, alternatives);
    const auto rules = rules_of(map);
    for (const Node &child : node.children) {
      const Rule *rule = find(rules, child.key);
      if (rule == nullptr) return unknown_key(child, map, alternatives, path);
      if (Complaint bad = check_value(child, *rule, join(path, child.key))) return bad;
    }
    for (const Rule *rule : rules) {
      if (rule->required && node.find(rule->key) == nullptr) {
        return at(path.empty() ? Place{1, 1} : node.place,
                  "the required key `" + join(path, rule->key) + "` is missing; add `" + rule->example + "`");
      }
    }
    return std::nullopt;
  }

 private:
  Error at(Place place, const std::string &message) const { return error_at(file_, place, message); }

  static std::string join(const std::string &path, const std::string &key) {
    return path.empty() ? key : path + "." + key;
  }

  static const Rule *find(const std::vector<const Rule *> &rules, const std::string &key) {
    for (const Rule *rule : rules) {
      if (rule->key == key) return rule;
    }
    for (const Rule *rule : rules) {
      if (rule->key == "*" && matches(key, rule->key_pattern)) return rule;
    }
    return nullptr;
  }

  // The alternative that knows most of the keys; the first of equals.
  static std::string_view choose(const Node &node, const std::vector<std::string_view> &alternatives) {
    std::string_view best = alternatives.front();
    int best_known = -1;
    for (const std::string_view map : alternatives) {
      const auto rules = rules_of(map);
      int known = 0;
      for (const Node &child : node.children) known += find(rules, child.key) != nullptr;
      if (known > best_known) best = map, best_known = known;
    }
    return best;
  }

  Error unknown_key(const Node &child, std::string_view map, const std::vector<std::string_view> &alternatives,
                    const std::string &path) const {
    const std::string where = path.empty() ? "a spec" : "`" + path + "`";
    for (const std::string_view other : alternatives) {
      if (other != map && find(rules_of(other), child.key) != nullptr) {
        return at(child.key_place,
                  "`" + child.key + "` does not go with the other keys of " + where + "; remove it or them");
      }
    }
    std::vector<std::string> known;
    for (const std::string_view other : alternatives) {
      for (const Rule *rule : rules_of(other)) {
        if (rule->key != "*") known.push_back(rule->key);
        if (rule->key_pattern == targets::pattern())
          std::ranges::copy(targets::known_names(), std::back_inserter(known));
        else if (rule->key == "*")
          known.push_back(rule->example.substr(0, rule->example.find(':')));
      }
    }
    return at(child.key_place, "unknown key " + shown(child.key) + " in " + where + "; the nearest known key is `" +
                                   nearest(child.key, known) + "`");
  }

  Complaint check_value(const Node &node, const Rule &rule, const std::string &path) {
    const auto has = [&](unsigned form) { return (rule.forms & form) != 0; };
    if (node.type == Type::map && has(form_map)) return check_map(node, rule.children, path);
    if (node.type == Type::list) {
      for (const Form form : {form_words, form_integers, form_texts, form_rows, form_entries}) {
        if (has(form)) return check_list(node, rule, form, path);
      }
    }
    if (node.type == Type::integer && has(form_integer)) return check_integer(node, rule, path);
    if (node.type == Type::text && has(form_word) && std::ranges::count(rule.words, node.text) > 0) return std::nullopt;
    if (node.type == Type::text && has(form_text)) return check_text(node, rule, path);
    return wrong(node, rule, path);
  }

  Complaint check_integer(const Node &node, const Rule &rule, const std::string &path) const {
    const long long value = wide_integer(node.text);
    if (value >= rule.min && value <= rule.max && (!rule.powers_of_two || (value & (value - 1)) == 0)) {
      return std::nullopt;
    }
    return wrong(node, rule, path);
  }

  Complaint check_text(const Node &node, const Rule &rule, const std::string &path) const {
    if (matches(node.text, rule.pattern)) return std::nullopt;
    return wrong(node, rule, path);
  }

  Complaint check_list(const Node &node, const Rule &rule, Form form, const std::string &path) {
    const auto size = static_cast<int>(node.children.size());
    if (size < rule.min_items || size > rule.max_items) {
      return at(node.place, "`" + path + "` has " + std::to_string(rule.min_items) + " to " +
                                std::to_string(rule.max_items) + " entries, not " + std::to_string(size) +
                                "; write e.g. `" + rule.example + "`");
    }
    std::set<std::string> seen;
    for (const Node &item : node.children) {
      if (Complaint bad = check_item(item, rule, form, path)) return bad;
      const std::string id = form == form_integers ? std::to_string(wide_integer(item.text)) : item.text;
      if (form != form_rows && item.type != Type::map && !seen.insert(id).second) {
        return at(item.place, "`" + path + "` lists " + shown(item.text) + " twice; remove one of them");
      }
    }
    return std::nullopt;
  }

  Complaint check_item(const Node &item, const Rule &rule, Form form, const std::string &path) {
    Rule single = rule;  // the same range and words, for one entry
    if (form == form_rows) {
      single.forms = form_integers;
      if (item.type != Type::list) return wrong(item, rule, path);
      for (const Node &cell : item.children) {
        single.forms = form_integer;
        if (Complaint bad = check_value(cell, single, path)) return bad;
      }
      return std::nullopt;
    }
    single.forms = form == form_words      ? form_word
                   : form == form_integers ? form_integer
                   : form == form_entries  ? form_text | form_map
                                           : form_text;
    return check_value(item, single, path);
  }

  // What a row accepts, in words.
  static std::string expected(const Rule &rule) {
    std::vector<std::string> parts;
    if (rule.forms & form_integer) {
      const std::string range = "from " + std::to_string(rule.min) + " to " + std::to_string(rule.max);
      const std::string kind = rule.powers_of_two ? "a power of two " : "an integer ";
      parts.push_back(rule.min == rule.max ? std::to_string(rule.min) : kind + range);
    }
    if (rule.forms & form_word) std::ranges::copy(rule.words, std::back_inserter(parts));
    if (rule.forms & form_text) parts.push_back("text (" + rule.doc + ")");
    if (rule.forms & (form_words | form_integers | form_texts | form_entries)) parts.push_back("a list");
    if (rule.forms & form_rows) parts.push_back("a list of lists of integers");
    if (rule.forms & form_map) parts.push_back("a map");
    return one_of(parts);
  }

  Error wrong(const Node &node, const Rule &rule, const std::string &path) const {
    const bool scalar = node.type != Type::list && node.type != Type::map && node.type != Type::null;
    const std::string found = scalar ? shown(node.text) : std::string(type_name(node.type));
    return at(node.place, "`" + path + "` takes " + expected(rule) + ", not " + found + "; " + mend(node, rule, path));
  }

  static std::string mend(const Node &node, const Rule &rule, const std::string &path) {
    const bool is_target = rule.pattern == targets::pattern();
    if (node.type == Type::text && is_target)
      return "the nearest target is `" + nearest(node.text, targets::known_names()) + "`";
    if (node.type == Type::text && (rule.forms & form_integer) && !node.text.empty() &&
        node.text.find_first_not_of("0123456789") == std::string::npos) {
      return "take off the quotes";
    }
    if (node.type == Type::integer && rule.min == 0 && node.text.starts_with('-') && path.starts_with("gap")) {
      return "costs are positive: write " + shown(node.text.substr(1));
    }
    if ((node.type == Type::integer || node.type == Type::boolean || node.type == Type::real) &&
        (rule.forms & form_text) && matches(node.text, rule.pattern)) {
      return "put it in quotes";
    }
    if (node.type == Type::text && (rule.forms & form_word) && rule.words.size() > 1) {
      return "the nearest is `" + nearest(node.text, rule.words) + "`";
    }
    return "write e.g. `" + rule.example + "`";
  }

  const std::string &file_;
};

}  // namespace

Status validate(const Node &root, const std::string &file) {
  if (Complaint bad = Validator(file).check_map(root, {"spec"}, "")) return *bad;
  return Ok{};
}

int to_integer(const Node &node) { return static_cast<int>(wide_integer(node.text)); }

}  // namespace alnsmith::spec
