// Whoever takes part: alnsmith through its public batch call, and the peers through peer.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "alignments.h"
#include "workload.h"

namespace bench {

// One contender made ready for one case. `run` is what is timed.
struct Runner {
  std::string name;     // "seqan2_avx2", "alnsmith"
  std::string variant;  // the fastest of a peer's forms; alnsmith's kernels
  std::function<void(Results &results)> run;
  std::shared_ptr<void> state;
  bool cigar;  // gives whole alignments, not only scores
};

// A peer's shared object, loaded with its symbols to itself. Null, with the reason, where it cannot run.
class Peer;
struct PeerFile {
  std::string name, path;
};
std::vector<PeerFile> peer_files();  // beside the program, in peers/

class Peers {
 public:
  Peers();
  ~Peers();
  // Ready for one case: one runner a peer, the fastest of its variants after two passes of each. A variant
  // that misses the textbook scores, or whose alignments do not score that, is out, and `warnings` says so.
  std::vector<Runner> ready(const Case &one, const oracle::Problem &exact, const OracleSample &sample,
                            std::vector<std::string> &warnings) const;
  std::vector<std::string> descriptions() const;  // "seqan2_avx2: SeqAn 2.4.0, ..."

 private:
  std::vector<std::unique_ptr<Peer>> peers_;
};

// alnsmith for one case, its kernels obtained and warm, or an error message. Where every query meets every target there
// are two: the call for that, and the same pair by pair. Of whole alignments too: they, and scores alone in the same
// arithmetic.
struct AlnsmithOptions {
  std::string generator, isa;
};
struct Ready {
  std::vector<Runner> runners;
  std::string error;
};
Ready alnsmith_ready(const Case &one, const AlnsmithOptions &options);

}  // namespace bench
