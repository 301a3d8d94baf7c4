// Objects as bytes and back, for pickling.
//
// What a type is made of one function says, `fields(archive, object)`, that hands each member to the archive: a Saver
// appends it, a Loader fills it. The bytes are for the same version of the package, on a machine of the same kind.
#pragma once

#include <nanobind/nanobind.h>

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "alnsmith/version.h"

namespace alnsmith::python {

namespace nb = nanobind;

class Saver {
 public:
  template <class Value>
  void operator()(Value &value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      add(&value, 1);
    } else {
      std::size_t size = value.size();
      add(&size, 1);
      if constexpr (std::is_trivially_copyable_v<typename Value::value_type>)
        add(value.data(), size);
      else
        for (auto &item : value) (*this)(item);
    }
  }
  const std::string &bytes() const { return bytes_; }

 private:
  template <class Value>
  void add(const Value *values, std::size_t count) {
    bytes_.append(reinterpret_cast<const char *>(values), count * sizeof(Value));
  }
  std::string bytes_;
};

// ValueError where the bytes end too early.
class Loader {
 public:
  explicit Loader(std::string_view bytes) : bytes_(bytes) {}

  template <class Value>
  void operator()(Value &value) {
    if constexpr (std::is_trivially_copyable_v<Value>) {
      take(&value, 1);
    } else {
      std::size_t size = 0;
      take(&size, 1);
      if (size > bytes_.size()) refuse();  // an item has a byte at least
      value.resize(size);
      if constexpr (std::is_trivially_copyable_v<typename Value::value_type>)
        take(value.data(), size);
      else
        for (auto &item : value) (*this)(item);
    }
  }
  [[noreturn]] static void refuse() {
    throw nb::value_error("what was pickled is damaged, or of another version of the package: make it anew");
  }

 private:
  template <class Value>
  void take(Value *values, std::size_t count) {
    const std::size_t size = count * sizeof(Value);
    if (size > bytes_.size()) refuse();
    if (size != 0) std::memcpy(values, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

// Adds pickling to a class. `sound`: whether what was loaded fits together.
template <class Object, class Fields>
void bind_state(nb::class_<Object> &bound, Fields fields, bool (*sound)(const Object &)) {
  static constexpr int kVersion[] = {ALNSMITH_VERSION_MAJOR, ALNSMITH_VERSION_MINOR, ALNSMITH_VERSION_PATCH};
  bound.def(
      "__getstate__",
      [fields](Object &object) {
        Saver archive;
        archive(kVersion);
        fields(archive, object);
        return nb::bytes(archive.bytes().data(), archive.bytes().size());
      },
      "For pickling.");
  bound.def(
      "__setstate__",
      [fields, sound](Object &object, const nb::bytes &state) {
        Loader archive({state.c_str(), state.size()});
        int version[3];
        archive(version);
        if (std::memcmp(version, kVersion, sizeof version) != 0) Loader::refuse();
        Object made;
        fields(archive, made);
        if (!sound(made)) Loader::refuse();
        new (&object) Object(std::move(made));
      },
      nb::arg("state"), "Of __getstate__().");
}

}  // namespace alnsmith::python
