// The C interface over the C++ one.  See alnsmith.h.
#include <cstring>
#include <exception>
#include <string>

#include "alnsmith/alnsmith.h"
#include "alnsmith/alnsmith.hpp"
#include "base/isa.h"

struct alnsmith_aligner {
  alnsmith::Aligner aligner;
  std::string gap;
};
struct alnsmith_cigars {
  alnsmith::Cigars kept;
};
struct alnsmith_prepared {
  alnsmith::Prepared targets;
};

namespace {

using namespace alnsmith;

thread_local std::string last_error;

int fail(const Error &error) {
  last_error = error.message;
  return error.exit_code ? error.exit_code : 1;
}

// No exception crosses into C.
template <class F>
int guarded(F &&f) {
  try {
    return f();
  } catch (const std::exception &e) {
    last_error = e.what();
  } catch (...) {
    last_error = "unexpected";
  }
  return 1;
}

std::string text(const char *p) { return p ? p : ""; }

// The fields that the caller's struct has; the others keep their defaults.
template <class T>
T complete(const T *given, T defaults) {
  if (given) std::memcpy(&defaults, given, std::min(given->size, sizeof(T)));
  return defaults;
}

Result<Options> options_of(const alnsmith_options *given) {
  const alnsmith_options c = complete(given, alnsmith_options_default());
  Options options;
  if (c.isa) {
    auto isa = rt::host_isa("isa", c.isa);
    if (!isa) return isa.error();
    options.isa = *isa;
  }
  options.threads = c.threads;
  options.memory_bytes = c.memory_bytes;
  for (std::size_t i = 0; i < c.scoring_count; ++i)
    options.scoring.values[text(c.scoring_names[i])] = c.scoring_values[i];
  if (c.matrix) options.scoring.matrix.assign(c.matrix, c.matrix + c.matrix_count);
  if (c.progress) options.progress = [c](std::uint64_t n) { c.progress(c.context, n); };
  if (c.cancelled) options.cancelled = [c] { return c.cancelled(c.context) != 0; };
  for (std::size_t i = 0; i < c.device_count; ++i) options.devices.push_back(text(c.devices[i]));
  options.device_memory_bytes = c.device_memory_bytes;
  return options;
}

int keep(Result<Aligner> opened, alnsmith_aligner **out) {
  if (!opened) return fail(opened.error());
  std::string gap = opened->gap_formula();
  *out = new alnsmith_aligner{*std::move(opened), std::move(gap)};
  return 0;
}

// `sources` with the caller's fields in place of its own where those are set.
Sources sources_of(const alnsmith_sources *given, Sources sources) {
  const alnsmith_sources c = complete(given, alnsmith_sources{});
  const auto set = [](std::string &field, const char *value) {
    if (value) field = value;
  };
  set(sources.cache_dir, c.cache_dir);
  set(sources.generator, c.generator);
  set(sources.compiler, c.compiler);
  set(sources.templates_dir, c.templates_dir);
  set(sources.tuned_dir, c.tuned_dir);
  set(sources.choice, c.choice);
  set(sources.program, c.program);
  if (c.kernel_dir_count > 0) sources.kernel_dirs.clear();
  for (std::size_t i = 0; i < c.kernel_dir_count; ++i) sources.kernel_dirs.push_back(text(c.kernel_dirs[i]));
  sources.only_kernel_dirs = c.only_kernel_dirs != 0;
  return sources;
}

std::vector<std::string_view> views(const alnsmith_text *texts, std::size_t n) {
  std::vector<std::string_view> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = {texts[i].letters, texts[i].length};
  return result;
}

Columns columns_of(const alnsmith_columns *given, std::size_t values) {
  const alnsmith_columns c = complete(given, alnsmith_columns{});
  Columns columns;
#define ALNSMITH_COLUMN(Y, type, name, key, words) \
  if (c.name) columns.set(Output::name, {c.name, values});
  ALN_OUTPUTS(ALNSMITH_COLUMN, )
#undef ALNSMITH_COLUMN
  if (c.cigars) columns.set(c.cigars->kept);
  return columns;
}

Selection selection_of(const int32_t *worst) {
  Selection selection;
  if (worst) selection.worst = *worst;
  return selection;
}

StreamSink::Function function_of(alnsmith_sink sink, void *user) {
  return [sink, user](const ResultBlock &results) -> Result<Next> {
    if (!sink) return Error{"no sink", 2};
    std::vector<std::uint64_t> query(results.size()), target(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) query[i] = results.query(i), target[i] = results.target(i);
    alnsmith_block block{};
    block.count = results.size();
    block.query = query.data();
    block.target = target.data();
#define ALNSMITH_COLUMN(Y, type, name, key, words) \
  block.name = results[Output::name].empty() ? nullptr : results[Output::name].data();
    ALN_OUTPUTS(ALNSMITH_COLUMN, )
#undef ALNSMITH_COLUMN
    static constexpr std::uint32_t no_run = 0;  // where nothing is aligned, the address of something
    if (!results.cigar_ends.empty()) {
      block.cigar = results.runs.empty() ? &no_run : results.runs.data();
      block.cigar_end = results.cigar_ends.data();
    }
    const int said = sink(user, &block);
    if (said == 0) return Next::more;
    if (said == ALNSMITH_STOP) return Next::stop;
    return Error{"the sink returned " + std::to_string(said), said};
  };
}

template <class Align>
int call(const alnsmith_aligner *aligner, const alnsmith_options *given, alnsmith_report *report, Align &&align) {
  return guarded([&] {
    if (!aligner) return fail({"no aligner", 2});
    const auto options = options_of(given);
    if (!options) return fail(options.error());
    const Result<Report> done = align(*options);
    if (!done) return fail(done.error());
    if (report) *report = {done->pairs, done->cells, done->promoted, done->seconds, done->banded};
    const alnsmith_options own = complete(given, alnsmith_options{});
    for (const std::string &line : done->warnings)
      if (own.note) own.note(own.context, line.c_str());
    return 0;
  });
}

template <class Align>
int call_prepared(const alnsmith_aligner *aligner, const alnsmith_prepared *targets, const alnsmith_options *given,
                  alnsmith_report *report, Align &&align) {
  if (!targets) return fail({"no prepared targets: call alnsmith_prepare first", 2});
  return call(aligner, given, report, std::forward<Align>(align));
}

// What the best targets of each query are wanted for, and where they go.
struct TopOrder {
  std::size_t most;
  const std::int32_t *worst;
  std::size_t *found;
  std::uint64_t *hits;
  const alnsmith_columns *columns;
};

template <class Targets>
Result<Report> top(const alnsmith_aligner &aligner, const std::vector<std::string_view> &queries,
                   const Targets &targets, const TopOrder &order, const Options &options) {
  const std::size_t most = order.most;
  if (most < 1) return Error{"most is 0: ask for one hit at least", 2};
  const Columns wanted = columns_of(order.columns, queries.size() * most);
  Cigars *const cigars = wanted.cigars();
  Selection selection = selection_of(order.worst);
  selection.outputs = wanted.wanted();
  selection.outputs.add(Output::score);
  TopSink best(most, selection);
  if (cigars) cigars->reset(queries.size() * most);
  auto done = aligner.aligner.align_all(queries, targets, best, options);
  for (std::size_t q = 0; done && q < queries.size(); ++q) {
    const std::vector<Hit> list = best.hits(q);
    order.found[q] = list.size();
    for (std::size_t i = 0; i < list.size(); ++i) {
      order.hits[q * most + i] = list[i].target;
      for (const OutputInfo &info : kOutputs)
        if (const auto column = wanted[info.output]; !column.empty()) column[q * most + i] = list[i][info.output];
      if (cigars) cigars->set(q * most + i, list[i].cigar);
    }
  }
  return done;
}

int give_lines(const std::vector<std::string> &lines, alnsmith_line_sink line, void *user) {
  if (!line) return fail({"no function for lines", 2});
  for (const std::string &text : lines) line(user, text.c_str());
  return 0;
}

}  // namespace

