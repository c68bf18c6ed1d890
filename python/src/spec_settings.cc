// spec_settings.cc: MjsCompiler, MjsDefault, MjsAuthored.
#include <nanobind/stl/string.h>

#include <algorithm>

#include "arrays.h"
#include "spec_element.h"

namespace lockstep::python {
namespace {

// settings of a spec, or of the file an element came from
struct CompilerView {
  std::shared_ptr<CompilerSpec> value;
  std::shared_ptr<SpecCore> core;  // of the spec whose settings they are; null for those of others
};
struct LengthRangeView {
  std::shared_ptr<CompilerSpec> owner;
};
// what was written in the file, as "option/timestep" in Spec::authored
struct AuthoredView {
  std::shared_ptr<SpecCore> core;
  Spec& spec() const { return *core->spec; }
  std::set<std::string>& written() const { return spec().authored; }
};

// where fields of a view live
void* place(CompilerView& view) { return view.value.get(); }
void* place(LengthRangeView& view) { return &view.owner->LRopt; }

template <class View>
void add_view_fields(nb::class_<View>& type, const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    auto get = [field](nb::handle_t<View> self) {
      return read_field(field, place(nb::cast<View&>(self)), nullptr, self);
    };
    auto set = [field](View& self, nb::object value) { write_field(field, place(self), value); };
    add_property(type, field.name, nb::cpp_function(get), nb::cpp_function(set), "");
  }
}

// members of mjsCompiler in order: bit i of `authored`
constexpr const char* compiler_attributes[] = {
    "autolimits",    "boundmass",       "boundinertia",      "settotalmass",  "balanceinertia",
    "fitaabb",       "angle",           "eulerseq",          "discardvisual", "usethread",
    "fusestatic",    "inertiafromgeom", "inertiagrouprange", "saveinertial",  "savecompiled",
    "savecanonical", "alignfree",       "conflict",          "passthrough",   "LRopt",
    "meshdir",       "texturedir"};

// names of attributes and the bits that stand for them
using NamedBits = std::vector<std::pair<std::string, uint64_t>>;

uint64_t get_bits(const std::set<std::string>& written, const NamedBits& names) {
  uint64_t bits = 0;
  for (const auto& [name, bit] : names) bits |= written.count(name) ? bit : 0;
  return bits;
}

void set_bits(std::set<std::string>& written, const NamedBits& names, uint64_t bits) {
  for (const auto& [name, bit] : names) {
    if (bits & bit) {
      written.insert(name);
    } else {
      written.erase(name);
    }
  }
}

const NamedBits& compiler_bits() {
  static const NamedBits names = [] {
    NamedBits list;
    uint64_t bit = 1;
    for (const char* attribute : compiler_attributes) {
      list.emplace_back(std::string("compiler/") + attribute, bit);
      bit <<= 1;
    }
    return list;
  }();
  return names;
}

// bit i: member i of a list of members
NamedBits member_bits(const std::string& element, std::span<const MemberInfo> members,
                      std::string_view group) {
  NamedBits list;
  uint64_t bit = 1;
  for (const MemberInfo& member : members) {
    if (member.group != group) continue;
    list.emplace_back(element + "/" + std::string(member.name), bit);
    bit <<= 1;
  }
  return list;
}

template <class Bits>
NamedBits flag_bits() {
  NamedBits list;
  for (const EnumValue& flag : enum_values<Bits>()) {
    if (flag.keyword.empty()) continue;
    list.emplace_back("flag/" + std::string(flag.keyword), static_cast<uint64_t>(flag.number));
  }
  return list;
}

void add_bits(nb::class_<AuthoredView>& type, const char* name, const NamedBits& names) {
  auto get = [names](AuthoredView& self) { return get_bits(self.written(), names); };
  auto set = [names](AuthoredView& self, uint64_t bits) { set_bits(self.written(), names, bits); };
  add_property(type, name, nb::cpp_function(get), nb::cpp_function(set), "");
}

void bind_authored(nb::module_& m) {
  nb::class_<AuthoredView> type(m, "MjsAuthored");
  add_bits(type, "option", member_bits("option", option_members(), ""));
  add_bits(type, "disableflags", flag_bits<DisableBit>());
  add_bits(type, "enableflags", flag_bits<EnableBit>());
  for (const char* name : {"global", "quality", "headlight", "map", "scale", "rgba"}) {
    std::string element(name), group = element == "global" ? "global_" : element;
    add_bits(type, ("visual_" + element).c_str(),
             member_bits("visual/" + element, visual_members(), group));
  }
  // groups of actuators: written all together
  type.def_prop_rw(
      "disableactuator",
      [](AuthoredView& self) {
        bool given = self.written().count("option/actuatorgroupdisable");
        return given ? self.spec().option.disableactuator : 0;
      },
      [](AuthoredView& self, int groups) {
        set_bits(self.written(), {{"option/actuatorgroupdisable", 1}}, groups != 0);
      });
}

void bind_compiler(nb::module_& m) {
  nb::class_<LengthRangeView> range(m, "MjLROpt");
  add_view_fields(range, fields_of<LengthRangeOptions>());
  std::vector<std::string> names;
  for (const Field& field : fields_of<LengthRangeOptions>()) names.emplace_back(field.name);
  std::sort(names.begin(), names.end());
  range
      .def("__init__",
           [](LengthRangeView* self) {
             new (self) LengthRangeView{std::make_shared<CompilerSpec>()};
             self->owner->LRopt = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
           })
      .def("__eq__",
           [names](nb::handle_t<LengthRangeView> a, nb::handle_t<LengthRangeView> b) {
             return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
               return a.attr(name.c_str()).equal(b.attr(name.c_str()));
             });
           })
      .def("__eq__", [](LengthRangeView&, nb::object) { return false; })
      .def("__repr__", [names](nb::handle_t<LengthRangeView> self) {
        return describe_object(self, "MjLROpt", names);
      });
  range.attr("__hash__") = nb::none();
  m.def(
      "mj_defaultLROpt", [](LengthRangeView& opt) { opt.owner->LRopt = LengthRangeOptions(); },
      nb::arg("opt"), "Settings of length ranges as a new spec has them.");
  nb::class_<CompilerView> type(m, "MjsCompiler");
  add_view_fields(type, fields_of<CompilerSpec>());
  type.def_prop_rw(
          "eulerseq",
          [](nb::handle_t<CompilerView> self) {
            return TextView{nb::borrow(self), &nb::cast<CompilerView&>(self).value->eulerseq, 3};
          },
          [](CompilerView& self, nb::object value) {
            set_text(self.value->eulerseq, value, "eulerseq", 3);
          })
      .def_prop_rw(
          "LRopt", [](CompilerView& self) { return LengthRangeView{self.value}; },
          [](CompilerView& self, LengthRangeView& other) {
            self.value->LRopt = other.owner->LRopt;
          })
      .def_prop_rw(
          "authored",
          [](CompilerView& self) {
            return self.core ? get_bits(self.core->spec->authored, compiler_bits()) : 0;
          },
          [](CompilerView& self, uint64_t bits) {
            if (self.core) set_bits(self.core->spec->authored, compiler_bits(), bits);
          });
}

