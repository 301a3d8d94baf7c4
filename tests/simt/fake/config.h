// What the fake drivers are told by environment variables; README.md lists them.
//
// A variable is looked for with the platform's name first: SIMT_FAKE_CUDA_DEVICES, then SIMT_FAKE_DEVICES.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fake {

// Which one of a kind of call fails: the n-th (from 1), or all from the n-th on; of one device or of any.
struct Failing {
  long number = 0;  // 0: none
  bool onwards = false;
  int device = -1;  // -1: counted on each device by itself
  bool hits(int on_device, long count) const {
    return number > 0 && (device < 0 || device == on_device) && (onwards ? count >= number : count == number);
  }
};

struct Config {
  int devices = 1;
  int version = 0;
  std::vector<std::string> architectures;  // "sm_90"; the last one goes for the devices that follow
  int warp = 0;                            // 0: by architecture
  std::size_t memory = std::size_t{8} << 30;
  int processors = 4;
  Failing allocation, launch, lost;
  double copy_ms_per_mb = 0;
  unsigned long seed = 0;
  int host_threads = 1;
  bool idle = false;  // kernels are not run: what a call costs beside them
  std::string cache;  // folder of compiled objects
  std::string texts;  // folder of kernel texts, where an image holds none
  std::string log;    // file to which calls are appended
  std::string text;   // all of the above, to notice a change

  const std::string &architecture(int device) const;
};

// `platform`: "CUDA" or "HIP"; the defaults are that platform's.  Unreadable values end the process with a message.
Config read_config(const std::string &platform, const std::string &architecture, int version);

}  // namespace fake
