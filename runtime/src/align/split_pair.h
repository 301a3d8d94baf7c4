// One long pair, all lanes of a vector on it: its stages, bands, and the way back (strip_abi.h).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "align/band.h"
#include "align/call.h"
#include "align/way_back.h"
#include "alnsmith/strip_abi.h"

namespace alnsmith::rt::align {

// One pair: its stages are taken in turn by those who call work(), in any number of threads; and again while go_on()
// says so.
//
// Where the spec has a band, each stage runs its rows of it, by one thread, and that is all. Else, where the alignment
// is global, its first stage tells how alike the sequences are. If a band is likely to do (band.h), each stage runs
// its rows of the band alone, and where the band's score does not prove that it did, once more as wide as that score
// asks for. One thread runs a band: nearly all that a stage needs comes from the end of the one before it.
//
// Where begins are asked for, the border left of each stage and its states are kept, of all stages or of the last
// section; then the way goes back through them. Of the other sections the first border alone is kept, and their stages
// run once more, up to the row that the way has come to.
class SplitPair {
 public:
  // Kernels of one arithmetic: for all of the matrix, and where a band is tried, until that does not do.
  struct Kernels {
    int whole, band;
  };
  // Letters of a query from which on a band may be tried with this kernel.
  static std::size_t least_for_band(const kernels::KernelInfo &kernel);
  // The band that is tried with this kernel, if one is.
  static std::optional<Band> band_to_try(const Call &call, const kernels::KernelInfo &kernel, std::size_t query,
                                         std::size_t target);

  // The views are read until the end. `allowed`: as of kept_stages (way_back.h); `threads` call work(). False where a
  // letter is outside the alphabet: the call is told.
  bool start(Call &call, Kernels kernels, std::string_view query, std::string_view target, std::size_t allowed,
             std::size_t threads);
  void work();
  // After all work(): takes the next step, and says whether there is more to run.
  bool go_on();
  // Then: which kernel it took; whether the result is exact; whether it took a band alone; its columns, at place 0.
  const kernels::KernelInfo &kernel() const { return info(); }
  bool exact() const { return exact_; }
  bool banded() const { return width_.has_value() && !given_; }
  KernelResults stored() const;
  // Rows of its stages that were run, those run again as often.
  std::int64_t rows_run() const { return rows_run_; }
  // Bytes that it holds on to, whatever the pair.
  std::size_t held() const;

 private:
  void use(int kernel);
  // What runs next: the first stage, a band that this score proves to do (false: it does not pay), or all of it.
  void probe();
  bool run_band(__int128 score);
  void run_given();
  void run_whole();
  __int128 expected_score() const;

  void lay_out(int border_rows, int kept);
  void prepare(int first, int end, int rows);
  void share_out();
  void merge();
  bool go_back();
  bool walk(int stage);

  const kernels::KernelInfo &info() const { return call_->info(kernel_); }
  int stage_columns() const { return info().lanes * info().k; }
  bool finds_begins() const { return info().way_back.patch_rows > 0; }
  bool keeps() const { return kept_ > 0; }
  Band::Rows rows_of(int stage) const;
  int most_rows() const;  // of a stage of the band that runs, from where the stage before begins
  int first_row_left(int stage) const;
  int *border(int stage, int first_row);
  aln_strip_args_v1 of_stage(int stage);
  int &result(Output output) { return result_[index_of(output)]; }

  Call *call_ = nullptr;
  Kernels kernels_{};
  int kernel_ = 0, stages_ = 0;  // in use
  std::size_t allowed_ = 0;
  int query_length_ = 0, target_length_ = 0;
  int run_rows_ = 0, run_columns_ = 0;  // of the target and the query, up to which stages run
  std::vector<std::uint8_t> query_, target_, status_;
  // Of a bit-sliced kernel, by stage: what its `query_length` says (strip_abi.h), and where its planes begin.
  std::string_view query_text_;
  std::vector<std::array<int, 4>> shares_;
  std::vector<std::size_t> planes_at_;
  Buffer planes_, pack_room_;
  std::optional<Band> band_;
  std::optional<std::size_t> width_;  // of the band that runs
  bool given_ = false;                // by the spec: no score has to prove anything
  bool probing_ = false;
  std::size_t threads_ = 1;
  KeptForWayBack whole_;            // what is kept where all of it runs: nothing where no begins are asked for
  std::atomic<bool> taken_{false};  // a band's stages, by one thread
  // Stages of a section, 0 where there is no way back; the stages to run, and the first one that is kept.
  int kept_ = 0, end_ = 0, first_kept_ = 0;
  // Borders: the one that stages hand on in place; left of each section; and of its other stages that are kept, with
  // their states.
  enum { handed_on, of_sections, kept_borders, states, bases, buffer_count };
  std::array<Buffer, buffer_count> memory_;
  Buffer scratch_;  // of the way back
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
  std::atomic<std::int64_t> rows_run_{0};
  bool exact_ = true, merged_ = false;
};

}  // namespace alnsmith::rt::align
