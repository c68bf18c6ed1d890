// spec_object.h: what a Python MjSpec and its elements hold. An element object points to the
// element itself and shares the life of its spec; while Python keeps it, asking for the element
// again gives the same object.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "model/model.h"
#include "spec/spec.h"

namespace lockstep::python {

namespace nb = nanobind;

// a spec and what must live as long as it
struct SpecCore {
  std::unique_ptr<Spec> spec = std::make_unique<Spec>();
  std::shared_ptr<Spec> compiled;         // result of the last compilation
  std::shared_ptr<SpecCore> attached_to;  // the spec that took elements by reference
  std::array<double, 9> timer{};
  bool copy_during_attach = false;
};

struct SpecObject {
  std::shared_ptr<SpecCore> core = std::make_shared<SpecCore>();
  nb::dict assets;
  nb::object parent = nb::none();   // MjSpec that this one was attached to
  nb::object option, visual, stat;  // made when first asked for
  bool override_assets = true;
  bool has_implicit_plugin = false;

  Spec& spec() const { return *core->spec; }
};

// base of all element classes; prototypes of default classes are elements without `element`
struct Handle {
  std::shared_ptr<SpecCore> core;
  Element* element = nullptr;
  void* attributes = nullptr;

  Handle(std::shared_ptr<SpecCore> core, Element* element, void* attributes)
      : core(std::move(core)), element(element), attributes(attributes) {}
  Handle(Handle&& other) noexcept
      : core(std::move(other.core)), element(other.element), attributes(other.attributes) {
    other.attributes = nullptr;
  }
  ~Handle();

  Element& get() const;  // throws for prototypes
  Spec& spec() const { return *get().spec; }
};

template <class T>
struct HandleOf : Handle {
  HandleOf(std::shared_ptr<SpecCore> core, T* item)
      : Handle(std::move(core), item, item ? &item->attributes() : nullptr) {}
  HandleOf(std::shared_ptr<SpecCore> core, typename T::AttributesType* prototype)
      : Handle(std::move(core), nullptr, prototype) {}
  T& item() const { return static_cast<T&>(get()); }
};
template <>
struct HandleOf<Default> : Handle {
  HandleOf(std::shared_ptr<SpecCore> core, Default* item) : Handle(std::move(core), item, item) {}
  Default& item() const { return static_cast<Default&>(get()); }
};

// objects that Python holds, by the address of the attributes they show
nb::object find_object(const void* attributes);
void remember_object(const void* attributes, nb::handle object);

// the object of an element, or of a prototype; None for null
template <class T, class Shown>
nb::object wrap(const std::shared_ptr<SpecCore>& core, Shown* shown) {
  if (!shown) return nb::none();
  HandleOf<T> handle(core, shown);
  const void* key = handle.attributes;
  nb::object object = find_object(key);
  if (object.is_valid()) {
    handle.attributes = nullptr;
    return object;
  }
  object = nb::cast(std::move(handle));
  remember_object(key, object);
  return object;
}
template <class T>
nb::object wrap(const Handle& from, T* item) {
  return wrap<T>(from.core, item);
}
nb::object wrap_element(const std::shared_ptr<SpecCore>& core, Element* element);  // by its kind

template <class T>
nb::list wrap_list(const std::shared_ptr<SpecCore>& core, const std::vector<T*>& items) {
  nb::list list;
  for (T* item : items) list.append(wrap<T>(core, item));
  return list;
}

// "MjsGeom" for Geom
template <class T>
const char* class_name();

// sets a name; refuses one that another element of the kind has
void set_name(Element& element, const std::string& name);

// throws ValueError with MuJoCo's layout of messages, or passes warnings to Python
void report_spec(const Diagnostics& diagnostics);

void bind_spec_values(nb::module_& m);    // MjDoubleVec and the like, MjsOrientation
void bind_spec_tree(nb::module_& m);      // bodies and what they contain
void bind_spec_lists(nb::module_& m);     // everything else
void bind_spec_settings(nb::module_& m);  // MjsCompiler, MjsDefault, MjsAuthored
void bind_spec_class(nb::module_& m);     // MjSpec
void add_spec_lists(nb::class_<SpecObject>& type);
void add_spec_files(nb::class_<SpecObject>& type);
void add_spec_edits(nb::class_<SpecObject>& type);

void add_spec_compiling(nb::class_<SpecObject>& type);

// files of a compilation, those of the spec or of a vfs, in the spec while it lasts
struct CompileFiles {
  CompileFiles(SpecObject& self, nb::handle vfs);
  ~CompileFiles() { spec.assets = before; }
  std::shared_ptr<Assets> before;
  Spec& spec;
};

nb::object wrap_compiler(std::shared_ptr<CompilerSpec> compiler,
                         const std::shared_ptr<SpecCore>& core);

}  // namespace lockstep::python
