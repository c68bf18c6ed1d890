// spec_tree.cc: MjsBody, MjsFrame and what they contain.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <algorithm>

#include "spec/attach.h"
#include "spec/lists.h"
#include "spec_element.h"

namespace lockstep::python {
namespace {

template <class T>
using Class = nb::class_<HandleOf<T>, Handle>;

// ---- place in the tree

template <class T>
void add_place(Class<T>& type) {
  type.def_prop_ro("parent",
                   [](HandleOf<T>& self) {
                     T& item = self.item();
                     return wrap<Body>(self.core, item.alive ? item.parent : nullptr);
                   })
      .def_prop_ro("frame",
                   [](HandleOf<T>& self) { return wrap<Frame>(self.core, self.item().frame); })
      .def("set_frame", [](HandleOf<T>& self, HandleOf<Frame>& frame) {
        for (Frame* outer = &frame.item(); outer; outer = outer->frame) {
          if (static_cast<TreeElement*>(outer) == &self.item()) {
            throw nb::value_error("a frame cannot stand in itself");
          }
        }
        if (frame.item().parent != self.item().parent) {
          throw nb::value_error("Mismatched bodies: the frame belongs to another body");
        }
        self.item().frame = &frame.item();
      });
}

// ---- making elements in a body or frame

template <class T, class Parent>
nb::object add_item(HandleOf<Parent>& self, const char* function, nb::handle positional,
                    nb::kwargs arguments) {
  Body* body;
  Frame* frame = nullptr;
  if constexpr (std::is_same_v<Parent, Body>) {
    body = &self.item();
  } else {
    frame = &self.item();
    body = frame->parent;
  }
  Default* def = default_argument(positional, arguments);
  T* item = self.spec().template add<T>(body, def, frame);
  if constexpr (std::is_same_v<T, Body>) {
    if (def) item->childclass = def->name;
  }
  return finish(self.core, item, function, arguments);
}

template <class T, class Parent>
void add_maker(Class<Parent>& type, const char* name) {
  type.def(
      name,
      [name](HandleOf<Parent>& self, nb::object def, nb::kwargs arguments) {
        return add_item<T>(self, name, def, arguments);
      },
      nb::arg("default") = nb::none(), nb::arg("kwargs"));
}

// frames take the frame they stand in where others take a class
template <class Parent>
void add_frame_maker(Class<Parent>& type) {
  type.def(
      "add_frame",
      [](HandleOf<Parent>& self, nb::object outer, nb::kwargs arguments) {
        Body* body;
        Frame* frame = nullptr;
        if constexpr (std::is_same_v<Parent, Body>) {
          body = &self.item();
        } else {
          frame = &self.item();
          body = frame->parent;
        }
        if (!outer.is_none()) frame = &nb::cast<HandleOf<Frame>&>(outer).item();
        if (frame && frame->parent != body) {
          throw nb::value_error("the frame belongs to another body");
        }
        return finish(self.core, self.spec().template add<Frame>(body, nullptr, frame), "add_frame",
                      arguments);
      },
      nb::arg("default") = nb::none(), nb::arg("kwargs"));
}

nb::object add_freejoint(HandleOf<Body>& self, nb::kwargs arguments) {
  for (auto [name, value] : arguments) {
    std::string key = nb::cast<std::string>(name);
    if (key != "align" && key != "group" && key != "name") {
      throw nb::type_error(
          fmt::format("Invalid {} keyword argument. Valid options are: align, group, name.", key)
              .c_str());
    }
  }
  Joint* joint = self.spec().add<Joint>(&self.item());
  joint->attributes() = JointSpec{};  // free joints have no defaults
  joint->def = self.spec().main_default();
  joint->type = JointType::free;
  return finish(self.core, joint, "add_freejoint", arguments);
}

template <class Parent>
void add_makers(Class<Parent>& type) {
  add_maker<Body>(type, "add_body");
  add_maker<Joint>(type, "add_joint");
  add_maker<Geom>(type, "add_geom");
  add_maker<Site>(type, "add_site");
  add_maker<Camera>(type, "add_camera");
  add_maker<Light>(type, "add_light");
  add_frame_maker(type);
}

// ---- walking

template <class T>
void add_walk(Class<Body>& type, const std::string& singular, const char* plural) {
  type.def_prop_ro(
          plural,
          [](HandleOf<Body>& self) { return wrap_list<T>(self.core, list_of<T>(self.item())); })
      .def(("first_" + singular).c_str(),
           [](HandleOf<Body>& self) {
             auto& list = list_of<T>(self.item());
             return wrap<T>(self.core, list.empty() ? nullptr : list.front());
           })
      .def(("next_" + singular).c_str(), [](HandleOf<Body>& self, HandleOf<T>& current) {
        auto& list = list_of<T>(self.item());
        auto found = std::find(list.begin(), list.end(), &current.item());
        if (found != list.end()) ++found;
        return wrap<T>(self.core, found == list.end() ? nullptr : *found);
      });
}

template <class T>
void collect(const std::shared_ptr<SpecCore>& core, Body& body, nb::list& out) {
  for (T* item : list_of<T>(body)) {
    out.append(wrap<T>(core, item));
    if constexpr (std::is_same_v<T, Body>) collect<T>(core, *item, out);
  }
  if constexpr (!std::is_same_v<T, Body>) {
    for (Body* child : body.bodies) collect<T>(core, *child, out);
  }
}

nb::list find_all(HandleOf<Body>& self, nb::object wanted) {
  ObjType kind = nb::isinstance<nb::str>(wanted)
                     ? enum_of<ObjType>(to_text(wanted)).value_or(ObjType::unknown)
                     : static_cast<ObjType>(to_integer(wanted));
  nb::list out;
  switch (kind) {
    case ObjType::body: collect<Body>(self.core, self.item(), out); break;
    case ObjType::frame: collect<Frame>(self.core, self.item(), out); break;
    case ObjType::geom: collect<Geom>(self.core, self.item(), out); break;
    case ObjType::site: collect<Site>(self.core, self.item(), out); break;
    case ObjType::joint: collect<Joint>(self.core, self.item(), out); break;
    case ObjType::light: collect<Light>(self.core, self.item(), out); break;
    case ObjType::camera: collect<Camera>(self.core, self.item(), out); break;
    default:
      throw nb::value_error(
          "body.find_all supports the types: body, frame, geom, site, joint, light, camera.");
  }
  return out;
}

Body* find_child(Body& body, const std::string& name) {
  for (Body* child : body.bodies) {
    if (child->name == name) return child;
    if (Body* found = find_child(*child, name)) return found;
  }
  return nullptr;
}

// ---- attaching

template <class T>
nb::object attach_to(Handle& parent, HandleOf<T>& child, const std::optional<std::string>& prefix,
                     const std::optional<std::string>& suffix, bool copy) {
  Diagnostics diagnostics;
  AttachOptions options{prefix.value_or(""), suffix.value_or(""), copy, false};
  Element* result = attach(&parent.get(), &child.get(), options, diagnostics);
  report_spec(diagnostics);
  if (!copy && child.core != parent.core) child.core->attached_to = parent.core;
  return wrap_element(parent.core, result);
}

template <class Parent, class Child>
void add_attach(Class<Parent>& type, const char* name, const char* argument) {
  type.def(
      name,
      [](HandleOf<Parent>& self, HandleOf<Child>& child, std::optional<std::string> prefix,
         std::optional<std::string> suffix) {
        return attach_to(self, child, prefix, suffix, self.core->copy_during_attach);
      },
      nb::arg(argument), nb::arg("prefix") = nb::none(), nb::arg("suffix") = nb::none());
}

// the body becomes a frame of its parent, which gets what the body held
nb::object to_frame(HandleOf<Body>& self) {
  Body& body = self.item();
  if (!body.parent) throw nb::value_error("the world cannot become a frame");
  return wrap<Frame>(self.core, body_to_frame(&body));
}

template <class T>
void add_childclass(Class<T>& type) {
  type.def_prop_rw(
      "childclass", [](HandleOf<T>& self) { return self.item().childclass; },
      [](HandleOf<T>& self, const std::string& name) { self.item().childclass = name; });
}

void bind_body(nb::module_& m) {
  auto type = bind_element<Body>(m, "MjsBody");
  add_place(type);
  add_makers(type);
  type.def("add_freejoint", add_freejoint);
  bind_make_flex(type);
  add_walk<Body>(type, "body", "bodies");
  add_walk<Frame>(type, "frame", "frames");
  add_walk<Joint>(type, "joint", "joints");
  add_walk<Geom>(type, "geom", "geoms");
  add_walk<Site>(type, "site", "sites");
  add_walk<Camera>(type, "camera", "cameras");
  add_walk<Light>(type, "light", "lights");
  type.def("find_all", find_all)
      .def("find_child",
           [](HandleOf<Body>& self, const std::string& name) {
             return wrap<Body>(self.core, find_child(self.item(), name));
           })
      .def("to_frame", to_frame)
      .def_prop_rw(
          "childclass",
          [](HandleOf<Body>& self) {
            Body& body = self.item();
            return class_in_force(*body.spec, &body, nullptr)->name;
          },
          [](HandleOf<Body>& self, const std::string& name) { self.item().childclass = name; })
      .def_prop_rw(
          "classname",
          [](HandleOf<Body>& self) {
            Body& body = self.item();
            return wrap<Default>(self.core, class_in_force(*body.spec, &body, nullptr));
          },
          [](HandleOf<Body>& self, HandleOf<Default>& def) {
            self.item().childclass = def.item().name;
          });
  add_attach<Body, Frame>(type, "attach_frame", "frame");
}

void bind_frame(nb::module_& m) {
  auto type = bind_element<Frame>(m, "MjsFrame");
  add_place(type);
  add_makers(type);
  add_childclass(type);
  add_attach<Frame, Body>(type, "attach_body", "body");
}

template <class T>
Class<T> bind_leaf(nb::module_& m, const char* name) {
  auto type = bind_element<T>(m, name);
  add_place(type);
  add_classname(type);
  return type;
}

}  // namespace

void bind_spec_tree(nb::module_& m) {
  nb::class_<Handle>(m, "MjsElement")
      .def_prop_rw(
          "name", [](Handle& self) { return self.element ? self.element->name : std::string(); },
          [](Handle& self, const std::string& name) { set_name(self.get(), name); })
      .def_prop_rw(
          "info", [](Handle& self) { return self.element ? self.element->info : std::string(); },
          [](Handle& self, const std::string& info) { self.get().info = info; })
      .def_prop_ro("id",
                   [](Handle& self) {
                     if (!self.element || !self.element->alive) return -1;
                     bool world = self.element == self.element->spec->world();
                     return world ? 0 : self.element->id;
                   })
      .def_prop_ro("signature",
                   [](Handle& self) { return self.element ? self.spec().signature : uint64_t{0}; })
      .def_prop_ro("compiler",
                   [](Handle& self) { return wrap_compiler(self.get().compiler, self.core); });
  bind_body(m);
  bind_frame(m);
  bind_leaf<Joint>(m, "MjsJoint");
  bind_leaf<Geom>(m, "MjsGeom");
  auto site = bind_leaf<Site>(m, "MjsSite");
  add_attach<Site, Body>(site, "attach_body", "body");
  bind_leaf<Camera>(m, "MjsCamera");
  bind_leaf<Light>(m, "MjsLight");
}

}  // namespace lockstep::python
