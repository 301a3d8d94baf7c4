// Files: reading, writing beside and renaming, SHA-256, and the rule of who may own what is loaded.
#pragma once

#include <string>
#include <string_view>

#include "alnsmith/result.hpp"

namespace alnsmith::rt {

std::string sha256_hex(std::string_view bytes);  // 64 lower-case hex digits

// An error where there are more than `limit` bytes.
constexpr std::size_t kMaxFile = std::size_t{256} << 20;
Result<std::string> read_file(const std::string &path, std::size_t limit = kMaxFile);

// Writes `.tmp-...` in the same folder, then renames: readers see the old file, the new one or none. `mode` as for
// open(2).
Status write_file(const std::string &path, std::string_view bytes, unsigned mode = 0600);

// False with errno where not all could be written.
bool write_all(int fd, std::string_view bytes);

// A path of a new, not yet existing file beside `path`, unique among processes and threads.
std::string temporary_beside(const std::string &path);

// Code is loaded only from files and folders that belong to the user, root or the owner of the running program or
// library and that nobody else may write to, all the way up; a sticky folder such as /tmp is no obstacle. The error
// names the part that breaks the rule. Returns the path without links: what was checked, and so what is to be opened. A
// link in a folder of others may lead elsewhere a moment later. The one place of this rule: docs/security.md lists who
// asks it.
Result<std::string> check_trusted(const std::string &path);

// The bytes of a regular file that keeps that rule.
Result<std::string> read_trusted(const std::string &path, std::size_t limit = kMaxFile);
// The same where the folder was found to keep it: asked of the file alone, which may be no link.
Result<std::string> read_in_trusted_folder(const std::string &path, std::size_t limit = kMaxFile);

}  // namespace alnsmith::rt
