// Runs a template itself, with the dialect's operations doing what they mean (templates/direct.h).
#pragma once

#include "alnsmith/device_abi.h"
#include "alnsmith/kernel_abi.h"
#include "alnsmith/strip_abi.h"
#include "frontend/facts.h"
#include "templates/meaning.h"

// The machine of a CPU's kernel, and of a device's. `matrix`: what folded_matrix() yields, or null. Scratch memory
// holds one int per lane and element.
direct::Machine lanes_machine(int bits, int lanes, const int *matrix);
direct::Machine device_machine(const std::string &arithmetic, const alnsmith::frontend::Statics &statics,
                               const int *matrix);

int run_directly(const std::string &mapping, const alnsmith::frontend::Statics &statics, int bits, int lanes,
                 const int *matrix, const aln_args_v1 *args);

// The same for a device's mapping: `blocks` blocks one after another, the warps of each as threads.
int run_directly(const std::string &mapping, const std::string &arithmetic, const alnsmith::frontend::Statics &statics,
                 int blocks, int shared_bytes, const int *matrix, const aln_device_args_v1 *args);

// The same for a stage of mapping `strips` or `striped`.
int run_directly(const alnsmith::frontend::Statics &statics, int bits, int lanes, const int *matrix,
                 const aln_strip_args_v1 &args);

// What the templates tell of kernels, without the generator's evaluator: compiled, with expressions for numbers.
class DirectTeller : public alnsmith::frontend::Teller {
 public:
  std::vector<std::string> mappings() const override;
  alnsmith::Result<alnsmith::frontend::Facts> facts(const std::string &mapping,
                                                    const alnsmith::frontend::Statics &statics) const override;
};

// The same for the numbers of a call: `scoring` as in aln_args_v1, lengths.
std::map<std::string, long long> facts_at(const std::string &mapping, const alnsmith::frontend::Statics &statics,
                                          const int *scoring, long long query, long long target);
