// See flights.hpp.
#include "device/schedule/flights.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace alnsmith::rt {
namespace {

constexpr std::size_t kMostLetters = std::size_t{1} << 28;  // of a launch; offsets are ints
constexpr std::size_t kMostBorder = std::size_t{1} << 33;   // bytes: 2^31 ints

// Numbers the sequences of one launch. Where each query meets each target most are met several times.
class Numbering {
 public:
  explicit Numbering(std::size_t known) : number_(known, -1) {}
  // Of sequence `index`; a new one is appended to `list`.
  int operator()(std::size_t index, std::string_view letters, std::vector<std::string_view> &list) {
    if (index < number_.size() && number_[index] >= 0) return number_[index];
    if (index < number_.size()) number_[index] = static_cast<int>(list.size());
    list.push_back(letters);
    return static_cast<int>(list.size()) - 1;
  }

 private:
  std::vector<int> number_;
};

}  // namespace

Flights::Flights(Device &device, Call &call, const Sequences &sequences, const Targets *targets)
    : device_(device),
      call_(call),
      sequences_(sequences),
      targets_(targets),
      choosers_{make_chooser(Form::pairs, 1 << 15), make_chooser(Form::shared, 16), make_chooser(Form::single, 16)},
      lists_(static_cast<std::size_t>(chooser(Form::pairs).levels())) {
  for (const Form form : {Form::pairs, Form::shared, Form::single})
    tallies(form).resize(static_cast<std::size_t>(chooser(form).levels()));
}

Chooser Flights::make_chooser(Form form, std::size_t entries) const {
  return {device_.manifest(), call_.scoring(), form, entries,
          [this](const KernelInfo &kernel) { return device_.possible(kernel); }};
}

// Of letters and lists, on the device and, pinned, on the host.
std::size_t Flights::list_limit() const { return std::min({limit_ / 4, kMostLetters, call_.budget() / 8}); }

std::size_t Flights::border_limit() const { return std::min(limit_ / 4, kMostBorder - 1); }

Result<const DeviceKernel *> Flights::kernel(int index) {
  const auto begin = std::chrono::steady_clock::now();
  auto kernel = device_.kernel(index, [this] { return call_.stopped(); });
  obtaining += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return kernel;
}

// Alignments that the device scores at once.
Result<std::size_t> Flights::capacity(int index, int rows) {
  if (const auto loaded = kernel(index); !loaded) return loaded.error();
  const DeviceShape &shape = info(index).device;
  return static_cast<std::size_t>(device_.blocks(index, shape.shared(rows))) *
         static_cast<std::size_t>(shape.groups() * shape.alignments());
}

Choice Flights::choose(Form form, int from, std::uint32_t query, std::uint32_t target) const {
  const std::vector<Tally> &tried = tallies(form);
  Choice choice = chooser(form).choose_from(from, query, target);
  while (choice.level >= 0 && !choice.exact && !tried[static_cast<std::size_t>(choice.level)].pays()) {
    const Choice wider = chooser(form).choose_from(choice.level + 1, query, target);
    if (wider.level < 0) break;
    choice = wider;
  }
  return choice;
}

Item Flights::make_item(std::uint64_t id) const {
  return {id, static_cast<std::uint32_t>(sequences_.query(id).size()),
          static_cast<std::uint32_t>(sequences_.target(id).size()), 0, 0};
}

// `width`: of the kernel that failed, 0 if none was tried.
void Flights::enlist(Item item, int from, int width) {
  const Choice choice = choose(Form::pairs, from, item.query, item.target);
  if (choice.level < 0) {
    promoted -= item.promoted;  // who takes it counts it
    pending.push_back({item.id, width});
    return;
  }
  promoted += width > 0 && !item.promoted;
  item.promoted |= width > 0;
  item.tried = !choice.exact;
  lists_[static_cast<std::size_t>(choice.level)].push_back(item);
}

Status Flights::add(const Block &block) {
  if (block.kind == Block::Kind::rows) return add_rows(block);
  const auto put = [&](std::uint64_t id) {
    const Item item = make_item(id);
    if (item.query > 0 && item.target > 0) enlist(item, 0, 0);
  };
  for (std::uint64_t id = block.begin; id < block.end; ++id) put(id);
  for (const Pending &p : block.list) put(p.id);
  return plan_lists();
}

