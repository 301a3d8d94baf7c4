// Runs one kernel of a text on the first OpenCL device, through the runtime's executor; it has no LLVM of its own.
//
//   opencl_runner TEXT ENTRY BLOCKS THREADS SHARED_BYTES ARGUMENTS
//
// ARGUMENTS is a file as in opencl_runner.h; arrays marked `out` are written back into it. Exit status 77: no device.
#include "opencl_runner.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "device/driver/executor.h"

namespace {

using namespace alnsmith;
using opencl_runner::Header;

struct Array {
  Header header;
  std::unique_ptr<rt::driver::Memory> host, device;
};

Status run(rt::driver::Executor &device, const std::string &text, const std::string &entry, int blocks, int threads,
           std::size_t shared_bytes, const char *file) {
  auto kernel = device.load(text, entry);
  if (!kernel) return kernel.error();
  std::vector<Array> arrays;
  std::vector<rt::driver::Argument> arguments;
  auto queue = device.queue();
  if (!queue) return queue.error();
  std::ifstream in(file, std::ios::binary);
  for (Header h; in.read(reinterpret_cast<char *>(&h), sizeof h);) {
    arrays.push_back({h, nullptr, nullptr});
    Array &a = arrays.back();
    if (h.bytes > 0) {
      const auto bytes = static_cast<std::size_t>(h.bytes);
      auto host = device.allocate_pinned(bytes), memory = device.allocate(bytes);
      if (!host || !memory) return host ? memory.error() : host.error();
      a.host = *std::move(host);
      a.device = *std::move(memory);
      in.read(static_cast<char *>(a.host->host()), h.bytes);
      if (auto ok = (*queue)->copy_in(*a.device, 0, *a.host, 0, bytes); !ok) return ok;
    }
    arguments.push_back({a.device.get(), 0, h.number, h.is_number});
  }
  if (auto ok = (*queue)->launch(**kernel, blocks, threads, shared_bytes, arguments); !ok) return ok;
  for (Array &a : arrays)
    if (a.header.out && a.host)
      if (auto ok = (*queue)->copy_out(*a.host, 0, *a.device, 0, a.host->size()); !ok) return ok;
  if (auto ok = (*queue)->finish(); !ok) return ok;
  std::ofstream out(file, std::ios::binary);
  for (const Array &a : arrays) {
    out.write(reinterpret_cast<const char *>(&a.header), sizeof a.header);
    if (a.host) out.write(static_cast<const char *>(a.host->host()), a.header.bytes);
  }
  return Ok{};
}

}  // namespace

int main(int count, char **words) {
  if (count != 7) return 2;
  auto device = rt::driver::open_device("opencl:0");
  if (!device) {
    std::fprintf(stderr, "%s\n", device.error().message.c_str());
    return 77;
  }
  std::ostringstream text;
  text << std::ifstream(words[1]).rdbuf();
  const Status status = run(**device, text.str(), words[2], std::atoi(words[3]), std::atoi(words[4]),
                            static_cast<std::size_t>(std::atoll(words[5])), words[6]);
  if (status) return 0;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return 1;
}
