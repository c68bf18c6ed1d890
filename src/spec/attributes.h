// attributes.h: what can be written about each element of a model: types and defaults, the single
// source of both. Names are those of MuJoCo's specification API; `undefined` (NaN) stands for a
// number that nobody has given. Every member has an initialiser, so that designated ones may be
// few.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/types.h"

namespace lockstep {

using Numbers = std::vector<double>;

// other ways to write an orientation; the quaternion beside it counts when type is quat
struct Orientation {
  OrientationType type = OrientationType::quat;
  std::array<double, 4> axisangle{};
  std::array<double, 6> xyaxes{};
  std::array<double, 3> zaxis{};
  std::array<double, 3> euler{};
};

// how the length range of muscles is found by simulation
struct LengthRangeOptions {
  int mode = 1;
  int useexisting = 1;
  int uselimit = 0;
  double accel = 20;
  double maxforce = 0;
  double timeconst = 1;
  double timestep = 0.01;
  double inttotal = 10;
  double interval = 2;
  double tolrange = 0.05;
};

// the plugin instance an element refers to
struct PluginRef {
  std::string name{};
  std::string plugin_name{};
  bool active = false;
  // of an unnamed instance: key, value
  std::vector<std::pair<std::string, std::string>> config{};
  bool operator==(const PluginRef&) const = default;
};

// how a file is to be understood; travels with elements that are attached to another spec
struct CompilerSpec {
  bool autolimits = true;
  double boundmass = 0;
  double boundinertia = 0;
  double settotalmass = -1;
  bool balanceinertia = false;
  bool fitaabb = false;
  bool degree = true;
  std::string eulerseq = "xyz";
  bool discardvisual = false;
  bool usethread = true;
  bool fusestatic = false;
  InertiaFromGeom inertiafromgeom = InertiaFromGeom::auto_;
  std::array<int, 2> inertiagrouprange{0, 5};
  bool saveinertial = false;
  bool savecompiled = true;
  bool savecanonical = true;
  bool alignfree = false;
  Conflict conflict = Conflict::warning;
  Passthrough passthrough = Passthrough::none;
  LengthRangeOptions LRopt{};
  std::string meshdir{};
  std::string texturedir{};
  std::optional<std::string> modelfiledir{};  // of an attached model, for its assets
};

struct BodySpec {
  std::string childclass{};
  std::array<double, 3> pos{};
  std::array<double, 4> quat{1, 0, 0, 0};
  Orientation alt{};
  double mass = 0;
  std::array<double, 3> ipos{undefined, 0, 0};
  std::array<double, 4> iquat{1, 0, 0, 0};
  std::array<double, 3> inertia{};
  Orientation ialt{};
  std::array<double, 6> fullinertia{undefined, 0, 0, 0, 0, 0};
  bool mocap = false;
  double gravcomp = 0;
  SleepPolicy sleep = SleepPolicy::auto_;
  int simple = 1;
  int fuse = 1;
  Numbers userdata{};
  bool explicitinertial = false;
  PluginRef plugin{};
};

// a coordinate frame without mass: it moves and scales what stands in it
struct FrameSpec {
  std::string childclass{};
  std::array<double, 3> pos{};
  std::array<double, 4> quat{1, 0, 0, 0};
  Orientation alt{};
  std::array<double, 3> scale{1, 1, 1};
  Scaling scaling = Scaling::similar;
  double massscale = 0;
};

struct JointSpec {
  JointType type = JointType::hinge;
  std::array<double, 3> pos{};
  std::array<double, 3> axis{0, 0, 1};
  double ref = 0;
  AlignFree align = AlignFree::auto_;
  std::array<double, 3> stiffness{};
  double springref = 0;
  double springyield = 0;
  std::array<double, 2> springdamper{};
  Limited limited = Limited::auto_;
  std::array<double, 2> range{};
  double margin = 0;
  std::array<double, 2> solref_limit{0.02, 1};
  std::array<double, 5> solimp_limit{0.9, 0.95, 0.001, 0.5, 2};
  Limited actfrclimited = Limited::auto_;
  std::array<double, 2> actfrcrange{};
  double armature = 0;
  std::array<double, 3> damping{};
  double frictionloss = 0;
  std::array<double, 2> solref_friction{0.02, 1};
  std::array<double, 5> solimp_friction{0.9, 0.95, 0.001, 0.5, 2};
  int group = 0;
  bool actgravcomp = false;
  Numbers userdata{};
};

struct GeomSpec {
  GeomType type = GeomType::sphere;
  std::array<double, 3> pos{};
  std::array<double, 4> quat{1, 0, 0, 0};
  Orientation alt{};
  std::array<double, 6> fromto{undefined, 0, 0, 0, 0, 0};
  std::array<double, 3> size{};
  int contype = 1;
  int conaffinity = 1;
  int condim = 3;
  int priority = 0;
  std::array<double, 3> friction{1, 0.005, 0.0001};
  double solmix = 1;
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2};
  double margin = 0;
  double gap = 0;
  std::array<double, 6> surfacevel{};
  double adhesion = 0;
  double mass = undefined;
  double density = 1000;
  GeomInertia typeinertia = GeomInertia::volume;
  double fluid_ellipsoid = 0;
  std::array<double, 5> fluid_coefs{0.5, 0.25, 1.5, 1, 1};
  std::string material{};
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1.0f};
  int group = 0;
  bool castshadow = true;
  std::string hfieldname{};
  std::string meshname{};
  double fitscale = 1;
  Numbers userdata{};
  PluginRef plugin{};
};

