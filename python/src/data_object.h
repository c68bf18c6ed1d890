// data_object.h: what Python's MjData holds.
#pragma once

#include "model/data.h"
#include "model_object.h"
#include "step/timing.h"

namespace lockstep::python {

// arrays that were handed out share the Data; it keeps its Model
struct DataHolder {
  explicit DataHolder(std::shared_ptr<ModelHolder> share)
      : model(std::move(share)),
        data(make_data(model->model)),
        fields(data.fields(model->model)),
        signature(model->model.signature) {}

  std::shared_ptr<ModelHolder> model;
  Data data;
  std::vector<FieldInfo> fields;
  uint64_t signature;                       // of the model when the data was made
  bool warned = false;                      // of what is not simulated
  std::unique_ptr<StageTimer> stage_timer;  // where stages are timed
};

struct DataObject {
  DataObject(nb::object model, std::shared_ptr<DataHolder> holder)
      : model(std::move(model)), holder(std::move(holder)), arrays(this->holder->fields.size()) {}

  nb::object model;
  std::shared_ptr<DataHolder> holder;
  nb::object owner;
  std::vector<nb::object> arrays;                 // made when first asked for
  nb::object warning, timer, solver;              // likewise
  std::unordered_map<int64_t, nb::object> views;  // named access, by kind and id

  const nb::object& array_owner();
  nb::object array(size_t index);
};

// the Data of a model with the same sizes
Data& data_for(ModelObject& m, DataObject& d);

// after a reset: trees that are to start asleep do so; warns about those that cannot
void put_to_sleep(DataHolder& holder);

// all fields of another Data for the same model
void copy_data(const DataHolder& from, DataHolder& to);

}  // namespace lockstep::python
