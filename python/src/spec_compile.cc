// spec_compile.cc: what needs the compiler: edits of a spec that follow from compilation.
#include <nanobind/stl/string.h>

#include "compile/copy_back.h"
#include "compile/edit.h"
#include "model_object.h"
#include "spec/dedup.h"
#include "spec_values.h"

namespace lockstep::python {

namespace {

using SpecClass = nb::class_<SpecObject>;

int run_edit(SpecObject& self, nb::object vfs, int (*edit)(Spec&, Diagnostics&)) {
  CompileFiles files(self, vfs);
  Diagnostics diagnostics;
  int count = edit(self.spec(), diagnostics);
  report_spec(diagnostics);
  return count;
}

void copy_model_back(SpecObject& self, ModelObject& model) {
  const ModelHolder& holder = *model.holder;
  if (!holder.spec) throw nb::value_error("the model was not compiled from a spec");
  CompileFiles files(self, nb::none());
  Diagnostics diagnostics;
  auto compiled = copy_back(holder.model, *holder.baseline, *holder.spec, self.spec(), diagnostics);
  report_spec(diagnostics);
  if (compiled) self.core->compiled = std::move(compiled->spec);
}

}  // namespace

void add_spec_compiling(SpecClass& type) {
  type.def(
          "fuse_static",
          [](SpecObject& self, nb::object vfs) { return run_edit(self, vfs, fuse_static); },
          nb::arg("vfs") = nb::none())
      .def(
          "discard_visual",
          [](SpecObject& self, nb::object vfs) { return run_edit(self, vfs, discard_visual); },
          nb::arg("vfs") = nb::none())
      .def(
          "adopt_inertial",
          [](SpecObject& self, HandleOf<Body>& body, nb::object vfs) {
            CompileFiles files(self, vfs);
            Diagnostics diagnostics;
            adopt_inertial(body.item(), diagnostics);
            report_spec(diagnostics);
          },
          nb::arg("body"), nb::arg("vfs") = nb::none())
      .def("copy_back", copy_model_back, nb::arg("model"))
      .def("dedup_assets", [](SpecObject& self) {
        if (self.spec().attached) {
          throw nb::value_error("Cannot merge the assets of an attached mjSpec.");
        }
        return dedup_assets(self.spec());
      });
}

}  // namespace lockstep::python
