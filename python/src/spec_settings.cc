// spec_settings.cc: MjsCompiler, MjsDefault, MjsAuthored.
#include "arrays.h"
#include "spec_element.h"

namespace lockstep::python {
namespace {

// settings of a spec, or of the file an element came from
struct CompilerView {
  std::shared_ptr<CompilerSpec> value;
  std::set<std::string> written;  // attributes that stand in the file
};
struct LengthRangeView {
  std::shared_ptr<CompilerSpec> owner;
};
struct AuthoredView {
  std::set<std::string> written;  // "option/timestep"
  Option option;
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

uint64_t compiler_bits(const std::set<std::string>& written) {
  uint64_t bits = 0, bit = 1;
  for (const char* attribute : compiler_attributes) {
    if (written.count(std::string("compiler/") + attribute)) bits |= bit;
    bit <<= 1;
  }
  return bits;
}

// bit i: member i of a list of members was written in an element
uint64_t member_bits(const std::set<std::string>& written, const std::string& element,
                     std::span<const MemberInfo> members, std::string_view group) {
  uint64_t bits = 0, bit = 1;
  for (const MemberInfo& member : members) {
    if (member.group != group) continue;
    if (written.count(element + "/" + std::string(member.name))) bits |= bit;
    bit <<= 1;
  }
  return bits;
}

template <class Bits>
int flag_bits(const std::set<std::string>& written) {
  int bits = 0;
  for (const EnumValue& flag : enum_values<Bits>()) {
    if (!flag.keyword.empty() && written.count("flag/" + std::string(flag.keyword))) {
      bits |= flag.number;
    }
  }
  return bits;
}

void bind_authored(nb::module_& m) {
  nb::class_<AuthoredView> type(m, "MjsAuthored");
  type.def_prop_ro("option",
                   [](AuthoredView& self) {
                     return member_bits(self.written, "option", option_members(), "");
                   })
      .def_prop_ro("disableflags",
                   [](AuthoredView& self) { return flag_bits<DisableBit>(self.written); })
      .def_prop_ro("enableflags",
                   [](AuthoredView& self) { return flag_bits<EnableBit>(self.written); })
      .def_prop_ro("disableactuator", [](AuthoredView& self) {
        return self.written.count("option/actuatorgroupdisable") ? self.option.disableactuator : 0;
      });
  for (const char* name : {"global", "quality", "headlight", "map", "scale", "rgba"}) {
    std::string element(name), group = element == "global" ? "global_" : element;
    auto get = [element, group](AuthoredView& self) {
      return member_bits(self.written, "visual/" + element, visual_members(), group);
    };
    add_property(type, ("visual_" + element).c_str(), nb::cpp_function(get), nb::none(), "");
  }
}

void bind_compiler(nb::module_& m) {
  nb::class_<LengthRangeView> range(m, "MjLROpt");
  add_view_fields(range, fields_of<LengthRangeOptions>());
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
      .def_prop_ro("authored", [](CompilerView& self) { return compiler_bits(self.written); });
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

nb::object wrap_compiler(std::shared_ptr<CompilerSpec> compiler, const Spec& spec) {
  bool own = compiler == spec.compiler;
  return nb::cast(CompilerView{std::move(compiler), own ? spec.authored : std::set<std::string>{}});
}

nb::object wrap_authored(const Spec& spec) {
  return nb::cast(AuthoredView{spec.authored, spec.option});
}

void bind_spec_settings(nb::module_& m) {
  bind_compiler(m);
  bind_authored(m);
  bind_default(m);
}

}  // namespace lockstep::python
