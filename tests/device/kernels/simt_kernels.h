// The kernels of a text on the SIMT library, one by one, or called as the runtime calls them.
//
// In: a text with its plan, the call's scoring, pairs of sequences. Out: scores as the spec means them (a distance is
// not negative), ends, and what the launches counted. A launch that breaks a rule throws std::runtime_error.
#pragma once

#include <alnsmith/alnsmith.hpp>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "device_batch.h"
#include "kernel_text.h"
#include "kernels/predicate.h"
#include "simt.h"

namespace alnsmith::test {

using Pair = devices::Batch::Pair;

struct Aligned {
  long score = 0, query_end = -1, target_end = -1, query_begin = -1, target_begin = -1;
  std::string cigar{};    // where the spec wants it
  bool exceeded = false;  // the kernel says that its range may not have held; the rest means nothing then
  bool operator==(const Aligned &) const = default;
};

struct Launched {
  std::vector<Aligned> results;
  simt::Counters counters;
};

class SimtKernels {
 public:
  // `call`: what the spec leaves to the call. A text with many kernels takes long to compile: `on_demand` compiles
  // those that are launched, each by itself.
  enum class Compile { whole, on_demand };
  SimtKernels(KernelText text, const Scoring &call, const simt::Build &build, Compile compile = Compile::whole);

  const KernelText &text() const { return text_; }
  const std::vector<plan::KernelPlan> &kernels() const { return text_.plan.kernels; }

  bool usable(const plan::KernelPlan &kernel) const;
  bool suits(const plan::KernelPlan &kernel, const Pair &pair) const;
  bool exact(const plan::KernelPlan &kernel, const Pair &pair) const;
  // The kernel may be called for the pair: it is exact, or says where it is not.
  bool serves(const plan::KernelPlan &kernel, const Pair &pair) const;

  // Forms `shared_profile` and `single_query`: pair i * queries + h has query h and target i. `order`: seed of the
  // lanes' order.
  Launched launch(const plan::KernelPlan &kernel, std::span<const Pair> pairs, std::uint64_t order,
                  int blocks = 1) const;

  // Each pair by the first kernel of the form's lowest level that is made for it; what exceeds that goes on to the next
  // level. Form `shared_profile`: each pair alone, its query in all halves. Form `single_query`: its query with its own
  // target and the one before, in turns in one half and the other; wider levels in form `pairwise`. Throws where no
  // kernel is left.
  struct Call {
    std::vector<Aligned> results;
    std::size_t promoted = 0;
    std::map<std::string, std::size_t> pairs;  // by entry
  };
  Call align(Form form, std::span<const Pair> pairs, std::uint64_t order) const;

 private:
  const simt::Module &module_of(const std::string &entry) const;
  const plan::KernelPlan *choose(Form form, int level, const Pair &pair) const;
  rt::kernels::Values values(const Pair &pair) const;
  struct Predicates {
    rt::kernels::Predicate usable, suits, exact;
  };

  KernelText text_;
  simt::Build build_;
  mutable std::map<std::string, simt::Module> modules_;  // by entry; the whole text's under ""
  lanes::Scoring scoring_;
  std::map<std::string, Predicates> predicates_;  // by entry
};

}  // namespace alnsmith::test
