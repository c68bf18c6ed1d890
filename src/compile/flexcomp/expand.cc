// expand.cc: a flexcomp becomes a flex with bodies, joints and equalities.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compile/flexcomp/cell_rule.h"
#include "compile/flexcomp/cells.h"
#include "compile/flexcomp/chain.h"
#include "compile/flexcomp/pins.h"
#include "compile/flexcomp/points.h"
#include "compile/pose.h"
#include "spec/orientation.h"

namespace lockstep {
namespace flexcomp {
namespace {

constexpr double twist_mass = 1e-9;  // kg, of the bodies that carry the twist of a rod's edges
constexpr double far_away = 1e10;
constexpr int64_t max_nodes = 1'000'000;

bool fail(AssetProblem& problem, std::string attribute, std::string message) {
  problem = {std::move(attribute), std::move(message)};
  return false;
}

bool is_interpolated(const Flexcomp& comp) {
  const auto dof = static_cast<FlexcompDof>(comp.dof);
  return dof == FlexcompDof::trilinear || dof == FlexcompDof::quadratic;
}

// its points are not generated
bool is_given(const Flexcomp& comp) {
  const auto type = static_cast<FlexcompType>(comp.type);
  return type == FlexcompType::direct || type == FlexcompType::mesh || type == FlexcompType::gmsh;
}

bool check(const Flexcomp& comp, const Body& parent, AssetProblem& problem) {
  if (parent.name.empty()) return fail(problem, "", "the parent body must have a name");
  if (comp.dim < 1 || comp.dim > 3) return fail(problem, "dim", "no such dimension");
  const bool radial = static_cast<FlexcompDof>(comp.dof) == FlexcompDof::radial && comp.dim == 3;
  for (int count : comp.count) {
    if (count < (radial ? 2 : 1)) return fail(problem, "count", "too few points");
  }
  const double room = 2 * comp.radius + comp.flex.margin;
  for (double spacing : comp.spacing) {
    if (!is_given(comp) && spacing < room) {
      return fail(problem, "spacing", "smaller than the elements are thick");
    }
  }
  for (double scale : comp.scale) {
    if (scale < mjMINVAL) return fail(problem, "scale", "must be positive");
  }
  if (!(comp.mass >= mjMINVAL)) return fail(problem, "mass", "must be positive");
  if (!(comp.inertiabox >= mjMINVAL)) return fail(problem, "inertiabox", "must be positive");
  const auto equality = static_cast<FlexcompEquality>(comp.equality);
  if (equality == FlexcompEquality::vert) {
    return fail(problem, "equality", "must be 0 (none), 1 (edge) or 3 (strain)");
  }
  return true;
}

bool pose_of(const Orientation& alt, const CompilerSpec& settings, const std::array<double, 3>& pos,
             std::array<double, 4> quat, Pose& out, AssetProblem& problem) {
  const std::string error = resolve_orientation(alt, settings, quat);
  if (!error.empty()) return fail(problem, "quat", error);
  out = {to_vec(pos), to_quat(quat)};
  normalize_length(out.quat);
  return true;
}

// Takes part of making one flexcomp: first everything is found out, then elements are added.
class Expansion {
 public:
  Expansion(Spec& spec, Body* parent, const Flexcomp& comp)
      : spec_(spec), parent_(parent), comp_(comp) {}

  bool plan(const Frame* frame, AssetProblem& problem) {
    if (!check(comp_, *parent_, problem) || !make_cloud(spec_, comp_, cloud_, problem)) {
      return false;
    }
    if (!place(frame, problem)) return false;
    bound();
    if (!pin(problem)) return false;
    if (is_given(comp_)) drop_unused();
    return true;
  }

  Flex* make() {
    flex_ = spec_.add<Flex>();
    describe();
    if (rigid_) {
      flex_->vertbody = {parent_->name};
      flex_->vert = cloud_.point;
      return flex_;
    }
    if (is_interpolated(comp_)) {
      add_nodes();
    } else {
      add_vertices();
      add_twists();
    }
    add_equalities();
    return flex_;
  }

