// model_load.h: from files and bytes to MjModel and back.
#pragma once

#include "model_object.h"

namespace lockstep::python {

// from_xml_path, from_xml_string, from_binary_path, pickling
void bind_loaders(nb::class_<ModelObject>& type);

}  // namespace lockstep::python
