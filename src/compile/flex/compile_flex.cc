// compile_flex.cc: flexes: what their vertices belong to, shape and material at qpos0.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "compile/build.h"
#include "compile/flex/elasticity.h"
#include "compile/flex/interpolation.h"
#include "compile/flex/topology.h"
#include "compile/flexcomp/chain.h"
#include "compile/objects/common.h"
#include "compile/passes.h"
#include "math/quat.h"

namespace lockstep {
namespace {

// poses of all bodies at qpos0
std::vector<Pose> world_poses(const Build& b) {
  std::vector<Pose> poses(b.bodies.size());
  for (size_t i = 1; i < poses.size(); i++) {
    const BodyData& body = b.tree.bodies[i];
    poses[i] = poses[body.parent] * body.pose;
  }
  return poses;
}

void append(std::vector<double>& to, const Vec3d& p) { to.insert(to.end(), {p.x, p.y, p.z}); }

bool all_zero(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0; });
}

void resolve(Build& b, const Flex& flex, FlexData& data) {
  for (const std::string& name : flex.vertbody) {
    data.vertbody.push_back(b.resolve(flex, "body", ObjType::body, name));
  }
  for (const std::string& name : flex.nodebody) {
    data.nodebody.push_back(b.resolve(flex, "node", ObjType::body, name));
  }
  std::vector<int> materials;
  for (const std::string& name : flex.material) {
    materials.push_back(name.empty() ? -1 : b.resolve(flex, "material", ObjType::material, name));
  }
  if (materials.empty()) materials.push_back(-1);
  for (int e = 0; e < data.nelem; e++) {
    data.matid.push_back(materials.size() == 1 ? materials[0] : materials[e]);
  }
}

void describe(const Flex& flex, FlexData& data) {
  data.dim = flex.dim;
  data.radius = flex.radius;
  data.interpolated = !flex.nodebody.empty();
  data.nvert = static_cast<int>(flex.vert.empty() ? flex.vertbody.size() : flex.vert.size() / 3);
  data.nnode = static_cast<int>(flex.nodebody.size());
  data.nelem = static_cast<int>(flex.elem.size()) / (flex.dim + 1);
  data.elem = flex.elem;
  data.elemtexcoord = flex.elemtexcoord;
  const auto& bodies = flex.vertbody;
  data.rigid = !flex.vert.empty() && bodies.size() == 1;
  if (!data.interpolated && !bodies.empty()) {
    data.rigid |= std::all_of(bodies.begin(), bodies.end(),
                              [&](const std::string& name) { return name == bodies[0]; });
  }
  data.centered = all_zero(data.interpolated ? flex.node : flex.vert);
}

void place(const Flex& flex, const std::vector<Pose>& poses, FlexData& data) {
  for (int v = 0; v < data.nvert; v++) {
    const Pose& pose = poses[data.vertbody[data.vertbody.size() == 1 ? 0 : v]];
    const bool offset = !flex.vert.empty() && (!data.centered || data.interpolated);
    const double* p = offset ? &flex.vert[3 * size_t(v)] : nullptr;
    append(data.vertpos, p ? pose * Vec3d{p[0], p[1], p[2]} : pose.pos);
  }
}

std::vector<double> node_positions(const Flex& flex, const std::vector<Pose>& poses,
                                   const FlexData& data) {
  std::vector<double> out;
  for (int n = 0; n < data.nnode; n++) {
    const Pose& pose = poses[data.nodebody[n]];
    const double* p = data.centered ? nullptr : &flex.node[3 * size_t(n)];
    append(out, p ? pose * Vec3d{p[0], p[1], p[2]} : pose.pos);
  }
  return out;
}

bool has_strain_constraint(const Build& b, const Flex& flex) {
  return std::any_of(b.spec.equalities.begin(), b.spec.equalities.end(), [&](const Equality* e) {
    return e->type == EqType::flexstrain && e->name1 == flex.name;
  });
}

