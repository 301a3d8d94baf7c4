// See split.h.
#include "align/split.h"

#include <algorithm>
#include <numeric>

#include "align/core_costs.h"
#include "align/pack_planes.h"
#include "align/shape.h"
#include "align/way_back.h"

namespace alnsmith::rt::align {
namespace {

// Time of a row of a patch on the way back, relative to a row that stores no codes. Measured on Zen 5
// (docs/performance.md).
constexpr double kPatchRow = 2.5;

// Mapping `striped`, in the time of one of its own vectors of cells: the overhead of a row per lane (gaps may go round
// through all lanes); making a vector of the profile, per letter; and the overhead of a pair (measured as above).
constexpr double kStripedRow = 0.22, kProfile = 1, kStripedPair = 2000;

// The overhead of a row, in columns: what lanes pass on to each other, and the chain of dependences through a row.
// Measured on Zen 5, as is kTrial.
constexpr double kRowColumns = 4.3;
// How far a pair's band is expected to reach to either side: letters at least, and as a part of the query's length.
constexpr double kLeastBand = 64, kBandPart = 1.0 / 16;
// The band's time with the trial that comes before it, relative to the band alone.
constexpr double kTrial = 1.17;

// The width of a kernel's vectors relative to the widest of the manifest: kernels of a narrower target may stand
// beside others (sources/strips_beside.h).
double vector_share(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel) {
  return std::min(1.0, static_cast<double>(kernel.lanes * kernel.width) / manifest.widest_vector);
}
// The time of a row of this tile relative to a row of the widest one, with which the costs were measured.
double row_share(const kernels::KernelInfo &kernel, double widest) {
  return (kernel.k + kRowColumns) / (widest + kRowColumns);
}

// The rows of all stages, `stage_rows` each; rows on the way back count by the time that they take. The way back goes
// through all rows once, and in each stage from the last lane to the first, whose rows lag by the skew; on average half
// a patch more than needed runs again.
double rows_run(const kernels::KernelInfo &kernel, std::size_t query, double target, double stage_rows) {
  const double stages = static_cast<double>(split_stages(kernel, query));
  const double rows = stages * stage_rows;
  if (kernel.way_back.patch_rows == 0) return rows;
  return rows +
         kPatchRow * (target + stages * (kernel.split.skew * (kernel.lanes - 1.0) + kernel.way_back.patch_rows / 2.0));
}

// The stripes of a query's last stage are only as long as they have to be.
double striped_vectors(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel, std::size_t query,
                       double target) {
  const auto lanes = static_cast<std::size_t>(kernel.lanes), letters = lanes * static_cast<std::size_t>(kernel.k);
  const double vectors =
      static_cast<double>(query / letters * static_cast<std::size_t>(kernel.k) + (query % letters + lanes - 1) / lanes);
  return target * (vectors + static_cast<double>(split_stages(kernel, query)) * kStripedRow * kernel.lanes) +
         kProfile * static_cast<double>(manifest.letters.size()) * vectors + kStripedPair;
}

double strips_cost(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel, std::size_t query,
                   double target, double stage_rows) {
  const CoreCosts &core = core_costs();
  const double widest = manifest.widest_tile;
  const double answer = manifest.free_target_end && !manifest.local ? core.answer_row * split_rows(kernel, target) : 0;
  const double share = vector_share(manifest, kernel);
  const double stage = (share < 1 ? core.half_stage : core.stage) * kernel.k / widest;
  return share * (split_work(manifest, kernel) * rows_run(kernel, query, target, stage_rows) *
                      row_share(kernel, widest) * widest +
                  answer) +
         stage * static_cast<double>(split_stages(kernel, query));
}

// What a column of a bit-sliced stage takes besides its rows, in vectors of cells of 8 bits: shifts from lane to lane,
// and what is handed on. Measured on a Xeon with AVX-512 (docs/performance.md).
constexpr double kColumnShifts = 7;
// How many rows a lane must have for a stage of its own, and so a thread, to be worth it.
constexpr std::size_t kRowsOfThread = 4;

double sliced_cost(const kernels::KernelInfo &kernel, std::size_t query, double target) {
  const std::size_t stages = split_stages(kernel, query);
  double rows = 0;
  for (std::size_t stage = 0; stage < stages; ++stage)
    rows += static_cast<double>(share_of_stage(kernel, query, stages, stage).rows);
  return split_rows(kernel, target) * (kernel.work / 100.0 * rows + kColumnShifts * static_cast<double>(stages)) +
         core_costs().stage * static_cast<double>(stages);
}

// Rows times columns of a batch that takes milliseconds: below that it is not worth waking threads for its pairs.
constexpr double kWorthSharing = 1e6;

double cells(const Item &item) { return static_cast<double>(item.query) * item.target; }

// An upper bound on how many pairs of a batch can be worth aligning alone, without asking for each pair, which would
// slow short reads down. Each takes at least what the smallest pair would, and the rest of the batch at least what a
// batch of the smallest pair takes.
std::size_t most_that_pay(std::span<const Item> part, const Sides &sides, const kernels::KernelInfo &lanes,
                          const std::function<double(const Item &)> &cost) {
  Item least = part[0];
  least.query = lanes.query_in_registers ? sides.least_registers : sides.least_stream;
  least.target = lanes.query_in_registers ? sides.least_stream : sides.least_registers;
  const double vector = lanes.work / 100.0, one = cost(least), size = static_cast<double>(part.size());
  const double together = static_cast<double>(sides.registers) * sides.stream * vector,
               box = static_cast<double>(sides.least_registers) * sides.least_stream * vector;
  if (size * one < together) return part.size();
  return static_cast<std::size_t>(std::min(size, (together - box) / one));
}

// Moves up to `most` pairs that are possible alone to the front, the longest first; the others follow in their order.
// Returns how many were moved.
std::size_t longest_first(std::span<Item> part, std::size_t most, const std::function<bool(const Item &)> &possible) {
  std::vector<std::uint32_t> heap(part.size());
  std::iota(heap.begin(), heap.end(), 0u);
  const auto after = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(cells(part[a]), b) < std::pair(cells(part[b]), a);
  };
  std::ranges::make_heap(heap, after);
  std::vector<std::uint8_t> taken(part.size());
  std::vector<Item> order;
  for (auto end = heap.end(); end != heap.begin() && order.size() < most; --end) {
    std::pop_heap(heap.begin(), end, after);
    const std::uint32_t at = *(end - 1);
    if (!possible(part[at])) continue;
    taken[at] = 1;
    order.push_back(part[at]);
  }
  const std::size_t count = order.size();
  for (std::size_t i = 0; i < part.size(); ++i)
    if (!taken[i]) order.push_back(part[i]);
  std::ranges::copy(order, part.begin());
  return count;
}

}  // namespace

