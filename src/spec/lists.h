// lists.h: which list holds elements of a kind, which prototype of a class fills them; and walks
// over all kinds. Used inside src/spec and by what derives tables from the kinds.
#pragma once

#include "spec/spec.h"

namespace lockstep {

// list of a Spec that holds elements of a kind outside the tree
template <class T>
std::vector<T*>& list_of(Spec& s) {
  if constexpr (std::is_same_v<T, Flex>) return s.flexes;
  if constexpr (std::is_same_v<T, Mesh>) return s.meshes;
  if constexpr (std::is_same_v<T, HField>) return s.hfields;
  if constexpr (std::is_same_v<T, Skin>) return s.skins;
  if constexpr (std::is_same_v<T, Texture>) return s.textures;
  if constexpr (std::is_same_v<T, Material>) return s.materials;
  if constexpr (std::is_same_v<T, Pair>) return s.pairs;
  if constexpr (std::is_same_v<T, Exclude>) return s.excludes;
  if constexpr (std::is_same_v<T, Equality>) return s.equalities;
  if constexpr (std::is_same_v<T, Tendon>) return s.tendons;
  if constexpr (std::is_same_v<T, Actuator>) return s.actuators;
  if constexpr (std::is_same_v<T, Sensor>) return s.sensors;
  if constexpr (std::is_same_v<T, Numeric>) return s.numerics;
  if constexpr (std::is_same_v<T, Text>) return s.texts;
  if constexpr (std::is_same_v<T, Tuple>) return s.tuples;
  if constexpr (std::is_same_v<T, Key>) return s.keys;
  if constexpr (std::is_same_v<T, Plugin>) return s.plugins;
}

// list of a body that holds elements of a kind
template <class T>
std::vector<T*>& list_of(Body& b) {
  if constexpr (std::is_same_v<T, Body>) return b.bodies;
  if constexpr (std::is_same_v<T, Frame>) return b.frames;
  if constexpr (std::is_same_v<T, Joint>) return b.joints;
  if constexpr (std::is_same_v<T, Geom>) return b.geoms;
  if constexpr (std::is_same_v<T, Site>) return b.sites;
  if constexpr (std::is_same_v<T, Camera>) return b.cameras;
  if constexpr (std::is_same_v<T, Light>) return b.lights;
}

// prototype of a class for elements of a kind, or null where classes have none
template <class T>
const typename T::AttributesType* prototype(const Default& d) {
  if constexpr (std::is_same_v<T, Joint>) return &d.joint;
  if constexpr (std::is_same_v<T, Geom>) return &d.geom;
  if constexpr (std::is_same_v<T, Site>) return &d.site;
  if constexpr (std::is_same_v<T, Camera>) return &d.camera;
  if constexpr (std::is_same_v<T, Light>) return &d.light;
  if constexpr (std::is_same_v<T, Flex>) return &d.flex;
  if constexpr (std::is_same_v<T, Mesh>) return &d.mesh;
  if constexpr (std::is_same_v<T, Texture>) return &d.texture;
  if constexpr (std::is_same_v<T, Material>) return &d.material;
  if constexpr (std::is_same_v<T, Pair>) return &d.pair;
  if constexpr (std::is_same_v<T, Equality>) return &d.equality;
  if constexpr (std::is_same_v<T, Tendon>) return &d.tendon;
  if constexpr (std::is_same_v<T, Actuator>) return &d.actuator;
  return nullptr;
}
template <class T>
typename T::AttributesType* prototype(Default& d) {
  return const_cast<typename T::AttributesType*>(prototype<T>(static_cast<const Default&>(d)));
}

// calls f(list) for every list of elements outside the tree
template <class F>
void for_each_list(Spec& s, F&& f) {
  f(s.flexes), f(s.meshes), f(s.hfields), f(s.skins), f(s.textures), f(s.materials);
  f(s.pairs), f(s.excludes), f(s.equalities), f(s.tendons), f(s.actuators), f(s.sensors);
  f(s.numerics), f(s.texts), f(s.tuples), f(s.keys), f(s.plugins);
}

// calls f(list) for every list of a body except that of its child bodies
template <class F>
void for_each_leaf_list(Body& b, F&& f) {
  f(b.frames), f(b.joints), f(b.geoms), f(b.sites), f(b.cameras), f(b.lights);
}

// calls f(prototype) for every prototype of a class
template <class F>
void for_each_prototype(Default& d, F&& f) {
  f(d.joint), f(d.geom), f(d.site), f(d.camera), f(d.light), f(d.flex), f(d.mesh), f(d.texture);
  f(d.material), f(d.pair), f(d.equality), f(d.tendon), f(d.actuator);
}

// whether the frame is around the element, at whatever distance
inline bool stands_in(const TreeElement* element, const Frame* frame) {
  const Frame* f = element->frame;
  while (f && f != frame) f = f->frame;
  return f == frame;
}

}  // namespace lockstep
