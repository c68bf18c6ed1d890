// spec_flex.cc: MjsBody.make_flex: a flex with its bodies, joints and equalities.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include "mjcf/schema/words.h"
#include "model_object.h"
#include "spec/flexcomp.h"
#include "spec_element.h"

namespace lockstep::python {
namespace {

using Counts = std::optional<std::array<int, 3>>;
using Reals = std::optional<std::array<double, 3>>;
using MaybeText = std::optional<std::string>;

// number of a keyword; words that are not known are as good as none
int number_of(const MaybeText& word, std::span<const EnumValue> words) {
  for (const EnumValue& value : words) {
    if (word && value.keyword == *word) return value.number;
  }
  return words.front().number;
}

template <class T>
void take(const std::optional<T>& given, T& into) {
  if (given) into = *given;
}

nb::object make_flex(HandleOf<Body>& self, const std::string& name, const MaybeText& type, int dim,
                     const MaybeText& dof, const Counts& count, const Counts& cellcount,
                     const Reals& spacing, const Reals& scale, double radius, double mass,
                     double inertiabox, int equality, int rigid, int flatskin, int elastic2d,
                     const Reals& pos, const std::optional<std::array<double, 4>>& quat,
                     const Reals& origin, const MaybeText& file, const MaybeText& mesh,
                     nb::object vfs) {
  Body& body = self.item();
  Flexcomp comp;
  comp.name = name;
  comp.type = number_of(type, mjcf::flexcomp_types());
  comp.dim = dim;
  comp.dof = number_of(dof, mjcf::flex_dofs());
  take(count, comp.count);
  take(cellcount, comp.cellcount);
  take(spacing, comp.spacing);
  take(scale, comp.scale);
  comp.radius = radius;
  comp.mass = mass;
  comp.inertiabox = inertiabox;
  if (equality != 0 && equality != 1 && equality != 3) {
    throw nb::value_error("Invalid edge equality, must be 0 (none), 1 (edge) or 3 (strain)");
  }
  comp.equality = equality;
  comp.rigid = rigid != 0;
  comp.flatskin = flatskin != 0;
  comp.flex.elastic2d = elastic2d;
  take(pos, comp.pos);
  take(quat, comp.quat);
  take(origin, comp.origin);
  comp.origin_given = origin.has_value();
  take(file, comp.file);
  take(mesh, comp.mesh);
  comp.meshdir = body.compiler->meshdir;
  if (mesh && !type) comp.type = static_cast<int>(FlexcompType::mesh);
  Spec& spec = self.spec();
  std::shared_ptr<Assets> kept = spec.assets;
  if (std::shared_ptr<Assets> files = assets_of(nb::none(), vfs)) spec.assets = files;
  Diagnostics diagnostics;
  Flex* flex = expand_flexcomp(spec, &body, nullptr, comp, diagnostics);
  spec.assets = kept;
  if (!flex) throw nb::value_error(diagnostics.text(Severity::error).c_str());
  return wrap<Flex>(self.core, flex);
}

}  // namespace

void bind_make_flex(nb::class_<HandleOf<Body>, Handle>& type) {
  type.def("make_flex", make_flex, nb::arg("name"), nb::arg("type") = nb::none(),
           nb::arg("dim") = 3, nb::arg("dof") = nb::none(), nb::arg("count") = nb::none(),
           nb::arg("cellcount") = nb::none(), nb::arg("spacing") = nb::none(),
           nb::arg("scale") = nb::none(), nb::arg("radius") = 0.0, nb::arg("mass") = 1.0,
           nb::arg("inertiabox") = 0.005, nb::arg("equality") = 0, nb::arg("rigid") = 0,
           nb::arg("flatskin") = 0, nb::arg("elastic2d") = 0, nb::arg("pos") = nb::none(),
           nb::arg("quat") = nb::none(), nb::arg("origin") = nb::none(),
           nb::arg("file") = nb::none(), nb::arg("mesh") = nb::none(), nb::arg("vfs") = nb::none());
}

}  // namespace lockstep::python
