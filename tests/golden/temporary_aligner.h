// An Aligner for a spec that exists only as text: the text becomes a file for as long as the aligner lives.
#pragma once

#include <alnsmith/alnsmith.hpp>
#include <memory>
#include <string>

namespace golden {

class TemporaryAligner {
 public:
  // `yaml` is parsed for its name and hash, written to a temporary file, and opened with `sources`.
  static alnsmith::Result<TemporaryAligner> open(const std::string &yaml, const alnsmith::Sources &sources,
                                                 const alnsmith::Options &options);
  // The same for a spec that is a file already.
  static alnsmith::Result<TemporaryAligner> open_file(const std::string &path, const alnsmith::Sources &sources,
                                                      const alnsmith::Options &options);
  const alnsmith::Aligner &operator*() const { return aligner_; }
  const alnsmith::Aligner *operator->() const { return &aligner_; }

 private:
  TemporaryAligner(std::shared_ptr<void> file, alnsmith::Aligner aligner)
      : file_(std::move(file)), aligner_(std::move(aligner)) {}
  std::shared_ptr<void> file_;  // removes the file
  alnsmith::Aligner aligner_;
};

// Tests of devices are skipped where there is none.
bool has_opencl_device();

}  // namespace golden
