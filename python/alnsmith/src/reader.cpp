// See reader.h.
#include "reader.h"

#include <nanobind/stl/string.h>

#include "call.h"
#include "common/reader.h"
#include "sequences.h"

namespace alnsmith::python {
namespace {

// Records of a file: letters one behind another, names and descriptions beside them.
struct File {
  std::string letters;
  std::vector<std::size_t> ends;
  std::vector<std::string> names, descriptions;
};

Status read(const std::string &path, std::size_t memory, const Options &call, File &out) {
  Result<tool::SequenceReader> reader = tool::SequenceReader::open(path, memory, call.cancelled);
  if (!reader) return reader.error();
  tool::Record record;
  for (;;) {
    const Result<bool> more = reader->next(record);
    if (!more) return more.error();
    if (!*more) return Ok{};
    if (out.letters.size() + record.letters.size() > memory)
      return Error{reader->label() + ": its letters take more memory than the " + std::to_string(memory) +
                   " bytes of `memory`: raise it, or read a part"};
    out.letters += record.letters;
    out.ends.push_back(out.letters.size());
    out.names.emplace_back(record.name);
    out.descriptions.emplace_back(record.description);
  }
}

nb::list texts(const std::vector<std::string> &all) {
  nb::list out;
  for (const std::string &text : all) {
    PyObject *made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (made == nullptr) throw nb::python_error();
    out.append(nb::steal(made));
  }
  return out;
}

nb::tuple read_file(const std::string &path, std::size_t memory) {
  const auto file = std::make_shared<File>();
  // With a thread of its own, as it may wait for a pipe's writer.
  run([&](const Options &call) { return read(path, memory, call, *file); }, {}, nb::none(), false);
  Sequences sequences;
  std::size_t begin = 0;
  for (const std::size_t end : file->ends) {
    sequences.views.emplace_back(file->letters.data() + begin, end - begin);
    begin = end;
  }
  sequences.memory.push_back(file);
  return nb::make_tuple(std::move(sequences), texts(file->names), texts(file->descriptions));
}

}  // namespace

void bind_reader(nb::module_ &module) {
  module.def("read", &read_file, nb::arg("path"), nb::arg("memory"),
             nb::sig("def read(path: str, memory: int) -> tuple[Sequences, list[str], list[str]]"),
             "Sequences, names and descriptions of a FASTA or FASTQ file, plain or gzip.");
}

}  // namespace alnsmith::python
