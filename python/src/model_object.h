// model_object.h: what a Python MjModel holds.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrays.h"
#include "compile/copy_back.h"
#include "model/model.h"
#include "spec/spec.h"

namespace lockstep::python {

// A Model with the compiled spec it came from (null if it was loaded from a binary file or copied).
// Arrays that were handed out share it, so it lives as long as the last of them.
struct ModelHolder {
  ModelHolder(Model made, std::shared_ptr<Spec> compiled)
      : model(std::move(made)), spec(std::move(compiled)), fields(model.fields()) {
    if (spec) baseline = std::make_shared<const Baseline>(take_baseline(model));
  }

  Model model;
  std::shared_ptr<Spec> spec;
  std::shared_ptr<const Baseline> baseline;  // of the model as it was compiled
  std::vector<FieldInfo> fields;             // of the model, in the order of the list
};

struct ModelObject {
  explicit ModelObject(std::shared_ptr<ModelHolder> holder);

  std::shared_ptr<ModelHolder> holder;
  std::vector<FieldInfo> fields;                  // of the model, in the order of the list
  nb::object owner;                               // of arrays
  std::vector<nb::object> arrays;                 // made when first asked for, by field
  nb::object opt, vis, stat;                      // likewise
  std::unordered_map<int64_t, nb::object> views;  // named access, by kind and id
  std::unordered_map<int, std::unordered_map<std::string, int>> ids;  // kind -> name -> id

  Model& model() const { return holder->model; }
  const nb::object& array_owner();
  nb::object array(size_t field);
  int id_of(ObjType kind, const std::string& name);  // -1 if there is none
};

// a Python MjModel around a compiled model; for MjSpec.compile and the loaders
nb::object wrap_model(Model model, std::shared_ptr<Spec> compiled_spec);

// number of a field in Model::fields(), -1 if there is none
int field_index(std::string_view name);

// the files of an `assets` dictionary and of an MjVfs, null if there are none
std::shared_ptr<Assets> assets_of(nb::handle mapping, nb::handle vfs);

// a path as text: str, bytes or os.PathLike
std::string path_of(nb::handle path);

// what MuJoCo raises when its C code gives up
struct FatalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct UnexpectedError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// warnings become Python warnings, errors a ValueError with all of them
void report(const Diagnostics& diagnostics);

// the Visual of an MjVisual, and an MjVisual that shares one
Visual& visual_of(nb::handle object);
nb::object visual_object(std::shared_ptr<Visual> visual);

// members of an enumeration: lockstep.mjtGeom(2)
nb::object make_enum(const char* name, int value);

}  // namespace lockstep::python
