// See disassemble.h.
#include "disassemble.h"

namespace alnsmith::check {

Result<models::Listing> disassemble(const internal::DeviceBinary &binary) {
  const bool amd = binary.kind == internal::BinaryKind::code_object;
  if (!amd && binary.kind != internal::BinaryKind::cubin)
    return Error{"only cubins and code objects hold machine code"};
  std::string program;
  if (amd) {
    for (int version = 22; version >= 19 && program.empty(); --version)
      program = internal::find_program("llvm-objdump-" + std::to_string(version));
    if (program.empty()) return Error{"no llvm-objdump-22 to llvm-objdump-19: run tools/setup hip"};
  } else {
    program = internal::find_cuda_program("nvdisasm");
    if (program.empty()) return Error{"no nvdisasm: run tools/setup cuda"};
  }
  const internal::WorkFolder folder;
  const std::string file = folder.file("kernel");
  if (auto ok = internal::write_file(file, binary.bytes); !ok) return ok.error();
  const auto run = internal::run_process(amd ? std::vector<std::string>{program, "-d", "--symbolize-operands", file}
                                             : std::vector<std::string>{program, "-c", file},
                                         {});
  if (!run) return run.error();
  if (run->exit_code != 0) return Error{program + " failed: " + run->err};
  return amd ? models::read_amd(run->out) : models::read_sass(run->out);
}

}  // namespace alnsmith::check