Status Flights::again(Flight flight) {
  if (!flight.tiled()) {
    auto &list = lists_[static_cast<std::size_t>(flight.level)];
    list.insert(list.end(), flight.items.begin(), flight.items.end());
    return plan_lists();
  }
  if (!tiles_) {
    std::vector<Pending> ids;
    abandon(flight, ids);
    for (const Flight &other : ready)
      if (other.tiled()) abandon(other, ids);
    std::erase_if(ready, [](const Flight &other) { return other.tiled(); });
    for (const Pending &p : ids) enlist(make_item(p.id), 0, 0);
    return plan_lists();
  }
  const std::size_t middle = flight.begin + (flight.end - flight.begin) / 2;
  Flight second = flight;
  second.begin = flight.end = middle;
  ready.push_front(std::move(second));
  if (flight.begin < flight.end) ready.push_front(std::move(flight));
  return Ok{};
}

void Flights::promote(const Flight &flight, Item item) {
  int from = flight.level + 1;
  const Chooser &pairs = chooser(Form::pairs);
  if (flight.tiled())  // on to the pairs' kernels of wider levels
    for (from = 0; from < pairs.levels() && info(pairs.kernel(from)).level <= info(flight).level;) ++from;
  enlist(item, from, info(flight).width);
}

Result<bool> Flights::plan_promoted() {
  if (auto ok = plan_lists(); !ok) return ok.error();
  return !ready.empty();
}

void Flights::learn(const Flight &flight, std::uint64_t tried, std::uint64_t flagged) {
  Tally &tally = tallies(flight.form)[static_cast<std::size_t>(flight.level)];
  tally.tried += tried;
  tally.flagged += flagged;
  if (flight.tiled()) ranges_tile_ = SIZE_MAX;
}

std::size_t Flights::abreast(const Flight &flight) const { return static_cast<std::size_t>(info(flight).queries()); }

Item Flights::item(const Flight &flight, std::size_t alignment) const {
  const std::size_t abreast = this->abreast(flight);
  const Tile &tile = targets_->tiles()[flight.tile];
  const std::size_t target = tile.first + tile.order[flight.begin + alignment / abreast];
  const std::uint32_t query = flight.queries[std::min(alignment % abreast, flight.queries.size() - 1)];
  return make_item(std::uint64_t{query} * sequences_.targets.size() + target);
}

bool Flights::exact(const Flight &flight, const Item &item) const {
  if (flight.tiled()) return flight.exact || chooser(flight.form).exact(flight.level, item.query, item.target);
  return !item.tried;
}

Status Flights::plan_lists() {
  for (int level = 0; level < chooser(Form::pairs).levels(); ++level) {
    std::map<int, std::vector<Item>> by_kernel;
    for (const Item &item : std::exchange(lists_[static_cast<std::size_t>(level)], {}))
      by_kernel[chooser(Form::pairs).kernel(level, item.query, item.target)].push_back(item);
    for (auto &[kernel, items] : by_kernel)
      if (auto ok = cut(kernel, level, items); !ok) {
        auto &list = lists_[static_cast<std::size_t>(level)];
        for (const auto &[other, rest] : by_kernel)
          if (other >= kernel) list.insert(list.end(), rest.begin(), rest.end());
        return ok;
      }
  }
  return Ok{};
}

// A flight fills the device four times over, unless its letters and lists need too much memory before.
Status Flights::cut(int kernel, int level, std::vector<Item> &items) {
  const KernelInfo &own = info(kernel);
  const auto at_once = capacity(kernel, 0);
  if (!at_once) return at_once.error();
  const auto needs = [](const Item &item) { return item.query + item.target + Slot::list_bytes(1, 1, 1); };
  // What needs more than all of the memory is the CPU's.
  std::erase_if(items, [&](const Item &item) {
    const bool fits =
        needs(item) <= list_limit() && Slot::border_bytes(own, 1, static_cast<int>(item.target)) <= border_limit();
    if (fits) return false;
    promoted -= item.promoted;
    pending.push_back({item.id, 0});
    return true;
  });
  make_batches(items, own.device.alignments(), own.device.p * own.k, true);
  const std::size_t most = std::max<std::size_t>(4 * *at_once, 1 << 14);
  for (std::size_t at = 0; at < items.size();) {
    std::size_t end = at, bytes = 0;
    while (end < items.size() && end - at < most && bytes + needs(items[end]) <= list_limit())
      bytes += needs(items[end++]);
    Flight flight;
    flight.kernel = kernel;
    flight.level = level;
    flight.items.assign(items.begin() + static_cast<std::ptrdiff_t>(at),
                        items.begin() + static_cast<std::ptrdiff_t>(end));
    ready.push_back(std::move(flight));
    at = end;
  }
  items.clear();
  return Ok{};
}

