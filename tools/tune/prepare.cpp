// See prepare.h.
#include "tune/prepare.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/files.h"
#include "common/paths.h"
#include "common/reader.h"
#include "common/text.h"
#include "spec/canonical.h"
#include "spec/parse.h"
#include "spec_problem.h"
#include "targets/targets.h"

namespace alnsmith::tool::tune {
namespace {

namespace fs = std::filesystem;

// About 10 ms a run on one core, or of a GPU's scheduler's time.
std::uint64_t usual_cells(const std::string &target) {
  if (const targets::Cpu *row = targets::find_cpu(target))
    return row->bytes == 0 ? 4'000'000 : std::uint64_t{3'500'000} * static_cast<std::uint64_t>(row->bytes);
  return target == "opencl" ? 40'000'000 : 8'000'000'000;
}

std::string stamp_of(const fs::path &path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return {};
  return fmt::format("{} {}.{}", info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

// Sizes and times of the generator and of templates given by hand.
std::string identity_of(const Maker &maker) {
  std::string identity = stamp_of(maker.generator);
  std::error_code ignored;
  std::vector<std::string> files;
  if (!maker.templates_dir.empty())
    for (const auto &entry : fs::directory_iterator(maker.templates_dir, ignored))
      files.push_back(entry.path().filename().string() + " " + stamp_of(entry.path()));
  std::sort(files.begin(), files.end());
  for (const std::string &file : files) identity += "; " + file;
  return identity;
}

// All records; letters that are neither the alphabet's nor synonyms become the wildcard, or are an error.
Result<std::vector<std::string>> read_sequences(const std::string &path, const spec::Spec &spec,
                                                std::optional<int> most) {
  auto reader = SequenceReader::open(path, std::size_t{64} << 20);
  if (!reader) return reader.error();
  std::vector<std::string> all;
  std::size_t bytes = 0;
  for (;;) {
    tool::Record one;
    const auto more = reader->next(one);
    if (!more) return more.error();
    if (!*more) break;
    std::string letters(one.letters);
    const auto where = [&] { return fmt::format("{}: record {}", printable(path, 400), reader->records()); };
    if (letters.empty()) return Error{where() + ": has no letters"};
    if (most && letters.size() > static_cast<std::size_t>(*most))
      return Error{fmt::format("{}: has {} letters, the spec's maximum is {}", where(), letters.size(), *most)};
    for (char &letter : letters) {
      const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
      if (spec.alphabet.letters.find(upper) != std::string::npos || spec.alphabet.synonyms.contains(upper)) continue;
      if (spec.alphabet.wildcard == 0)
        return Error{fmt::format("{}: '{}' is not in the alphabet {}", where(), printable_letter(letter),
                                 spec.alphabet.letters)};
      letter = spec.alphabet.wildcard;
    }
    bytes += letters.size();
    if (bytes > (std::size_t{1} << 30))
      return Error{fmt::format("{}: more than 1 GiB of letters; give fewer", printable(path, 400))};
    all.push_back(std::move(letters));
  }
  if (all.empty()) return Error{fmt::format("{}: has no record", printable(path, 400))};
  return all;
}

Result<Workload> work_of(const JobRequest &request, const spec::Spec &spec) {
  const std::uint64_t cells = request.cells > 0 ? request.cells : usual_cells(request.target);
  if (request.query_file.empty()) return make_workload(spec, request.all, request.seed, cells);
  auto queries = read_sequences(request.query_file, spec, spec.max_query);
  if (!queries) return queries.error();
  auto targets = read_sequences(request.target_file, spec, spec.max_target);
  if (!targets) return targets.error();
  if (!request.all && queries->size() != targets->size())
    return Error{fmt::format("{} queries and {} targets do not make pairs; use --mode all, or as many of both",
                             queries->size(), targets->size())};
  return file_workload(spec, request.all, request.seed, {*std::move(queries), *std::move(targets)});
}

}  // namespace

Result<Job> make_job(const JobRequest &request, const Maker &maker, const std::string &folder) {
  const auto path = find_spec(request.spec);
  if (!path) return path.error();
  auto spec = spec::parse_file(*path);
  if (!spec) return spec.error();
  Job job;
  job.spec = *std::move(spec);
  job.hash = spec::hash(job.spec);
  job.target = request.target;
  job.generator = ALNSMITH_VERSION;
  job.identity = identity_of(maker);
  job.scoring = oracle::call_scoring(job.spec);
  auto space = make_space(job.spec, request.target, request.compilers);
  if (!space) return space.error();
  job.space = *std::move(space);
  const std::string copy = folder + "/spec.yaml";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error{fmt::format("{}: cannot be made: {}", printable(folder, 400), error.message())};
  if (auto ok = rt::write_file(copy, spec::canonical(job.spec), 0666); !ok) return ok.error();
  const Form form = request.all ? Form::shared_profile : Form::pairwise;
  auto model = model_configuration({copy, job.spec.name, job.hash}, request.target, form, job.space, maker, folder);
  if (!model) return model.error();
  job.model = *std::move(model);
  auto work = work_of(request, job.spec);
  if (!work) return work.error();
  job.work = *std::move(work);
  job.expected = expected_answers(job.spec, job.scoring, job.work.sample, job.work.all);
  return job;
}

}  // namespace alnsmith::tool::tune
