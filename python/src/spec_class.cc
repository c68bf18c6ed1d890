// spec_class.cc: MjSpec: settings, lists, finding and adding.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "bind.h"
#include "spec/lists.h"
#include "spec_element.h"
#include "struct_object.h"

namespace lockstep::python {

nb::object visual_object(std::shared_ptr<Visual> visual);
nb::object wrap_authored(const std::shared_ptr<SpecCore>& core);

namespace {

using SpecClass = nb::class_<SpecObject>;

template <class T>
void add_number(SpecClass& type, const char* name, T SizeSpec::* member) {
  type.def_prop_rw(
      name, [member](SpecObject& self) { return self.spec().*member; },
      [member](SpecObject& self, T value) { self.spec().*member = value; });
}

void add_sizes(SpecClass& type) {
#define SIZE(name) add_number(type, #name, &SizeSpec::name);
  SIZE(memory)
  SIZE(nemax)
  SIZE(nuserdata)
  SIZE(nuser_body)
  SIZE(nuser_jnt)
  SIZE(nuser_geom)
  SIZE(nuser_site)
  SIZE(nuser_cam)
  SIZE(nuser_tendon)
  SIZE(nuser_actuator)
  SIZE(nuser_sensor)
  SIZE(nkey)
  SIZE(njmax)
  SIZE(nconmax)
  SIZE(nstack)
#undef SIZE
}

template <class Get>
void add_text(SpecClass& type, const char* name, Get get) {
  type.def_prop_rw(
      name, [get](SpecObject& self) { return get(self.spec()); },
      [get](SpecObject& self, const std::string& text) { get(self.spec()) = text; });
}

void add_settings(SpecClass& type) {
  add_text(type, "modelname", [](Spec& s) -> std::string& { return s.modelname; });
  add_text(type, "comment", [](Spec& s) -> std::string& { return s.comment; });
  add_text(type, "modelfiledir", [](Spec& s) -> std::string& { return s.modelfiledir; });
  add_text(type, "meshdir", [](Spec& s) -> std::string& { return s.compiler->meshdir; });
  add_text(type, "texturedir", [](Spec& s) -> std::string& { return s.compiler->texturedir; });
  type.def_prop_rw(
          "strippath", [](SpecObject& self) { return self.spec().strippath; },
          [](SpecObject& self, nb::object value) { self.spec().strippath = to_boolean(value); })
      .def_prop_ro("compiler",
                   [](SpecObject& self) { return wrap_compiler(self.spec().compiler, self.core); })
      .def_prop_ro("authored", [](SpecObject& self) { return wrap_authored(self.core); })
      .def_prop_ro(
          "option",
          [](SpecObject& self) { return struct_of(self.option, self.core, self.spec().option); })
      .def_prop_ro(
          "stat",
          [](SpecObject& self) { return struct_of(self.stat, self.core, self.spec().stat); })
      .def_prop_ro("visual",
                   [](SpecObject& self) {
                     if (!self.visual.is_valid()) {
                       self.visual =
                           visual_object(std::shared_ptr<Visual>(self.core, &self.spec().visual));
                     }
                     return self.visual;
                   })
      .def_prop_ro("timer",
                   [](SpecObject& self) {
                     auto& timer = self.core->timer;
                     return make_array(timer.data(), Dtype::f64, {timer.size()},
                                       owner_of(self.core));
                   })
      .def_prop_rw(
          "hasImplicitPluginElem", [](SpecObject& self) { return self.has_implicit_plugin; },
          [](SpecObject& self, nb::object value) { self.has_implicit_plugin = to_boolean(value); })
      .def_prop_ro("_address", [](SpecObject& self) {
        return reinterpret_cast<uintptr_t>(self.core->spec.get());
      });
}

template <class T>
void add_kind(SpecClass& type, const char* singular, const char* plural) {
  type.def_prop_ro(
          plural,
          [](SpecObject& self) { return wrap_list<T>(self.core, self.spec().template all<T>()); })
      .def(singular, [](SpecObject& self, const std::string& name) {
        return wrap<T>(self.core, self.spec().template find<T>(name));
      });
}

template <class T>
void add_maker(SpecClass& type, const char* name) {
  type.def(
      name,
      [name](SpecObject& self, nb::object def, nb::kwargs arguments) {
        Default* given = default_argument(def, arguments);
        return finish(self.core, self.spec().template add<T>(given), name, arguments);
      },
      nb::arg("default") = nb::none(), nb::arg("kwargs"));
}

// plugin instances are shown by views, not handles
nb::object plugin_object(SpecObject& self, Plugin* plugin) {
  if (!plugin) return nb::none();
  return nb::cast(PluginView{self.core, nb::none(), plugin, nullptr});
}

nb::object add_plugin(SpecObject& self, nb::kwargs arguments) {
  Plugin* plugin = self.spec().add<Plugin>();
  nb::object object = plugin_object(self, plugin);
  try {
    for (auto [name, value] : arguments) {
      if (value.is_none()) continue;
      std::string key = nb::cast<std::string>(name);
      if (key != "name" && key != "plugin_name" && key != "active" && key != "info") {
        throw nb::type_error(
            ("add_plugin() got an unexpected keyword argument '" + key + "'").c_str());
      }
      nb::setattr(object, key.c_str(), value);
    }
  } catch (...) {
    self.spec().remove(plugin);
    throw;
  }
  return object;
}

void add_plugins(SpecClass& type) {
  type.def("add_plugin", add_plugin)
      .def("plugin",
           [](SpecObject& self, const std::string& name) {
             return plugin_object(self, self.spec().find<Plugin>(name));
           })
      .def_prop_ro("plugins",
                   [](SpecObject& self) {
                     nb::list list;
                     for (Plugin* plugin : self.spec().plugins) {
                       list.append(plugin_object(self, plugin));
                     }
                     return list;
                   })
      .def(
          "activate_plugin",
          [](SpecObject& self, const std::string& name) {
            auto& active = self.spec().active_plugins;
            if (std::find(active.begin(), active.end(), name) == active.end()) {
              active.push_back(name);
            }
          },
          nb::arg("name"));
}

void add_defaults(SpecClass& type) {
  type.def_prop_ro(
          "default",
          [](SpecObject& self) { return wrap<Default>(self.core, self.spec().main_default()); })
      .def("find_default",
           [](SpecObject& self, const std::string& name) {
             return wrap<Default>(self.core, self.spec().find_default(name));
           })
      .def(
          "add_default",
          [](SpecObject& self, const std::string& name, nb::object parent) {
            Default* outer =
                parent.is_none() ? nullptr : &nb::cast<HandleOf<Default>&>(parent).item();
            return wrap<Default>(self.core, self.spec().add_default(name, outer));
          },
          nb::arg("name"), nb::arg("parent").none());
}

}  // namespace

void add_spec_lists(SpecClass& type) {
  add_kind<Body>(type, "body", "bodies");
  add_kind<Frame>(type, "frame", "frames");
  add_kind<Joint>(type, "joint", "joints");
  add_kind<Geom>(type, "geom", "geoms");
  add_kind<Site>(type, "site", "sites");
  add_kind<Camera>(type, "camera", "cameras");
  add_kind<Light>(type, "light", "lights");
#define KIND(Type, singular, plural)        \
  add_kind<Type>(type, #singular, #plural); \
  add_maker<Type>(type, "add_" #singular);
  KIND(Flex, flex, flexes)
  KIND(Mesh, mesh, meshes)
  KIND(HField, hfield, hfields)
  KIND(Skin, skin, skins)
  KIND(Texture, texture, textures)
  KIND(Material, material, materials)
  KIND(Pair, pair, pairs)
  KIND(Exclude, exclude, excludes)
  KIND(Equality, equality, equalities)
  KIND(Tendon, tendon, tendons)
  KIND(Actuator, actuator, actuators)
  KIND(Sensor, sensor, sensors)
  KIND(Numeric, numeric, numerics)
  KIND(Text, text, texts)
  KIND(Tuple, tuple, tuples)
  KIND(Key, key, keys)
#undef KIND
  type.def_prop_ro("worldbody",
                   [](SpecObject& self) { return wrap<Body>(self.core, self.spec().world()); });
  add_plugins(type);
  add_defaults(type);
}

void bind_spec_class(nb::module_& m) {
  SpecClass type(m, "MjSpec");
  type.def(nb::init<>());
  add_sizes(type);
  add_settings(type);
  add_spec_lists(type);
  add_spec_files(type);
  add_spec_edits(type);
  add_spec_compiling(type);
}

void bind_spec(nb::module_& m) {
  bind_spec_values(m);
  bind_spec_tree(m);
  bind_spec_lists(m);
  bind_spec_settings(m);
  bind_spec_class(m);
}

}  // namespace lockstep::python