// A register holds a query each for its alignments, or the last one alone with a target each, as long as its one level
// holds most scores.
Form Flights::form_for(std::size_t queries) const {
  const std::vector<Tally> &single = tallies(Form::single);
  return queries == 1 && !single.empty() && single[0].pays() ? Form::single : Form::shared;
}

// A tile that does not fill the device once goes pair by pair, many queries in a launch.
Result<bool> Flights::worth_tiling(const Tile &tile, std::size_t queries) {
  const Chooser &tiled = chooser(form_for(queries));
  if (!tiles_ || tiled.levels() == 0) return false;
  const auto at_once = capacity(tiled.kernel(0), 0);
  if (!at_once) return at_once.error();
  return tile.order.size() >= *at_once;
}

Status Flights::add_rows(const Block &block) {
  std::vector<std::uint32_t> queries;
  for (std::uint64_t q = block.begin; q < block.end; ++q)
    if (!sequences_.queries[q].empty()) queries.push_back(static_cast<std::uint32_t>(q));
  const Tile &tile = targets_->tiles()[block.tile];
  const auto tiled = worth_tiling(tile, queries.size());
  if (!tiled) return tiled.error();
  if (!*tiled) {
    for (std::uint32_t q : queries)
      for (std::uint32_t t : tile.order)
        enlist(make_item(std::uint64_t{q} * sequences_.targets.size() + tile.first + t), 0, 0);
    return plan_lists();
  }
  const auto length = [&](std::uint32_t q) { return sequences_.queries[q].size(); };
  std::stable_sort(queries.begin(), queries.end(), [&](auto a, auto b) { return length(a) > length(b); });
  const Form form = form_for(queries.size());
  const std::size_t packing = static_cast<std::size_t>(info(chooser(form).kernel(0)).device.packing);
  for (std::size_t at = 0; at < queries.size(); at += packing) {
    const std::size_t end = std::min(at + packing, queries.size());
    if (auto ok = add_tiled(block.tile, {queries.begin() + static_cast<std::ptrdiff_t>(at),
                                         queries.begin() + static_cast<std::ptrdiff_t>(end)});
        !ok)
      return ok;
  }
  return plan_lists();
}

// Places of a tile that take the same kernel with queries of these lengths.
const std::vector<Flights::Range> &Flights::ranges(Form form, std::size_t tile_index, std::uint32_t longest,
                                                   std::uint32_t shortest) {
  if (ranges_form_ == form && ranges_tile_ == tile_index && ranges_of_ == std::pair(longest, shortest)) return ranges_;
  ranges_form_ = form;
  ranges_tile_ = tile_index;
  ranges_of_ = {longest, shortest};
  ranges_.clear();
  const Tile &tile = targets_->tiles()[tile_index];
  std::uint32_t last = 0;
  for (std::size_t place = 0; place < tile.order.size(); ++place) {
    const auto target = static_cast<std::uint32_t>(targets_->target(tile, static_cast<std::uint32_t>(place)).size());
    if (place > 0 && target == last) {
      ++ranges_.back().end;
      continue;
    }
    last = target;
    Choice choice = choose(form, 0, longest, target);
    int kernel = choice.level < 0 ? -1 : chooser(form).kernel(choice.level, longest, target);
    if (kernel >= 0) choice.exact = choice.exact && chooser(form).exact(choice.level, shortest, target);
    if (kernel >= 0 && !choice.exact && !info(kernel).checked) kernel = -1;
    const bool same =
        !ranges_.empty() && ranges_.back().kernel == kernel && ranges_.back().choice.exact == choice.exact;
    if (same)
      ++ranges_.back().end;
    else
      ranges_.push_back({place, place + 1, choice, kernel});
  }
  return ranges_;
}

Status Flights::add_tiled(std::size_t tile, std::vector<std::uint32_t> queries) {
  const auto length = [&](std::uint32_t q) { return static_cast<std::uint32_t>(sequences_.queries[q].size()); };
  const Form form = form_for(queries.size());
  const std::vector<Range> list = ranges(form, tile, length(queries.front()), length(queries.back()));
  for (const Range &range : list) {
    Flight flight;
    flight.form = form;
    flight.kernel = range.kernel;
    flight.level = range.choice.level;
    flight.exact = range.choice.exact;
    flight.tile = tile;
    flight.begin = range.begin;
    flight.end = range.end;
    if (range.kernel >= 0 && info(range.kernel).device.packing < static_cast<int>(queries.size())) {
      // A wider kernel of this form takes them one by one.
      for (std::uint32_t q : queries)
        if (auto ok = add_flights(flight, {q}); !ok) return ok;
      continue;
    }
    if (auto ok = add_flights(flight, queries); !ok) return ok;
  }
  return Ok{};
}

