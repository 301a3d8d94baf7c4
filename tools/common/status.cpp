// See status.h.
#include "common/status.h"

#include <fmt/format.h>

#include "common/output.h"
#include "common/text.h"

namespace alnsmith::tool {

int report_error(const Error &error) {
  // Names and texts of others stand in messages: no line end and no terminal's command gets through.
  if (!error.message.empty()) fmt::print(stderr, "alnsmith: {}\n", printable(error.message, 10000));
  return error.exit_code;
}

int print(std::string_view text) {
  Result<Output> out = Output::open("");
  if (!out) return report_error(out.error());
  out->text(text);
  const Status done = out->finish();
  return done ? 0 : report_error(done.error());
}

}  // namespace alnsmith::tool
