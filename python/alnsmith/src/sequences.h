// Sequences as Python gives them, for calls that take views of letters.
//
// In: str, bytes, lists of them, packed and fixed-width arrays, Arrow arrays. Out: a view of each sequence, and what
// keeps the memory behind them. Letters are copied by the reader of files alone, and
// where a list holds neither str nor bytes.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace alnsmith::python {

namespace nb = nanobind;

// Objects of Python are let go under the GIL only, so an instance belongs to a Python object or to a call's frame.
struct Sequences {
  std::vector<std::string_view> views;
  std::vector<nb::object> objects;            // that own letters
  std::vector<std::shared_ptr<void>> memory;  // the same, of what is no object

  std::size_t size() const { return views.size(); }
};

// Sequences of a str, a bytes, or a list or tuple of them or of what has bytes, such as Biopython's Seq. `side` is
// "queries" or "targets", for messages. TypeError for anything else, ValueError for letters that are no ASCII: UTF-8
// has several bytes for one of those.
Sequences sequences_of_texts(nb::handle given, const char *side);

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::device::cpu>;

// Sequence i is data[offsets[i]] to before data[offsets[i + 1]].
Sequences sequences_of_packed(nb::handle data, nb::handle offsets, const char *side);
// Sequence i is row i without the zero bytes at its end.
Sequences sequences_of_rows(nb::handle rows, const char *side);

// The message of what a sequence's bytes break, as one line: "queries[3]: ...".
std::string place(const char *side, std::size_t index, const std::string &problem);
// ValueError where the letters of a text have bytes beyond ASCII.
void check_ascii(std::string_view letters, const char *side, std::size_t index);

void bind_sequences(nb::module_ &module);

}  // namespace alnsmith::python
