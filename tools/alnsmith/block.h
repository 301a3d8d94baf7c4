// Consecutive records of one input in two flat buffers, so that a block costs few allocations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/reader.h"

namespace alnsmith::tool {

class Block {
 public:
  Block() = default;
  // `descriptions`: they are kept too.
  explicit Block(bool descriptions) : keeps_descriptions_(descriptions) {}

  void add(const Record &record) {
    letters_ += record.letters;
    letters_end_.push_back(letters_.size());
    names_ += record.name;
    names_end_.push_back(names_.size());
    if (!keeps_descriptions_) return;
    descriptions_ += record.description;
    descriptions_end_.push_back(descriptions_.size());
  }

  std::size_t size() const { return letters_end_.size(); }
  bool empty() const { return letters_end_.empty(); }
  std::string_view letters(std::size_t i) const { return slice(letters_, letters_end_, i); }
  std::string_view name(std::size_t i) const { return slice(names_, names_end_, i); }

  // Only where they are kept.
  std::string_view description(std::size_t i) const { return slice(descriptions_, descriptions_end_, i); }

  // What the block holds in memory, the views that a call needs included.
  std::size_t bytes() const {
    return letters_.size() + names_.size() + size() * kPerRecord + descriptions_.size() +
           descriptions_end_.size() * sizeof(std::size_t);
  }

  std::vector<std::string_view> views(std::size_t begin, std::size_t count) const {
    std::vector<std::string_view> out;
    out.reserve(count);
    for (std::size_t i = begin; i < begin + count; ++i) out.push_back(letters(i));
    return out;
  }
  std::vector<std::string_view> views() const { return views(0, size()); }

  // Moves all records from `from` on to the end of `other`.
  void move_tail(std::size_t from, Block &other) {
    for (std::size_t i = from; i < size(); ++i)
      other.add({name(i), letters(i), keeps_descriptions_ ? description(i) : std::string_view()});
    if (from >= size()) return;
    letters_.resize(from == 0 ? 0 : letters_end_[from - 1]);
    names_.resize(from == 0 ? 0 : names_end_[from - 1]);
    letters_end_.resize(from);
    names_end_.resize(from);
    if (!keeps_descriptions_) return;
    descriptions_.resize(from == 0 ? 0 : descriptions_end_[from - 1]);
    descriptions_end_.resize(from);
  }

  void clear() {
    letters_.clear();
    names_.clear();
    letters_end_.clear();
    names_end_.clear();
    descriptions_.clear();
    descriptions_end_.clear();
  }

  static constexpr std::size_t kPerRecord = 2 * sizeof(std::size_t) + sizeof(std::string_view);

 private:
  static std::string_view slice(const std::string &text, const std::vector<std::size_t> &ends, std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(text).substr(begin, ends[i] - begin);
  }

  std::string letters_, names_, descriptions_;
  std::vector<std::size_t> letters_end_, names_end_, descriptions_end_;
  bool keeps_descriptions_ = false;
};

}  // namespace alnsmith::tool
