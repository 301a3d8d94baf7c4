// The file that a writer writes: a new one beside its place, or behind the end of an old one; there when it is
// committed, as it was before else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "alnsmith/result.hpp"
#include "database/file.h"

namespace alnsmith::search {

class DatabaseOutput {
 public:
  static Result<DatabaseOutput> create(const std::string &path);
  // Locked against others who append. `head` receives what the file has.
  static Result<DatabaseOutput> append(const std::string &path, Head &head);
  DatabaseOutput(DatabaseOutput &&other) noexcept;
  DatabaseOutput &operator=(DatabaseOutput &&) = delete;
  ~DatabaseOutput();

  std::uint64_t position() const { return position_; }  // where the next byte goes
  Status write(std::string_view bytes);
  Status fill_to(std::uint64_t position);  // with zeros
  // What is written becomes what the file holds: it is on the disk before the header says so.
  Status commit(const std::string &header);
  const std::string &temporary() const { return temporary_; }

 private:
  DatabaseOutput() = default;
  Error failure(int code) const;
  Status put_header(const std::string &header);

  int fd_ = -1;
  std::string path_, final_, temporary_;  // temporary_ empty: appending, or committed
  std::string old_header_;                // of what is appended to
  std::uint64_t old_bytes_ = 0, position_ = 0;
};

}  // namespace alnsmith::search
