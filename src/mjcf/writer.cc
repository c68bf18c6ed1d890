#include "mjcf/writer.h"

#include <cmath>

#include "spec/orientation.h"

namespace lockstep::mjcf {

Writer::Writer(const Spec& spec, const WriteOptions& options)
    : spec_(spec),
      compiled_(options.compiled),
      canonical_(compiled_ || spec.compiler->savecanonical),
      degree_(!canonical_ && spec.compiler->degree),
      digits_(compiled_ && !options.exact ? Digits::six : Digits::exact),
      model_(compiled_ ? options.model : nullptr) {}

OutNode Writer::write() {
  OutNode root("mujoco");
  root.set("model", spec_.modelname);
  root.comment = spec_.comment;
  compiler(root);
  option(root);
  size(root);
  statistic(root);
  visual(root);
  default_class(root, *spec_.main_default());
  extension(root);
  asset(root);
  body_tree(root.add("worldbody"), *spec_.world(), nullptr, "main");
  deformable(root);
  contact(root);
  tendon(root);
  equality(root);
  actuator(root);
  sensor(root);
  custom(root);
  keyframe(root);
  return root;
}

bool Writer::authored(std::string_view path) const {
  return !compiled_ && spec_.authored.contains(std::string(path));
}

void Writer::rows(OutNode& node, const Rule& rule, const void* object, const void* base,
                  std::string_view path) {
  for (const Row& r : rule.rows) {
    if (!r.address || r.is(save_by_hook)) continue;
    const void* value = r.address(const_cast<void*>(object));
    bool kept = !path.empty() && authored(std::string(path) + "/" + std::string(r.name));
    const void* other = base && !kept ? r.address(const_cast<void*>(base)) : nullptr;
    if (auto text = r.ops().write(r, value, other, digits_)) node.set(r.name, std::move(*text));
  }
}

void Writer::row(OutNode& node, const Rule& rule, std::string_view attribute, const void* object,
                 const void* base) {
  const Row& r = *rule.find(attribute);
  const void* other = base ? r.address(const_cast<void*>(base)) : nullptr;
  auto text = r.ops().write(r, r.address(const_cast<void*>(object)), other, digits_);
  if (text) node.set(r.name, std::move(*text));
}

template <class T>
void Writer::numbers(OutNode& node, std::string_view attribute, const T* values, size_t count,
                     const T* base, bool trim) {
  bool same = base;
  for (size_t i = 0; i < count; i++) {
    if (std::isnan(values[i])) return;
    if (!same) continue;
    same = digits_ == Digits::exact
               ? values[i] == base[i]
               : !(std::abs(values[i] - base[i]) > std::numeric_limits<T>::epsilon());
  }
  if (same || !count) return;
  while (trim && base && count > 1 && values[count - 1] == base[count - 1]) count--;
  node.set(attribute, format_numbers(values, count, digits_));
}
template void Writer::numbers(OutNode&, std::string_view, const double*, size_t, const double*,
                              bool);
template void Writer::numbers(OutNode&, std::string_view, const float*, size_t, const float*, bool);

void Writer::number(OutNode& node, std::string_view attribute, double value, const double* base) {
  numbers(node, attribute, &value, 1, base);
}

// compiled user data are padded with zeros: they say nothing
void Writer::user(OutNode& node, const Numbers& values, const Numbers& base) {
  bool said = values != base && !values.empty();
  if (compiled_) {
    said = false;
    for (size_t i = 0; i < values.size(); i++) {
      said = said || values[i] != (i < base.size() ? base[i] : 0);
    }
  }
  if (said) node.set("user", format_numbers(values.data(), values.size(), digits_));
}

const CompilerSpec& Writer::settings_of(const Element* element) const {
  return element && element->compiler ? *element->compiler : *spec_.compiler;
}

double Writer::angle(const Element* element, double value, bool orientation) const {
  const bool degree = settings_of(element).degree;
  if (compiled_ || degree == degree_) return value;
  // in the order of operations by which the compiler converts
  if (degree) return orientation ? value / 180.0 * mjPI : value * (mjPI / 180.0);
  return orientation ? value / mjPI * 180.0 : value / (mjPI / 180.0);
}

std::array<double, 4> Writer::resolved(const Element* element, const std::array<double, 4>& quat,
                                       const Orientation& alt) const {
  std::array<double, 4> result = quat;
  if (alt.type == OrientationType::quat && (!canonical_ || compiled_)) return result;
  resolve_orientation(alt, settings_of(element), result);
  return result;
}

void Writer::pose(OutNode& node, const Element* element, const std::array<double, 3>* pos,
                  const std::array<double, 4>& quat, const Orientation& alt,
                  const std::array<double, 3>* base_pos, const std::array<double, 4>* base_quat,
                  const Orientation* base_alt) {
  constexpr std::array<double, 3> origin{};
  constexpr std::array<double, 4> unit{1, 0, 0, 0};
  if (pos) numbers(node, "pos", pos->data(), 3, base_pos ? base_pos->data() : origin.data());

  // Euler angles of an attached model may have another sequence than the saved file
  const bool same_sequence = settings_of(element).eulerseq == spec_.compiler->eulerseq;
  if (alt.type == OrientationType::quat || canonical_ ||
      (alt.type == OrientationType::euler && !same_sequence)) {
    const auto value = resolved(element, quat, alt);
    const bool base_is_quat = !base_alt || base_alt->type == OrientationType::quat || canonical_;
    std::array<double, 4> base = unit;
    if (base_quat && base_alt && base_is_quat) base = resolved(nullptr, *base_quat, *base_alt);
    numbers(node, "quat", value.data(), 4, base_is_quat ? base.data() : nullptr);
    return;
  }

  const Orientation* same = base_alt && base_alt->type == alt.type ? base_alt : nullptr;
  switch (alt.type) {
    case OrientationType::axisangle: {
      auto value = alt.axisangle;
      value[3] = angle(element, value[3], true);
      numbers(node, "axisangle", value.data(), 4, same ? same->axisangle.data() : nullptr);
      break;
    }
    case OrientationType::xyaxes:
      numbers(node, "xyaxes", alt.xyaxes.data(), 6, same ? same->xyaxes.data() : nullptr);
      break;
    case OrientationType::zaxis:
      numbers(node, "zaxis", alt.zaxis.data(), 3, same ? same->zaxis.data() : nullptr);
      break;
    default: {
      auto value = alt.euler;
      for (double& a : value) a = angle(element, a, true);
      numbers(node, "euler", value.data(), 3, same ? same->euler.data() : nullptr);
      break;
    }
  }
}

}  // namespace lockstep::mjcf

namespace lockstep {

std::string write_mjcf(const Spec& spec, const WriteOptions& options) {
  return mjcf::to_text(mjcf::Writer(spec, options).write());
}

}  // namespace lockstep
