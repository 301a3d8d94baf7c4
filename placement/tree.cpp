// From the file's nodes to a binary tree without a root of its own. See placement_tree.hpp.
#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "alnsmith/placement_tree.hpp"
#include "newick.h"
#include "quoted.h"

namespace alnsmith::placement {
namespace {

using Nodes = std::vector<RawNode>;

std::size_t index(int node) { return static_cast<std::size_t>(node); }

std::optional<double> sum(const std::optional<double> &a, const std::optional<double> &b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

// Leaves out nodes of one child; how many there were.
std::size_t join_single_children(Nodes &nodes, int &root) {
  std::size_t joined = 0;
  for (std::size_t i = nodes.size(); i-- > 0;)  // children before parents
    for (int &child : nodes[i].children)
      while (nodes[index(child)].children.size() == 1) {
        const int only = nodes[index(child)].children[0];
        nodes[index(only)].length = sum(nodes[index(only)].length, nodes[index(child)].length);
        child = only;
        ++joined;
      }
  while (nodes[index(root)].children.size() == 1) {
    root = nodes[index(root)].children[0];
    ++joined;
  }
  return joined;
}

// Of more children than `most`, the first ones hang together by branches of length 0.
std::size_t resolve(Nodes &nodes, std::size_t node, std::size_t most) {
  if (nodes[node].children.size() <= most) return 0;
  std::vector<int> children = std::move(nodes[node].children);
  const std::size_t wanted = children.size() - most;
  int first = children[0];
  for (std::size_t i = 1; i <= wanted; ++i) {
    nodes.push_back({{}, {first, children[i]}, 0.0, nodes[node].at});
    first = static_cast<int>(nodes.size()) - 1;
  }
  children.erase(children.begin() + 1, children.begin() + 1 + static_cast<std::ptrdiff_t>(wanted));
  children[0] = first;
  nodes[node].children = std::move(children);
  return wanted;
}

// The two branches at a root of two children become one. One of the children is no tip.
void unroot(Nodes &nodes, int root) {
  std::vector<int> &children = nodes[index(root)].children;
  if (children.size() != 2) return;
  RawNode &a = nodes[index(children[0])], &b = nodes[index(children[1])];
  const std::optional<double> length = sum(a.length, b.length);
  if (!b.children.empty()) {
    a.length = length;
    children = {children[0], b.children[0], b.children[1]};
  } else {
    b.length = length;
    children = {a.children[0], a.children[1], children[1]};
  }
}

std::vector<int> post_order(const Nodes &nodes, int root) {
  std::vector<int> order, open{root};
  while (!open.empty()) {  // a node before its children, the last child first: the reverse of post-order
    const int node = open.back();
    open.pop_back();
    order.push_back(node);
    for (const int child : nodes[index(node)].children) open.push_back(child);
  }
  std::ranges::reverse(order);
  return order;
}

std::string counted(std::size_t n, const std::string &one, const std::string &many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

void append_number(std::string &out, double value) {
  char digits[40];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

Status check_tips(const Nodes &nodes, const std::vector<int> &order, std::string_view text, const std::string &file) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (const int i : order) {
    const RawNode &node = nodes[index(i)];
    if (!node.children.empty()) continue;
    if (node.label.empty())
      return error_at(text, node.at, file, "a tip has no name: name it as its row of the alignment");
    if (!seen.emplace(node.label, node.at).second)
      return error_at(text, node.at, file, "the tip " + in_quotes(node.label) + " is there twice: name each tip once");
  }
  if (seen.size() >= 3) return Ok{};
  return Error{file + ": the tree has " + counted(seen.size(), "tip", "tips") +
               ", and three are the least: give a larger one"};
}

}  // namespace

Result<Tree> Tree::read(std::string_view newick, const std::string &file) {
  if (!is_utf8(newick)) return Error{file + ": has bytes that are no UTF-8: save it as UTF-8"};
  Result<Nodes> parsed = parse_newick(newick, file);
  if (!parsed) return parsed.error();
  Nodes nodes = std::move(*parsed);
  int root = 0;
  const std::size_t joined = join_single_children(nodes, root);
  std::vector<int> order = post_order(nodes, root);
  if (Status ok = check_tips(nodes, order, newick, file); !ok) return ok.error();
  std::size_t resolved = 0;
  for (const int node : order) resolved += resolve(nodes, index(node), node == root ? 3 : 2);
  unroot(nodes, root);

  Tree tree;
  order = post_order(nodes, root);
  std::vector<int> number(nodes.size(), -1);
  for (const int old : order) {
    const int own = static_cast<int>(tree.nodes_.size());
    number[index(old)] = own;
    RawNode &node = nodes[index(old)];
    Node made{std::move(node.label), -1, {}, node.length};
    for (const int child : node.children) {
      made.children.push_back(number[index(child)]);
      tree.nodes_[index(made.children.back())].parent = own;
    }
    if (made.tip()) tree.tips_.push_back(own);
    tree.nodes_.push_back(std::move(made));
  }
  tree.nodes_.back().length.reset();
  if (joined > 0)
    tree.warnings_.push_back(file + ": " + counted(joined, "node has", "nodes have") +
                             " one child: left out, the lengths of their branches added where all have one");
  if (resolved > 0)
    tree.warnings_.push_back(file + ": nodes of more than two children: resolved by " +
                             counted(resolved, "branch", "branches") + " of length 0");
  return tree;
}

std::string Tree::with_branch_numbers() const {
  std::string out;
  std::vector<std::pair<int, std::size_t>> open{{static_cast<int>(nodes_.size()) - 1, 0}};  // node, children written
  while (!open.empty()) {
    auto &[i, written] = open.back();
    const Node &node = nodes_[index(i)];
    if (written < node.children.size()) {
      out += written == 0 ? '(' : ',';
      const int child = node.children[written++];
      open.emplace_back(child, 0);
      continue;
    }
    if (!node.tip()) out += ')';
    out += newick_label(node.label);
    if (node.parent >= 0) {
      out += ':';
      append_number(out, node.length.value_or(0));
      out += "{" + std::to_string(i) + "}";
    }
    open.pop_back();
  }
  return out + ";";
}

std::vector<std::string> Tree::smaller_side(std::size_t branch) const {
  // What is below a node stands right before it: from the first tip that the first children lead to.
  std::size_t first = branch;
  while (!nodes_[first].tip()) first = index(nodes_[first].children[0]);
  std::vector<std::string> below, above;
  for (const int tip : tips_)
    (index(tip) >= first && index(tip) <= branch ? below : above).push_back(nodes_[index(tip)].label);
  std::vector<std::string> &out = below.size() <= above.size() ? below : above;
  std::ranges::sort(out);
  return std::move(out);
}

}  // namespace alnsmith::placement
