// spec.h: the editable model. A Spec owns its elements; elements are plain structs (attributes.h)
// with a name, a place in the tree, a default class and the file and line they came from. Pointers
// to elements stay valid for the life of the Spec: removed elements are kept aside, marked dead.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "model/option.h"
#include "spec/attributes.h"

namespace lockstep {

class Spec;
struct Body;
struct Default;
struct Frame;

// what every element has
struct Element {
  explicit Element(ObjType kind) : kind(kind) {}
  virtual ~Element() = default;

  ObjType kind;
  std::string name;
  std::string info;  // text of the user, added to errors about the element
  Source source;
  Spec* spec = nullptr;                    // owner
  Default* def = nullptr;                  // class whose prototype it was made from
  std::shared_ptr<CompilerSpec> compiler;  // settings of the file it came from
  int id = -1;                             // number in the Model of the last compilation
  bool alive = true;
  Element* origin = nullptr;  // in a copy: the element it was copied from
  int defined = -1;           // in a compiled spec: place among its kind before sorting
};

// elements with a place in the body tree
struct TreeElement : Element {
  using Element::Element;
  Body* parent = nullptr;  // body it belongs to; null for the world
  Frame* frame = nullptr;  // innermost frame around it, within the parent
};

template <ObjType kind_, class Attributes, class Base = Element>
struct ElementOf : Base, Attributes {
  static constexpr ObjType type_code = kind_;
  using AttributesType = Attributes;
  ElementOf() : Base(kind_) {}
  Attributes& attributes() { return *this; }
  const Attributes& attributes() const { return *this; }
};

struct Joint : ElementOf<ObjType::joint, JointSpec, TreeElement> {};
struct Geom : ElementOf<ObjType::geom, GeomSpec, TreeElement> {};
struct Site : ElementOf<ObjType::site, SiteSpec, TreeElement> {};
struct Camera : ElementOf<ObjType::camera, CameraSpec, TreeElement> {};
struct Light : ElementOf<ObjType::light, LightSpec, TreeElement> {};
struct Frame : ElementOf<ObjType::frame, FrameSpec, TreeElement> {};

// children in the order of definition, which is the order of their numbers in the Model
struct Body : ElementOf<ObjType::body, BodySpec, TreeElement> {
  Frame* inertial_frame = nullptr;  // frame in which ipos, iquat and fullinertia are given
  bool inertial_given = false;      // in a compiled spec: not inferred, the author gave it
  std::vector<Body*> bodies;
  std::vector<Frame*> frames;
  std::vector<Joint*> joints;
  std::vector<Geom*> geoms;
  std::vector<Site*> sites;
  std::vector<Camera*> cameras;
  std::vector<Light*> lights;
};

struct Flex : ElementOf<ObjType::flex, FlexSpec> {};
struct Mesh : ElementOf<ObjType::mesh, MeshSpec> {};
struct HField : ElementOf<ObjType::hfield, HFieldSpec> {};
struct Skin : ElementOf<ObjType::skin, SkinSpec> {};
struct Texture : ElementOf<ObjType::texture, TextureSpec> {};
struct Material : ElementOf<ObjType::material, MaterialSpec> {};
struct Pair : ElementOf<ObjType::pair, PairSpec> {};
struct Exclude : ElementOf<ObjType::exclude, ExcludeSpec> {};
struct Equality : ElementOf<ObjType::equality, EqualitySpec> {};
struct Actuator : ElementOf<ObjType::actuator, ActuatorSpec> {};
struct Sensor : ElementOf<ObjType::sensor, SensorSpec> {};
struct Numeric : ElementOf<ObjType::numeric, NumericSpec> {};
struct Text : ElementOf<ObjType::text, TextSpec> {};
struct Tuple : ElementOf<ObjType::tuple, TupleSpec> {};

// what a keyframe says about one joint (qpos, qvel), actuator (act, ctrl) or mocap body
struct KeyPart {
  Element* element = nullptr;
  KeySpec values;
};
// A keyframe whose tree was changed by attaching or deleting waits for the next compilation: its
// vectors are empty, its values stand in parts by element, those of all others are defaults.
struct Key : ElementOf<ObjType::key, KeySpec> {
  bool pending = false;
  std::vector<KeyPart> parts;
};

// one station of a tendon's path
struct Wrap {
  WrapType type = WrapType::none;
  std::string target;    // joint, site or geom; empty for a pulley
  std::string sidesite;  // geoms only
  double prm = 0;        // coefficient of a joint, divisor of a pulley
  std::string info;
  Source source;
};
struct Tendon : ElementOf<ObjType::tendon, TendonSpec> {
  std::vector<Wrap> path;
};

// a declared plugin, or an instance of one with its configuration
struct PluginInstanceSpec {
  std::string plugin_name;
  bool active = false;
  std::vector<std::pair<std::string, std::string>> config;  // key, value, in file order
};
struct Plugin : ElementOf<ObjType::plugin, PluginInstanceSpec> {};

// a default class: one prototype of each kind, copied when an element is made
struct Default : Element {
  static constexpr ObjType type_code = ObjType::default_;
  Default() : Element(type_code) {}
  Default* parent = nullptr;
  std::vector<Default*> children;
  JointSpec joint;
  GeomSpec geom;
  SiteSpec site;
  CameraSpec camera;
  LightSpec light;
  FlexSpec flex;
  MeshSpec mesh;
  TextureSpec texture;
  MaterialSpec material;
  PairSpec pair;
  EqualitySpec equality;
  TendonSpec tendon;
  ActuatorSpec actuator;
};

// sizes a file may ask for; -1: found out by the compiler
struct SizeSpec {
  int64_t memory = -1;
  int nemax = 0;
  int nuserdata = 0;
  int nuser_body = -1;
  int nuser_jnt = -1;
  int nuser_geom = -1;
  int nuser_site = -1;
  int nuser_cam = -1;
  int nuser_tendon = -1;
  int nuser_actuator = -1;
  int nuser_sensor = -1;
  int nkey = 0;
  int njmax = -1;
  int nconmax = -1;
  int64_t nstack = -1;
};

class Spec : public SizeSpec {
 public:
  Spec();
  Spec(const Spec&) = delete;
  Spec& operator=(const Spec&) = delete;

