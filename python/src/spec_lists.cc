// spec_lists.cc: elements outside the tree.
#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/vector.h>

#include "compile/objects/sensor.h"
#include "spec/actuator_shortcuts.h"
#include "spec_element.h"

namespace lockstep::python {
namespace {

template <class T>
using Class = nb::class_<HandleOf<T>, Handle>;

void check(const std::string& problem) {
  if (!problem.empty()) throw nb::value_error(problem.c_str());
}

// ---- meshes

void make_shape(HandleOf<Mesh>& self, MeshBuiltin builtin, std::vector<double> params) {
  self.item().builtin = builtin;
  self.item().builtin_params = std::move(params);
}

void make_lattice(HandleOf<Mesh>& self, MeshBuiltin builtin, const std::vector<int>& count,
                  const std::vector<double>& spacing, std::optional<int> dim) {
  if (count.size() != 3) throw nb::value_error("count should be a list/array of size 3.");
  if (spacing.size() != 3) throw nb::value_error("spacing should be a list/array of size 3.");
  std::vector<double> params(count.begin(), count.end());
  params.insert(params.end(), spacing.begin(), spacing.end());
  if (dim) params.push_back(*dim);
  make_shape(self, builtin, std::move(params));
}

void add_lattice(Class<Mesh>& type, const char* name, MeshBuiltin builtin, bool has_dim) {
  using Counts = std::vector<int>;
  using Reals = std::vector<double>;
  if (has_dim) {
    type.def(
        name,
        [builtin](HandleOf<Mesh>& self, Counts count, Reals spacing, int dim) {
          make_lattice(self, builtin, count, spacing, dim);
        },
        nb::arg("count"), nb::arg("spacing"), nb::arg("dim") = 3);
  } else {
    type.def(
        name,
        [builtin](HandleOf<Mesh>& self, Counts count, Reals spacing) {
          make_lattice(self, builtin, count, spacing, std::nullopt);
        },
        nb::arg("count"), nb::arg("spacing"));
  }
}

void bind_mesh(nb::module_& m) {
  using Self = HandleOf<Mesh>;
  using Pair = std::array<double, 2>;
  auto type = bind_element<Mesh>(m, "MjsMesh");
  add_classname(type);
  type.def(
          "make_wedge",
          [](Self& self, Pair resolution, Pair fov, double gamma) {
            make_shape(self, MeshBuiltin::wedge,
                       {resolution[0], resolution[1], fov[0], fov[1], gamma});
          },
          nb::arg("resolution") = Pair{}, nb::arg("fov") = Pair{}, nb::arg("gamma") = 0.0)
      .def(
          "make_plate",
          [](Self& self, Pair resolution) {
            make_shape(self, MeshBuiltin::plate, {resolution[0], resolution[1]});
          },
          nb::arg("resolution") = Pair{})
      .def(
          "make_sphere",
          [](Self& self, int subdivision) {
            if (subdivision < 0 || subdivision > 4) {
              throw nb::value_error("Error: sphere subdivision must be from 0 to 4");
            }
            make_shape(self, MeshBuiltin::sphere, {double(subdivision)});
          },
          nb::arg("subdivision"))
      .def(
          "make_hemisphere",
          [](Self& self, int resolution) {
            if (resolution < 0 || resolution > 10) {
              throw nb::value_error("Error: hemisphere resolution must be from 0 to 10");
            }
            make_shape(self, MeshBuiltin::hemisphere, {double(resolution)});
          },
          nb::arg("resolution"))
      .def(
          "make_cone",
          [](Self& self, int nedge, double radius) {
            make_shape(self, MeshBuiltin::cone, {double(nedge), radius});
          },
          nb::arg("nedge"), nb::arg("radius"))
      .def(
          "make_supersphere",
          [](Self& self, int resolution, double e, double n) {
            make_shape(self, MeshBuiltin::supersphere, {double(resolution), e, n});
          },
          nb::arg("resolution"), nb::arg("e"), nb::arg("n"))
      .def(
          "make_supertorus",
          [](Self& self, int resolution, double radius, double s, double t) {
            make_shape(self, MeshBuiltin::supertorus, {double(resolution), radius, s, t});
          },
          nb::arg("resolution"), nb::arg("radius"), nb::arg("s"), nb::arg("t"));
  add_lattice(type, "make_grid", MeshBuiltin::grid, true);
  add_lattice(type, "make_box", MeshBuiltin::box, true);
  add_lattice(type, "make_cylinder", MeshBuiltin::cylinder, true);
  add_lattice(type, "make_ellipsoid", MeshBuiltin::ellipsoid, true);
  add_lattice(type, "make_square", MeshBuiltin::square, false);
  add_lattice(type, "make_disc", MeshBuiltin::disc, false);
}

// ---- tendons

struct WrapView {
  nb::object tendon;
  size_t index;
  HandleOf<Tendon>& owner() const { return nb::cast<HandleOf<Tendon>&>(tendon); }
  Wrap& wrap() const { return owner().item().path.at(index); }
};
struct PathView {
  nb::object tendon;
};

Element* wrap_target(const WrapView& self) {
  const Wrap& wrap = self.wrap();
  const Spec& spec = self.owner().spec();
  switch (wrap.type) {
    case WrapType::joint: return spec.find(ObjType::joint, wrap.target);
    case WrapType::site: return spec.find(ObjType::site, wrap.target);
    case WrapType::sphere:
    case WrapType::cylinder: return spec.find(ObjType::geom, wrap.target);
    default: return nullptr;
  }
}

// what is wrapped around a geom is known from the geom
WrapType wrap_type(const WrapView& self) {
  WrapType type = self.wrap().type;
  if (type != WrapType::sphere) return type;
  auto* geom = static_cast<Geom*>(wrap_target(self));
  return geom && geom->type == GeomType::cylinder ? WrapType::cylinder : type;
}

nb::object add_wrap(nb::handle_t<HandleOf<Tendon>> self, WrapType type, std::string target,
                    std::string sidesite, double prm) {
  auto& path = nb::cast<HandleOf<Tendon>&>(self).item().path;
  Wrap wrap;
  wrap.type = type;
  wrap.target = std::move(target);
  wrap.sidesite = std::move(sidesite);
  wrap.prm = prm;
  path.push_back(std::move(wrap));
  return nb::cast(WrapView{nb::borrow(self), path.size() - 1});
}

void bind_wrap(nb::module_& m) {
  static const Field type_field = make_field<&Wrap::type>("type", &Wrap::type);
  nb::class_<WrapView>(m, "MjsWrap")
      .def_prop_ro("type",
                   [](WrapView& self) {
                     Wrap copy;
                     copy.type = wrap_type(self);
                     return read_field(type_field, &copy, nullptr, nb::none());
                   })
      .def_prop_ro(
          "target",
          [](WrapView& self) { return wrap_element(self.owner().core, wrap_target(self)); })
      .def_prop_ro("sidesite",
                   [](WrapView& self) {
                     const std::string& name = self.wrap().sidesite;
                     Spec& spec = self.owner().spec();
                     return wrap<Site>(self.owner().core,
                                       name.empty() ? nullptr : spec.find<Site>(name));
                   })
      .def_prop_ro("coef", [](WrapView& self) { return self.wrap().prm; })
      .def_prop_ro("divisor", [](WrapView& self) { return self.wrap().prm; })
      .def_prop_rw(
          "info", [](WrapView& self) { return self.wrap().info; },
          [](WrapView& self, const std::string& info) { self.wrap().info = info; })
      .def("__eq__",
           [](WrapView& self, nb::object other) {
             if (!nb::isinstance<WrapView>(other)) return false;
             auto& that = nb::cast<WrapView&>(other);
             return self.tendon.is(that.tendon) && self.index == that.index;
           })
      .def("__hash__",
           [](WrapView& self) { return reinterpret_cast<size_t>(self.tendon.ptr()) + self.index; });
  auto length = [](PathView& self) {
    return nb::cast<HandleOf<Tendon>&>(self.tendon).item().path.size();
  };
  nb::class_<PathView>(m, "MjsTendonPath")
      .def("__len__", length)
      .def("__getitem__", [length](PathView& self, int index) {
        int count = static_cast<int>(length(self));
        if (index < 0) index += count;
        if (index < 0 || index >= count) throw nb::index_error("Index out of range.");
        return WrapView{self.tendon, static_cast<size_t>(index)};
      });
}

void bind_tendon(nb::module_& m) {
  using Self = nb::handle_t<HandleOf<Tendon>>;
  auto type = bind_element<Tendon>(m, "MjsTendon");
  add_classname(type);
  type.def("default",
           [](HandleOf<Tendon>& self) { return wrap<Default>(self.core, self.item().def); })
      .def_prop_ro("path", [](Self self) { return PathView{nb::borrow(self)}; })
      .def("wrap_site",
           [](Self self, std::string site) { return add_wrap(self, WrapType::site, site, "", 0); })
      .def("wrap_geom",
           [](Self self, std::string geom, std::string sidesite) {
             return add_wrap(self, WrapType::sphere, geom, sidesite, 0);
           })
      .def("wrap_joint",
           [](Self self, std::string joint, double coef) {
             return add_wrap(self, WrapType::joint, joint, "", coef);
           })
      .def("wrap_pulley", [](Self self, double divisor) {
        return add_wrap(self, WrapType::pulley, "", "", divisor);
      });
}

// ---- actuators

std::optional<double> given(double value) {
  return value < 0 ? std::nullopt : std::optional<double>(value);
}

void bind_actuator_servos(Class<Actuator>& type) {
  using Self = HandleOf<Actuator>;
  type.def("set_to_motor", [](Self& self) { check(set_to_motor(self.item())); })
      .def(
          "set_to_position",
          [](Self& self, double kp, double kv, double dampratio, double timeconst,
             double inheritrange) {
            check(set_to_position(self.item(), kp, given(kv), given(dampratio), given(timeconst),
                                  inheritrange));
          },
          nb::arg("kp"), nb::arg("kv") = -1.0, nb::arg("dampratio") = -1.0,
          nb::arg("timeconst") = -1.0, nb::arg("inheritrange") = 0.0)
      .def(
          "set_to_intvelocity",
          [](Self& self, double kp, double kv, double dampratio, double timeconst,
             double inheritrange) {
            check(set_to_intvelocity(self.item(), kp, given(kv), given(dampratio), given(timeconst),
                                     inheritrange));
          },
          nb::arg("kp"), nb::arg("kv") = -1.0, nb::arg("dampratio") = -1.0,
          nb::arg("timeconst") = -1.0, nb::arg("inheritrange") = 0.0)
      .def(
          "set_to_velocity", [](Self& self, double kv) { check(set_to_velocity(self.item(), kv)); },
          nb::arg("kv"))
      .def(
          "set_to_orientation",
          [](Self& self, double kp, double kv, double dampratio, int ctrlspec) {
            check(set_to_orientation(self.item(), kp, given(kv), given(dampratio), ctrlspec));
          },
          nb::arg("kp"), nb::arg("kv") = -1.0, nb::arg("dampratio") = -1.0, nb::arg("ctrlspec") = 0)
      .def(
          "set_to_pid",
          [](Self& self, double kp, double kv, double dampratio, double ki, double imax,
             double slewmax, double inheritrange, int ctrlspec) {
            check(set_to_pid(self.item(), kp, given(kv), given(dampratio), std::max(ki, 0.0),
                             std::max(imax, 0.0), std::max(slewmax, 0.0), inheritrange, ctrlspec));
          },
          nb::arg("kp"), nb::arg("kv") = -1.0, nb::arg("dampratio") = -1.0, nb::arg("ki") = -1.0,
          nb::arg("imax") = -1.0, nb::arg("slewmax") = -1.0, nb::arg("inheritrange") = 0.0,
          nb::arg("ctrlspec") = 0);
}

void bind_actuator_others(Class<Actuator>& type) {
  using Self = HandleOf<Actuator>;
  using A2 = std::array<double, 2>;
  using A3 = std::array<double, 3>;
  using A5 = std::array<double, 5>;
  using A6 = std::array<double, 6>;
  type.def(
          "set_to_damper", [](Self& self, double kv) { check(set_to_damper(self.item(), kv)); },
          nb::arg("kv"))
      .def(
          "set_to_cylinder",
          [](Self& self, double timeconst, double bias, double area, double diameter) {
            check(set_to_cylinder(self.item(), timeconst, bias, area, diameter));
          },
          nb::arg("timeconst"), nb::arg("bias"), nb::arg("area"), nb::arg("diameter") = -1.0)
      .def(
          "set_to_adhesion",
          [](Self& self, double gain) { check(set_to_adhesion(self.item(), gain)); },
          nb::arg("gain"))
      .def(
          "set_to_muscle",
          [](Self& self, A2 timeconst, double tausmooth, A2 range, double force, double scale,
             double lmin, double lmax, double vmax, double fpmax, double fvmax) {
            check(set_to_muscle(self.item(), {timeconst, tausmooth, range, force, scale, lmin, lmax,
                                              vmax, fpmax, fvmax}));
          },
          nb::arg("timeconst") = A2{-1, -1}, nb::arg("tausmooth"), nb::arg("range") = A2{-1, -1},
          nb::arg("force") = -1.0, nb::arg("scale") = -1.0, nb::arg("lmin") = -1.0,
          nb::arg("lmax") = -1.0, nb::arg("vmax") = -1.0, nb::arg("fpmax") = -1.0,
          nb::arg("fvmax") = -1.0)
      .def(
          "set_to_dcmotor",
          [](Self& self, A2 motorconst, double resistance, A3 nominal, A3 saturation, A2 inductance,
             A3 cogging, A6 controller, A6 thermal, A5 lugre, int ctrlspec) {
            check(set_to_dcmotor(self.item(),
                                 {motorconst, resistance, nominal, saturation, inductance, cogging,
                                  controller, thermal, lugre},
                                 ctrlspec));
          },
          nb::arg("motorconst"), nb::arg("resistance"), nb::arg("nominal") = A3{},
          nb::arg("saturation") = A3{}, nb::arg("inductance") = A2{}, nb::arg("cogging") = A3{},
          nb::arg("controller") = A6{}, nb::arg("thermal") = A6{}, nb::arg("lugre") = A5{},
          nb::arg("ctrlspec") = 0);
}

// ---- plugins

Plugin* instance_of(const PluginView& view) {
  if (view.instance) return view.instance;
  if (!view.core || view.reference->name.empty()) return nullptr;
  return view.core->spec->find<Plugin>(view.reference->name);
}

std::map<std::string, std::string> config_of(const PluginView& view) {
  const Plugin* instance = instance_of(view);
  const auto& pairs = instance ? instance->config : view.reference->config;
  return {pairs.begin(), pairs.end()};
}

void set_config(PluginView& view, const std::map<std::string, std::string>& config) {
  Plugin* instance = instance_of(view);
  auto& pairs = instance ? instance->config : view.reference->config;
  pairs.assign(config.begin(), config.end());
}

void bind_plugin(nb::module_& m) {
  using Self = PluginView;
  nb::class_<Self>(m, "MjsPlugin")
      .def_prop_rw(
          "name",
          [](Self& self) { return self.instance ? self.instance->name : self.reference->name; },
          [](Self& self, const std::string& name) {
            if (self.instance) {
              set_name(*self.instance, name);
            } else {
              self.reference->name = name;
            }
          })
      .def_prop_rw(
          "plugin_name",
          [](Self& self) {
            return self.instance ? self.instance->plugin_name : self.reference->plugin_name;
          },
          [](Self& self, const std::string& name) {
            (self.instance ? self.instance->plugin_name : self.reference->plugin_name) = name;
          })
      .def_prop_rw(
          "active",
          [](Self& self) { return self.instance ? self.instance->active : self.reference->active; },
          [](Self& self, nb::object value) {
            (self.instance ? self.instance->active : self.reference->active) = to_boolean(value);
          })
      .def_prop_rw(
          "info",
          [](Self& self) {
            Plugin* instance = instance_of(self);
            return instance ? instance->info : std::string();
          },
          [](Self& self, const std::string& info) {
            if (Plugin* instance = instance_of(self)) instance->info = info;
          })
      .def_prop_rw("config", config_of, set_config)
      .def_prop_ro("id",
                   [](Self& self) {
                     Plugin* instance = instance_of(self);
                     return instance ? instance->id : -1;
                   })
      .def_prop_ro("signature",
                   [](Self& self) { return self.core ? self.core->spec->signature : uint64_t{0}; })
      .def_prop_ro("compiler",
                   [](Self& self) { return wrap_compiler(self.core->spec->compiler, self.core); });
}

void bind_texture(nb::module_& m) {
  auto type = bind_element<Texture>(m, "MjsTexture");
  add_classname(type);
  auto layout = [](Handle& self) -> std::string& {
    return static_cast<TextureSpec*>(self.attributes)->gridlayout;
  };
  type.def_prop_rw(
      "gridlayout",
      [layout](nb::handle_t<HandleOf<Texture>> self) {
        return TextView{nb::borrow(self), &layout(nb::cast<HandleOf<Texture>&>(self)), 12};
      },
      [layout](HandleOf<Texture>& self, nb::object value) {
        set_text(layout(self), value, "gridlayout", 12);
      });
}

template <class T>
void bind_with_class(nb::module_& m, const char* name) {
  auto type = bind_element<T>(m, name);
  add_classname(type);
}

}  // namespace

void bind_spec_lists(nb::module_& m) {
  bind_mesh(m);
  bind_texture(m);
  bind_with_class<Flex>(m, "MjsFlex");
  bind_with_class<Material>(m, "MjsMaterial");
  bind_with_class<lockstep::Pair>(m, "MjsPair");
  bind_with_class<Equality>(m, "MjsEquality");
  bind_element<HField>(m, "MjsHField");
  bind_element<Skin>(m, "MjsSkin");
  bind_element<Exclude>(m, "MjsExclude");
  bind_element<Numeric>(m, "MjsNumeric");
  bind_element<Text>(m, "MjsText");
  bind_element<Tuple>(m, "MjsTuple");
  bind_element<Key>(m, "MjsKey");
  bind_wrap(m);
  bind_tendon(m);
  auto actuator = bind_element<Actuator>(m, "MjsActuator");
  add_classname(actuator);
  bind_actuator_servos(actuator);
  bind_actuator_others(actuator);
  bind_element<Sensor>(m, "MjsSensor").def("get_data_size", [](HandleOf<Sensor>& self) {
    return sensor_data_size(self.item());
  });
  bind_plugin(m);
}

}  // namespace lockstep::python
