// Seeded sequences for tests: random ones, and ones that differ from a given one as relatives do.
#pragma once

#include <cstddef>
#include <random>
#include <string>

std::string random_text(std::mt19937 &random, const std::string &letters, std::size_t length);
// About a letter in sixteen is lost, one inserted and one replaced; never empty unless `text` is.
std::string mutated(std::mt19937 &random, const std::string &letters, const std::string &text);
