// yaml-cpp's events gathered into Nodes: see yaml_tree.h.
#include "spec/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <exception>
#include <sstream>
#include <utility>

namespace alnsmith::spec {
namespace {

constexpr size_t max_depth = 8;
constexpr size_t max_children = 1000;
constexpr int max_brackets = 10000;

// Leaves yaml-cpp's parser from within an event; caught in load_tree.
struct Refusal {
  Place place;
  std::string message;
};

Place to_place(const YAML::Mark &mark) {
  if (mark.is_null()) return {};
  return {mark.line + 1, mark.column + 1};
}

bool digits(std::string_view text) {
  if (text.empty()) return false;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?, or .inf or .nan
bool is_real(std::string_view s) {
  if (!s.empty() && (s[0] == '-' || s[0] == '+')) s.remove_prefix(1);
  if (s == ".inf" || s == ".Inf" || s == ".INF" || s == ".nan" || s == ".NaN" || s == ".NAN") return true;
  if (const size_t e = s.find_first_of("eE"); e != s.npos) {
    std::string_view exponent = s.substr(e + 1);
    if (!exponent.empty() && (exponent[0] == '-' || exponent[0] == '+')) exponent.remove_prefix(1);
    if (!digits(exponent)) return false;
    s = s.substr(0, e);
  }
  const size_t dot = s.find('.');
  if (dot == s.npos) return digits(s);
  const std::string_view whole = s.substr(0, dot), fraction = s.substr(dot + 1);
  if (whole.empty()) return digits(fraction);
  return digits(whole) && (fraction.empty() || digits(fraction));
}

Type plain_type(std::string_view s) {
  if (s.empty() || s == "~" || s == "null" || s == "Null" || s == "NULL") return Type::null;
  for (std::string_view word : {"true", "True", "TRUE", "false", "False", "FALSE"}) {
    if (s == word) return Type::boolean;
  }
  const bool sign = s[0] == '-' || s[0] == '+';
  if (digits(sign ? s.substr(1) : s)) return Type::integer;
  return is_real(s) ? Type::real : Type::text;
}

class Builder : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark &mark) override {
    if (documents_++ > 0) throw Refusal{to_place(mark), "a second YAML document; write one spec per file"};
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark &, const std::string &) override {}

  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    check(mark, "?", anchor);
    add(scalar(mark, Type::null, ""));
  }
  void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override {
    throw Refusal{to_place(mark), "a spec has no aliases; write the value out"};
  }
  void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                const std::string &value) override {
    check(mark, tag, anchor);
    add(scalar(mark, tag == "!" ? Type::text : plain_type(value), value));
  }
  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Type::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Type::map);
  }
  void OnMapEnd() override { close(); }

  Node take() { return std::move(root_); }
  int documents() const { return documents_; }

 private:
  // A map being filled: the key waits for its value.
  struct Open {
    Node node;
    bool has_key = false;
    std::string key;
    Place key_place;
  };

  static Node scalar(const YAML::Mark &mark, Type type, const std::string &text) {
    Node node;
    node.type = type;
    node.text = text;
    node.place = to_place(mark);
    return node;
  }

  static void check(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor) {
    if (anchor != 0) throw Refusal{to_place(mark), "a spec has no anchors; write the value out"};
    if (tag != "?" && tag != "!" && !tag.empty()) {
      throw Refusal{to_place(mark), "a spec has no tags (" + shown(tag) + "); remove it"};
    }
  }

  void open(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor, Type type) {
    check(mark, tag, anchor);
    if (stack_.size() >= max_depth) {
      throw Refusal{to_place(mark), "nested deeper than any spec; remove brackets or indentation"};
    }
    if (awaits_key()) throw Refusal{to_place(mark), "a key must be a word; write `key: value`"};
    stack_.push_back({});
    stack_.back().node.type = type;
    stack_.back().node.place = to_place(mark);
  }

  void close() {
    Node node = std::move(stack_.back().node);
    stack_.pop_back();
    add(std::move(node));
  }

  bool awaits_key() const { return !stack_.empty() && stack_.back().node.type == Type::map && !stack_.back().has_key; }

  void add(Node node) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open &top = stack_.back();
    if (awaits_key()) {
      take_key(top, node);
      return;
    }
    if (top.node.children.size() >= max_children) {
      throw Refusal{node.place, "more than " + std::to_string(max_children) + " entries; no list or map is that long"};
    }
    if (top.node.type == Type::map) {
      node.key = std::move(top.key);
      node.key_place = top.key_place;
      if (node.type == Type::null) node.place = node.key_place;  // yaml-cpp marks what follows
      top.has_key = false;
    }
    top.node.children.push_back(std::move(node));
  }

  static void take_key(Open &top, const Node &node) {
    if (node.type == Type::null) throw Refusal{node.place, "a key is missing; write `key: value`"};
    if (const Node *first = top.node.find(node.text)) {
      throw Refusal{node.place, "the key " + shown(node.text) + " is given twice, first on line " +
                                    std::to_string(first->key_place.line) + "; remove one of them"};
    }
    top.has_key = true;
    top.key = node.text;
    top.key_place = node.place;
  }

  int documents_ = 0;
  std::vector<Open> stack_;
  Node root_;
};

// Length of the UTF-8 character at the start of `s`, 0 if it is not one.
size_t utf8_length(std::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char first = byte(0);
  const size_t n = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (n == 0 || n > s.size()) return 0;
  for (size_t i = 1; i < n; ++i) {
    if (byte(i) >> 6 != 2) return 0;
  }
  return n;
}

// What would confuse yaml-cpp or cost it much memory.
Status check_bytes(const std::string &text, const std::string &file) {
  Place place;
  int brackets = 0;
  for (size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const size_t n = utf8_length(std::string_view(text).substr(i));
    if (n == 0) return error_at(file, place, "not UTF-8; save the file as UTF-8");
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
      return error_at(file, place, "a control byte " + shown(text.substr(i, 1)) + "; remove it");
    }
    if ((c == '[' || c == '{') && ++brackets > max_brackets) {
      return error_at(file, place, "more brackets than any spec has; remove some");
    }
    i += n;
    place = c == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
  }
  return Ok{};
}

}  // namespace

const Node *Node::find(std::string_view wanted) const {
  for (const Node &child : children) {
    if (child.key == wanted) return &child;
  }
  return nullptr;
}

Result<Node> load_tree(const std::string &text, const std::string &file) {
  if (text.size() > max_file_bytes) return error_at(file, {}, "larger than 1 MiB; a spec is a short text");
  if (Status bytes = check_bytes(text, file); !bytes) return bytes.error();
  Builder builder;
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refusal &refusal) {
    return error_at(file, refusal.place, refusal.message);
  } catch (const YAML::Exception &e) {
    return error_at(file, to_place(e.mark), "not YAML: " + e.msg + "; mend the syntax here");
  } catch (const std::exception &e) {
    return error_at(file, {}, std::string("not YAML: ") + e.what() + "; mend the syntax");
  }
  Node root = builder.take();
  if (root.type != Type::map) {
    return error_at(file, root.place,
                    "a spec is a map of keys, not " + std::string(type_name(root.type)) + "; begin with `version: 1`");
  }
  return root;
}

std::string_view type_name(Type type) {
  switch (type) {
    case Type::null:
      return "nothing";
    case Type::boolean:
      return "a boolean";
    case Type::integer:
      return "an integer";
    case Type::real:
      return "a fraction";
    case Type::text:
      return "text";
    case Type::list:
      return "a list";
    case Type::map:
      return "a map";
  }
  return "nothing";
}

}  // namespace alnsmith::spec
