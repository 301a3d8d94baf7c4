// The extension module alnsmith._core: what the package's Python calls of the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "aligner.h"
#include "alnsmith/devices.hpp"
#include "alnsmith/version.h"
#include "call.h"
#include "reader.h"
#include "results.h"
#include "search.h"
#include "sequences.h"

#define ALN_TEXT_OF(x) #x
#define ALN_TEXT(x) ALN_TEXT_OF(x)

namespace {

namespace nb = nanobind;

nb::dict described(const alnsmith::DeviceInfo &device) {
  nb::dict out;
  out["id"] = device.id;
  out["name"] = device.name;
  out["target"] = device.target;
  out["memory"] = device.memory;
  out["free_memory"] = device.free_memory;
  return out;
}

nb::list devices() {
  nb::list out;
  const auto cpu = alnsmith::cpu_device();
  if (!cpu) alnsmith::python::raise(cpu.error());
  out.append(described(*cpu));
  for (const alnsmith::PlatformReport &platform : alnsmith::list_devices())
    for (const alnsmith::DeviceInfo &device : platform.devices) out.append(described(device));
  return out;
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace alnsmith::python;
  module.doc() = "The library behind the package alnsmith; its interface is the package's own.";
  nb::set_leak_warnings(false);  // threads that still align when the interpreter ends hold on to what they use
  watch_forks();
  module.def("end_calls", &end_calls, "Ends the calls of other threads; when the interpreter ends.");
  bind_sequences(module);
  bind_results(module);
  bind_aligner(module);
  bind_reader(module);
  bind_search(module);
  module.attr("__version__") =
      ALN_TEXT(ALNSMITH_VERSION_MAJOR) "." ALN_TEXT(ALNSMITH_VERSION_MINOR) "." ALN_TEXT(ALNSMITH_VERSION_PATCH);
  module.def("program", [] { return alnsmith::installed_sources().program; }, "Path of the program alnsmith, or \"\".");
  module.def("devices", &devices, nb::sig("def devices() -> list[dict[str, typing.Any]]"),
             "What calls can run on, a dict each.");
}