const char *alnsmith_version(void) { return ALNSMITH_VERSION; }
const char *alnsmith_last_error(void) { return last_error.c_str(); }

alnsmith_options alnsmith_options_default(void) {
  alnsmith_options options{};
  options.size = sizeof options;
  options.memory_bytes = Options{}.memory_bytes;
  return options;
}

int alnsmith_open_file(const char *path, const alnsmith_options *given, alnsmith_aligner **aligner) {
  return guarded([&] {
    *aligner = nullptr;
    const auto options = options_of(given);
    if (!options) return fail(options.error());
    return keep(Aligner::open_file(text(path), *options), aligner);
  });
}

int alnsmith_open(const char *spec_path, const char *spec_name, const char *spec_hash, const alnsmith_sources *given,
                  const alnsmith_options *given_options, alnsmith_aligner **aligner) {
  return guarded([&] {
    *aligner = nullptr;
    const auto options = options_of(given_options);
    if (!options) return fail(options.error());
    return keep(Aligner::open({text(spec_path), text(spec_name), text(spec_hash)}, sources_of(given, {}), *options),
                aligner);
  });
}

int alnsmith_open_spec(const char *name_or_file, const alnsmith_sources *given, const alnsmith_options *given_options,
                       alnsmith_aligner **aligner) {
  return guarded([&] {
    *aligner = nullptr;
    const auto options = options_of(given_options);
    if (!options) return fail(options.error());
    return keep(Aligner::open(text(name_or_file), sources_of(given, installed_sources()), *options), aligner);
  });
}

