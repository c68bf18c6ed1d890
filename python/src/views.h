// views.h: named access: model.body("torso").mass.
#pragma once

#include "model_object.h"

namespace lockstep::python {

// model.body, model.joint, ... and their classes
void bind_views(nb::class_<ModelObject>& type, nb::handle scope);

// the view of an object by kind and id, as model.body(id) gives it; None for kinds without views
nb::object view_of(ModelObject& model, ObjType kind, int id);

}  // namespace lockstep::python