double split_cost(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel, std::size_t query,
                  double target) {
  if (kernel.sliced()) return sliced_cost(kernel, query, target);
  if (kernel.split.stripes) return split_work(manifest, kernel) * striped_vectors(manifest, kernel, query, target);
  return strips_cost(manifest, kernel, query, target, split_rows(kernel, target));
}

double band_cost(const kernels::Manifest &manifest, const kernels::KernelInfo &kernel, std::size_t query,
                 double target) {
  const double reach = std::max(kLeastBand, kBandPart * static_cast<double>(query));
  const double rows = std::min(target, static_cast<double>(kernel.lanes * kernel.k) + 2 * reach);
  return kTrial * kBandRow * strips_cost(manifest, kernel, query, target, split_rows(kernel, rows));
}

std::size_t split_stages(const kernels::KernelInfo &kernel, std::size_t query, std::size_t threads) {
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes), stage = lanes * static_cast<std::size_t>(kernel.k);
  const std::size_t least = (query + stage - 1) / stage;
  if (!kernel.sliced()) return least;
  // The same number for each thread: of seven stages on two threads, one thread would run four.
  const std::size_t shared = (least + threads - 1) / threads * threads;
  return std::max(least, std::min(shared, query / (lanes * kRowsOfThread)));
}

// A stage begins once the last lane of the stage before it is at work.
std::size_t useful_threads(const kernels::KernelInfo &kernel, std::size_t target, std::size_t threads) {
  if (!kernel.sliced()) return threads;
  return std::min(threads, 1 + target / static_cast<std::size_t>(std::max(1, kernel.split.skew * kernel.lanes)));
}

Share share_of_stage(const kernels::KernelInfo &kernel, std::size_t query, std::size_t stages, std::size_t stage) {
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  const std::size_t first = query * stage / stages, letters = query * (stage + 1) / stages - first;
  return {first, letters, (letters + lanes - 1) / lanes};
}

double split_rows(const kernels::KernelInfo &kernel, double target) {
  return target + kernel.split.skew * (kernel.lanes - 1.0);
}

