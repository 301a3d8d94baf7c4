// See level_choice.h.
#include "device/schedule/level_choice.h"

namespace alnsmith::rt::schedule {
namespace {

align::Chooser make_chooser(const Device &device, const align::CallScoring &scoring, Form form, std::size_t entries) {
  return {device.manifest(), scoring, form, entries,
          [&device](const kernels::KernelInfo &kernel) { return device.possible(kernel); }};
}

}  // namespace

LevelChoice::LevelChoice(const Device &device, const align::CallScoring &scoring)
    : manifest_(device.manifest()),
      choosers_{make_chooser(device, scoring, Form::pairwise, 1 << 15),
                make_chooser(device, scoring, Form::shared_profile, 16),
                make_chooser(device, scoring, Form::single_query, 16)} {
  for (const Form form : {Form::pairwise, Form::shared_profile, Form::single_query})
    stats(form).resize(static_cast<std::size_t>(chooser(form).levels()));
  for (int level = chooser(Form::pairwise).levels(); level-- > 0;)
    for (const int kernel : chooser(Form::pairwise).kernels(level))
      if (manifest_.kernels[static_cast<std::size_t>(kernel)].device.block) {
        block_ = kernel;
        block_level_ = level;
      }
}

align::SuitableLevel LevelChoice::choose(Form form, int from, std::uint32_t query, std::uint32_t target) {
  const std::vector<PromotionStats> &tried = stats(form);
  align::SuitableLevel choice = choosers_[static_cast<std::size_t>(form)].choose(from, query, target);
  while (choice.level >= 0 && !choice.exact && !tried[static_cast<std::size_t>(choice.level)].pays()) {
    const align::SuitableLevel wider = chooser(form).choose_from(choice.level + 1, query, target);
    if (wider.level < 0) break;
    choice = wider;
  }
  return choice;
}

align::SuitableLevel LevelChoice::choose_block(std::uint32_t query, std::uint32_t target) const {
  if (block_ < 0) return {};
  const kernels::KernelInfo &kernel = manifest_.kernels[static_cast<std::size_t>(block_)];
  const align::Chooser &pairs = chooser(Form::pairwise);
  if (pairs.exact(kernel, query, target)) return {block_level_, true};
  const bool tried = stats(Form::pairwise)[static_cast<std::size_t>(block_level_)].pays();
  if (tried && pairs.near(kernel, query, target)) return {block_level_, false};
  return {};
}

Form LevelChoice::form_for(std::size_t queries) const {
  const std::vector<PromotionStats> &single = stats(Form::single_query);
  return queries == 1 && !single.empty() && single[0].pays() ? Form::single_query : Form::shared_profile;
}

void LevelChoice::learn(Form form, int level, std::uint64_t tried, std::uint64_t flagged) {
  PromotionStats &own = stats(form)[static_cast<std::size_t>(level)];
  own.tried += tried;
  own.flagged += flagged;
}

}  // namespace alnsmith::rt::schedule