// The flight with these queries, in parts that memory holds.
Status Flights::add_flights(Flight flight, std::vector<std::uint32_t> queries) {
  const Tile &tile = targets_->tiles()[flight.tile];
  const auto longest = static_cast<int>(targets_->target(tile, static_cast<std::uint32_t>(flight.end - 1)).size());
  const bool fits = flight.kernel >= 0 && Slot::border_bytes(info(flight.kernel), 1, longest) <= border_limit() &&
                    sequences_.queries[queries.front()].size() * 2 <= list_limit() / 2;
  if (!fits) {
    for (std::uint32_t q : queries)
      for (std::size_t place = flight.begin; place < flight.end; ++place)
        enlist(make_item(std::uint64_t{q} * sequences_.targets.size() + tile.first + tile.order[place]), 0, 0);
    return Ok{};
  }
  if (const auto loaded = kernel(flight.kernel); !loaded) return loaded.error();
  const std::size_t most = std::max<std::size_t>(list_limit() / 2 / (Slot::list_bytes(0, 0, 1) * abreast(flight)), 1);
  flight.queries = std::move(queries);
  const std::size_t end = flight.end;
  for (std::size_t at = flight.begin; at < end; at += most) {
    flight.begin = at;
    flight.end = std::min(at + most, end);
    ready.push_back(flight);
  }
  return Ok{};
}

Result<Launch> Flights::launch(const Flight &flight, const OnDevice *resident) {
  const KernelInfo &own = info(flight);
  const DeviceShape &shape = own.device;
  Launch launch;
  launch.info = &own;
  const auto loaded = kernel(flight.kernel);
  if (!loaded) return loaded.error();
  launch.kernel = *loaded;
  std::uint32_t rows = 0;
  if (flight.tiled()) {
    launch.resident = resident;
    for (std::uint32_t q : flight.queries) launch.queries.push_back(sequences_.queries[q]);
    const int last = static_cast<int>(launch.queries.size()) - 1;
    for (std::size_t place = flight.begin; place < flight.end; ++place)
      for (int half = 0; half < static_cast<int>(abreast(flight)); ++half) {
        launch.pair_query.push_back(std::min(half, last));
        launch.pair_target.push_back(static_cast<int>(place));
      }
    const Tile &tile = targets_->tiles()[flight.tile];
    rows = static_cast<std::uint32_t>(targets_->target(tile, static_cast<std::uint32_t>(flight.end - 1)).size());
  } else {
    Numbering query(sequences_.all ? sequences_.queries.size() : 0);
    Numbering target(sequences_.all ? sequences_.targets.size() : 0);
    const std::size_t columns = sequences_.targets.size();
    for (const Item &item : flight.items) {
      launch.pair_query.push_back(query(item.id / columns, sequences_.query(item.id), launch.queries));
      launch.pair_target.push_back(target(item.id % columns, sequences_.target(item.id), launch.targets));
      rows = std::max<std::uint32_t>(rows, item.target);
    }
  }
  launch.border_rows = static_cast<int>(rows);
  const std::size_t work = static_cast<std::size_t>(shape.alignments()) * static_cast<std::size_t>(shape.groups());
  const std::size_t needed = (launch.pair_query.size() + work - 1) / work;
  const std::size_t border = std::max<std::size_t>(Slot::border_bytes(own, 1, launch.border_rows), 1);
  launch.blocks = static_cast<int>(std::max<std::size_t>(
      1, std::min({needed, border_limit() / border,
                   static_cast<std::size_t>(device_.blocks(flight.kernel, shape.shared(launch.border_rows)))})));
  return launch;
}

void Flights::abandon(const Flight &flight, std::vector<Pending> &out) const {
  for (const Item &item : flight.items) out.push_back({item.id, 0});
  if (!flight.tiled()) return;
  const Tile &tile = targets_->tiles()[flight.tile];
  for (std::uint32_t q : flight.queries)
    for (std::size_t place = flight.begin; place < flight.end; ++place)
      out.push_back({std::uint64_t{q} * sequences_.targets.size() + tile.first + tile.order[place], 0});
}

void Flights::abandon(std::vector<Pending> &out) {
  for (const Flight &flight : ready) abandon(flight, out);
  for (const auto &list : lists_)
    for (const Item &item : list) out.push_back({item.id, 0});
  ready.clear();
  for (auto &list : lists_) list.clear();
}

}  // namespace alnsmith::rt
