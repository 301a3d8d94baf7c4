// Seeded sequences for tests.
#pragma once

#include <cstddef>
#include <random>
#include <string>

std::string random_text(std::mt19937 &random, const std::string &letters, std::size_t length);
