// See work.h.
#include "work.h"

#include <chrono>

#include "draw.h"
#include "shrink.h"

namespace soak {
namespace {

using nlohmann::json;

json counts_json(const Counts &counts) {
  json by = json::object();
  for (const auto &[kind, entries] : counts.by)
    for (const auto &[key, count] : entries) by[kind][key] = {count.pairs, count.cells};
  return {{"pairs", counts.pairs},
          {"cells", counts.cells},
          {"promotable", counts.promotable},
          {"refusals", counts.refusals},
          {"by", by}};
}

// The first failure of a draw's calls, made small.
json all_calls(const Order &order, std::uint64_t number, const Case &drawn, Checker &checker, Counts &counts,
               const std::function<void(int)> &at_call) {
  for (int call = 0; call < calls(drawn); ++call) {
    const Case c = draw_call(drawn, order.seed, number, call);
    at_call(call);
    if (const auto failure = checker.check(c, &counts)) {
      const Shrunk small = shrink(checker, c, *failure, std::chrono::seconds(order.shrink_seconds));
      return failure_json(small.failure, small.smallest, number);
    }
    if (!checker.has_kernels()) break;  // refused, and so would be the other calls
  }
  return nullptr;
}

}  // namespace

json failure_json(const Failure &failure, const Case &c, std::uint64_t number) {
  return {{"what", failure.what},         {"who", failure.who}, {"got", failure.got},
          {"expected", failure.expected}, {"case", c},          {"number", number}};
}

Case call_of(const Order &order, std::uint64_t number, int call) {
  return order.kept.empty() ? draw_call(draw(order.seed, number), order.seed, number, call) : order.kept[number];
}

json work(const Order &order, std::uint64_t number, Checker &checker, const std::function<void(int)> &at_call) {
  const bool kept = !order.kept.empty();
  const Case drawn = kept ? order.kept[number] : draw(order.seed, number);
  if (order.only && drawn.route != *order.only) return nullptr;
  if (!order.target.empty() && drawn.target != order.target) return nullptr;
  const auto begin = std::chrono::steady_clock::now();
  json said = {{"number", number}, {"route", name(drawn.route)}};
  Counts counts;
  if (const std::string why = obstacle(drawn); !why.empty()) {
    said["skipped"] = why;
  } else if (kept) {
    at_call(0);
    if (const auto failure = checker.check(drawn, &counts)) said["failure"] = failure_json(*failure, drawn, number);
  } else if (json failure = all_calls(order, number, drawn, checker, counts, at_call); !failure.is_null()) {
    said["failure"] = std::move(failure);
  }
  said["counts"] = counts_json(counts);
  said["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return said;
}

}  // namespace soak
