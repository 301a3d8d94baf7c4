// Long pairs, one at a time: kernels of form `split`, whose lanes share an alignment (strip_abi.h), and when they pay.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "align/band.hpp"
#include "align/batch.hpp"
#include "align/call.hpp"
#include "alnsmith/strip_abi.h"

namespace alnsmith::rt {

// Moves the pairs that are faster alone to the end of each batch's part of `items`, and takes them out of `batches`
// into the result, as indices. `possible(item)`: a split kernel holds the pair; `split`: the one that most would take;
// `work`: of its vectors of cells, by those of `lanes`.
std::vector<std::uint32_t> split_off(std::vector<Item> &items, std::vector<Batch> &batches, const KernelInfo &lanes,
                                     const KernelInfo &split, double work,
                                     const std::function<bool(const Item &)> &possible);

// Stages of a query, and rows that one of them runs.
std::size_t split_stages(const KernelInfo &kernel, std::size_t query);
double split_rows(const KernelInfo &kernel, std::size_t target);

// Bytes of memory for a pair. `allowed`: as of kept_stages (way_back.hpp).
std::size_t split_need(const KernelInfo &kernel, std::size_t query, std::size_t target, std::size_t allowed);

// One pair: its stages are taken in turn by those who call work(), in any number of threads; and again while go_back()
// says so.
//
// Where the alignment is global, its first stage tells how alike the sequences are. If a band is likely to do
// (band.hpp), each stage runs its rows alone, one thread behind another's back being of no use, and where the band's
// score does not prove that it did, once more as wide as that score asks for.
//
// Where begins are asked for, the border left of each stage and its states are kept, of all stages or of the last
// section; then the way goes back through them. Of the other sections the first border alone is kept, and their stages
// run once more, up to the row that the way has come to.
class SplitPair {
 public:
  // The views are read until the end. False where a letter is outside the alphabet: the call is told.
  bool start(Call &call, int kernel, std::string_view query, std::string_view target, std::size_t allowed);
  void work();
  // After all work(): goes back through what was kept; whether there is more to run.
  bool go_back();
  // Then: whether the result is exact; whether it took a band alone; its columns, at place 0.
  bool exact() const { return exact_; }
  bool banded() const { return width_.has_value(); }
  KernelResults stored() const;
  // Bytes that it holds on to, whatever the pair.
  std::size_t held() const {
    return border_.size() + kept_borders_.size() + section_borders_.size() + states_.size() + bases_.size();
  }

 private:
  void lay_out(int rows);
  void keep(int stages, int rows);
  void prepare(int first, int end, int rows);
  void run_whole();
  bool run_band(__int128 score);
  __int128 expected_score() const;
  void merge();
  bool walk(int stage);
  bool walks() const { return kept_ > 0; }
  aln_strip_args_v1 of_stage(int stage);
  int *border(int stage, int first_row);
  Band::Rows rows_of(int stage) const;
  int columns() const;
  int first_row_left(int stage) const;
  int &result(Output output) { return result_[index_of(output)]; }

  Call *call_ = nullptr;
  int kernel_ = 0, stages_ = 0;
  int query_length_ = 0, target_length_ = 0;
  int rows_ = 0, columns_ = 0;  // of the target and the query, up to which stages run
  std::vector<std::uint8_t> query_, target_, status_;
  std::optional<Band> band_;
  std::optional<std::size_t> width_;  // of the band that runs
  bool probing_ = false;
  std::size_t allowed_ = 0;
  std::atomic<bool> taken_{false};  // a band's stages, by one thread
  // Stages of a section, 0 where there is no way back; the stages to run, and the first one that is kept.
  int kept_ = 0, end_ = 0, first_kept_ = 0;
  // Borders: the one that stages hand on in place; of stages that are kept; left of each section.
  Buffer border_, kept_borders_, section_borders_, states_, bases_;
  std::size_t border_bytes_ = 0, patches_ = 0;
  int border_rows_ = 0;
  // By stage; a cache line each, so that cores that wait do not disturb each other.
  struct alignas(64) Progress {
    int rows = 0, of_window = 0;
  };
  std::vector<Progress> progress_;
  std::array<std::vector<int>, kOutputCount> results_;  // by stage
  std::array<int, kOutputCount> result_{};
  std::array<int, ALN_WALK_COUNT> walk_{};
  std::vector<int> runs_;  // of the CIGAR, from its end to its begin
  int run_count_ = 0;
  std::atomic<int> next_{0};
  bool exact_ = true, merged_ = false;
};

}  // namespace alnsmith::rt
