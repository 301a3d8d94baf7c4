// A batch call from its arguments to its report, on the CPU or on devices.
#pragma once

#include <optional>
#include <span>

#include "align/align.h"
#include "alnsmith/alnsmith.hpp"
#include "device/schedule/schedule.h"
#include "sources/cpu_kernels.h"

namespace alnsmith::rt {

// `standing`: the scoring given at open. `targets`: prepared for devices, or null. `columns`: the targets, where they
// are not letters. Errors: what is wrong with the arguments, the first invalid letter, what sink and kernels say.
Result<Report> run_call(sources::CpuKernels &source, const Scoring &standing, const schedule::DeviceSet &devices,
                        align::Sequences sequences, ResultSink &sink, const Options &options,
                        schedule::Targets *targets, std::optional<std::span<const StateColumns>> columns = {});

}  // namespace alnsmith::rt
