// See sequences.h.
#include "sequences.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrow.h"
#include "state.h"

namespace alnsmith::python {
namespace {

// Whether bytes() of it are the letters of one sequence: of Biopython's Seq and SeqRecord, and of buffers. bytes()
// takes much else too: of an integer it makes that many zeros.
bool has_bytes(PyObject *item) {
  return PyByteArray_Check(item) || PyMemoryView_Check(item) || PyObject_HasAttrString(item, "__bytes__") != 0;
}

// Adds the letters of a str or bytes, which live as long as it does, or of what has bytes, of which a copy is kept.
void add_text(Sequences &out, PyObject *item, const char *side) {
  const std::size_t index = out.views.size();
  Py_ssize_t size = 0;
  if (PyUnicode_Check(item)) {
    const char *letters = PyUnicode_AsUTF8AndSize(item, &size);
    if (letters == nullptr || PyUnicode_GetLength(item) != size) {
      PyErr_Clear();
      throw nb::value_error(place(side, index, "has a letter that is not ASCII").c_str());
    }
    out.views.emplace_back(letters, static_cast<std::size_t>(size));
    return;
  }
  if (!PyBytes_Check(item)) {
    if (!has_bytes(item))
      throw nb::type_error(
          place(side, index, "is a " + nb::cast<std::string>(nb::inst_name(item)) + ": sequences are str or bytes")
              .c_str());
    const nb::object copy = nb::steal(PyObject_Bytes(item));
    if (!copy.is_valid()) throw nb::python_error();
    out.objects.push_back(copy);
    item = copy.ptr();
  }
  char *letters = nullptr;
  if (PyBytes_AsStringAndSize(item, &letters, &size) != 0) throw nb::python_error();
  out.views.emplace_back(letters, static_cast<std::size_t>(size));
}

// Letters go with what is pickled, and have memory of their own where it is read.
void fields(Saver &archive, Sequences &all) {
  std::size_t count = all.size();
  archive(count);
  for (std::string_view view : all.views) {
    std::string letters(view);
    archive(letters);
  }
}

void fields(Loader &archive, Sequences &all) {
  const auto letters = std::make_shared<std::vector<std::string>>();
  archive(*letters);
  all.views.assign(letters->begin(), letters->end());
  all.memory.push_back(letters);
}

bool sound(const Sequences & /*all*/) { return true; }

}  // namespace

std::string place(const char *side, std::size_t index, const std::string &problem) {
  return std::string(side) + "[" + std::to_string(index) + "]: " + problem;
}

void check_ascii(std::string_view letters, const char *side, std::size_t index) {
  const bool ascii = std::ranges::all_of(letters, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii) throw nb::value_error(place(side, index, "has a letter that is not ASCII").c_str());
}

Sequences sequences_of_texts(nb::handle given, const char *side) {
  Sequences out;
  if (PyUnicode_Check(given.ptr()) || PyBytes_Check(given.ptr())) {
    add_text(out, given.ptr(), side);
    out.objects.push_back(nb::borrow(given));
    return out;
  }
  // A list may be changed by another thread while a call runs: a tuple of its items may not.
  const nb::object items = nb::steal(PySequence_Tuple(given.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  const auto count = static_cast<std::size_t>(PyTuple_Size(items.ptr()));
  out.views.reserve(count);
  for (std::size_t i = 0; i < count; ++i) add_text(out, PyTuple_GetItem(items.ptr(), static_cast<Py_ssize_t>(i)), side);
  out.objects.push_back(items);
  return out;
}

Sequences sequences_of_packed(nb::handle data, nb::handle offsets, const char *side) {
  const auto letters = nb::cast<Bytes>(data, false);
  const auto ends = nb::cast<Offsets>(offsets, false);
  const auto size = static_cast<std::int64_t>(letters.shape(0));
  const std::int64_t *at = ends.data();
  Sequences out;
  for (std::size_t i = 0; i + 1 < ends.shape(0); ++i) {
    if (at[i] < 0 || at[i + 1] < at[i] || at[i + 1] > size)
      throw nb::value_error(place(side, i,
                                  "its offsets " + std::to_string(at[i]) + " and " + std::to_string(at[i + 1]) +
                                      " are no range within " + std::to_string(size) + " bytes")
                                .c_str());
    out.views.emplace_back(reinterpret_cast<const char *>(letters.data()) + at[i],
                           static_cast<std::size_t>(at[i + 1] - at[i]));
  }
  out.objects.push_back(nb::borrow(data));
  return out;
}

Sequences sequences_of_rows(nb::handle rows, const char *side) {
  const auto letters = nb::cast<Rows>(rows, false);
  if (letters.shape(1) > 1 && letters.stride(1) != 1)
    throw nb::value_error((std::string(side) + ": the letters of a row do not stand one behind another").c_str());
  Sequences out;
  out.views.reserve(letters.shape(0));
  for (std::size_t i = 0; i < letters.shape(0); ++i) {
    const auto *row = reinterpret_cast<const char *>(letters.data()) + static_cast<std::int64_t>(i) * letters.stride(0);
    std::size_t length = letters.shape(1);
    while (length > 0 && row[length - 1] == 0) --length;
    out.views.emplace_back(row, length);
  }
  out.objects.push_back(nb::borrow(rows));
  return out;
}

void bind_sequences(nb::module_ &module) {
  nb::class_<Sequences> bound(module, "Sequences", "Sequences of a call, as views of the memory that they came in.");
  bind_state(bound, [](auto &archive, Sequences &all) { fields(archive, all); }, &sound);
  bound.def("__len__", &Sequences::size)
      .def(
          "letters",
          [](const Sequences &all, std::size_t index) {
            if (index >= all.size()) throw nb::index_error();
            return nb::bytes(all.views[index].data(), all.views[index].size());
          },
          nb::arg("index"), "Letters of a sequence, a copy.")
      .def(
          "part",
          [](const Sequences &all, const std::vector<std::size_t> &indices) {
            Sequences out{{}, all.objects, all.memory};
            out.views.reserve(indices.size());
            for (const std::size_t index : indices) out.views.push_back(all.views.at(index));
            return out;
          },
          nb::arg("indices"), "Some of them, whose letters stay where they are.")
      .def(
          "total",
          [](const Sequences &all) {
            std::uint64_t letters = 0;
            for (const std::string_view view : all.views) letters += view.size();
            return letters;
          },
          "Letters of all sequences together.");
  module.def("texts", &sequences_of_texts, nb::arg("given"), nb::arg("side"),
             "Sequences of a str, a bytes, or a list or tuple of them or of what has bytes.");
  module.def("packed", &sequences_of_packed, nb::arg("data"), nb::arg("offsets"), nb::arg("side"),
             "Sequences of uint8 letters, shape (n,), and int64 offsets, shape (sequences + 1,).");
  module.def("rows", &sequences_of_rows, nb::arg("rows"), nb::arg("side"),
             "Sequences of uint8 rows, shape (sequences, letters), zero bytes behind the last letter.");
  module.def("arrow_array", &sequences_of_arrow_array, nb::arg("schema"), nb::arg("array"), nb::arg("side"),
             "Sequences of what __arrow_c_array__() gives.");
  module.def("arrow_stream", &sequences_of_arrow_stream, nb::arg("stream"), nb::arg("side"),
             "Sequences of what __arrow_c_stream__() gives.");
}

}  // namespace alnsmith::python
