// Checksums of a block's parts: 128 bits, as fast as memory, so that checking costs a search next to nothing.
//
// It is GMAC (NIST SP 800-38D) with AES-128, a key of zeros and an initial vector of 12 zeros: a polynomial over
// GF(2^128), for which CPUs have instructions. It finds damage, whatever its form; against who damages on purpose no
// hash would help, as hash and data lie in the same file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace alnsmith::search {

constexpr std::size_t kChecksumBytes = 16;

class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum &) = delete;
  Checksum &operator=(const Checksum &) = delete;

  void add(std::string_view bytes);
  std::string finish();  // kChecksumBytes raw bytes; empty where the library of hashes fails

 private:
  void *context_;
};

}  // namespace alnsmith::search