struct SiteSpec {
  std::array<double, 3> pos{};
  std::array<double, 4> quat{1, 0, 0, 0};
  Orientation alt{};
  std::array<double, 6> fromto{undefined, 0, 0, 0, 0, 0};
  std::array<double, 3> size{0.005, 0.005, 0.005};
  GeomType type = GeomType::sphere;
  std::string material{};
  int group = 0;
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1.0f};
  std::string meshname{};
  Numbers userdata{};
};

struct CameraSpec {
  std::array<double, 3> pos{};
  std::array<double, 4> quat{1, 0, 0, 0};
  Orientation alt{};
  CamLightMode mode = CamLightMode::fixed;
  std::string targetbody{};
  Projection proj = Projection::perspective;
  std::array<int, 2> resolution{1, 1};
  int output = 1;
  double fovy = 45;
  double ipd = 0.068;
  std::array<float, 4> intrinsic{};
  std::array<float, 2> sensor_size{};
  std::array<float, 2> focal_length{};
  std::array<float, 2> focal_pixel{};
  std::array<float, 2> principal_length{};
  std::array<float, 2> principal_pixel{};
  Numbers userdata{};
};

struct LightSpec {
  std::array<double, 3> pos{};
  std::array<double, 3> dir{0, 0, -1};
  CamLightMode mode = CamLightMode::fixed;
  std::string targetbody{};
  bool active = true;
  LightType type = LightType::spot;
  std::string texture{};
  bool castshadow = true;
  float bulbradius = 0.02f;
  float intensity = 0.0f;
  float range = 10.0f;
  std::array<float, 3> attenuation{1.0f, 0.0f, 0.0f};
  float cutoff = 45.0f;
  float softness = 0.2f;
  float exponent = 10.0f;
  std::array<float, 3> ambient{};
  std::array<float, 3> diffuse{0.7f, 0.7f, 0.7f};
  std::array<float, 3> specular{0.3f, 0.3f, 0.3f};
};

