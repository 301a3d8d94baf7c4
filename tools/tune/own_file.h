// Files of the user's folder of tables: made so that the rule of what is loaded lets them be read (docs/security.md).
#pragma once

#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::tool::tune {

// Each missing part of the path, for this user alone to write to, whatever the umask.
Status make_folder(const std::string &folder);

// Held while a table is read, changed and written, so that of two `apply` at once neither loses the other's rows.
// Waits. Where folders cannot be locked, as on some network file systems, there is no lock.
class FolderLock {
 public:
  explicit FolderLock(const std::string &folder);
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;
  ~FolderLock();

 private:
  int folder_;
};

}  // namespace alnsmith::tool::tune
