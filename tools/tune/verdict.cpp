// See verdict.h.
#include "tune/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "tune/ranking.h"

namespace alnsmith::tool::tune {
namespace {

double spread_of(const Record &final_line) { return final_line.measurement("gain_spread").value_or(0); }

// As a shell takes it.
std::string quoted(const std::string &file) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("._-/+:@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!file.empty() && file[0] != '-' && std::ranges::all_of(file, plain)) return file;
  std::string text = file.starts_with("-") ? "'./" : "'";
  for (const char c : file) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string verdict(const Record &final_line) {
  if (beats_model(final_line)) return "faster";
  return 1 - final_line.measurement("gain").value_or(1) > spread_of(final_line) ? "slower" : "no difference";
}

bool is_noisy(const Record &final_line) { return spread_of(final_line) > kNoise; }

Result<std::optional<Record>> settled(const std::function<Result<Record>()> &compare,
                                      const std::function<void(const Record &)> &again, const Record *before) {
  std::optional<Record> quietest;
  const double earlier = before == nullptr ? 0 : before->measurement("comparisons").value_or(1);
  for (int count = 1;; ++count) {
    auto made = compare();
    if (!made) return made.error();
    if (made->invalidity != Invalidity::correct) return std::optional(*std::move(made));
    const bool quiet = !is_noisy(*made);
    const Record *least = quietest ? &*quietest : before;
    if (least == nullptr || spread_of(*made) < spread_of(*least)) quietest = *std::move(made);
    if (quiet || count == kComparisons) {
      if (quietest) quietest->measurements.push_back({"comparisons", earlier + count, "1"});
      return quietest;
    }
    again(quietest ? *quietest : *before);
  }
}

std::string next_step(const std::vector<Record> &records, const std::string &file) {
  const Record *best = best_of(records), *last = final_of(records);
  if (best == nullptr) return "nothing was correct: mend what the failures name, then run the same command again";
  if (last == nullptr) {
    if (best->search.model) return "nothing to apply: the planner's choice is the best";
    return "no final comparison yet: run the same command with --resume, which goes on and makes it";
  }
  if (last->invalidity != Invalidity::correct) return "nothing to apply: the winner failed in the final comparison";
  if (beats_model(*last)) return fmt::format("alnsmith tune apply {}", quoted(file));
  std::string text = "nothing to apply: the planner's choice stays";
  if (is_noisy(*last)) text += "; on a quieter machine the same command with --resume compares once more";
  return text;
}

}  // namespace alnsmith::tool::tune