struct FlexSpec {
  int contype = 1;
  int conaffinity = 1;
  int condim = 3;
  int priority = 0;
  std::array<double, 3> friction{1, 0.005, 0.0001};
  double solmix = 1;
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2};
  double margin = 0;
  double gap = 0;
  int dim = 2;
  double radius = 0.005;
  std::array<double, 3> size{};
  bool flatskin = false;
  FlexSelf selfcollide = FlexSelf::auto_;
  int passive = 0;
  int activelayers = 1;
  int group = 0;
  double edgestiffness = 0;
  double edgedamping = 0;
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1.0f};
  std::vector<std::string> material{};
  double young = 0;
  double poisson = 0;
  double shear = 0;
  double damping = 0;
  double thickness = -1;
  std::array<double, 2> stressyield{};
  int elastic2d = 0;
  int elastic3d = 0;
  FlexSection section = FlexSection::circle;
  std::array<double, 2> sectionsize{};
  std::array<int, 3> cellcount{1, 1, 1};
  int order = 0;
  std::vector<std::string> nodebody{};
  std::vector<std::string> vertbody{};
  Numbers node{};
  Numbers vert{};
  std::vector<int> elem{};
  std::vector<float> texcoord{};
  std::vector<int> elemtexcoord{};
};

struct MeshSpec {
  std::string content_type{};
  std::string file{};
  std::array<double, 3> refpos{};
  std::array<double, 4> refquat{1, 0, 0, 0};
  std::array<double, 3> scale{1, 1, 1};
  MeshInertia inertia = MeshInertia::legacy;
  bool smoothnormal = false;
  bool needsdf = false;
  int maxhullvert = -1;
  std::vector<float> uservert{};
  std::vector<float> usernormal{};
  std::vector<float> usertexcoord{};
  std::vector<int> userface{};
  std::vector<int> userfacenormal{};
  std::vector<int> userfacetexcoord{};
  Numbers usernode{};
  std::vector<int> usertet{};
  PluginRef plugin{};
  std::string material{};
  int octree_maxdepth = 6;
  MeshBuiltin builtin = MeshBuiltin::none;  // shape made by the compiler
  Numbers builtin_params{};
  bool operator==(const MeshSpec&) const = default;
};

struct HFieldSpec {
  std::string content_type{};
  std::string file{};
  std::array<double, 4> size{};
  int nrow = 0;
  int ncol = 0;
  std::vector<float> userdata{};
};

struct SkinSpec {
  std::string file{};
  std::string material{};
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1.0f};
  float inflate = 0.0f;
  int group = 0;
  std::vector<float> vert{};
  std::vector<float> texcoord{};
  std::vector<int> face{};
  std::vector<std::string> bodyname{};
  std::vector<float> bindpos{};
  std::vector<float> bindquat{};
  std::vector<std::vector<int>> vertid{};
  std::vector<std::vector<float>> vertweight{};
};

struct TextureSpec {
  TextureType type = TextureType::cube;
  ColorSpace colorspace = ColorSpace::auto_;
  Builtin builtin = Builtin::none;
  Mark mark = Mark::none;
  std::array<double, 3> rgb1{0.8, 0.8, 0.8};
  std::array<double, 3> rgb2{0.5, 0.5, 0.5};
  std::array<double, 3> markrgb{};
  double random = 0.01;
  int height = 0;
  int width = 0;
  int nchannel = 3;
  std::string content_type{};
  std::string file{};
  std::array<int, 2> gridsize{1, 1};
  std::string gridlayout = "............";
  std::vector<std::string> cubefiles = std::vector<std::string>(6);
  std::vector<uint8_t> data{};
  bool hflip = false;
  bool vflip = false;
  Embed embed = Embed::auto_;
  bool operator==(const TextureSpec&) const = default;
};

struct MaterialSpec {
  std::vector<std::string> textures = std::vector<std::string>(mjNTEXROLE);
  bool texuniform = false;
  std::array<float, 2> texrepeat{1.0f, 1.0f};
  float emission = 0.0f;
  float specular = 0.5f;
  float shininess = 0.5f;
  float reflectance = 0.0f;
  float metallic = -1.0f;
  float roughness = -1.0f;
  std::array<float, 4> rgba{1.0f, 1.0f, 1.0f, 1.0f};
};

