// See generator.h.
#include "compile/generator.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/process.h"
#include "compile/compiler.h"
#include "compile/tuned.h"

namespace alnsmith::rt::compile {
namespace {

namespace fs = std::filesystem;

// SHA-256 over names and contents of all files below, sorted.
Result<std::string> folder_hash(const std::string &folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file()) files.push_back(at->path());
  if (error) return Error{folder + ": cannot read the folder: " + error.message()};
  std::sort(files.begin(), files.end());
  std::string list;
  for (const fs::path &file : files) {
    auto bytes = read_file(file.string());
    if (!bytes) return bytes.error();
    list += fs::relative(file, folder, error).string() + "\n" + sha256_hex(*bytes) + "\n";
  }
  return sha256_hex(list);
}

}  // namespace

std::string text_target(const std::string &target) {
  return target.starts_with("hip:") ? target.substr(0, target.find(':', 4)) : target;
}

std::string kernels_stem(const SpecRef &spec, const std::string &target) {
  std::string file_target = target;
  std::replace(file_target.begin(), file_target.end(), ':', '-');
  return spec.name + "-" + spec.hash.substr(0, 12) + "-" + file_target;
}

Result<std::string> ask_generator(const std::string &program, const Sources &sources, std::vector<std::string> words,
                                  const Cancelled &cancelled) {
  // A spec whose name looks like an option is a file all the same.
  if (words.size() > 1 && words[1].starts_with('-')) words[1].insert(0, "./");
  words.insert(words.begin(), program);
  if (!sources.templates_dir.empty()) words.insert(words.end(), {"--templates", sources.templates_dir});
  if (!sources.tuned_dir.empty()) words.insert(words.end(), {"--tuned", sources.tuned_dir});
  if (!sources.choice.empty()) words.insert(words.end(), {"--choice", sources.choice});
  auto result = run_process(words, cancelled);
  if (!result) return result.error();
  if (result->exit_code == 0) return std::move(result->out);
  std::string line = result->err.substr(0, result->err.find('\n'));
  if (line.empty()) line = program + " ended with exit code " + std::to_string(result->exit_code);
  return Error{line, result->exit_code == 2 ? 2 : 1};
}

Result<std::shared_ptr<Generator>> Generator::prepare(const SpecRef &spec, const Sources &sources) {
  if (sources.generator.empty()) return Error{"no generation: no alnsmith-generate is named (Sources::generator)"};
  if (spec.path.empty()) return Error{"no generation: no spec file is named (SpecRef::path)"};
  std::shared_ptr<Generator> made(new Generator(spec, sources));
  made->program_ = find_program(sources.generator);
  if (made->program_.empty()) return Error{"no generation: " + sources.generator + " is no program"};
  const auto text = read_file(spec.path);
  if (!text) return text.error();
  std::string templates = "own";
  if (!sources.templates_dir.empty()) {
    auto hash = folder_hash(sources.templates_dir);
    if (!hash) return hash.error();
    templates = *hash;
  }
  std::string tuned = "own";  // else plan_id has the target's table: the generator reads no other
  if (!sources.tuned_dir.empty()) {
    std::error_code error;
    fs::directory_iterator(sources.tuned_dir, error);
    if (error) return Error{sources.tuned_dir + ": cannot read the folder: " + error.message()};
    tuned = "folder";
  }
  made->identity_ = "alnsmith 2\n" + file_identity(made->program_) + "\n" + templates + "\n" + tuned + "\n" +
                    sources.choice + "\n" + cpu_class() + "\n" + spec.hash + "\n" + sha256_hex(*text);
  return made;
}

Result<std::string> Generator::ask(std::vector<std::string> words, const Cancelled &cancelled) const {
  words.insert(words.end(), {"--cpu", cpu_class()});
  return ask_generator(program_, sources_, std::move(words), cancelled);
}

std::string Generator::table_hash(const std::string &target) const {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = table_hashes_.try_emplace(target, "none");
  // One that cannot be read is the generator's to refuse.
  if (const auto bytes = is_new ? read_file(tuned_table(sources_.tuned_dir, target), std::size_t{1} << 20)
                                : Result<std::string>(Error{}))
    at->second = sha256_hex(*bytes);
  return at->second;
}

std::string Generator::plan_id(const std::string &target, const Spilled &spilled) const {
  std::string key = identity_ + "\n" + target;
  if (!sources_.tuned_dir.empty()) key += "\n" + table_hash(target);
  for (const std::string &entry : spilled) key += "\n" + entry;
  return sha256_hex(key);
}

Result<kernels::Manifest> Generator::read_plan(const std::string &target, const std::string &text) const {
  auto manifest = kernels::parse_manifest(text);
  if (!manifest) return Error{program_ + ": " + manifest.error().message};
  if (manifest->target_name != target || (!spec_.hash.empty() && manifest->spec_hash != spec_.hash))
    return Error{program_ + ": the plan is for another spec or target; rebuild the generator"};
  return manifest;
}

std::optional<kernels::Manifest> Generator::cached_plan(const std::string &target, const Spilled &spilled) const {
  const auto text = cache_.load("plan-" + plan_id(target, spilled));
  if (!text) return std::nullopt;
  auto manifest = read_plan(target, *text);
  if (!manifest) return std::nullopt;
  return *std::move(manifest);
}

Result<kernels::Manifest> Generator::plan(const std::string &target, const Cancelled &cancelled,
                                          const Spilled &spilled) const {
  auto text = ask(with_spilled({"plan", spec_.path, "--target", target}, spilled), cancelled);
  if (!text) return text.error();
  while (!text->empty() && text->back() == '\n') text->pop_back();
  auto manifest = read_plan(target, *text);
  // A plan that cannot be kept is asked for again.
  if (manifest)
    if (auto kept = cache_.store("plan-" + plan_id(target, spilled), *text); !kept) return manifest;
  return manifest;
}

Result<std::string> Generator::text(const std::string &target, const std::string &entry, const Cancelled &cancelled,
                                    const Spilled &spilled, int trial_k) const {
  if (cache_.folder().empty()) return Error{cache_.note()};
  const std::string path = temporary_beside(cache_.path("x"));
  std::vector<std::string> words{"text", spec_.path, "--target", target, "--kernel", entry, "-o", path};
  if (trial_k > 0) words.insert(words.end(), {"--trial-k", std::to_string(trial_k)});
  auto said = ask(with_spilled(std::move(words), spilled), cancelled);
  auto text = said ? read_file(path) : Result<std::string>(said.error());
  ::unlink(path.c_str());
  return text;
}

Result<std::string> Generator::kept_text(const std::string &target, const std::string &entry,
                                         const Cancelled &cancelled, const Spilled &spilled) const {
  const std::string name = "source-" + sha256_hex(plan_id(target, spilled) + "\n" + entry);
  if (auto kept = cache_.load(name)) return *std::move(kept);
  auto made = text(target, entry, cancelled, spilled);
  if (made)
    if (auto kept = cache_.store(name, *made); !kept) return made;
  return made;
}

}  // namespace alnsmith::rt::compile
