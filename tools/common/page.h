// HTML pages put together from a skeleton.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace alnsmith::tool {

// `text` as HTML shows it, in an element or an attribute.
std::string html_text(std::string_view text);

// Each `@name@` of the skeleton is replaced once, from the front, so that what is put in is never searched. Values come
// in the skeleton's order.
std::string fill_page(std::string_view skeleton, std::span<const std::pair<std::string_view, std::string>> values);

}  // namespace alnsmith::tool