  std::string modelname = "MuJoCo Model";
  std::string comment;
  std::string modelfiledir;
  std::shared_ptr<CompilerSpec> compiler;
  bool strippath = false;
  Option option;
  Visual visual;
  Statistic stat;
  std::shared_ptr<Assets> assets;  // files in memory; may be null
  Source source;
  uint64_t signature = 0;  // of the last compilation; 0 after a change of structure
  // global settings that were written in the file, as "option/timestep": kept when saving as
  // written, and what an attached model may override
  std::set<std::string> authored;
  std::vector<std::string> active_plugins;  // plugins that the model asks for, in file order
  Diagnostics warnings;   // about how it was put together; every compilation repeats them
  bool attached = false;  // by reference: elements belong to another spec too

  // elements outside the tree, in the order of definition
  std::vector<Flex*> flexes;
  std::vector<Mesh*> meshes;
  std::vector<HField*> hfields;
  std::vector<Skin*> skins;
  std::vector<Texture*> textures;
  std::vector<Material*> materials;
  std::vector<Pair*> pairs;
  std::vector<Exclude*> excludes;
  std::vector<Equality*> equalities;
  std::vector<Tendon*> tendons;
  std::vector<Actuator*> actuators;
  std::vector<Sensor*> sensors;
  std::vector<Numeric*> numerics;
  std::vector<Text*> texts;
  std::vector<Tuple*> tuples;
  std::vector<Key*> keys;
  std::vector<Plugin*> plugins;

  Body* world() const { return world_; }
  Default* main_default() const { return main_; }
  const std::vector<Default*>& defaults() const {
    return defaults_;
  }  // main first, parents before children
  Default* find_default(std::string_view name) const;
  // a child class of `parent` (null: of main), starting as its copy; null if the name is taken
  Default* add_default(std::string name, Default* parent = nullptr);

  // a new element outside the tree, with the values of a class (null: of main)
  template <class T>
  T* add(Default* def = nullptr);
  // a new element of a body, likewise; the class falls back to the childclass of the nearest frame
  // or body
  template <class T>
  T* add(Body* parent, Default* def = nullptr, Frame* frame = nullptr);

  // bodies depth first, world first: the order of their numbers
  std::vector<Body*> all_bodies() const;
  // every living element of a kind, in the order of numbers (bodies: depth first)
  template <class T>
  std::vector<T*> all() const;
  std::vector<Element*> all(ObjType kind) const;

  Element* find(ObjType kind, std::string_view name) const;
  template <class T>
  T* find(std::string_view name) const {
    return static_cast<T*>(find(T::type_code, name));
  }

  // removes an element with all it contains; references to it by name are left to the compiler's
  // check
  void remove(Element* element);

  // a deep copy; elements of the copy point to theirs by `origin`
  std::unique_ptr<Spec> copy() const;

 private:
  friend class Attachment;
  using Pool = std::vector<std::unique_ptr<Element>>;
  template <class T>
  T* make();
  std::shared_ptr<Pool> pool_ = std::make_shared<Pool>();
  std::vector<std::shared_ptr<Pool>> adopted_;  // pools of specs attached by reference
  Body* world_ = nullptr;
  Default* main_ = nullptr;
  std::vector<Default*> defaults_;
};

// the class that an element made in this place uses: childclass of the nearest frame or body, or
// main
Default* class_in_force(const Spec& spec, const Body* body, const Frame* frame);

// a number that two specs share only if they have the same structure; never 0
uint64_t structure_signature(const Spec& spec);

// "geom 'foot'", or "geom 3" for one without a name
std::string describe(const Element& element);

}  // namespace lockstep
