// What threads take at a time of a call of each with each: a group of targets with a part of the queries.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "align/query_block.h"
#include "align/target_window.h"

namespace alnsmith::rt::align {

struct TaskOfAll {
  TargetWindow::Group group;
  std::size_t first, last;  // queries of the block, without the last
};

// Enough for all threads: groups, and parts of the queries where groups are few, or where parts have so many letters
// that packing a group for each is little beside them: the more there are, the less a thread waits at the end. One
// thread takes groups whole. The longest targets first, so that the last task is short.
std::vector<TaskOfAll> tasks_of_all(std::span<const TargetWindow::Group> groups, std::span<const BlockQuery> queries,
                                    int threads);

}  // namespace alnsmith::rt::align
