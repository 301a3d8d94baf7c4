// What gpu-check uses of the runtime beside its public headers: this list and no more. Not installed, and only for
// programs that link the runtime's objects; it may change with any version.
#pragma once

#include "align/scoring.h"
#include "align/state_sets.h"
#include "base/cache.h"
#include "base/files.h"
#include "base/json_depth.h"
#include "base/process.h"
#include "compile/device_compiler.h"
#include "compile/fitting.h"
#include "compile/tools.h"
#include "device/driver/executor.h"
#include "device/schedule/slot.h"
#include "kernels/device_work.h"
#include "kernels/encode.h"
#include "kernels/manifest.h"

namespace alnsmith::internal {

// Files and programs.
using alnsmith::deeper_than;
using rt::Cache;
using rt::find_program;
using rt::read_file;
using rt::read_trusted;
using rt::run_process;
using rt::write_file;
using rt::compile::WorkFolder;

// Texts to binaries.
using rt::compile::BinaryKind;
using rt::compile::compile_device_cached;
using rt::compile::compile_fitting;
using rt::compile::CompileOptions;
using rt::compile::DeviceBinary;
using rt::compile::find_cuda_program;
using rt::compile::PlannedTexts;
using rt::compile::Spilled;
using rt::compile::with_spilled;

// What kernels say of themselves, the letters that they read, and the scoring of a call.
using rt::align::CallScoring;
using rt::align::encode_sets;
using rt::align::resolve_scoring;
using rt::align::SetLetters;
using rt::kernels::codes_as_they_are;
using rt::kernels::CodeTable;
using rt::kernels::DeviceShape;
using rt::kernels::KernelInfo;
using rt::kernels::kQuery;
using rt::kernels::kTarget;
using rt::kernels::Manifest;
using rt::kernels::parse_manifest;
using rt::kernels::Values;

// A device.
using rt::driver::Argument;
using rt::driver::DeviceKernel;
using rt::driver::DeviceQueue;
using rt::driver::Executor;
using rt::driver::Failure;
using rt::driver::kKernelArguments;
using rt::driver::Memory;
using rt::driver::open_device;
using rt::kernels::device_work;
using rt::kernels::DeviceWork;
using rt::kernels::fills;
using rt::kernels::keeps;
using rt::kernels::kWaysKept;
using rt::kernels::listed_bands;
using rt::kernels::most_blocks;
using rt::kernels::WayKept;
using rt::schedule::LetterCodes;

}  // namespace alnsmith::internal
