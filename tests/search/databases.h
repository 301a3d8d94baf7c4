// Databases for tests: sequences of any kind, written and read back.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "alnsmith/database.hpp"
#include "alnsmith/database_writer.hpp"

namespace alnsmith::search::testing {

struct Entry {
  std::string name, letters, description;
  bool operator==(const Entry &) const = default;
};
using Entries = std::vector<Entry>;

// Names, lengths and descriptions of any size, seeded; letters of both cases and some that are no letters of DNA.
inline Entries random_entries(unsigned seed, std::size_t count, std::size_t longest) {
  std::mt19937 engine(seed);
  const auto below = [&](std::size_t n) { return engine() % n; };
  const auto text = [&](std::size_t size, const std::string &of) {
    std::string out;
    while (out.size() < size) out += of[below(of.size())];
    return out;
  };
  Entries out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({"s" + std::to_string(i) + text(below(20), "abc|._\xc3"), text(1 + below(longest), "ACGTNacgt*-"),
                   below(3) == 0 ? "" : text(below(60), "some words = ")});
  return out;
}

inline Status add_all(DatabaseWriter &writer, const Entries &entries) {
  for (const Entry &e : entries)
    if (auto ok = writer.add(e.name, e.letters, e.description); !ok) return ok;
  return Ok{};
}

inline Result<DatabaseInfo> write(const std::string &path, const Entries &entries, std::size_t block = 1000) {
  auto writer = DatabaseWriter::create(path, {block});
  if (!writer) return writer.error();
  if (auto ok = add_all(*writer, entries); !ok) return ok.error();
  return writer->finish();
}

inline Result<DatabaseInfo> append(const std::string &path, const Entries &entries, std::size_t block = 1000) {
  auto writer = DatabaseWriter::append(path, {block});
  if (!writer) return writer.error();
  if (auto ok = add_all(*writer, entries); !ok) return ok.error();
  return writer->finish();
}

// All that a database holds, or the first error.
inline Result<Entries> read(const Database &database) {
  Entries out;
  for (std::uint64_t b = 0; b < database.blocks(); ++b) {
    const auto block = database.block(b);
    if (!block) return block.error();
    for (std::uint64_t i = 0; i < block->count(); ++i) {
      const auto name = block->name(i), description = block->description(i);
      if (!name) return name.error();
      if (!description) return description.error();
      out.push_back({std::string(*name), std::string(block->letters(i)), std::string(*description)});
    }
    database.release(b);
  }
  return out;
}

inline Result<Entries> read(const std::string &path) {
  const auto database = Database::open(path);
  if (!database) return database.error();
  return read(*database);
}

}  // namespace alnsmith::search::testing
