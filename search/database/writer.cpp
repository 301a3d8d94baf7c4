// The calls of alnsmith/database_writer.hpp.
#include <algorithm>

#include "alnsmith/content_hash.hpp"
#include "alnsmith/database_writer.hpp"
#include "base/bytes.h"
#include "base/files.h"
#include "base/guard.h"
#include "database/block_builder.h"
#include "database/checksum.h"
#include "database/histogram.h"
#include "database/output.h"

namespace alnsmith::search {
namespace {

std::string byte_at(std::string_view text, std::size_t at) {
  return "byte 0x" + rt::to_hex(text.substr(at, 1)) + " at position " + std::to_string(at + 1);
}

// What a sequence must not be; the mend where it is.
Status check_sequence(std::string_view name, std::string_view letters, std::string_view description) {
  if (letters.empty()) return Error{"has no sequence: remove the record, or give it letters"};
  if (const std::size_t at = first_unprintable(letters, false); at != std::string_view::npos)
    return Error{byte_at(letters, at) + " is no letter: take it out of the sequence"};
  if (name.empty()) return Error{"has no name: give it one"};
  if (const std::size_t at = first_unprintable(name, false); at != std::string_view::npos)
    return Error{"has " + byte_at(name, at) + " of its name: rename it"};
  if (const std::size_t at = first_unprintable(description, true); at != std::string_view::npos)
    return Error{"has " + byte_at(description, at) + " of its description: take it out"};
  if (std::max(name.size(), description.size()) > kMaxHeaderText)
    return Error{"has a name or description of more than " + std::to_string(kMaxHeaderText) + " bytes: shorten it"};
  return Ok{};
}

}  // namespace

struct DatabaseWriter::Impl {
  Impl(DatabaseOutput output, Directory old, const std::string &content, std::size_t block_letters)
      : out(std::move(output)), directory(std::move(old)), content(content), block(block_letters) {}

  DatabaseOutput out;
  Directory directory;  // of the blocks that are written
  ContentHash content;
  BlockBuilder block;
  std::uint64_t added = 0;
  Status state = Ok{};  // the first error

  Status write_block();
  Status write_directory();
};

Status DatabaseWriter::Impl::write_block() {
  BlockEntry entry;
  entry.extent = block.extent();
  entry.extent.first = directory.info.sequences;
  const std::vector<std::uint32_t> order = block.by_length();
  const auto parts = block.parts(order);
  for (int i = 0; i < kParts; ++i) {
    if (auto ok = out.fill_to(part_offset(i, out.position())); !ok) return ok;
    BlockPart &part = entry.parts[static_cast<std::size_t>(i)];
    part.offset = out.position();
    Checksum sum;
    const auto write = [&](std::string_view bytes) {
      sum.add(bytes);
      if (i == kLetters) count_letters(bytes, directory.info.letter_counts);
      return out.write(bytes);
    };
    const auto ok = i == kLetters ? block.each_piece(order, write) : write(parts[static_cast<std::size_t>(i)]);
    if (!ok) return ok;
    part.size = out.position() - part.offset;
    part.checksum = sum.finish();
    if (part.checksum.empty()) return Error{"checksums cannot be made: OpenSSL has no AES-128-GCM here"};
  }
  DatabaseInfo &info = directory.info;
  info.sequences += entry.extent.count;
  info.letters += entry.extent.letters;
  info.longest_sequence = std::max(info.longest_sequence, entry.extent.longest);
  ++info.blocks;
  directory.blocks.push_back(std::move(entry));
  block.clear();
  return Ok{};
}

Status DatabaseWriter::Impl::write_directory() {
  directory.info.content = content.hex();
  if (auto ok = out.fill_to(aligned(out.position(), kPartAlign)); !ok) return ok;
  const std::string listed = directory_bytes(directory);
  const Header header{out.position() + listed.size(), out.position(), listed.size(),
                      rt::from_hex(rt::sha256_hex(listed))};
  if (auto ok = out.write(listed); !ok) return ok;
  directory.info.bytes = header.bytes;
  return out.commit(header_bytes(header));
}

DatabaseWriter::DatabaseWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DatabaseWriter::DatabaseWriter(DatabaseWriter &&) noexcept = default;
DatabaseWriter &DatabaseWriter::operator=(DatabaseWriter &&) noexcept = default;
DatabaseWriter::~DatabaseWriter() = default;

namespace {

Status check_options(const WriterOptions &options) {
  if (options.block_letters >= 1 && options.block_letters <= kMaxBlockLetters) return Ok{};
  return Error{"blocks have 1 to " + std::to_string(kMaxBlockLetters) + " letters", 2};
}

}  // namespace

Result<DatabaseWriter> DatabaseWriter::create(const std::string &path, const WriterOptions &options) {
  return rt::guarded([&]() -> Result<DatabaseWriter> {
    if (auto ok = check_options(options); !ok) return ok.error();
    auto out = DatabaseOutput::create(path);
    if (!out) return out.error();
    return DatabaseWriter(std::make_unique<Impl>(*std::move(out), Directory{}, "", options.block_letters));
  });
}

Result<DatabaseWriter> DatabaseWriter::append(const std::string &path, const WriterOptions &options) {
  return rt::guarded([&]() -> Result<DatabaseWriter> {
    if (auto ok = check_options(options); !ok) return ok.error();
    Head head;
    auto out = DatabaseOutput::append(path, head);
    if (!out) return out.error();
    const std::string content = rt::from_hex(head.directory.info.content);
    return DatabaseWriter(
        std::make_unique<Impl>(*std::move(out), std::move(head.directory), content, options.block_letters));
  });
}

Status DatabaseWriter::add(std::string_view name, std::string_view letters, std::string_view description) {
  Impl &w = *impl_;
  if (!w.state) return w.state;
  if (auto ok = check_sequence(name, letters, description); !ok) return ok;
  w.state = rt::guarded([&]() -> Status {
    if (w.block.full_for(name, letters, description))
      if (auto ok = w.write_block(); !ok) return ok;
    w.block.add(name, letters, description);
    w.content.add(name, letters);
    w.directory.info.longest_name = std::max<std::uint64_t>(w.directory.info.longest_name, name.size());
    ++w.added;
    return Ok{};
  });
  return w.state;
}

Result<DatabaseInfo> DatabaseWriter::finish() {
  Impl &w = *impl_;
  if (!w.state) return w.state.error();
  w.state = rt::guarded([&]() -> Status {
    if (w.added == 0) return Error{"no sequence to write: a database has one at least"};
    if (auto ok = w.write_block(); !ok) return ok;
    return w.write_directory();
  });
  if (!w.state) return w.state.error();
  return w.directory.info;
}

bool DatabaseWriter::failed() const { return !impl_->state; }
std::uint64_t DatabaseWriter::added() const { return impl_->added; }
const std::string &DatabaseWriter::temporary() const { return impl_->out.temporary(); }

}  // namespace alnsmith::search
