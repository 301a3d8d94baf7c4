// Runs a template itself, with the dialect's operations as plain loops over lanes.
#pragma once

#include "alnsmith/kernel_abi.h"
#include "frontend/templates.h"

// `matrix`: what folded_matrix() yields, or null. Scratch memory holds one int per lane and element.
int run_directly(const std::string &mapping, const alnsmith::frontend::Statics &statics, int bits, int lanes,
                 const int *matrix, const aln_args_v1 *args);
