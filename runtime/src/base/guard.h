// No exception leaves the library: what is thrown on the way becomes an error.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "alnsmith/result.hpp"

namespace alnsmith::rt {

template <class F>
auto guarded(F &&f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::bad_alloc &) {
    return Error{"out of memory"};
  } catch (const std::exception &e) {
    return Error{std::string("unexpected: ") + e.what()};
  } catch (...) {
    return Error{"unexpected: something that is no std::exception was thrown"};
  }
}

}  // namespace alnsmith::rt
