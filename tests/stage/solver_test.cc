// the solvers find the same lowest cost, forces stay in their cones, and a lane that has some of
// the rows finds the bits of a world that has no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "stage/acceleration/fwd_constraint.h"
#include "stage/constraint/make_constraint.h"
#include "stage/golden.h"
#include "step/lane_world.h"

namespace lockstep {
namespace {

// rows that are made or left out together
struct Block {
  Constraint type;
  int number;  // rows
  int dim = 0;
  std::vector<int> columns;
  std::vector<double> J, D, aref;
  double most = 0, friction[5]{}, mu = 0;
};

std::vector<int> some_dofs(int nv, std::mt19937& random) {
  std::vector<int> all;
  for (int dof = 0; dof < nv; dof++) {
    if (random() % 3 == 0) all.push_back(dof);
  }
  if (all.empty()) all.push_back(int(random() % unsigned(nv)));
  return all;
}

Block make_block(int nv, Constraint type, int number, int dim, std::mt19937& random) {
  std::uniform_real_distribution<double> number_in(-1, 1), positive(0.2, 1);
  Block block{type, number, dim, some_dofs(nv, random), {}, {}, {}};
  for (size_t i = 0; i < block.columns.size() * size_t(number); i++) {
    block.J.push_back(number_in(random));
  }
  for (int row = 0; row < number; row++) {
    block.D.push_back(positive(random));
    block.aref.push_back(5 * number_in(random));
  }
  block.most = positive(random);
  for (double& mu : block.friction) mu = positive(random);
  if (type == Constraint::contact_elliptic) {
    // what makes the dual cone of a soft contact round: R_j friction_j^2 is the same in all
    const double impratio = 2;
    block.mu = block.friction[0] / std::sqrt(impratio);
    for (int j = 1; j < dim; j++) {
      const double ratio = block.friction[j - 1] / block.friction[0];
      block.D[size_t(j)] = block.D[0] * impratio * ratio * ratio;
    }
  } else if (type == Constraint::contact_pyramidal) {
    std::fill(block.D.begin(), block.D.end(), block.D[0]);
  }
  return block;
}

// softness in proportion to what the row moves, as rows of a Model have it
void scale_stiffness(const Model& m, Data& d, Block& block) {
  std::vector<double> x(static_cast<size_t>(m.nv));
  for (size_t k = 0; k < block.columns.size(); k++) x[size_t(block.columns[k])] = block.J[k];
  solve_m(m, d, x.data());
  double A = 0;
  for (size_t k = 0; k < block.columns.size(); k++) A += x[size_t(block.columns[k])] * block.J[k];
  for (double& D : block.D) D *= 10 / A;
}

std::vector<Block> make_blocks(const Model& m, Data& d, std::mt19937& random) {
  std::vector<Block> blocks;
  const auto add = [&](Constraint type, int number, int dim = 0) {
    blocks.push_back(make_block(int(m.nv), type, number, dim, random));
    scale_stiffness(m, d, blocks.back());
  };
  for (int i = 0; i < 3; i++) add(Constraint::equality, 1 + i % 2);
  for (int i = 0; i < 3; i++) add(Constraint::friction_dof, 1);
  for (int i = 0; i < 3; i++) add(Constraint::limit_joint, 1);
  for (int dim : {3, 4, 6}) add(Constraint::contact_pyramidal, 2 * (dim - 1), dim);
  add(Constraint::contact_frictionless, 1, 1);
  for (int dim : {3, 4, 6}) add(Constraint::contact_elliptic, dim, dim);
  return blocks;
}

// writes the blocks into an arena; lane i has those whose bit is set in has[i]
template <class Real>
void put(const std::vector<Block>& blocks, const std::vector<unsigned>& has,
         const DataView<Real>& d) {
  ArenaView<Real>& rows = *d.arena;
  rows.need.nefc = rows.need.ncon = 100;
  rows.need.nJ = 10000;
  rows.grow(rows);
  rows.cones = true;
  rows.ne = rows.nf = rows.nl = rows.nefc = rows.nJ = rows.ncon = 0;
  std::vector<int> count(has.size());
  for (size_t b = 0; b < blocks.size(); b++) {
    unsigned anywhere = 0;
    for (unsigned bits : has) anywhere |= bits;
    if (!(anywhere >> b & 1)) continue;
    const Block& block = blocks[b];
    const auto set = [&](Real& to, double value) {
      to = Real(0);
      for (int i = 0; i < lanes<Real>; i++) {
        if (has[size_t(i)] >> b & 1) set_lane(to, i, static_cast<Scalar<Real>>(value));
      }
    };
    const bool contact = block.dim > 0;
    if (contact) {
      rows.con_dim[rows.ncon] = block.dim;
      rows.con_efc_address[rows.ncon] = rows.nefc;
      set(rows.con_mu[rows.ncon], block.mu);
      for (int j = 0; j < 5; j++) set(rows.con_friction[5 * rows.ncon + j], block.friction[j]);
    }
    for (int r = 0; r < block.number; r++) {
      const int row = rows.nefc++;
      rows.efc_type[row] = code(block.type);
      rows.efc_id[row] = contact ? rows.ncon : 0;
      rows.efc_J_rowadr[row] = rows.nJ;
      rows.efc_J_rownnz[row] = int(block.columns.size());
      for (size_t k = 0; k < block.columns.size(); k++) {
        rows.efc_J_colind[rows.nJ] = block.columns[k];
        set(rows.efc_J[rows.nJ++], block.J[size_t(r) * block.columns.size() + k]);
      }
      set(rows.efc_D[row], block.D[size_t(r)]);
      set(rows.efc_R[row], 1 / block.D[size_t(r)]);
      set(rows.efc_aref[row], block.aref[size_t(r)]);
      set(rows.efc_frictionloss[row], block.type == Constraint::friction_dof ? block.most : 0);
      for (size_t i = 0; i < has.size(); i++) count[i] += has[i] >> b & 1;
    }
    if (contact) rows.ncon++;
    if (block.type == Constraint::equality) rows.ne += block.number;
    if (block.type == Constraint::friction_dof) rows.nf += block.number;
  }
  mark_supernodes(rows);
  for (int i = 0; i < lanes<Real>; i++) d.nefc.set(0, i, count[size_t(i)]);
}

void solve(const Model& m, Data& d) { run_stage(m, d, "fwd_constraint"); }

std::vector<Golden> models() {
  std::vector<Golden> result;
  for (const std::filesystem::path& file : golden_files()) {
    result.push_back(read_golden(file));
    Option& option = result.back().model.opt;
    option.integrator = code(Integrator::euler);
    option.noslip_iterations = 0;
    option.disableflags |= code(DisableBit::island);  // rows act on other trees than their objects
    if (result.back().model.nv < 3) result.pop_back();
  }
  return result;
}

// forces within what their rows allow
void check_cones(const std::vector<Block>& blocks, const ArenaView<double>& rows,
                 const std::string& name) {
  int row = 0;
  for (const Block& block : blocks) {
    const double* f = rows.efc_force + row;
    for (int r = 0; r < block.number; r++) {
      if (block.type == Constraint::friction_dof) {
        EXPECT_LE(std::abs(f[r]), block.most * (1 + 1e-12)) << name;
      } else if (block.type != Constraint::equality && block.type != Constraint::contact_elliptic) {
        EXPECT_GE(f[r], 0) << name;
      }
    }
    if (block.type == Constraint::contact_elliptic) {
      double square = 0;
      for (int j = 1; j < block.dim; j++) square += std::pow(f[j] / block.friction[j - 1], 2);
      EXPECT_LE(std::sqrt(square), f[0] * (1 + 1e-9) + 1e-12) << name;
    }
    row += block.number;
  }
}

bool is_elliptic(const Block& block) { return block.type == Constraint::contact_elliptic; }

// methods that judge by the cost know where it is lowest to the square root of rounding
double tolerance_of(Solver solver) { return solver == Solver::newton ? 1e-9 : 1e-5; }

TEST(Solver, AllFindTheLowestCost) {
  for (Golden& golden : models()) {
    Model& m = golden.model;
    m.opt.ls_tolerance = 1e-3;
    for (unsigned seed = 0; seed < 20; seed++) {
      std::mt19937 random(seed);
      Data d = make_data(m);
      set_input(golden, golden.states[seed % golden.states.size()], d);
      forward(m, d);
      std::vector<Block> blocks = make_blocks(m, d, random);
      // Gauss-Seidel lets an elliptic contact without force start along its normal only: with such
      // contacts it is shown to stay at the lowest cost, without them to find it
      const bool round = seed % 2;
      if (!round) std::erase_if(blocks, is_elliptic);
      std::vector<double> found[3];
      for (Solver solver : {Solver::newton, Solver::cg, Solver::pgs}) {
        m.opt.solver = code(solver);
        // what a sweep saves is known to many digits: the stiffest pyramids need thousands of them
        m.opt.tolerance = solver == Solver::pgs ? 1e-22 : 0;
        m.opt.iterations = solver == Solver::pgs ? 50000 : 5000;
        const bool helped = round && solver == Solver::pgs;
        for (int dof = 0; dof < m.nv; dof++) {
          d.qacc_warmstart[dof] = helped ? found[code(Solver::newton)][size_t(dof)] : 0;
        }
        put(blocks, {~0u}, view(d));
        solve(m, d);
        std::vector<double>& qacc = found[code(solver)];
        qacc.assign(d.qacc, d.qacc + m.nv);
        const std::string name = "solver " + std::to_string(code(solver));
        check_cones(blocks, d.arena->view(), name);
        // M a = f_smooth + J' f
        std::vector<double> inertial(static_cast<size_t>(m.nv));
        mul_symmetric<double>(pattern_m(view(m)), d.M, d.qacc, inertial.data());
        double scale = 1e-3, worst = 0;
        for (int dof = 0; dof < m.nv; dof++) {
          const double force = d.qfrc_smooth[dof] + d.qfrc_constraint[dof];
          scale = std::max(scale, std::abs(d.qfrc_smooth[dof]));
          worst = std::max(worst, std::abs(inertial[size_t(dof)] - force));
        }
        EXPECT_LT(worst, tolerance_of(solver) * scale) << name << " seed " << seed;
      }
      double scale = 0;
      for (double a : found[code(Solver::newton)]) scale = std::max(scale, std::abs(a));
      for (int dof = 0; dof < m.nv; dof++) {
        const double newton = found[code(Solver::newton)][size_t(dof)];
        for (Solver solver : {Solver::cg, Solver::pgs}) {
          EXPECT_NEAR(found[code(solver)][size_t(dof)], newton, tolerance_of(solver) * scale)
              << "solver " << code(solver) << " seed " << seed;
        }
      }
    }
  }
}

TEST(Solver, LanesWithOtherRowsKeepTheirBits) {
  using Lanes = Pack<double, 4>;
  for (Golden& golden : models()) {
    Model& m = golden.model;
    for (unsigned seed = 0; seed < 24; seed++) {
      std::mt19937 random(seed);
      Data at_rest = make_data(m);
      forward(m, at_rest);
      const std::vector<Block> blocks = make_blocks(m, at_rest, random);
      m.opt.solver = int(seed % 3);
      m.opt.noslip_iterations = seed % 4 == 3 ? 3 : 0;
      LaneWorld<Lanes> world(m, find_kernels(false, lanes<Lanes>));
      std::vector<unsigned> has;
      std::vector<Data> singles;
      for (int i = 0; i < 4; i++) {
        has.push_back(i == 3 && seed % 2 ? 0u : unsigned(random()));
        singles.push_back(make_data(m));
        set_input(golden, golden.states[(seed + unsigned(i)) % golden.states.size()],
                  singles.back());
        put_input(m, singles.back(), world.d, i);
        forward(m, singles.back());
      }
      world.run_phases(Phase::position, Phase::acceleration_sensor);
      put(blocks, has, world.d);
      world.run_stage("fwd_constraint");
      for (int i = 0; i < 4; i++) {
        Data& one = singles[size_t(i)];
        put(blocks, {has[size_t(i)]}, view(one));
        solve(m, one);
        for (int dof = 0; dof < m.nv; dof++) {
          EXPECT_EQ(to_bits(one.qacc[dof]), to_bits(lane(world.d.qacc[dof], i)))
              << "seed " << seed << " lane " << i << " dof " << dof;
        }
        EXPECT_EQ(*one.solver_niter, world.d.solver_niter.get(0, i)) << "seed " << seed;
      }
    }
  }
}

// the search along a line of springs some of which let go: where it ends, and after how many
// evaluations
template <class Real>
std::pair<double, int> search_line(unsigned seed) {
  constexpr int count = 20;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  Real jar[count], jv[count], D[count], force[count], zones[count], quad[3 * count];
  int type[count];
  for (int row = 0; row < count; row++) {
    type[row] = code(Constraint::limit_joint);
    jar[row] = Real(-100 + 99 * number(random));
    jv[row] = Real(10 * number(random));
    D[row] = Real(2 + number(random));
    force[row] = -D[row] * jar[row];
    zones[row] = zone<Real>(ConstraintState::quadratic);
  }
  ArenaView<Real> rows{};
  rows.nefc = count;
  rows.efc_type = type;
  rows.row_jar = jar;
  rows.row_jv = jv;
  rows.efc_D = D;
  rows.efc_force = force;
  rows.row_zone = zones;
  rows.row_quad = quad;
  ModelView<Real> m{};
  m.opt.ls_iterations.value = 50;
  const Slope<Real> fixed = prepare_line(rows, Slope<Real>{Real(-8000), Real(1)});
  int evaluations = 0;
  Real slope(0);
  const Real t = line_search(m, rows, fixed, Real(1), Real(1e-9), true, evaluations, slope);
  return {double(t), evaluations};
}

TEST(LineSearch, EndsInSinglePrecision) {
  for (unsigned seed = 0; seed < 50; seed++) {
    const auto [t, evaluations] = search_line<double>(seed);
    const auto [coarse, few] = search_line<float>(seed);
    EXPECT_LE(evaluations, 10) << "seed " << seed;
    EXPECT_LE(few, 15) << "seed " << seed;
    EXPECT_NEAR(coarse, t, 0.001 * t) << "seed " << seed;
  }
}

}  // namespace
}  // namespace lockstep
