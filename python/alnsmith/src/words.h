// Messages of the library name options of the command line; here they name arguments of Python.
#pragma once

#include <string>

namespace alnsmith::python {

// The message with `--set score.match=VALUE` as scoring={"match": VALUE}, `--memory` as memory=, and so on.
std::string in_python(std::string message);

}  // namespace alnsmith::python
