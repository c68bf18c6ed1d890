// batch_object.h: a Batch as Python holds it, and arguments of its calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "array_args.h"
#include "batch/batch.h"

namespace lockstep::python {

// Python's share of a Batch; what it was told about models
struct BatchObject {
  explicit BatchObject(std::unique_ptr<Batch> made) : own(std::move(made)), batch(*own) {}
  std::unique_ptr<Batch> own;
  Batch& batch;
  bool caller_models = false;
};

inline std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); i++) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

// an array as it is, of one kind and one shape
template <class T>
struct Exact {
  Buffer buffer;

  T* open(nb::handle object, const std::vector<int64_t>& shape, const char* name) {
    if (!buffer.open(object.ptr(), kind_of<T>(), !std::is_const_v<T>)) {
      throw nb::type_error((std::string(name) + " is not an array of the right kind").c_str());
    }
    const Py_buffer& view = buffer.view();
    const std::vector<int64_t> found(view.shape, view.shape + view.ndim);
    if (found != shape) {
      throw nb::value_error((std::string(name) + " should have the shape " + shape_text(shape) +
                             ", got " + shape_text(found))
                                .c_str());
    }
    return static_cast<T*>(view.buf);
  }
};

// worlds of a call: None for all, or an array of sorted ids
class Selection {
 public:
  Selection(const Batch& batch, nb::handle ids) : count_(batch.nsim()) {
    if (ids.is_none()) return;
    if (!buffer_.open(ids.ptr(), 'i', false) || buffer_.view().ndim != 1) {
      throw nb::type_error("ids should be an array of int32");
    }
    const auto* first = static_cast<const int*>(buffer_.view().buf);
    count_ = int(buffer_.view().shape[0]);
    for (int i = 0; i < count_; i++) {
      if (first[i] < 0 || first[i] >= batch.nsim() || (i && first[i] <= first[i - 1])) {
        throw nb::value_error("ids must be sorted, unique and in range");
      }
    }
    ids_ = std::span<const int>(first, size_t(count_));
  }
  const Ids& ids() const { return ids_; }
  int count() const { return count_; }

 private:
  Buffer buffer_;
  Ids ids_;
  int count_;
};

// letter of the kind of cells that an array has
inline char kind_of_cell(Dtype dtype) {
  return dtype == Dtype::f64 ? 'd' : dtype == Dtype::f32 ? 'f' : dtype == Dtype::i32 ? 'i' : '?';
}

}  // namespace lockstep::python