int alnsmith_open_linked(const alnsmith_linked_kernels *kernels, const alnsmith_options *given,
                         alnsmith_aligner **aligner) {
  return guarded([&] {
    *aligner = nullptr;
    if (!kernels) return fail({"no kernels", 2});
    const auto options = options_of(given);
    if (!options) return fail(options.error());
    return keep(Aligner::open_linked(*kernels, *options), aligner);
  });
}

void alnsmith_close(alnsmith_aligner *aligner) { delete aligner; }

int alnsmith_align_pairs(const alnsmith_aligner *aligner, const alnsmith_text *queries, const alnsmith_text *targets,
                         size_t count, const alnsmith_columns *columns, const alnsmith_options *options,
                         alnsmith_report *report) {
  return call(aligner, options, report, [&](const Options &o) {
    return aligner->aligner.align_pairs(views(queries, count), views(targets, count), columns_of(columns, count), o);
  });
}

int alnsmith_align_all(const alnsmith_aligner *aligner, const alnsmith_text *queries, size_t query_count,
                       const alnsmith_text *targets, size_t target_count, const alnsmith_columns *columns,
                       const alnsmith_options *options, alnsmith_report *report) {
  return call(aligner, options, report, [&](const Options &o) {
    return aligner->aligner.align_all(views(queries, query_count), views(targets, target_count),
                                      columns_of(columns, query_count * target_count), o);
  });
}

int alnsmith_stream_pairs(const alnsmith_aligner *aligner, const alnsmith_text *queries, const alnsmith_text *targets,
                          size_t count, const int32_t *worst, alnsmith_sink sink, void *user,
                          const alnsmith_options *options, alnsmith_report *report) {
  return call(aligner, options, report, [&](const Options &o) {
    StreamSink stream(function_of(sink, user), selection_of(worst));
    return aligner->aligner.align_pairs(views(queries, count), views(targets, count), stream, o);
  });
}

int alnsmith_stream_all(const alnsmith_aligner *aligner, const alnsmith_text *queries, size_t query_count,
                        const alnsmith_text *targets, size_t target_count, const int32_t *worst, alnsmith_sink sink,
                        void *user, const alnsmith_options *options, alnsmith_report *report) {
  return call(aligner, options, report, [&](const Options &o) {
    StreamSink stream(function_of(sink, user), selection_of(worst));
    return aligner->aligner.align_all(views(queries, query_count), views(targets, target_count), stream, o);
  });
}

int alnsmith_top(const alnsmith_aligner *aligner, const alnsmith_text *queries, size_t query_count,
                 const alnsmith_text *targets, size_t target_count, size_t most, const int32_t *worst, size_t *found,
                 uint64_t *hits, const alnsmith_columns *columns, const alnsmith_options *options,
                 alnsmith_report *report) {
  return call(aligner, options, report, [&](const Options &o) {
    return top(*aligner, views(queries, query_count), views(targets, target_count), {most, worst, found, hits, columns},
               o);
  });
}