 private:
  // from the flexcomp's own frame into the parent
  bool place(const Frame* frame, AssetProblem& problem) {
    Pose pose;
    if (!pose_of(comp_.alt, *parent_->compiler, comp_.pos, comp_.quat, pose, problem)) return false;
    for (; frame; frame = frame->frame) {
      Pose outer;
      if (!pose_of(frame->alt, *frame->compiler, frame->pos, frame->quat, outer, problem)) {
        return false;
      }
      pose = outer * pose;
    }
    const bool scaled = is_given(comp_);
    for (size_t i = 0; i + 2 < cloud_.point.size(); i += 3) {
      double* p = &cloud_.point[i];
      for (int k = 0; scaled && k < 3; k++) p[k] *= comp_.scale[k];
      const Vec3d placed = pose * Vec3d{p[0], p[1], p[2]};
      for (int k = 0; k < 3; k++) p[k] = placed[k];
    }
    return true;
  }

  void bound() {
    grid_.cells = comp_.cellcount;
    grid_.order = static_cast<FlexcompDof>(comp_.dof) == FlexcompDof::quadratic ? 2 : 1;
    grid_.low.fill(far_away);
    grid_.high.fill(-far_away);
    for (size_t i = 0; i < cloud_.point.size(); i++) {
      grid_.low[i % 3] = std::min(grid_.low[i % 3], cloud_.point[i]);
      grid_.high[i % 3] = std::max(grid_.high[i % 3], cloud_.point[i]);
    }
  }

  bool pin(AssetProblem& problem) {
    PinTarget target{cloud_.dim, cloud_.npoint(), comp_.count};
    if (is_interpolated(comp_)) {
      int64_t total = 1;
      for (int cells : grid_.cells) {
        if (cells < 1) return fail(problem, "cellcount", "too few cells");
        total *= static_cast<int64_t>(cells) * grid_.order + 1;
        if (total > max_nodes) return fail(problem, "cellcount", "too many cells");
      }
      target = {cloud_.dim, static_cast<int>(total), grid_.nodes()};
    }
    if (!find_pins(comp_, target, pinned_, problem)) return false;
    const bool radial = static_cast<FlexcompDof>(comp_.dof) == FlexcompDof::radial;
    if (radial && !comp_.rigid) pinned_[0] = true;  // the middle
    rigid_ = std::find(pinned_.begin(), pinned_.end(), false) == pinned_.end();
    centered_ = std::find(pinned_.begin(), pinned_.end(), true) == pinned_.end();
    return true;
  }

  // points of no element vanish
  void drop_unused() {
    std::vector<int> number(cloud_.npoint(), -1);
    for (int id : cloud_.element) number[id] = 0;
    const bool by_point = !is_interpolated(comp_);
    const bool textured =
        cloud_.elemtexcoord.empty() && cloud_.texcoord.size() == 2 * number.size();
    int kept = 0;
    for (size_t i = 0; i < number.size(); i++) {
      if (number[i] < 0) continue;
      number[i] = kept;
      for (int k = 0; k < 3; k++) cloud_.point[3 * kept + k] = cloud_.point[3 * i + k];
      if (textured) {
        for (int k = 0; k < 2; k++) cloud_.texcoord[2 * kept + k] = cloud_.texcoord[2 * i + k];
      }
      if (by_point) pinned_[kept] = pinned_[i];
      kept++;
    }
    cloud_.point.resize(3 * size_t(kept));
    if (textured) cloud_.texcoord.resize(2 * size_t(kept));
    if (by_point) pinned_.resize(kept);
    for (int& id : cloud_.element) id = number[id];
  }

