// What kernels take of memory beside sequences and results, in words for people (`align --explain`).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/manifest.h"

namespace alnsmith::rt::align {

// A line for the narrowest kernel of each form: what a batch of pairs takes of a thread, what one long pair takes where
// a call has the memory of Options' default, and a group on a device for the way back.
std::vector<std::string> memory_lines(const kernels::Manifest &manifest);

}  // namespace alnsmith::rt::align
