// print.h: models, data and the schema as text.
#pragma once

#include <string>

#include "model/data.h"
#include "model/model.h"

namespace lockstep::python {

// every size, option and array; numbers in a printf format for one double
std::string print_model(const Model& m, const std::string& float_format = "% -9.2g");

// every number and array of a Data
std::string print_data(const Model& m, const Data& d, const std::string& float_format = "% -9.2g");

// elements of MJCF with their attributes, as a text table or HTML
std::string print_schema(bool html, bool pad);

}  // namespace lockstep::python