  // what the flex has from the flexcomp as it stands
  void describe() {
    const auto type = static_cast<FlexcompType>(comp_.type);
    flex_->attributes() = comp_.flex;
    flex_->name = comp_.name;
    flex_->source = comp_.source;
    flex_->dim = cloud_.dim;
    flex_->group = comp_.group;
    flex_->radius = comp_.radius;
    flex_->material = comp_.material;
    flex_->rgba = comp_.rgba;
    flex_->edgestiffness = comp_.edgestiffness;
    flex_->edgedamping = comp_.edgedamping;
    flex_->flatskin = comp_.flatskin || type == FlexcompType::box ||
                      type == FlexcompType::cylinder ||
                      (type == FlexcompType::grid && cloud_.dim == 3);
    flex_->elem = cloud_.element;
    flex_->texcoord = cloud_.texcoord;
    flex_->elemtexcoord = cloud_.elemtexcoord;
    // one yield strain is for bending too, where that exists
    if (comp_.single_yield && cloud_.dim == 2 && !is_interpolated(comp_)) {
      flex_->stressyield[1] = flex_->stressyield[0];
    }
  }

  Body* add_body(Body* parent, std::string name, const Vec3d& pos, double mass, double inertia) {
    Body* body = spec_.add<Body>(parent);
    body->name = std::move(name);
    body->source = comp_.source;
    body->pos = to_array(pos);
    body->mass = mass;
    body->ipos = {};
    body->inertia = {inertia, inertia, inertia};
    body->explicitinertial = true;
    return body;
  }

  Joint* add_joint(Body* body, JointType type, const Vec3d& axis) {
    Joint* joint = spec_.add<Joint>(body);
    joint->source = comp_.source;
    joint->type = type;
    joint->pos = {};
    joint->axis = to_array(axis);
    return joint;
  }

  double inertia_of(double mass) const {
    return mass * (2.0 * comp_.inertiabox * comp_.inertiabox) / 3.0;
  }

  void add_slides(Body* body) {
    const auto dof = static_cast<FlexcompDof>(comp_.dof);
    if (dof == FlexcompDof::radial) {
      Vec3d axis = to_vec(body->pos);
      normalize_length(axis);
      add_joint(body, JointType::slide, axis);
      return;
    }
    const int count = dof == FlexcompDof::plane ? 2 : 3;
    for (int k = 0; k < count; k++) {
      add_joint(body, JointType::slide, {double(k == 0), double(k == 1), double(k == 2)});
    }
  }

  void add_plugin(Body* body) {
    if (!comp_.plugin.active) return;
    body->plugin = comp_.plugin;
    if (body->plugin.name.empty()) body->plugin.name = "flexcomp_" + comp_.name;
  }

  // one body for each point that is not pinned
  void add_vertices() {
    const int count = cloud_.npoint();
    const double mass = comp_.mass / count;
    Numbers vert = cloud_.point;
    for (int i = 0; i < count; i++) {
      if (pinned_[i]) {
        flex_->vertbody.push_back(parent_->name);
        add_plugin(parent_);
        continue;
      }
      double* p = &vert[3 * size_t(i)];
      Body* body = add_body(parent_, fmt::format("{}_{}", comp_.name, i), {p[0], p[1], p[2]}, mass,
                            inertia_of(mass));
      add_slides(body);
      add_plugin(body);
      flex_->vertbody.push_back(body->name);
      std::fill(p, p + 3, 0.0);
    }
    if (!centered_) flex_->vert = std::move(vert);
  }

  // The twist of each edge of an elastic rod is the angle of a hinge, in a body of the world. An
  // end whose edge is pinned as a whole has none.
  void add_twists() {
    const bool full = static_cast<FlexcompDof>(comp_.dof) == FlexcompDof::full;
    if (cloud_.dim != 1 || flex_->young <= 0 || !full) return;
    const std::vector<int> chain = open_chain(cloud_.element);
    const int edges = static_cast<int>(chain.size()) - 1;
    if (edges < 2) return;
    const double mass = comp_.mass / edges;
    const auto& half = flex_->sectionsize;
    const double inertia = flex_->section == FlexSection::box
                               ? mass * (half[0] * half[0] + half[1] * half[1]) / 3
                               : 0.5 * mass * flex_->radius * flex_->radius;
    for (int e = 0; e < edges; e++) {
      const bool held = pinned_[chain[e]] && pinned_[chain[e + 1]];
      if (held && (e == 0 || (e == edges - 1 && edges > 2))) continue;
      const std::string name = e == edges - 1 ? fmt::format("{}_twist", comp_.name)
                                              : fmt::format("{}_twist_{}", comp_.name, e);
      Body* body = add_body(spec_.world(), name, {0, 0, 0}, twist_mass, inertia);
      add_joint(body, JointType::hinge, {1, 0, 0})->name = name;
    }
  }

