// See all_targets.h.
#include "all_targets.h"

#include <fmt/format.h>

#include <algorithm>

namespace alnsmith::tool {
Status AllTargets::count_kept() {
  count_ += kept_.size();
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    name_bytes_ += kept_.name(i).size() + sizeof(std::size_t);
    longest_name_ = std::max(longest_name_, kept_.name(i).size());
    letters_ += kept_.letters(i).size();
    longest_ = std::max(longest_, kept_.letters(i).size());
    if (Status ok = job_.rows.add_target(kept_.name(i), kept_.letters(i)); !ok) return ok;
  }
  return Ok{};
}

Status AllTargets::survey() {
  if (Status ok = job_.targets.fill(kept_, kNoLimit, job_.shares.resident); !ok) return ok;
  if (Status ok = count_kept(); !ok) return ok;
  if (job_.targets.exhausted()) return Ok{};
  if (!job_.targets.can_reopen())
    return Error{
        fmt::format("{}: the targets need more than {} bytes of memory and cannot be read twice: "
                    "give them as a file, or raise --memory",
                    job_.targets.label(), job_.shares.resident)};
  resident_ = false;
  while (!job_.targets.exhausted()) {
    kept_.clear();
    if (Status ok = job_.targets.fill(kept_, kNoLimit, job_.shares.resident); !ok) return ok;
    if (Status ok = count_kept(); !ok) return ok;
  }
  kept_.clear();
  return Ok{};
}

Status AllTargets::next_block(Input &input, std::size_t &seen) {
  kept_.clear();
  if (Status ok = input.fill(kept_, kNoLimit, job_.shares.resident); !ok) return ok;
  seen += kept_.size();
  return Ok{};
}

Status AllTargets::changed() const { return Error{fmt::format("{}: changed while it was read", job_.targets.label())}; }

Result<const Prepared *> AllTargets::prepared(const Block &block) {
  if (!resident_ || job_.options.devices.empty() || &block != &kept_) return nullptr;
  if (!prepared_) {
    Result<Prepared> made = aligner_.prepare(kept_.views(), job_.options);
    if (!made) return made.error();
    prepared_.emplace(std::move(*made));
  }
  return &*prepared_;
}

}  // namespace alnsmith::tool
