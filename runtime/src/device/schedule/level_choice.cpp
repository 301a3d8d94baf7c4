// See level_choice.hpp.
#include "device/schedule/level_choice.hpp"

namespace alnsmith::rt {
namespace {

Chooser make_chooser(const Device &device, const CallScoring &scoring, Form form, std::size_t entries) {
  return {device.manifest(), scoring, form, entries,
          [&device](const KernelInfo &kernel) { return device.possible(kernel); }};
}

}  // namespace

LevelChoice::LevelChoice(const Device &device, const CallScoring &scoring)
    : manifest_(device.manifest()),
      choosers_{make_chooser(device, scoring, Form::pairs, 1 << 15), make_chooser(device, scoring, Form::shared, 16),
                make_chooser(device, scoring, Form::single, 16)} {
  for (const Form form : {Form::pairs, Form::shared, Form::single})
    stats(form).resize(static_cast<std::size_t>(chooser(form).levels()));
  for (int level = chooser(Form::pairs).levels(); level-- > 0;)
    for (const int kernel : chooser(Form::pairs).kernels(level))
      if (manifest_.kernels[static_cast<std::size_t>(kernel)].device.block) {
        block_ = kernel;
        block_level_ = level;
      }
}

Choice LevelChoice::choose(Form form, int from, std::uint32_t query, std::uint32_t target) const {
  const std::vector<PromotionStats> &tried = stats(form);
  Choice choice = chooser(form).choose_from(from, query, target);
  while (choice.level >= 0 && !choice.exact && !tried[static_cast<std::size_t>(choice.level)].pays()) {
    const Choice wider = chooser(form).choose_from(choice.level + 1, query, target);
    if (wider.level < 0) break;
    choice = wider;
  }
  return choice;
}

Choice LevelChoice::choose_block(std::uint32_t query, std::uint32_t target) const {
  if (block_ < 0) return {};
  const KernelInfo &kernel = manifest_.kernels[static_cast<std::size_t>(block_)];
  const Chooser &pairs = chooser(Form::pairs);
  if (pairs.exact(kernel, query, target)) return {block_level_, true};
  const bool tried = stats(Form::pairs)[static_cast<std::size_t>(block_level_)].pays();
  if (tried && pairs.near(kernel, query, target)) return {block_level_, false};
  return {};
}

Form LevelChoice::form_for(std::size_t queries) const {
  const std::vector<PromotionStats> &single = stats(Form::single);
  return queries == 1 && !single.empty() && single[0].pays() ? Form::single : Form::shared;
}

void LevelChoice::learn(Form form, int level, std::uint64_t tried, std::uint64_t flagged) {
  PromotionStats &own = stats(form)[static_cast<std::size_t>(level)];
  own.tried += tried;
  own.flagged += flagged;
}

}  // namespace alnsmith::rt
