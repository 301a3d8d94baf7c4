// Candidates' kernels: generated and compiled once each, kept in builds/ of a job's folder.
//
// In:  configurations. Out: for each where its kernels lie, or why there are none. Configurations that differ in what
//      reaches neither generator nor compiler share a build. Without a maker only what is there already is found.
// Each build's folder has a build.json with the hashes of the files that are loaded from it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tune/job.h"

namespace alnsmith::tool::tune {

struct Build {
  Invalidity invalidity = Invalidity::correct;
  std::string reason;
  double generation = 0, compilation = 0;                       // seconds
  std::vector<std::string> kernels;                             // entries
  std::map<std::string, std::map<std::string, double>> limits;  // by entry, by core or device: GCUPS
  std::string compiler;
  std::string folder;
};

struct Maker {
  std::string generator, templates_dir;
  int jobs = 1;
  double timeout = 120;  // seconds, of one program
};

class Builder {
 public:
  // `job` and `maker` must outlive it; the folder holds the job.
  Builder(const Job &job, std::string folder, const Maker *maker)
      : job_(job), folder_(std::move(folder)), maker_(maker) {}

  // One for each configuration, in their order. An error only where the folder cannot be written, holds what may not be
  // loaded, or on an interrupt.
  Result<std::vector<Build>> make(std::span<const Configuration> configurations) const;
  const std::string &folder() const { return folder_; }

 private:
  Result<Build> make_one(const Configuration &configuration) const;
  std::string place_of(const Configuration &configuration) const;

  const Job &job_;
  std::string folder_;
  const Maker *maker_;
};

// What the planner takes without tables: the configuration, with those of the space's parameters that it decides.
Result<Configuration> model_configuration(const SpecRef &spec, const std::string &target, Form form, const Space &space,
                                          const Maker &maker, const std::string &work_folder);

}  // namespace alnsmith::tool::tune
