// See arrow.h. The layouts of strings are those of Arrow's columnar format: offsets of 32 or 64 bits into one buffer,
// or views of 16 bytes with short strings inside.
#include "arrow.h"

#include <cerrno>
#include <cstring>

namespace alnsmith::python {
namespace {

// The interface's three structures, as its page fixes them.
struct ArrowSchema {
  const char *format, *name, *metadata;
  std::int64_t flags, n_children;
  ArrowSchema **children, *dictionary;
  void (*release)(ArrowSchema *);
  void *private_data;
};
struct ArrowArray {
  std::int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  ArrowArray **children, *dictionary;
  void (*release)(ArrowArray *);
  void *private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream *, ArrowSchema *);
  int (*get_next)(ArrowArrayStream *, ArrowArray *);
  const char *(*get_last_error)(ArrowArrayStream *);
  void (*release)(ArrowArrayStream *);
  void *private_data;
};

// A structure that was moved here, released at the end as its maker wants it.
template <class Structure>
struct Owned {
  Structure value{};
  Owned() = default;
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() {
    if (value.release != nullptr) value.release(&value);
  }
};

template <class Structure>
std::shared_ptr<Owned<Structure>> take(nb::handle capsule, const char *name) {
  auto *given = static_cast<Structure *>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (given == nullptr) throw nb::python_error();
  if (given->release == nullptr) throw nb::value_error("a capsule of Arrow's that was taken before");
  auto out = std::make_shared<Owned<Structure>>();
  out->value = *given;
  given->release = nullptr;  // moved
  return out;
}

enum class Layout { offsets32, offsets64, views };
struct Format {
  Layout layout;
  bool text;  // UTF-8, of which only ASCII is letters
};

Format format_of(const ArrowSchema &schema, const char *side) {
  const std::string_view format = schema.format;
  if (schema.dictionary == nullptr) {
    if (format == "u" || format == "z") return {Layout::offsets32, format == "u"};
    if (format == "U" || format == "Z") return {Layout::offsets64, format == "U"};
    if (format == "vu" || format == "vz") return {Layout::views, format == "vu"};
  }
  const bool table = format == "+s";
  throw nb::type_error(
      (std::string(side) + ": " +
       (table ? "a table: give one column of it"
              : "a column of Arrow type '" + std::string(format) +
                    (schema.dictionary != nullptr ? "' with a dictionary" : "'") + ": cast it to strings or binary"))
          .c_str());
}

bool is_null(const ArrowArray &array, std::int64_t row) {
  const auto *bits = static_cast<const std::uint8_t *>(array.buffers[0]);
  return array.null_count != 0 && bits != nullptr && (bits[row / 8] >> (row % 8) & 1) == 0;
}

template <class Offset>
std::string_view by_offsets(const ArrowArray &array, std::int64_t row) {
  const auto *at = static_cast<const Offset *>(array.buffers[1]) + row;
  return {static_cast<const char *>(array.buffers[2]) + at[0], static_cast<std::size_t>(at[1] - at[0])};
}

std::string_view by_view(const ArrowArray &array, std::int64_t row) {
  const char *view = static_cast<const char *>(array.buffers[1]) + 16 * row;
  std::int32_t fields[4];  // length, first letters, buffer, offset; up to 12 letters stand behind the length
  std::memcpy(fields, view, sizeof fields);
  const auto length = static_cast<std::size_t>(fields[0]);
  if (length <= 12) return {view + 4, length};
  return {static_cast<const char *>(array.buffers[2 + fields[2]]) + fields[3], length};
}

void append(Sequences &out, const ArrowArray &array, Format format, const char *side) {
  out.views.reserve(out.views.size() + static_cast<std::size_t>(array.length));
  for (std::int64_t i = 0; i < array.length; ++i) {
    const std::int64_t row = array.offset + i;
    const std::size_t index = out.views.size();
    if (is_null(array, row)) throw nb::value_error(place(side, index, "is null").c_str());
    const std::string_view letters = format.layout == Layout::offsets32   ? by_offsets<std::int32_t>(array, row)
                                     : format.layout == Layout::offsets64 ? by_offsets<std::int64_t>(array, row)
                                                                          : by_view(array, row);
    if (format.text) check_ascii(letters, side, index);
    out.views.push_back(letters);
  }
}

}  // namespace

Sequences sequences_of_arrow_array(nb::handle schema, nb::handle array, const char *side) {
  const auto type = take<ArrowSchema>(schema, "arrow_schema");
  const auto chunk = take<ArrowArray>(array, "arrow_array");
  Sequences out;
  append(out, chunk->value, format_of(type->value, side), side);
  out.memory.push_back(chunk);
  return out;
}

Sequences sequences_of_arrow_stream(nb::handle capsule, const char *side) {
  const auto stream = take<ArrowArrayStream>(capsule, "arrow_array_stream");
  const auto checked = [&](int code) {
    if (code == 0) return;
    const char *why = stream->value.get_last_error(&stream->value);
    throw nb::value_error((std::string(side) + ": " + (why != nullptr ? why : std::strerror(code))).c_str());
  };
  Owned<ArrowSchema> type;
  checked(stream->value.get_schema(&stream->value, &type.value));
  const Format format = format_of(type.value, side);
  Sequences out;
  for (;;) {
    const auto chunk = std::make_shared<Owned<ArrowArray>>();
    checked(stream->value.get_next(&stream->value, &chunk->value));
    if (chunk->value.release == nullptr) return out;
    append(out, chunk->value, format, side);
    out.memory.push_back(chunk);
  }
}

}  // namespace alnsmith::python