// Twist joints of the lines of a chain, by their names; -1 for a clamped end. Empty if one is
// missing.
std::vector<int> twist_joints(const Build& b, const Flex& flex, const FlexData& data,
                              const std::vector<int>& chain) {
  const int lines = static_cast<int>(chain.size()) - 1;
  if (lines < 2) return {};
  std::unordered_map<std::string, const Joint*> joints;
  for (const Joint* joint : b.joints) joints.try_emplace(joint->name, joint);
  auto weld = [&](int vertex) { return b.tree.bodies[data.vertbody[vertex]].weld; };
  std::vector<int> twist;
  for (int line = 0; line < lines; line++) {
    const bool last = line == lines - 1;
    const std::string name =
        last ? flex.name + "_twist" : fmt::format("{}_twist_{}", flex.name, line);
    const auto found = joints.find(name);
    const bool clamped =
        weld(chain[line]) == weld(chain[line + 1]) && (line == 0 || (last && lines > 2));
    if (found != joints.end() && found->second->type == JointType::hinge) {
      twist.push_back(found->second->id);
    } else if (clamped) {
      twist.push_back(-1);
    } else {
      return {};
    }
  }
  return twist;
}

void compile_rod(Build& b, Flex& flex, FlexData& data) {
  if (flex.shear < 0) b.error(flex, "shear", "cannot be negative");
  const std::vector<int> chain = flexcomp::open_chain(data.elem);
  const std::vector<int> twist = twist_joints(b, flex, data, chain);
  if (flex.section == FlexSection::box) {
    const double minor = std::min(flex.sectionsize[0], flex.sectionsize[1]);
    if (!(minor > 0)) {
      b.error(flex, "sectionsize", "a box needs two positive half sizes");
    } else if (chain.empty()) {
      b.error(flex, "section", "a box needs an open chain");
    } else if (twist.empty()) {
      b.error(flex, "section", "a box needs a twist joint for each line");
    } else if (flex.radius != FlexSpec().radius && flex.radius != minor) {
      expect(b.error(flex, "radius", "a box has its smaller half size as radius"),
             fmt::format("{:g}", minor), fmt::format("{:g}", flex.radius));
    }
    flex.radius = data.radius = minor;
  } else if (!(flex.radius > 0)) {
    b.error(flex, "radius", "a circular section needs a positive radius");
  }
  if (b.diagnostics.failed()) return;
  if (std::string error = set_rod(flex, chain, twist, data); !error.empty()) {
    b.error(flex, "element", error);
  }
  if (!twist.empty()) {
    const int lines = static_cast<int>(twist.size());
    data.plasticadr = static_cast<int>(b.model.nplastic);
    b.model.nplastic += 6 * lines + lines - 1;  // frames of lines, twists between them
  }
}

constexpr size_t thickness_at = 6;  // of flex_stiffness: behind the numbers of a triangle
constexpr int plastic_bending = 1, plastic_stretching = 2;  // bits of flex_plasticmode

// state of a material that yields
void plan_plasticity(Build& b, const Flex& flex, FlexData& data) {
  if (data.dim == 1 || data.rigid || !(flex.young > 0)) return;
  const bool shell = data.dim == 2 || data.interpolated;
  const bool stretches =
      data.interpolated ? flex.elastic2d != 1 : data.dim == 3 || flex.elastic2d >= 2;
  const bool bends = shell && !data.interpolated && (flex.elastic2d == 1 || flex.elastic2d == 3);
  int64_t count = 0;
  if (flex.stressyield[0] > 0 && stretches) {
    data.plasticmode |= plastic_stretching;
    const auto& n = flex.cellcount;
    if (!data.interpolated) {
      count += int64_t{data.dim == 2 ? 3 : 6} * data.nelem;
    } else if (flex.elastic2d) {
      count += int64_t{3} * 2 * (n[1] * n[2] + n[0] * n[2] + n[0] * n[1]);
    } else {
      count += int64_t{6} * n[0] * n[1] * n[2];
    }
  }
  if (flex.stressyield[1] > 0 && bends) {
    data.plasticmode |= plastic_bending;
    data.stiffness[thickness_at] = flex.thickness;
    count += static_cast<int64_t>(data.edge.size());
  }
  if (count == 0) return;
  data.plasticadr = static_cast<int>(b.model.nplastic);
  b.model.nplastic += count;
}

// boxes around elements; inner layers do not collide
void bound_elements(const Flex& flex, FlexData& data) {
  std::vector<mesh::BvhLeaf> leaves;
  const int corners = data.dim + 1;
  for (int e = 0; e < data.nelem; e++) {
    if (data.dim == 3 && data.elemlayer[e] >= flex.activelayers) continue;
    mesh::BvhLeaf leaf;
    leaf.id = e;
    for (int k = 0; k < 3; k++) {
      double low = 1e30, high = -1e30;
      for (int c = 0; c < corners; c++) {
        const double x = data.vertpos[3 * size_t(data.elem[e * corners + c]) + k];
        low = std::min(low, x);
        high = std::max(high, x);
      }
      const double center = 0.5 * (high + low), half = 0.5 * (high - low) + data.radius;
      leaf.pos[k] = center;
      leaf.aamm[k] = center - half;
      leaf.aamm[k + 3] = center + half;
    }
    leaves.push_back(leaf);
  }
  data.bvh = mesh::make_bvh(std::move(leaves));
}

