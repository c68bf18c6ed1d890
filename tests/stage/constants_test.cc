// what set_const and the compiler derive equals MuJoCo's: derived fields are wiped, computed again
// and compared.
#include "compile/constants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "stage/golden.h"

namespace lockstep {
namespace {

using Worst = std::map<std::string, std::pair<double, std::string>>;

// written by mj_setConst without being read
const std::set<std::string_view> derived = {
    "body_treeid",     "body_sameframe", "body_subtreemass",  "body_invweight0",
    "body_margin",     "body_contype",   "body_conaffinity",  "jnt_actuatorid",
    "dof_invweight0",  "dof_M0",         "dof_length",        "tree_bodyadr",
    "tree_bodynum",    "tree_dofadr",    "tree_dofnum",       "geom_sameframe",
    "site_sameframe",  "cam_poscom0",    "cam_pos0",          "cam_mat0",
    "light_poscom0",   "light_pos0",     "light_dir0",        "tendon_actuatorid",
    "tendon_treenum",  "tendon_treeid",  "ten_J_rownnz",      "ten_J_rowadr",
    "ten_J_colind",    "tendon_length0", "tendon_invweight0", "actuator_acc0",
    "actuator_length0"};

// not computed: soft bodies are stored, not simulated
bool is_flex(std::string_view name) { return name.starts_with("flex") || name.starts_with("efm"); }

void wipe(Model& m) {
  for (const FieldInfo& field : m.fields()) {
    if (derived.count(field.name)) std::memset(field.data, 0x55, field.bytes());
  }
  for (int eq = 0; eq < m.neq; eq++) {
    double* data = m.eq_data + mjNEQDATA * eq;
    const bool body = ObjType{m.eq_objtype[eq]} == ObjType::body;
    if (body && EqType{m.eq_type[eq]} == EqType::connect) std::fill_n(data + 3, 3, 7.0);
    if (body && EqType{m.eq_type[eq]} == EqType::weld && data[11] != 0)
      std::fill_n(data + 3, 7, 7.0);
  }
  for (int geom = 0; geom < m.ngeom; geom++) {
    const GeomType type{m.geom_type[geom]};
    if (m.geom_fluid[mjNFLUID * geom] > 0) std::fill_n(m.geom_fluid + mjNFLUID * geom + 6, 6, 7.0);
    if (type == GeomType::mesh || type == GeomType::sdf) continue;
    m.geom_rbound[geom] = 7;
    std::fill_n(m.geom_aabb + 6 * geom, 6, 7.0);
  }
  for (int body = 0; body < m.nbody; body++) {
    if (m.body_bvhnum[body])
      std::fill_n(m.bvh_aabb + 6 * m.body_bvhadr[body], 6 * m.body_bvhnum[body], 7.0);
  }
}

// largest relative difference; exact for anything but double
double residual(const FieldInfo& ours, const FieldInfo& theirs) {
  if (ours.dtype != Dtype::f64)
    return std::memcmp(ours.data, theirs.data, ours.bytes()) ? INFINITY : 0;
  const double *a = static_cast<double*>(ours.data), *b = static_cast<double*>(theirs.data);
  double worst = 0, scale = 1;
  // boxes that hold a plane are huge, and so is the rounding of their small numbers
  for (int64_t i = 0; ours.name == "bvh_aabb" && i < ours.size(); i++)
    scale = std::max(scale, std::abs(b[i]));
  for (int64_t i = 0; i < ours.size(); i++) {
    const double difference = std::abs(a[i] - b[i]) / std::max(scale, std::abs(b[i]));
    if (!(difference <= worst) && !(std::isnan(a[i]) && std::isnan(b[i]))) worst = difference;
  }
  return worst;
}

void note(Worst& worst, const std::string& name, double value, const std::string& file) {
  auto& entry = worst[name];
  if (!(value <= entry.first)) entry = {value, file};
}

void compare_models(const Model& ours, const Model& theirs, const std::string& file, Worst& worst) {
  const std::vector<FieldInfo> a = ours.fields(), b = theirs.fields();
  for (size_t i = 0; i < a.size(); i++) {
    if (!is_flex(a[i].name) && a[i].size() > 0)
      note(worst, std::string(a[i].name), residual(a[i], b[i]), file);
  }
  const auto same = [&](const char* name, auto x, auto y) {
    note(worst, name, x == y ? 0 : INFINITY, file);
  };
  same("ngravcomp", ours.ngravcomp, theirs.ngravcomp);
  same("npolygonmax", ours.npolygonmax, theirs.npolygonmax);
  same("nmeshdegmax", ours.nmeshdegmax, theirs.nmeshdegmax);
}

// as the compiler would: spec numbers in, resolved numbers out
void resolve(Model& m, const Golden& golden) {
  const auto put = [&golden](const char* name, double* to) {
    const std::vector<double> numbers = as_numbers(golden.spec.at(name));
    std::copy(numbers.begin(), numbers.end(), to);
  };
  put("actuator_biasprm", m.actuator_biasprm);
  put("tendon_lengthspring", m.tendon_lengthspring);
  const std::vector<double> pairs = as_numbers(golden.spec.at("jnt_springdamper"));
  std::vector<SpringDamper> joints;
  for (int joint = 0; joint < m.njnt; joint++)
    joints.push_back({joint, pairs[2 * joint], pairs[2 * joint + 1]});
  EXPECT_EQ(set_const(m), "");
  set_springdamper(m, joints);
  set_dampratio(m);
  set_springlength(m);
  const std::vector<double> given = as_numbers(golden.spec.at("given"));
  Statistic stat;
  stat.meaninertia = given[0];
  stat.meanmass = given[1];
  stat.meansize = given[2];
  stat.extent = given[3];
  stat.center = {given[4], given[5], given[6]};
  set_statistic(m, stat);
}

void compare_statistic(const Model& m, const Golden& golden, const std::string& file,
                       Worst& worst) {
  const std::vector<double> theirs = as_numbers(golden.spec.at("stat"));
  const std::vector<double> ours{m.stat.meaninertia, m.stat.meanmass,  m.stat.meansize,
                                 m.stat.extent,      m.stat.center[0], m.stat.center[1],
                                 m.stat.center[2]};
  static const char* const names[] = {"stat.meaninertia", "stat.meanmass", "stat.meansize",
                                      "stat.extent",      "stat.center.x", "stat.center.y",
                                      "stat.center.z"};
  for (int i = 0; i < 7; i++) {
    note(worst, names[i], std::abs(ours[i] - theirs[i]) / std::max(1.0, std::abs(theirs[i])), file);
  }
}

TEST(Constants, EqualMujoco) {
  Worst worst;
  for (const std::filesystem::path& file : golden_files()) {
    const Golden golden = read_golden(file);
    Model m = golden.model.copy();
    wipe(m);
    resolve(m, golden);
    compare_models(m, golden.model, file.filename(), worst);
    if (golden.model.nflex == 0) compare_statistic(m, golden, file.filename(), worst);
  }
  EXPECT_FALSE(worst.empty());
  for (const auto& [name, entry] : worst) {
    if (entry.first > 0)
      std::printf("%-22s %9.2e  %s\n", name.c_str(), entry.first, entry.second.c_str());
    EXPECT_LT(entry.first, 1e-12) << name << " in " << entry.second;
  }
}

TEST(Constants, ArmatureOfWrappedTendonsIsFound) {
  Golden golden = read_golden(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/stage/muscle.bin");
  Model& m = golden.model;
  EXPECT_EQ(wrapped_armature_tendon(m), -1);
  m.actuator_armature[1] = m.tendon_armature[1] = 0.1;  // the biceps does not wrap
  EXPECT_EQ(wrapped_armature_tendon(m), -1);
  m.actuator_armature[0] = 0.1;
  EXPECT_EQ(wrapped_armature_tendon(m), 0);
}

// range[0], range[1] of each actuator of tests/data/stage/muscle.xml
struct Muscles {
  Golden golden = read_golden(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/stage/muscle.bin");
  Model model = golden.model.copy();
  LengthRangeOptions options;
  Muscles() { std::fill_n(model.actuator_lengthrange, 2 * model.nout, 0.0); }
};

TEST(LengthRange, SearchEqualsMujoco) {
  Muscles x;
  const Option before = x.model.opt;
  for (int actuator = 0; actuator < x.model.nactuator; actuator++) {
    EXPECT_EQ(set_lengthrange(x.model, actuator, x.options), "");
  }
  for (int k = 0; k < 2 * x.model.nout; k++) {
    EXPECT_NEAR(x.model.actuator_lengthrange[k], x.golden.model.actuator_lengthrange[k], 1e-9) << k;
  }
  EXPECT_EQ(x.model.opt.disableflags, before.disableflags);
  EXPECT_EQ(x.model.opt.timestep, before.timestep);
}

TEST(LengthRange, TakesWhatIsThere) {
  Muscles x;
  x.options.uselimit = 1;
  EXPECT_EQ(set_lengthrange(x.model, 2, x.options), "");
  EXPECT_EQ(x.model.actuator_lengthrange[4], x.model.jnt_range[2]);
  EXPECT_EQ(x.model.actuator_lengthrange[5], x.model.jnt_range[3]);
  x.model.actuator_lengthrange[1] = 3;
  EXPECT_EQ(set_lengthrange(x.model, 0, x.options), "");
  EXPECT_EQ(x.model.actuator_lengthrange[1], 3);
  x.options.mode = code(LRMode::none);
  EXPECT_EQ(set_lengthrange(x.model, 1, x.options), "");
  EXPECT_EQ(x.model.actuator_lengthrange[3], 0);
}

TEST(LengthRange, SaysWhatIsWrong) {
  Muscles x;
  x.options.tolrange = -1;
  EXPECT_NE(set_lengthrange(x.model, 0, x.options).find("did not converge"), std::string::npos);
  x.model.jnt_limited[0] = x.model.jnt_limited[1] = false;
  std::fill_n(x.model.actuator_gear, 6 * x.model.nout, 0.0);
  x.options.useexisting = 0;
  EXPECT_NE(set_lengthrange(x.model, 2, x.options).find("the length range is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace lockstep
