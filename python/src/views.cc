#include "bind.h"

namespace lockstep::python {

void bind_views(nb::module_&) {}

}  // namespace lockstep::python
