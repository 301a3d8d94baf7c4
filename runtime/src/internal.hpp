// What gpu-check uses of the runtime beside its public headers: this list and no more. Not installed, and only for
// programs that link the runtime's objects; it may change with any version.
#pragma once

#include "align/scoring.hpp"
#include "base/cache.hpp"
#include "base/files.hpp"
#include "base/json_depth.hpp"
#include "base/process.hpp"
#include "compile/device_compiler.hpp"
#include "compile/fitting.hpp"
#include "compile/tools.hpp"
#include "device/driver/executor.hpp"
#include "kernels/device_work.hpp"
#include "kernels/encode.hpp"
#include "kernels/manifest.hpp"

namespace alnsmith::internal {

// Files and programs.
using alnsmith::deeper_than;
using rt::Cache;
using rt::find_program;
using rt::read_file;
using rt::read_trusted;
using rt::run_process;
using rt::WorkFolder;
using rt::write_file;

// Texts to binaries.
using rt::BinaryKind;
using rt::compile_device_cached;
using rt::compile_fitting;
using rt::CompileOptions;
using rt::DeviceBinary;
using rt::find_cuda_program;
using rt::PlannedTexts;
using rt::Spilled;
using rt::with_spilled;

// What kernels say of themselves, the letters that they read, and the scoring of a call.
using rt::CallScoring;
using rt::CodeTable;
using rt::DeviceShape;
using rt::encode;
using rt::Form;
using rt::KernelInfo;
using rt::kFormNames;
using rt::kQuery;
using rt::kTarget;
using rt::Manifest;
using rt::parse_manifest;
using rt::resolve_scoring;
using rt::Values;

// A device.
using rt::Argument;
using rt::device_work;
using rt::DeviceKernel;
using rt::DeviceQueue;
using rt::DeviceWork;
using rt::Executor;
using rt::Failure;
using rt::keeps;
using rt::kKernelArguments;
using rt::kWaysKept;
using rt::Memory;
using rt::open_device;
using rt::WayKept;

}  // namespace alnsmith::internal