  // one body for each node of the interpolation grid that is not pinned; vertices follow the nodes
  void add_nodes() {
    flex_->order = grid_.order;
    flex_->cellcount = grid_.cells;
    flex_->vert = cloud_.point;
    flex_->vertbody.assign(cloud_.npoint(), parent_->name);
    if (flex_->elastic2d) {
      pin_inner_nodes();
    } else {
      if (cloud_.dim > 1) {
        filled_ = fill_cells(grid_, cloud_.point, cloud_.element, cloud_.dim);
        empty_ = empty_cells(grid_, filled_);
      } else {
        empty_ = empty_cells(grid_, cloud_.point, cloud_.element);
      }
      const std::vector<bool> idle = idle_nodes(grid_, empty_);
      for (size_t i = 0; i < idle.size(); i++) pinned_[i] = pinned_[i] || idle[i];
    }
    const std::vector<double> mass = node_masses();
    Numbers node(3 * pinned_.size(), 0.0);
    const auto n = grid_.nodes();
    bool any_pinned = false;
    for (int i = 0; i < n[0]; i++) {
      for (int j = 0; j < n[1]; j++) {
        for (int k = 0; k < n[2]; k++) {
          const int id = grid_.node_id(i, j, k);
          const Vec3d pos = node_pos({i, j, k});
          if (pinned_[id]) {
            any_pinned = true;
            for (int axis = 0; axis < 3; axis++) node[3 * size_t(id) + axis] = pos[axis];
            flex_->nodebody.push_back(parent_->name);
            continue;
          }
          Body* body = add_body(parent_, fmt::format("{}_{}_{}_{}", comp_.name, i, j, k), pos,
                                mass[id], inertia_of(mass[id]));
          add_slides(body);
          flex_->nodebody.push_back(body->name);
        }
      }
    }
    if (any_pinned) flex_->node = std::move(node);
  }

  Vec3d node_pos(const std::array<int, 3>& at) const {
    Vec3d pos{0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
      const double share = static_cast<double>(at[axis]) / (grid_.cells[axis] * grid_.order);
      pos[axis] = grid_.low[axis] + share * (grid_.high[axis] - grid_.low[axis]);
    }
    return pos;
  }

  // a shell has nodes on the sides of the box only
  void pin_inner_nodes() {
    const auto n = grid_.nodes();
    for (int i = 1; i + 1 < n[0]; i++) {
      for (int j = 1; j + 1 < n[1]; j++) {
        for (int k = 1; k + 1 < n[2]; k++) pinned_[grid_.node_id(i, j, k)] = true;
      }
    }
  }

  // what a cell gives to its nodes, as shares of its mass if it were full
  std::vector<double> cell_masses(int cell) const {
    constexpr double linear[2] = {0.5, 0.5}, quadratic[3] = {1. / 6, 2. / 3, 1. / 6};
    const double* share = grid_.order == 2 ? quadratic : linear;
    std::vector<double> out;
    for (int i = 0; i <= grid_.order; i++) {
      for (int j = 0; j <= grid_.order; j++) {
        for (int k = 0; k <= grid_.order; k++) out.push_back(share[i] * share[j] * share[k]);
      }
    }
    if (filled_.empty() || filled_[cell].full()) return out;
    std::vector<double> part(out.size(), 0.0);
    const std::vector<double> at = rule_points(grid_.order);
    size_t id = 0;
    for (double x : at) {
      for (double y : at) {
        for (double z : at) add_masses({x, y, z}, filled_[cell].weight[id++], part);
      }
    }
    for (size_t i = 0; i < out.size(); i++) {
      const double mass = (1 - void_share) * part[i] + void_share * out[i];
      out[i] = std::max(mass, least_mass * out[i]);
    }
    return out;
  }

