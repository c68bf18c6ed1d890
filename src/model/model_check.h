// model_check.h: do all references of a Model point to something that exists? For models from
// untrusted bytes.
#pragma once

#include <string>

#include "model/model.h"

namespace lockstep {

// what is wrong, "" if all is well
[[nodiscard]] std::string check_model(const Model& m);

}  // namespace lockstep
