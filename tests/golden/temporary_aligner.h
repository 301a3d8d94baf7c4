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

// A folder of its own under the system's temporary folder, removed with its content.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace golden
