// Calls that libcuda and libamdhip64 have alike, over one Driver; cuda.cpp and hip.cpp export them under their names.
#pragma once

#include "driver.h"

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace fake {

Driver &driver();  // of this library

int memory_info(std::size_t *free, std::size_t *total);
int allocate(std::uint64_t *address, std::size_t bytes);
int release(std::uint64_t address);
int host_allocate(void **address, std::size_t bytes);
int host_release(void *address);
int copy_in(std::uint64_t to, const void *from, std::size_t bytes, void *stream);
int copy_out(void *to, std::uint64_t from, std::size_t bytes, void *stream);
int stream_create(void **stream);
int stream_destroy(void *stream);
int stream_synchronize(void *stream);
int event_create(void **event);
int event_record(void *event, void *stream);
int event_synchronize(void *event);
int event_destroy(void *event);
int module_load(void **module, const void *image, std::size_t bytes, std::string &problem);  // bytes 0: a text
int module_unload(void *module);
int module_function(void **function, void *module, const char *name);
int occupancy(int *blocks, void *function, int threads, std::size_t shared_bytes);
int launch(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
           unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra);

}  // namespace fake
