// What the two halves of the SeqAn2 peer, scores and whole alignments, share.
#pragma once

#include <memory>

#include "peer.h"

struct SeqanTask {
  virtual ~SeqanTask() = default;
  virtual void run(const peer_results &results) const = 0;
};

// Whole alignments: the forms of a task as peer_variant tells them, and one made ready; null where it cannot be.
const char *seqan_path_variant(const peer_task &task, int index);
std::unique_ptr<SeqanTask> seqan_paths(const peer_task &task, const peer_batch &batch, int index);
