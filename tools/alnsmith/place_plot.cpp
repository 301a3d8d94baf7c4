// Builds the page from its embedded parts (place_page/) and the tree. See place_plot.h.
#include "place_plot.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "common/page.h"
#include "tune/report.h"

namespace alnsmith::tool {

std::span<const std::pair<std::string_view, std::string_view>> place_page_parts();

namespace {

std::string part(std::string_view name) {
  for (const auto &[found, text] : place_page_parts())
    if (found == name) return std::string(text);
  return {};
}

// JSON within a script element: nothing in it may end the element.
std::string script_json(const nlohmann::json &json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

Status check_place_plot() {
  if (!tune::page_part("d3.min.js").empty()) return Ok{};
  return Error{
      "--plot: this build has no D3 for the page: install Debian's node-d3, or give cmake -DALNSMITH_D3=<d3.min.js>, "
      "and "
      "build again"};
}

std::string place_page(const placement::Tree &tree, std::span<const double> of_branch, std::uint64_t reads,
                       const std::string &spec_name) {
  nlohmann::json nodes = nlohmann::json::array();
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const placement::Node &node = tree.nodes()[i];
    nodes.push_back({node.parent, node.length.value_or(0), node.label, i < of_branch.size() ? of_branch[i] : 0.0});
  }
  const std::string title = fmt::format("{} reads placed by {}", reads, spec_name);
  const std::pair<std::string_view, std::string> values[] = {
      {"@title@", html_text(title)},
      {"@style@", std::string(tune::page_part("style.css")) + part("style.css")},
      {"@heading@", html_text(title)},
      {"@data@", script_json({{"reads", reads}, {"nodes", std::move(nodes)}})},
      {"@d3_licence@", std::string(tune::page_part("d3_licence.txt"))},
      {"@d3@", std::string(tune::page_part("d3.min.js"))},
      {"@scripts@", part("tree.js")},
  };
  return fill_page(part("page.html"), values);
}

}  // namespace alnsmith::tool