  void add_masses(const Vec3d& at, double mass, std::vector<double>& out) const {
    size_t id = 0;
    for (double x : mass_shares(grid_.order, at.x)) {
      for (double y : mass_shares(grid_.order, at.y)) {
        for (double z : mass_shares(grid_.order, at.z)) out[id++] += mass * x * y * z;
      }
    }
  }

  // Each cell gives its nodes their shares of its volume; the total is that of the flexcomp.
  std::vector<double> node_masses() const {
    std::vector<double> mass(grid_.nnode(), 0.0);
    // shells of first order: all alike
    if (flex_->elastic2d && grid_.order == 1) std::fill(mass.begin(), mass.end(), 1.0);
    const int order = grid_.order;
    for (int cell = 0; cell < grid_.ncell(); cell++) {
      if (flex_->elastic2d && order == 1) break;
      if (!empty_.empty() && empty_[cell]) continue;
      const int ci = cell / (grid_.cells[1] * grid_.cells[2]);
      const int cj = cell / grid_.cells[2] % grid_.cells[1], ck = cell % grid_.cells[2];
      const std::vector<double> share = cell_masses(cell);
      size_t id = 0;
      for (int i = 0; i <= order; i++) {
        for (int j = 0; j <= order; j++) {
          for (int k = 0; k <= order; k++) {
            mass[grid_.node_id(ci * order + i, cj * order + j, ck * order + k)] += share[id++];
          }
        }
      }
    }
    double total = 0;
    for (size_t i = 0; i < mass.size(); i++) total += pinned_[i] ? 0 : mass[i];
    for (double& m : mass) m *= total > 0 ? comp_.mass / total : 1;
    return mass;
  }

  Equality* add_equality(EqType type) {
    Equality* equality = spec_.add<Equality>();
    equality->attributes() = EqualitySpec();
    equality->source = comp_.source;
    equality->type = type;
    equality->active = true;
    equality->name1 = comp_.name;
    equality->solref = comp_.solref;
    equality->solimp = comp_.solimp;
    return equality;
  }

  // of all edges, or one for each cell (of a shell: for each face on the sides of the box)
  void add_equalities() {
    const auto kind = static_cast<FlexcompEquality>(comp_.equality);
    if (kind == FlexcompEquality::edge) add_equality(EqType::flex);
    if (kind != FlexcompEquality::strain) return;
    const auto& n = flex_->cellcount;
    if (flex_->elastic2d && is_interpolated(comp_)) {
      const int faces = 2 * (n[1] * n[2] + n[0] * n[2] + n[0] * n[1]);
      for (int face = 0; face < faces; face++) {
        Equality* equality = add_equality(EqType::flexstrain);
        equality->data[0] = face;
        equality->data[1] = equality->data[2] = -1;
      }
      return;
    }
    for (int i = 0; i < n[0]; i++) {
      for (int j = 0; j < n[1]; j++) {
        for (int k = 0; k < n[2]; k++) {
          if (!empty_.empty() && empty_[grid_.cell_id(i, j, k)]) continue;
          Equality* equality = add_equality(EqType::flexstrain);
          equality->data[0] = i;
          equality->data[1] = j;
          equality->data[2] = k;
        }
      }
    }
  }

  Spec& spec_;
  Body* parent_;
  const Flexcomp& comp_;
  Cloud cloud_;
  CellGrid grid_;
  std::vector<bool> pinned_;  // points, or nodes
  std::vector<CellRule> filled_;
  std::vector<bool> empty_;  // cells
  bool rigid_ = false, centered_ = false;
  Flex* flex_ = nullptr;
};

}  // namespace
}  // namespace flexcomp

Flex* expand_flexcomp(Spec& spec, Body* parent, const Frame* frame, const Flexcomp& comp,
                      Diagnostics& diagnostics) {
  flexcomp::Expansion expansion(spec, parent, comp);
  AssetProblem problem;
  if (expansion.plan(frame, problem)) return expansion.make();
  Diagnostic& error = diagnostics.error(comp.source, problem.message);
  error.element = fmt::format("flexcomp '{}'", comp.name);
  error.name = comp.name;
  error.attribute = problem.attribute;
  return nullptr;
}

}  // namespace lockstep