int alnsmith_prepare(const alnsmith_aligner *aligner, const alnsmith_text *targets, size_t target_count,
                     const alnsmith_options *given, alnsmith_prepared **prepared) {
  return guarded([&] {
    *prepared = nullptr;
    if (!aligner) return fail({"no aligner", 2});
    const auto options = options_of(given);
    if (!options) return fail(options.error());
    auto made = aligner->aligner.prepare(views(targets, target_count), *options);
    if (!made) return fail(made.error());
    *prepared = new alnsmith_prepared{*std::move(made)};
    return 0;
  });
}

void alnsmith_free_prepared(alnsmith_prepared *prepared) { delete prepared; }

int alnsmith_align_prepared(const alnsmith_aligner *aligner, const alnsmith_text *queries, size_t query_count,
                            const alnsmith_prepared *targets, const alnsmith_columns *columns,
                            const alnsmith_options *options, alnsmith_report *report) {
  return call_prepared(aligner, targets, options, report, [&](const Options &o) {
    return aligner->aligner.align_all(views(queries, query_count), targets->targets,
                                      columns_of(columns, query_count * targets->targets.size()), o);
  });
}

int alnsmith_stream_prepared(const alnsmith_aligner *aligner, const alnsmith_text *queries, size_t query_count,
                             const alnsmith_prepared *targets, const int32_t *worst, alnsmith_sink sink, void *user,
                             const alnsmith_options *options, alnsmith_report *report) {
  return call_prepared(aligner, targets, options, report, [&](const Options &o) {
    StreamSink stream(function_of(sink, user), selection_of(worst));
    return aligner->aligner.align_all(views(queries, query_count), targets->targets, stream, o);
  });
}

int alnsmith_top_prepared(const alnsmith_aligner *aligner, const alnsmith_text *queries, size_t query_count,
                          const alnsmith_prepared *targets, size_t most, const int32_t *worst, size_t *found,
                          uint64_t *hits, const alnsmith_columns *columns, const alnsmith_options *options,
                          alnsmith_report *report) {
  return call_prepared(aligner, targets, options, report, [&](const Options &o) {
    return top(*aligner, views(queries, query_count), targets->targets, {most, worst, found, hits, columns}, o);
  });
}

int alnsmith_cigars_new(alnsmith_cigars **cigars) {
  return guarded([&] {
    if (!cigars) return fail({"nowhere to put the handle", 2});
    *cigars = new alnsmith_cigars;
    return 0;
  });
}

void alnsmith_cigars_free(alnsmith_cigars *cigars) { delete cigars; }

size_t alnsmith_cigar(const alnsmith_cigars *cigars, size_t pair, const uint32_t **runs) {
  if (runs) *runs = nullptr;
  if (!cigars || pair >= cigars->kept.size()) return 0;
  const auto cigar = cigars->kept[pair];
  if (runs) *runs = cigar.data();
  return cigar.size();
}

int alnsmith_has_output(const alnsmith_aligner *aligner, const char *name) {
  if (name && kCigar.name == name) return aligner->aligner.outputs().contains(Output::cigar);
  for (const OutputInfo &info : kOutputs)
    if (name && info.name == name) return aligner->aligner.outputs().contains(info.output);
  return 0;
}

const char *alnsmith_target(const alnsmith_aligner *aligner) { return aligner->aligner.target().data(); }
const char *alnsmith_manifest(const alnsmith_aligner *aligner) { return aligner->aligner.manifest().c_str(); }
const char *alnsmith_gap_formula(const alnsmith_aligner *aligner) { return aligner->gap.c_str(); }

size_t alnsmith_first_invalid_letter(const alnsmith_aligner *aligner, alnsmith_text query) {
  return aligner->aligner.first_invalid_letter({query.letters, query.length}).value_or(SIZE_MAX);
}

int alnsmith_warnings(const alnsmith_aligner *aligner, alnsmith_line_sink line, void *user) {
  return guarded([&] { return give_lines(aligner->aligner.warnings(), line, user); });
}

int alnsmith_memory(const alnsmith_aligner *aligner, alnsmith_line_sink line, void *user) {
  return guarded([&] { return give_lines(aligner->aligner.memory(), line, user); });
}

int alnsmith_provenance(const alnsmith_aligner *aligner, alnsmith_line_sink line, void *user) {
  return guarded([&] { return give_lines(aligner->aligner.provenance(), line, user); });
}
