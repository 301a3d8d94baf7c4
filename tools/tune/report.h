// The page of a recorded run: what `alnsmith tune report` writes.
//
// In:  recordings with the names of their files. Out: one HTML page that needs no network and holds everything it
// shows, or an error. Pure: the same recordings give the same bytes. docs/tuning-report.md says what the page shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tune/record.h"

namespace alnsmith::tool::tune {

struct NamedRecording {
  std::string name;  // of the file, without its folder
  Recording recording;
};

Result<std::string> report_page(const std::vector<NamedRecording> &recordings);

// What the page's scripts read: a JSON text that can stand inside <script>, whatever the records contain.
// Exposed for tests.
std::string report_data(const std::vector<NamedRecording> &recordings);

// A file of page/, or D3 and its licence, as they are embedded: style.css, d3.min.js, d3_licence.txt; empty for
// another.
std::string_view page_part(std::string_view name);

}  // namespace alnsmith::tool::tune
