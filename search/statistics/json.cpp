// Statistics as JSON and back. Doubles are written with as many digits as bring back every bit.
#include <cmath>
#include <nlohmann/json.hpp>

#include "alnsmith/statistics.hpp"
#include "base/json_depth.h"

namespace alnsmith::search {
namespace {

using Json = nlohmann::ordered_json;

constexpr Method kMethods[] = {Method::none, Method::table, Method::simulate, Method::fit};

// Each field once, for both directions.
template <class S, class Visit>
void each_number(S &s, Visit &&visit) {
  visit("lambda", s.lambda);
  visit("lambda_error", s.lambda_error);
  visit("K", s.k);
  visit("K_error", s.k_error);
  visit("H", s.h);
  visit("query_a", s.query.a);
  visit("query_b", s.query.b);
  visit("query_alpha", s.query.alpha);
  visit("query_beta", s.query.beta);
  visit("target_a", s.target.a);
  visit("target_b", s.target.b);
  visit("target_alpha", s.target.alpha);
  visit("target_beta", s.target.beta);
  visit("sigma", s.sigma);
  visit("tau", s.tau);
  visit("ungapped_lambda", s.ungapped_lambda);
}

Error wrong(const std::string &key, const std::string &rule) {
  return {"statistics: \"" + key + "\" is not " + rule + ": take them as this version of alnsmith wrote them"};
}

}  // namespace

std::string_view method_name(Method method) {
  switch (method) {
    case Method::table:
      return "table";
    case Method::simulate:
      return "simulate";
    case Method::fit:
      return "fit";
    case Method::none:
      break;
  }
  return "none";
}

std::string to_json(const Statistics &statistics) {
  Json json = {{"method", method_name(statistics.method)},
               {"source", statistics.source},
               {"frequencies", statistics.frequencies},
               {"period", statistics.period}};
  each_number(statistics, [&](const char *key, double value) { json[key] = value; });
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Result<Statistics> statistics_from_json(std::string_view text) {
  const Json json = deeper_than(1, text) ? Json() : Json::parse(text, nullptr, false);
  if (!json.is_object())
    return Error{"statistics: not one flat JSON object: take them as this version of alnsmith wrote them"};
  Statistics out;
  const auto word = [&](const char *key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string("\n");
  };
  const std::string method = word("method");
  bool known = false;
  for (const Method one : kMethods)
    if (method_name(one) == method) {
      out.method = one;
      known = true;
    }
  if (!known) return wrong("method", "none, table, simulate or fit");
  out.source = word("source");
  out.frequencies = word("frequencies");
  if (out.source == "\n") return wrong("source", "a text");
  if (out.frequencies == "\n") return wrong("frequencies", "a text");
  if (!json.contains("period") || !json["period"].is_number_integer() || json["period"] < 1 || json["period"] > 1 << 30)
    return wrong("period", "a whole number from 1 on");
  out.period = json["period"].get<int>();
  std::string missing;
  each_number(out, [&](const char *key, double &value) {
    if (json.contains(key) && json[key].is_number())
      value = json[key].get<double>();
    else if (missing.empty())
      missing = key;
  });
  if (!missing.empty()) return wrong(missing, "a number");
  const bool sound = std::isfinite(out.lambda) && std::isfinite(out.k) && out.lambda >= 0 && out.k >= 0;
  if (!sound || (out.method != Method::none && (out.lambda == 0 || out.k == 0))) return wrong("lambda or K", "above 0");
  return out;
}

}  // namespace alnsmith::search
