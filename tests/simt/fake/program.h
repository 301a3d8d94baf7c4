// From the image that a program loads to a module that runs.
//
// An image may be the kernel text itself, as the fake NVRTC returns it.  A real cubin, PTX or code object holds no
// text: then the file in SIMT_FAKE_TEXTS is taken that declares the kernel which is asked for.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "config.h"
#include "simt.h"

namespace fake {

struct Function {
  const simt::Module *module = nullptr;
  simt::Module::Kernel kernel;
  std::size_t dynamic_shared = 48 * 1024;  // bytes that a launch may ask for
};

class Program {
 public:
  Program(std::string image, simt::Dialect dialect, const Config &config);
  // False with the reason in `problem`: the image is not what this device runs.  Kernels are compiled one by one, when
  // they are asked for.
  bool prepare(std::string &problem);
  Function *function(const std::string &name);  // null: there is none; throws if it does not compile

 private:
  bool is_text() const;
  std::string find_text(const std::string &name) const;

  std::string image_;
  simt::Dialect dialect_;
  const Config &config_;
  std::mutex mutex_;
  std::map<std::string, simt::Module> modules_;  // by kernel
  std::map<std::string, Function> functions_;
};

}  // namespace fake
