// The program alnsmith-generate, asked for plans and texts of one spec; and the cache that keeps its answers.
//
// In:  a spec's file and hash, where things may come from. Out: what the generator printed, or its error's line.
// Identity first: (generator, templates, spec, target) names a plan and, with an entry, the key of a text, so that a
// second run starts no program. sources/jit.cpp and sources/device_kernels.cpp compile the texts.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "alnsmith/alnsmith.hpp"
#include "base/cache.h"
#include "base/process.h"
#include "compile/fitting.h"
#include "kernels/manifest.h"

namespace alnsmith::rt::compile {

// A device's target as generator and file names say it: an AMD device's features do not change its kernels.
std::string text_target(const std::string &target);
// "<spec>-<first 12 of its hash>-<target>": how files of compiled kernels begin.
std::string kernels_stem(const SpecRef &spec, const std::string &target);

// What `program` prints when it is asked with these words (a subcommand, a spec's file, options) and the templates,
// tables and choice of `sources`; what it complains about is the error, exit code 2 where it was the words.
Result<std::string> ask_generator(const std::string &program, const Sources &sources, std::vector<std::string> words,
                                  const Cancelled &cancelled);

class Generator {
 public:
  // Errors say why generation is not possible: no generator, no spec file, unreadable templates.
  static Result<std::shared_ptr<Generator>> prepare(const SpecRef &spec, const Sources &sources);

  const Cache &cache() const { return cache_; }

  // `spilled`, here and below: kernels of a device that are planned narrower (compile/fitting.h).
  std::string plan_id(const std::string &target, const Spilled &spilled = {}) const;
  // The plan for `target` that the cache holds, if it does and the plan is for this spec and target.
  std::optional<kernels::Manifest> cached_plan(const std::string &target, const Spilled &spilled = {}) const;
  // The plan after asking the generator; the error is the generator's line.
  Result<kernels::Manifest> plan(const std::string &target, const Cancelled &cancelled,
                                 const Spilled &spilled = {}) const;
  // The text of one kernel. `trial_k`: with so many register letters per lane, only to be compiled (0: the plan's).
  Result<std::string> text(const std::string &target, const std::string &entry, const Cancelled &cancelled,
                           const Spilled &spilled = {}, int trial_k = 0) const;
  // The same, kept in the cache as it is.
  Result<std::string> kept_text(const std::string &target, const std::string &entry, const Cancelled &cancelled,
                                const Spilled &spilled = {}) const;

 private:
  Generator(const SpecRef &spec, const Sources &sources) : spec_(spec), sources_(sources), cache_(sources.cache_dir) {}
  Result<std::string> ask(std::vector<std::string> words, const Cancelled &cancelled) const;
  Result<kernels::Manifest> read_plan(const std::string &target, const std::string &text) const;
  // Of the table in the folder that was given, looked at once; "none" where there is none to read.
  std::string table_hash(const std::string &target) const;

  SpecRef spec_;
  Sources sources_;
  std::string program_, identity_;
  Cache cache_;
  mutable std::mutex mutex_;  // of the member below
  mutable std::map<std::string, std::string> table_hashes_;
};

}  // namespace alnsmith::rt::compile
