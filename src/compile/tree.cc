// tree.cc: the kinematic tree: parents, weld groups, coordinates and their addresses; checks of
// joints that concern the whole body.
#include <fmt/core.h>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

constexpr int64_t max_bodies = 65534;  // contact signatures hold two body numbers in 32 bits
constexpr int max_dofs = 6;            // of one body

int positions(JointType type) {
  return type == JointType::free ? 7 : type == JointType::ball ? 4 : 1;
}
int dofs(JointType type) { return type == JointType::free ? 6 : type == JointType::ball ? 3 : 1; }

void check_joints(Build& b, const Body& body, const BodyData& data) {
  int nfree = 0;
  bool ball = false;
  for (const Joint* joint : body.joints) {
    nfree += joint->type == JointType::free;
    if (ball && (joint->type == JointType::ball || joint->type == JointType::hinge)) {
      b.error(*joint, "type", "a ball joint cannot be followed by another rotation");
    }
    ball = ball || joint->type == JointType::ball;
  }
  if (body.id == 0 && !body.joints.empty()) {
    b.error(*body.joints[0], "", "the world cannot have joints");
  } else if (data.dofnum > max_dofs) {
    b.error(body, "", fmt::format("a body can have {} degrees of freedom, not more", max_dofs))
        .found = std::to_string(data.dofnum);
  } else if (nfree && body.joints.size() > 1) {
    b.error(body, "", "a free joint cannot be combined with other joints");
  } else if (nfree && data.parent != 0) {
    b.error(*body.joints[0], "type", "only children of the world can have a free joint");
  }
}

void check_body(Build& b, const Body& body, const BodyData& data) {
  if (body.mocap && (data.dofnum || data.parent != 0)) {
    b.error(body, "mocap", "a mocap body must be a child of the world without joints");
  }
  bool root = data.dofnum && b.tree.bodies[b.tree.bodies[data.parent].weld].dofnum == 0;
  if (body.sleep != SleepPolicy::auto_ && !root) {
    b.error(body, "sleep", "only moving bodies on a static one can have a sleep policy");
  }
}

void place_joints(Build& b, const Body& body, BodyData& data) {
  Model& m = b.model;
  if (!body.joints.empty()) {
    data.jntadr = body.joints[0]->id;
    data.dofadr = static_cast<int>(m.nv);
  }
  for (const Joint* joint : body.joints) {
    JointData& place = b.tree.joints[joint->id];
    place.qposadr = static_cast<int>(m.nq);
    place.dofadr = static_cast<int>(m.nv);
    if (joint->springyield > 0) {
      place.plasticadr = static_cast<int>(m.nplastic);
      m.nplastic += joint->type == JointType::ball ? 4 : 1;
    }
    m.nq += positions(joint->type);
    m.nv += dofs(joint->type);
    data.dofnum += dofs(joint->type);
  }
}

// last dof at or above each body gives the parents of dofs
void chain_dofs(Build& b) {
  TreeData& tree = b.tree;
  std::vector<int> last(tree.bodies.size(), -1);
  for (const Body* body : b.bodies) {
    int previous = body->id ? last[tree.bodies[body->id].parent] : -1;
    for (const Joint* joint : body->joints) {
      for (int i = 0; i < dofs(joint->type); i++) {
        bool root = previous < 0;
        int treeid = root ? static_cast<int>(b.model.ntree++) : tree.dofs[previous].tree;
        tree.dofs.push_back({body->id, joint->id, previous, treeid});
        previous = static_cast<int>(tree.dofs.size()) - 1;
      }
    }
    last[body->id] = previous;
  }
  for (BodyData& body : tree.bodies) {
    const BodyData& weld = tree.bodies[body.weld];
    if (weld.dofnum) body.tree = tree.dofs[weld.dofadr].tree;
  }
}

}  // namespace

void compile_tree(Build& b) {
  Model& m = b.model;
  TreeData& tree = b.tree;
  if (m.nbody >= max_bodies) {
    b.diagnostics.error(b.spec.source, "a model must have fewer than 65534 bodies").found =
        std::to_string(m.nbody);
    return;
  }
  tree.bodies.resize(b.bodies.size());
  tree.joints.resize(b.joints.size());
  tree.geoms.resize(b.geoms.size());
  tree.sites.resize(b.sites.size());
  tree.cameras.resize(b.cameras.size());
  tree.lights.resize(b.lights.size());
  m.nq = m.nv = m.ntree = m.nplastic = m.nmocap = 0;
  for (const Body* body : b.bodies) {
    BodyData& data = tree.bodies[body->id];
    data.parent = body->parent ? body->parent->id : 0;
    bool moves = !body->joints.empty() || body->mocap;
    data.weld = moves ? body->id : tree.bodies[data.parent].weld;
    data.root = data.parent == 0 ? body->id : tree.bodies[data.parent].root;
    if (body->mocap) data.mocap = static_cast<int>(m.nmocap++);
    if (!body->geoms.empty()) data.geomadr = body->geoms[0]->id;
    place_joints(b, *body, data);
    check_joints(b, *body, data);
    check_body(b, *body, data);
  }
  if (!b.diagnostics.failed()) chain_dofs(b);
}

}  // namespace lockstep
