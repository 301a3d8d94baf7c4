// See calls.h.  Each call is counted on the current device and fails once that is lost.
#include "calls.h"

#include <cstring>
#include <stdexcept>

namespace fake {
namespace {

// Runs `body(device)` on the current device, or returns why there is none.
template <class Body>
int on_device(Body body) {
  int code = OK;
  Device *const device = driver().current(code);
  return device ? body(*device) : code;
}

}  // namespace

int memory_info(std::size_t *free, std::size_t *total) {
  return on_device([&](Device &device) {
    *free = device.free_memory();
    *total = device.memory();
    return OK;
  });
}

int allocate(std::uint64_t *address, std::size_t bytes) {
  return on_device([&](Device &device) { return device.allocate(address, bytes); });
}

int release(std::uint64_t address) {
  return on_device([&](Device &device) { return device.release(address); });
}

int host_allocate(void **address, std::size_t bytes) {
  return on_device([&](Device &) { return driver().host_allocate(address, bytes); });
}

int host_release(void *address) { return driver().host_release(address); }

int copy_in(std::uint64_t to, const void *from, std::size_t bytes, void *stream) {
  return on_device([&](Device &device) {
    return device.copy(static_cast<Stream *>(stream), reinterpret_cast<void *>(to), from, bytes, to);
  });
}

int copy_out(void *to, std::uint64_t from, std::size_t bytes, void *stream) {
  return on_device([&](Device &device) {
    return device.copy(static_cast<Stream *>(stream), to, reinterpret_cast<const void *>(from), bytes, from);
  });
}

int stream_create(void **stream) {
  return on_device([&](Device &device) {
    *stream = device.make_stream();
    return OK;
  });
}

int stream_destroy(void *stream) {
  return on_device([&](Device &device) { return device.drop_stream(static_cast<Stream *>(stream)); });
}

int stream_synchronize(void *stream) {
  return on_device([&](Device &device) {
    static_cast<Stream *>(stream)->wait();
    return device.call();
  });
}

int event_create(void **event) {
  return on_device([&](Device &) {
    *event = new std::shared_ptr<Event>(std::make_shared<Event>());
    return OK;
  });
}

int event_record(void *event, void *stream) {
  return on_device([&](Device &) {
    // The stream may reach the event after it was destroyed.
    const std::shared_ptr<Event> kept = *static_cast<std::shared_ptr<Event> *>(event);
    kept->expect();
    static_cast<Stream *>(stream)->add([kept] { kept->reach(); });
    return OK;
  });
}

int event_synchronize(void *event) {
  return on_device([&](Device &device) {
    (*static_cast<std::shared_ptr<Event> *>(event))->wait();
    return device.call();
  });
}

int event_destroy(void *event) {
  delete static_cast<std::shared_ptr<Event> *>(event);
  return OK;
}

// An image has no length of its own: a text ends at its zero byte, and of an ELF file only the beginning is looked at.
int module_load(void **module, const void *image, std::size_t bytes, std::string &problem) {
  return on_device([&](Device &) {
    const char *const text = static_cast<const char *>(image);
    return driver().load(module, bytes ? std::string(text, bytes) : std::string(text), problem);
  });
}

int module_unload(void *module) { return driver().unload(module); }

int module_function(void **function, void *module, const char *name) {
  return on_device([&](Device &) -> int {
    try {
      *function = static_cast<Program *>(module)->function(name);
    } catch (const std::runtime_error &error) {
      std::fprintf(stderr, "fake driver: %s\n", error.what());
      return INVALID_IMAGE;
    }
    return *function ? OK : NOT_FOUND;
  });
}

int occupancy(int *blocks, void *, int threads, std::size_t shared_bytes) {
  return on_device([&](Device &device) { return device.occupancy(blocks, threads, shared_bytes); });
}

int launch(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
           unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra) {
  return on_device([&](Device &device) {
    if (grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 || extra) return int{INVALID_VALUE};
    return device.launch(static_cast<Stream *>(stream), static_cast<Function *>(function), grid_x, block_x,
                         shared_bytes, parameters);
  });
}

}  // namespace fake