std::vector<std::uint32_t> split_off(std::vector<Item> &items, std::vector<Batch> &batches,
                                     const kernels::KernelInfo &lanes,
                                     const std::function<double(const Item &)> &cost_alone, bool always,
                                     const std::function<bool(const Item &)> &possible,
                                     const std::function<bool(std::size_t, std::size_t)> &fits, int threads) {
  std::vector<std::uint32_t> alone;
  std::vector<double> costs;
  const auto area = [](const Batch &batch) { return static_cast<double>(batch.sides.registers) * batch.sides.stream; };
  double areas = 0;
  for (const Batch &batch : batches) areas += area(batch);
  for (Batch &batch : batches) {
    const auto part = std::span(items).subspan(batch.begin, batch.count);
    const double own = area(batch), waiting = std::min<double>(threads, batch.count) * own - areas;
    const double share = own > kWorthSharing && waiting > 0 ? own / (own + waiting) : 1;
    const auto cost = [&](const Item &item) { return share * cost_alone(item); };
    const bool all = always || !fits(batch.sides.registers, batch.sides.stream);
    std::size_t most = all ? part.size() : most_that_pay(part, batch.sides, lanes, cost);
    if (most == 0) continue;
    most = longest_first(part, most, possible);
    // Of all ways to send the first n pairs off, the cheapest.
    Sides stay = sides_of(part.subspan(most), lanes.query_in_registers);
    const auto together = [&] { return lanes.work / 100.0 * stay.registers * stay.stream; };
    const auto alike = [](const Item &a, const Item &b) { return a.query == b.query && a.target == b.target; };
    costs.resize(most);
    for (std::size_t n = 0; n < most; ++n)
      costs[n] = n > 0 && alike(part[n - 1], part[n]) ? costs[n - 1] : cost(part[n]);
    double gone = std::accumulate(costs.begin(), costs.end(), 0.0);
    double least = gone + together();
    for (std::size_t n = all ? 0 : most; n-- > 0;) {
      gone -= costs[n];
      stay.add(part[n], lanes.query_in_registers);
      if (gone + together() <= least) {
        least = gone + together();
        most = n;
      }
    }
    std::rotate(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(most), part.end());
    batch.count -= static_cast<std::uint32_t>(most);
    batch.sides = sides_of(part.first(batch.count), lanes.query_in_registers);
    for (std::uint32_t i = 0; i < most; ++i) alone.push_back(batch.begin + batch.count + i);
  }
  std::erase_if(batches, [](const Batch &batch) { return batch.count == 0; });
  return alone;
}

std::size_t split_need(const kernels::KernelInfo &kernel, std::size_t query, std::size_t target, std::size_t allowed,
                       std::optional<std::size_t> band) {
  const std::size_t count = split_stages(kernel, query);
  const std::size_t cigar = kernel.outputs.contains(Output::cigar) ? sizeof(int) * cigar_room(query, target) : 0;
  std::size_t kept = 0;
  if (kernel.way_back.patch_rows > 0 && band) {
    // Of a band all stages are kept; a stage's rows, and those by which the one before begins earlier.
    const std::size_t apart = std::max(query, target) - std::min(query, target);
    const std::size_t columns = static_cast<std::size_t>(kernel.lanes * kernel.k);
    kept = kept_bytes(kernel, count, std::min(target, 2 * (columns + *band) + apart + 2));
  } else if (kernel.way_back.patch_rows > 0) {
    kept = kept_stages(kernel, query, target, allowed).bytes;
  }
  // A bit-sliced kernel's planes, and where they are packed; the last row of each stage may have few letters.
  const std::size_t lanes = static_cast<std::size_t>(kernel.lanes);
  const std::size_t planes = kernel.sliced() ? (query + lanes - 1) / lanes * kernel.letter_bits.size() * lanes / 8 +
                                                   plane_room(static_cast<std::size_t>(kernel.k))
                                             : 0;
  return query + target + planes + 2 * kernel.scratch_fixed + split_border(kernel, target) + kept + cigar +
         count * stage_bytes(kernel) + 4096;
}

std::size_t stage_bytes(const kernels::KernelInfo &kernel) {
  const std::size_t row = kernel.letter_bits.size() * static_cast<std::size_t>(kernel.lanes) / 8;
  return sizeof(int) * kOutputCount + 64 + 1 + (kernel.sliced() ? row : 0);
}

}  // namespace alnsmith::rt::align
