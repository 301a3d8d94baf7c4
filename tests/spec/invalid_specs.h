// Invalid specs, each with the error it must give: one row per rule.
//
// `in_schema` says whether the JSON schema alone can see it (types, keys, ranges) or only the parser
// (contradictions, duplicated keys, alphabets).
#pragma once

#include <string>
#include <vector>

namespace alnsmith::spec {

struct Invalid {
  const char *rule;   // a name for the test's report
  std::string text;   // the spec
  const char *error;  // how the message begins, after the file's name
  bool in_schema;     // the JSON schema refuses it too
};

std::vector<Invalid> invalid_specs();

}  // namespace alnsmith::spec
