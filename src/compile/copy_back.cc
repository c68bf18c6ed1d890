#include "compile/copy_back.h"

#include <fmt/core.h>

#include <cmath>
#include <string_view>

#include "compile/copy_changes.h"

namespace lockstep {
namespace {

// fields of elements have these prefixes
constexpr std::string_view prefixes[] = {"qpos",  "body_",   "jnt_",    "dof_",     "geom_",
                                         "site_", "cam_",    "light_",  "tendon_",  "actuator_",
                                         "pair_", "eq_",     "mat_",    "numeric_", "tuple_",
                                         "key_",  "sensor_", "hfield_", "mesh_pos", "mesh_quat"};
// what the compiler computes and nobody can write
constexpr std::string_view computed[] = {
    "invweight0", "_subtreemass", "_margin", "_M0",   "_length",  "_aabb", "_rbound",
    "_poscom0",   "_pos0",        "_mat0",   "_dir0", "_length0", "_acc0", "_user"};

bool is_kept(std::string_view name) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_computed(const FieldInfo& field) {
  if (field.dtype != Dtype::f64 && field.dtype != Dtype::f32) return true;
  if (field.name.starts_with("key_")) return true;  // anything goes, quaternions are normalized
  if (field.name == "geom_margin" || field.name == "jnt_margin") return false;
  if (field.name == "tendon_margin" || field.name == "pair_margin") return false;
  return std::any_of(std::begin(computed), std::end(computed),
                     [&](std::string_view suffix) { return field.name.ends_with(suffix); });
}

double cell(const FieldInfo& field, const void* data, int64_t i) {
  return field.dtype == Dtype::f64 ? static_cast<const double*>(data)[i]
                                   : double{static_cast<const float*>(data)[i]};
}

// the first row that was changed but compiles to something else now; -1 if there is none
int64_t lost_row(const FieldInfo& wanted, const uint8_t* before, const FieldInfo& now) {
  const double tolerance = wanted.dtype == Dtype::f64 ? 1e-9 : 1e-5;
  if (now.size() != wanted.size()) return 0;
  for (int64_t i = 0; i < wanted.size(); i++) {
    double value = cell(wanted, wanted.data, i);
    if (value == cell(wanted, before, i)) continue;
    double gap = std::abs(cell(now, now.data, i) - value);
    if (!(gap <= tolerance * std::max(1.0, std::abs(value)))) return i / wanted.cols;
  }
  return -1;
}

bool expressed(const Model& m, const Baseline& baseline, const Model& now,
               Diagnostics& diagnostics) {
  const std::vector<FieldInfo> wanted = m.fields(), found = now.fields();
  for (size_t i = 0; i < wanted.size(); i++) {
    if (baseline[i].empty() || is_computed(wanted[i])) continue;
    int64_t row = lost_row(wanted[i], baseline[i].data(), found[i]);
    if (row < 0) continue;
    diagnostics.error({}, fmt::format("{} {} was changed in the model, but the spec cannot say so",
                                      wanted[i].name, row));
    return false;
  }
  return true;
}

void copy_all(const Changes& changes, Spec& spec) {
  spec.option = changes.m.opt;
  spec.visual = changes.m.vis;
  copy_tree(changes, spec);
  copy_objects(changes, spec);
}

}  // namespace

Baseline take_baseline(const Model& m) {
  Baseline baseline;
  for (const FieldInfo& field : m.fields()) {
    auto* start = static_cast<const uint8_t*>(field.data);
    bool kept = is_kept(field.name) && field.bytes();
    baseline.emplace_back(start, kept ? start + field.bytes() : start);
  }
  return baseline;
}

void copy_back(const Model& m, const Baseline& baseline, Spec& compiled) {
  copy_all(Changes(m, baseline, compiled, true), compiled);
}

std::unique_ptr<Compiled> copy_back(const Model& m, const Baseline& baseline, const Spec& compiled,
                                    Spec& spec, Diagnostics& diagnostics) {
  if (structure_signature(spec) != m.signature) {
    diagnostics.error({}, "the model was not compiled from the spec as it is now");
    return nullptr;
  }
  const Changes changes(m, baseline, compiled, false);
  std::unique_ptr<Spec> trial = spec.copy();
  copy_all(changes, *trial);
  std::unique_ptr<Compiled> result = compile(*trial, diagnostics);
  if (!result || !expressed(m, baseline, result->model, diagnostics)) return nullptr;
  copy_all(changes, spec);
  return result;
}

}  // namespace lockstep
