// views.h: named access: model.body("torso").mass, data.body("torso").xpos.
#pragma once

#include "data_object.h"
#include "model_object.h"

namespace lockstep::python {

// model.body, model.joint, ... and their classes; the same of data
void bind_views(nb::class_<ModelObject>& type, nb::handle scope);
void bind_data_views(nb::class_<DataObject>& type, nb::handle scope);

// the view of an object by kind and id, as model.body(id) gives it; None for kinds without views
nb::object view_of(ModelObject& model, ObjType kind, int id);

// which rows of a field belong to an object; shape of the last dimensions if they are not `cols`
struct Rows {
  int64_t start = 0;
  int64_t count = -1;  // -1: the field does not belong to the kind
  bool many = false;   // rows stay a dimension, even if there is only one
  std::vector<size_t> shape{};
};
Rows rows_of(const Model& m, ObjType kind, std::string_view rows, int id);
nb::object rows_array(const FieldInfo& field, const Rows& rows, nb::handle owner);

// IndexError and KeyError in MuJoCo's words
void check_id(const Model& m, ObjType kind, int id);
int id_or_error(ModelObject& model, ObjType kind, const std::string& name);

}  // namespace lockstep::python
