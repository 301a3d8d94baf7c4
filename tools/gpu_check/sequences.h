// Lists of sequences, and their compact form in a folder: as many bits per letter as the alphabet needs.
//
// In:  letters, upper case. Out: the same letters; damaged bytes are an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnsmith/result.hpp"

namespace alnsmith::check {

class SequenceList {
 public:
  std::size_t size() const { return begin_.size() - 1; }
  std::size_t letters() const { return text_.size(); }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(text_).substr(begin_[i], begin_[i + 1] - begin_[i]);
  }
  std::size_t length(std::size_t i) const { return begin_[i + 1] - begin_[i]; }
  void add(std::string_view letters) {
    text_ += letters;
    begin_.push_back(text_.size());
  }
  // Room for sequences of these lengths, to be filled through at().
  void shape(const std::vector<std::uint32_t> &lengths);
  char *at(std::size_t i) { return text_.data() + begin_[i]; }
  std::vector<std::string_view> views(std::size_t first, std::size_t count) const;
  // Of all letters and lengths: two lists with the same checksum are taken for the same.
  std::uint64_t checksum() const;

 private:
  std::string text_;
  std::vector<std::uint64_t> begin_{0};
};

std::string pack(const SequenceList &list);
Result<SequenceList> unpack(std::string_view bytes, const std::string &name);

}  // namespace alnsmith::check
