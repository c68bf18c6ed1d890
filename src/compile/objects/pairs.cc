// pairs.cc: contact pairs and excluded body pairs, both ordered by the bodies concerned.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compile/objects/common.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

int signature(int body1, int body2) { return (body1 << 16) + body2; }

// share of the first geom where solver parameters are mixed
double mix_of(const Geom& geom1, const Geom& geom2) {
  constexpr double tiny = 1e-14;
  const bool first = geom1.solmix >= tiny, second = geom2.solmix >= tiny;
  if (first && second) return geom1.solmix / (geom1.solmix + geom2.solmix);
  if (first == second) return 0.5;
  return first ? 1 : 0;
}

std::array<double, 5> friction_of(const std::array<double, 3>& f) {
  return {f[0], f[0], f[1], f[2], f[2]};
}

template <size_t n>
std::array<double, n> mixed(double share, const std::array<double, n>& a,
                            const std::array<double, n>& c) {
  std::array<double, n> result;
  for (size_t i = 0; i < n; i++) result[i] = share * a[i] + (1 - share) * c[i];
  return result;
}

template <size_t n>
std::array<double, n> combined(double (*choose)(double, double), const std::array<double, n>& a,
                               const std::array<double, n>& c) {
  std::array<double, n> result;
  for (size_t i = 0; i < n; i++) result[i] = choose(a[i], c[i]);
  return result;
}

double larger(double a, double c) { return std::max(a, c); }
double smaller(double a, double c) { return std::min(a, c); }

// values left undefined by a program are taken from the geoms, as for dynamic contacts
void complete(Pair& pair, const Geom& geom1, const Geom& geom2) {
  if (std::isnan(pair.margin)) pair.margin = larger(geom1.margin, geom2.margin);
  if (std::isnan(pair.gap)) pair.gap = larger(geom1.gap, geom2.gap);
  const bool friction = std::isnan(pair.friction[0]);
  const bool solref = std::isnan(pair.solref[0]);
  const bool solimp = std::isnan(pair.solimp[0]);
  if (geom1.priority != geom2.priority) {
    const Geom& winner = geom1.priority > geom2.priority ? geom1 : geom2;
    if (friction) pair.friction = friction_of(winner.friction);
    if (solref) pair.solref = winner.solref;
    if (solimp) pair.solimp = winner.solimp;
    return;
  }
  const double share = mix_of(geom1, geom2);
  const bool standard = geom1.solref[0] > 0 && geom2.solref[0] > 0;
  if (friction) pair.friction = friction_of(combined(larger, geom1.friction, geom2.friction));
  if (solref) {
    pair.solref = standard ? mixed(share, geom1.solref, geom2.solref)
                           : combined(smaller, geom1.solref, geom2.solref);
  }
  if (solimp) pair.solimp = mixed(share, geom1.solimp, geom2.solimp);
}

PairPlan plan_pair(Build& b, Pair& pair) {
  PairPlan plan;
  if (pair.condim != 1 && pair.condim != 3 && pair.condim != 4 && pair.condim != 6) {
    expect(b.error(pair, "condim", "invalid contact dimension"), "1, 3, 4 or 6",
           std::to_string(pair.condim));
  }
  plan.geom1 = b.resolve(pair, "geom1", ObjType::geom, pair.geomname1);
  plan.geom2 = b.resolve(pair, "geom2", ObjType::geom, pair.geomname2);
  if (plan.geom1 < 0 || plan.geom2 < 0) return plan;
  if (body_id(*b.geoms[plan.geom1]) > body_id(*b.geoms[plan.geom2])) {
    std::swap(plan.geom1, plan.geom2);
  }
  const Geom& geom1 = *b.geoms[plan.geom1];
  const Geom& geom2 = *b.geoms[plan.geom2];
  complete(pair, geom1, geom2);
  plan.signature = signature(body_id(geom1), body_id(geom2));
  return plan;
}

int plan_exclude(Build& b, const Exclude& exclude) {
  const int body1 = b.resolve(exclude, "body1", ObjType::body, exclude.bodyname1);
  const int body2 = b.resolve(exclude, "body2", ObjType::body, exclude.bodyname2);
  if (body1 < 0 || body2 < 0) return -1;
  return signature(std::min(body1, body2), std::max(body1, body2));
}

// elements and their plans in the order of signatures; equal ones stay in the order of definition
template <class T, class Plan, class Key>
void sort_by(std::vector<T*>& elements, std::vector<Plan>& plans, Key key) {
  std::vector<int> order(elements.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int c) {
    const auto first = key(plans[a]), second = key(plans[c]);
    return first != second ? first < second : a < c;
  });
  std::vector<T*> sorted;
  std::vector<Plan> sorted_plans;
  for (int old : order) {
    elements[old]->id = static_cast<int>(sorted.size());
    elements[old]->defined = old;
    sorted.push_back(elements[old]);
    sorted_plans.push_back(plans[old]);
  }
  elements = std::move(sorted);
  plans = std::move(sorted_plans);
}

}  // namespace

void compile_pairs_excludes(Build& b) {
  for (Pair* pair : b.spec.pairs) b.plans.pairs.push_back(plan_pair(b, *pair));
  for (Exclude* exclude : b.spec.excludes) b.plans.excludes.push_back(plan_exclude(b, *exclude));
  sort_by(b.spec.pairs, b.plans.pairs, [](const PairPlan& plan) { return plan.signature; });
  sort_by(b.spec.excludes, b.plans.excludes, [](int key) { return key; });
}

void pack_pairs_excludes(Build& b) {
  Model& m = b.model;
  for (const Pair* pair : b.spec.pairs) {
    const int id = pair->id;
    const PairPlan& plan = b.plans.pairs[id];
    m.pair_dim[id] = pair->condim;
    m.pair_geom1[id] = plan.geom1;
    m.pair_geom2[id] = plan.geom2;
    m.pair_signature[id] = plan.signature;
    m.pair_margin[id] = pair->margin;
    m.pair_gap[id] = pair->gap;
    m.pair_adhesion[id] = pair->adhesion;
    put(m.pair_solref, id, pair->solref);
    put(m.pair_solreffriction, id, pair->solreffriction);
    put(m.pair_solimp, id, pair->solimp);
    put(m.pair_friction, id, pair->friction);
  }
  std::copy(b.plans.excludes.begin(), b.plans.excludes.end(), m.exclude_signature);
}

}  // namespace lockstep
