// Which bytes a kernel's sequences may hold and the code of each: what the runtime packs by.
//
// Out: every accepted byte (both cases, synonyms) with its code, ascending by byte. The code is the letter's
// index; under match/mismatch the wildcard takes ALN_CODE_QUERY_WILDCARD or ALN_CODE_TARGET_WILDCARD, so that
// it equals nothing. Other bytes are an error, or take the wildcard's code where the alphabet has one.
// State sets: the code is the set's bits, the first state the lowest; of 32 states the last is the sign's.
#pragma once

#include <utility>
#include <vector>

#include "spec/spec.h"

namespace alnsmith::spec {

enum class Side { query, target };

// The distinct sets of an alphabet's letters, ascending; empty of other alphabets.
std::vector<std::uint32_t> letter_sets(const Alphabet &alphabet);

std::vector<std::pair<unsigned char, int>> letter_codes(const Spec &spec, Side side);

}  // namespace alnsmith::spec