template <class T, class Attributes>
void add_prototype(nb::class_<HandleOf<Default>, Handle>& type, const char* name,
                   Attributes Default::* member) {
  type.def_prop_ro(name, [member](HandleOf<Default>& self) {
    return wrap<T>(self.core, &(self.item().*member));
  });
}

void bind_default(nb::module_& m) {
  nb::class_<HandleOf<Default>, Handle> type(m, "MjsDefault");
  add_prototype<Joint>(type, "joint", &Default::joint);
  add_prototype<Geom>(type, "geom", &Default::geom);
  add_prototype<Site>(type, "site", &Default::site);
  add_prototype<Camera>(type, "camera", &Default::camera);
  add_prototype<Light>(type, "light", &Default::light);
  add_prototype<Flex>(type, "flex", &Default::flex);
  add_prototype<Mesh>(type, "mesh", &Default::mesh);
  add_prototype<Texture>(type, "texture", &Default::texture);
  add_prototype<Material>(type, "material", &Default::material);
  add_prototype<Pair>(type, "pair", &Default::pair);
  add_prototype<Equality>(type, "equality", &Default::equality);
  add_prototype<Tendon>(type, "tendon", &Default::tendon);
  add_prototype<Actuator>(type, "actuator", &Default::actuator);
}

}  // namespace

nb::object wrap_compiler(std::shared_ptr<CompilerSpec> compiler,
                         const std::shared_ptr<SpecCore>& core) {
  bool own = compiler == core->spec->compiler;
  return nb::cast(CompilerView{std::move(compiler), own ? core : nullptr});
}

nb::object wrap_authored(const std::shared_ptr<SpecCore>& core) {
  return nb::cast(AuthoredView{core});
}

void bind_spec_settings(nb::module_& m) {
  bind_compiler(m);
  bind_authored(m);
  bind_default(m);
}

}  // namespace lockstep::python
