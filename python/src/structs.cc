// structs.cc: MjOption, MjStatistic and MjVisual with its groups.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "model_object.h"
#include "struct_object.h"

namespace lockstep::python {
namespace {

// a Visual and the objects of its groups
struct VisualObject : StructObject<Visual> {
  using StructObject::StructObject;
  std::map<std::string, nb::object> groups;
};

// "global_" -> "Global"
std::string class_name(std::string group) {
  if (group.back() == '_') group.pop_back();
  group[0] = static_cast<char>(std::toupper(group[0]));
  return group;
}

template <class Group>
void bind_group(nb::class_<VisualObject>& visual, const char* name, Group Visual::* member) {
  bind_struct<Group>(visual, class_name(name).c_str(), visual_members(), name);
  auto get = [member, key = std::string(name)](VisualObject& self) {
    return struct_of(self.groups[key], self.value, (*self.value).*member);
  };
  auto set = [member](VisualObject& self, StructObject<Group>& other) {
    (*self.value).*member = *other.value;
  };
  add_property(visual, name, nb::cpp_function(get), nb::cpp_function(set), "");
}

void bind_visual(nb::module_& m) {
  nb::class_<VisualObject> visual(m, "MjVisual");
  std::vector<std::string> names;
#define GROUP_BEGIN(group)                    \
  bind_group(visual, #group, &Visual::group); \
  names.push_back(#group);
#define VISUAL(group, type, name, count, value, doc)
#define GROUP_END(group)
#include "model/visual.def"
#undef GROUP_BEGIN
#undef VISUAL
#undef GROUP_END
  auto copy = [](VisualObject& self) {
    return VisualObject(std::make_shared<Visual>(*self.value));
  };
  auto equal = [](VisualObject& a, VisualObject& b) {
    auto table = visual_members();
    return equal_members<Visual>(a, b, {table.begin(), table.end()}, 0);
  };
  visual.def("__copy__", copy)
      .def(
          "__deepcopy__", [copy](VisualObject& self, nb::object) { return copy(self); },
          nb::arg("memo"))
      .def("__eq__", equal)
      .def("__eq__", [](VisualObject&, nb::object) { return false; })
      .def("__repr__", [names](nb::handle_t<VisualObject> self) {
        return describe_object(self, "MjVisual", names);
      });
  visual.attr("__hash__") = nb::none();
}

}  // namespace

nb::object visual_object(std::shared_ptr<Visual> visual) {
  return nb::cast(VisualObject(std::move(visual)));
}
Visual& visual_of(nb::handle object) { return *nb::cast<VisualObject&>(object).value; }

void bind_structs(nb::module_& m) {
  auto option = bind_struct<Option>(m, "MjOption", option_members());
  option.def("__init__", [](StructObject<Option>* self) {
    new (self) StructObject<Option>(std::make_shared<Option>());
  });
  auto statistic = bind_struct<Statistic>(m, "MjStatistic", statistic_members());
  statistic.def("__init__", [](StructObject<Statistic>* self) {
    new (self) StructObject<Statistic>(std::make_shared<Statistic>(Statistic{0, 0, 0, 0, {}}));
  });
  bind_visual(m);
  m.attr("MjVisualHeadlight") = m.attr("MjVisual").attr("Headlight");
  m.attr("MjVisualRgba") = m.attr("MjVisual").attr("Rgba");
}

}  // namespace lockstep::python
