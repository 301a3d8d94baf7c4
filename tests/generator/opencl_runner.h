// The file between test_device_opencl and opencl_runner: for each kernel argument a header and the array's bytes.
#pragma once

namespace opencl_runner {

struct Header {
  bool is_number, out;
  int number, bytes;  // of the array; 0: a null pointer
};

}  // namespace opencl_runner