struct PairSpec {
  std::string geomname1{};
  std::string geomname2{};
  int condim = 3;
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 2> solreffriction{};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2};
  double margin = 0;
  double gap = 0;
  double adhesion = 0;
  std::array<double, 5> friction{1, 1, 0.005, 0.0001, 0.0001};
};

struct ExcludeSpec {
  std::string bodyname1{};
  std::string bodyname2{};
};

struct EqualitySpec {
  EqType type = EqType::connect;
  std::array<double, 12> data{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  bool active = true;
  std::string name1{};
  std::string name2{};
  ObjType objtype = ObjType::unknown;
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2};
};

struct TendonSpec {
  std::array<double, 3> stiffness{};
  std::array<double, 2> springlength{-1, -1};
  double springyield = 0;
  std::array<double, 3> damping{};
  double frictionloss = 0;
  std::array<double, 2> solref_friction{0.02, 1};
  std::array<double, 5> solimp_friction{0.9, 0.95, 0.001, 0.5, 2};
  double armature = 0;
  Limited limited = Limited::auto_;
  Limited actfrclimited = Limited::auto_;
  std::array<double, 2> range{};
  std::array<double, 2> actfrcrange{};
  double margin = 0;
  std::array<double, 2> solref_limit{0.02, 1};
  std::array<double, 5> solimp_limit{0.9, 0.95, 0.001, 0.5, 2};
  std::string material{};
  double width = 0.003;
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1.0f};
  int group = 0;
  Numbers userdata{};
};

struct ActuatorSpec {
  ActuatorKind type = ActuatorKind::general;
  GainType gaintype = GainType::fixed;
  std::array<double, 10> gainprm{1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  BiasType biastype = BiasType::none;
  std::array<double, 10> biasprm{};
  DynType dyntype = DynType::none;
  std::array<double, 10> dynprm{1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  int actdim = -1;
  int ctrlspec = 0;
  std::array<double, 2> velrange{};
  std::array<double, 2> ffrange{};
  bool actearly = false;
  TrnType trntype = TrnType::undefined;
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};
  std::string target{};
  std::string refsite{};
  std::string slidersite{};
  double cranklength = 0;
  std::array<double, 2> lengthrange{};
  double inheritrange = 0;
  std::array<double, 3> damping{};
  double armature = 0;
  Limited ctrllimited = Limited::auto_;
  std::array<double, 2> ctrlrange{};
  Limited forcelimited = Limited::auto_;
  std::array<double, 2> forcerange{};
  Limited actlimited = Limited::auto_;
  std::array<double, 2> actrange{};
  int group = 0;
  int nsample = 0;
  int interp = 0;
  double delay = 0;
  Numbers userdata{};
  PluginRef plugin{};
};

struct SensorSpec {
  SensorType type = SensorType::touch;
  ObjType objtype = ObjType::unknown;
  std::string objname{};
  ObjType reftype = ObjType::unknown;
  std::string refname{};
  std::array<int, 3> intprm{};
  DataType datatype = DataType::real;
  SensorStage needstage = SensorStage::acc;
  int dim = 0;
  double cutoff = 0;
  double noise = 0;
  int nsample = 0;
  int interp = 0;
  double delay = 0;
  std::array<double, 2> interval{};
  Numbers userdata{};
  PluginRef plugin{};
};

struct NumericSpec {
  Numbers data{};
  int size = 0;
};

struct TextSpec {
  std::string data{};
};

struct TupleSpec {
  std::vector<int> objtype{};
  std::vector<std::string> objname{};
  Numbers objprm{};
};

struct KeySpec {
  double time = 0;
  Numbers qpos{};
  Numbers qvel{};
  Numbers act{};
  Numbers mpos{};
  Numbers mquat{};
  Numbers ctrl{};
  Numbers plastic{};
};

}  // namespace lockstep