// where the vertices are in the box around all elements
void place_in_box(FlexData& data) {
  if (data.bvh.num() == 0) {
    data.vert0.assign(3 * size_t(data.nvert), 0.5);
    return;
  }
  const double* box = data.bvh.aabb.data();
  for (int k = 0; k < 3; k++) data.size[k] = box[3 + k] - data.radius;
  for (int v = 0; v < data.nvert; v++) {
    for (int k = 0; k < 3; k++) {
      const double x = data.vertpos[3 * size_t(v) + k], size = data.size[k];
      data.vert0.push_back(size > mjMINVAL ? (x - box[k]) / (2 * size) + 0.5 : 0.5);
    }
  }
}

void count_sizes(Model& m, const Flex& flex, const FlexData& data) {
  m.nflexvert += data.nvert;
  m.nflexnode += data.nnode;
  m.nflexedge += static_cast<int64_t>(data.edge.size());
  m.nflexelem += data.nelem;
  m.nflexelemdata += static_cast<int64_t>(data.elem.size());
  m.nflexelemedge += static_cast<int64_t>(data.elemedge.size());
  m.nflexshelldata += static_cast<int64_t>(data.shell.size());
  m.nflextexcoord += static_cast<int64_t>(flex.texcoord.size() / 2);
  m.nflexstiffness += static_cast<int64_t>(data.stiffness.size());
  m.nflexbending += static_cast<int64_t>(data.bending.size());
  m.nbvhdynamic += data.bvh.num();
  m.nbvh += data.bvh.num();
}

// dofs that can change the length of edges
int64_t count_edge_dofs(const Build& b, const std::vector<int>& first_dof, const FlexData& data) {
  if (data.rigid || data.interpolated) return 0;
  std::vector<std::vector<int>> dofs;
  for (int body : data.vertbody) dofs.push_back(body_dofs(b, first_dof, body));
  int64_t count = 0;
  for (const auto& [v0, v1] : data.edge) {
    std::vector<int> both;
    std::set_union(dofs[v0].begin(), dofs[v0].end(), dofs[v1].begin(), dofs[v1].end(),
                   std::back_inserter(both));
    count += static_cast<int64_t>(both.size());
  }
  return count;
}

void compile_flex(Build& b, Flex& flex, const std::vector<Pose>& poses, FlexData& data) {
  describe(flex, data);
  resolve(b, flex, data);
  if (b.diagnostics.failed()) return;
  check_flex_bodies(b, flex, data);
  place(flex, poses, data);
  orient_tetrahedra(data);
  if (data.elemtexcoord.empty() && !flex.texcoord.empty()) data.elemtexcoord = data.elem;
  find_edges(data);
  find_shell(data);
  if (data.interpolated) {
    data.vertbody.assign(data.nvert, -1);
    if (std::string error = find_grid(flex, node_positions(flex, poses, data), data);
        !error.empty()) {
      b.error(flex, "node", error);
      return;
    }
    set_cell_elasticity(flex, has_strain_constraint(b, flex), data);
  } else if (flex.young > 0 && data.dim > 1) {
    set_elasticity(flex, data);
  } else if (flex.young > 0 && !data.rigid) {
    compile_rod(b, flex, data);
  }
  plan_plasticity(b, flex, data);
  if (b.diagnostics.failed()) return;
  bound_elements(flex, data);
  if (data.interpolated) {
    place_in_grid(flex, data);
  } else {
    place_in_box(data);
    data.vertcell.assign(data.nvert, -1);
  }
  count_sizes(b.model, flex, data);
}

}  // namespace

void compile_flexes(Build& b) {
  if (b.spec.flexes.empty()) return;
  const std::vector<Pose> poses = world_poses(b);
  b.flexes.resize(b.spec.flexes.size());
  const std::vector<int> first_dof = joint_dofs(b);
  for (Flex* flex : b.spec.flexes) {
    FlexData& data = b.flexes[flex->id];
    compile_flex(b, *flex, poses, data);
    if (b.diagnostics.failed()) return;
    b.model.nJfe += count_edge_dofs(b, first_dof, data);
  }
}

}  // namespace lockstep
