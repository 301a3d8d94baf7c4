// From a spec's YAML text to a Spec: the entry of this room.
//
// Every error is one line, `file:line:column: rule; mend` (`file: rule; mend` if the file cannot be read).
// Nothing is thrown and any bytes may come in; text over 1 MiB is refused. The only files read are the spec
// and the matrix that it names.
#pragma once

#include <string>

#include "alnsmith/result.hpp"
#include "spec/spec.h"

namespace alnsmith::spec {

// A matrix path in the spec is relative to the spec's folder.
Result<Spec> parse_file(const std::string &path);

// `filename` is for messages only; a matrix path is relative to `base_dir`.
Result<Spec> parse_text(const std::string &text, const std::string &filename, const std::string &base_dir);

}  // namespace alnsmith::spec
