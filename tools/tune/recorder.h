// The result file of a run: lines appended and on disk when a group ends, so that a killed run loses its group at most.
//
// One run at a time holds a file (a lock). A torn last line of a killed run is cut off when the file is opened.
#pragma once

#include <string>
#include <vector>

#include "tune/record.h"

namespace alnsmith::tool::tune {

class Recorder {
 public:
  // `resume`: go on with a file that is there; without it such a file is an error.
  static Result<Recorder> open(const std::string &path, bool resume);
  Recorder(Recorder &&other) noexcept;
  Recorder &operator=(Recorder &&) = delete;
  ~Recorder();

  const std::vector<Record> &records() const { return records_; }  // of earlier runs and of this one
  const std::string &path() const { return path_; }
  Status append(const std::vector<Record> &records);

 private:
  Recorder(int fd, std::string path, std::vector<Record> records)
      : fd_(fd), path_(std::move(path)), records_(std::move(records)) {}
  int fd_ = -1;
  bool made_ = false;  // the file is new: it goes again if nothing comes of it
  std::string path_;
  std::vector<Record> records_;
};

}  // namespace alnsmith::tool::tune
