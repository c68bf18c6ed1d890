// tree_data.h: what the passes find out about the elements of the tree, by id. The working copy
// keeps numbers as they would be written, within frames; here are those of the Model, within
// bodies.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "compile/mesh/bvh.h"
#include "compile/pose.h"
#include "model/types.h"

namespace lockstep {

struct Frame;

struct BodyData {
  Pose pose;      // in the parent
  Pose inertial;  // principal axes
  double mass = 0;
  Vec3d inertia{0, 0, 0};
  int parent = 0;
  int weld = 0;
  int root = 0;
  int tree = -1;
  int mocap = -1;
  int jntadr = -1, dofadr = -1, geomadr = -1;
  int dofnum = 0;
  int simple = 0;
  SameFrame sameframe = SameFrame::none;
  mesh::Bvh bvh;
};

struct JointData {
  Vec3d pos{0, 0, 0};
  Vec3d axis{0, 0, 1};
  int qposadr = 0, dofadr = 0;
  int plasticadr = -1;
  bool limited = false, actfrclimited = false;
};

struct GeomData {
  Pose pose;
  std::array<double, 6> aabb{};  // center and half sizes
  double mass = 0;
  Vec3d inertia{0, 0, 0};
  int dataid = -1, matid = -1;
  std::array<double, mjNFLUID> fluid{};
  std::array<double, 6> surfacevel{};
  std::array<float, 4> rgba{};
};

struct SiteData {
  Pose pose;
  int dataid = -1, matid = -1;
  std::array<float, 4> rgba{};
};

struct CameraData {
  Pose pose;
  int target = -1;
  double fovy = 0;
  std::array<float, 4> intrinsic{};
};

struct LightData {
  Vec3d pos{0, 0, 0}, dir{0, 0, -1};
  int target = -1, texid = -1;
};

struct DofData {
  int body, joint, parent, tree;
  int Madr = 0, simplenum = 0;
};

struct TreeData {
  std::unordered_map<const Frame*, Pose> frames;  // in their bodies
  std::vector<BodyData> bodies;
  std::vector<JointData> joints;
  std::vector<GeomData> geoms;
  std::vector<SiteData> sites;
  std::vector<CameraData> cameras;
  std::vector<LightData> lights;
  std::vector<DofData> dofs;

  Pose frame_of(const Frame* frame) const {
    auto found = frames.find(frame);
    return found == frames.end() ? Pose{} : found->second;
  }
  // What is written within a frame, in its body. Without a frame nothing is computed: infinite
  // coordinates stay as they are.
  Pose placed(const Frame* frame, const Pose& own) const {
    return frame ? frame_of(frame) * own : own;
  }
  Vec3d placed(const Frame* frame, const Vec3d& point) const {
    return frame ? frame_of(frame) * point : point;
  }
};

}  // namespace lockstep
