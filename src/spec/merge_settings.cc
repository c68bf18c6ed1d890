#include "spec/merge_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace lockstep {
namespace {

enum class Rule { smaller, larger, equal };

template <class T>
struct is_array : std::false_type {};
template <class T, size_t n>
struct is_array<std::array<T, n>> : std::true_type {};

template <class T>
std::string shown(const T& value) {
  if constexpr (is_array<T>::value) {
    return fmt::format("{:g}", fmt::join(value, " "));
  } else if constexpr (std::is_floating_point_v<T>) {
    return fmt::format("{:g}", value);
  } else {
    return fmt::format("{}", value);
  }
}

// one comparison after the other; changes are applied at the end, if nothing was refused
class Merge {
 public:
  Merge(Spec& parent, const Spec& child) : parent_(parent), child_(child) {}

  template <class T>
  void field(std::string_view element, std::string_view name, Rule rule, T& mine, const T& theirs,
             const T& unset) {
    std::string key = fmt::format("{}/{}", element, name);
    bool said_here = parent_.authored.count(key) || mine != unset;
    bool said_there = child_.authored.count(key) || theirs != unset;
    if (!said_there || mine == theirs) return;
    std::string line = fmt::format("{}: parent has {}{}, child has {}", name, shown(mine),
                                   said_here ? "" : " (default)", shown(theirs));
    bool merging = policy() == Conflict::merge;
    if (said_here && (policy() == Conflict::error || (merging && rule == Rule::equal))) {
      refused_.push_back(line);
      return;
    }
    bool adopt = merging && !said_here;
    if constexpr (std::is_arithmetic_v<T>) {
      if (merging && said_here) {
        const char* word = rule == Rule::smaller ? "minimum" : "maximum";
        adopt = rule == Rule::smaller ? theirs < mine : theirs > mine;
        notes_.push_back(line + (adopt ? fmt::format(", taking the {}", word)
                                       : fmt::format(", keeping parent value (the {})", word)));
      }
    }
    if (!merging || !said_here) {
      notes_.push_back(line + (adopt ? ", adopting child value" : ", keeping parent value"));
    }
    if (adopt) {
      changes_.push_back([this, &mine, theirs, key] {
        mine = theirs;
        parent_.authored.insert(key);
      });
    }
  }

  // flags are sets: merging unites them
  template <class Bits>
  void flags(int Option::* member) {
    int mine = parent_.option.*member, theirs = child_.option.*member;
    for (const EnumValue& flag : enum_values<Bits>()) {
      if (flag.keyword.empty()) continue;  // the count
      std::string key = fmt::format("flag/{}", flag.keyword);
      int bit = flag.number;
      if (!(theirs & bit) && !child_.authored.count(key)) continue;
      if ((mine & bit) == (theirs & bit)) continue;
      one_flag(flag, mine, theirs, (mine & bit) || parent_.authored.count(key));
      if (policy() == Conflict::merge && (theirs & bit)) {
        changes_.push_back([this, member, bit, key] {
          parent_.option.*member |= bit;
          parent_.authored.insert(key);
        });
      }
    }
  }

  void actuator_groups() {
    if (policy() != Conflict::merge) return;
    int added = child_.option.disableactuator & ~parent_.option.disableactuator;
    for (int group = 0; group < 31; ++group) {
      if (!(added & (1 << group))) continue;
      notes_.push_back(fmt::format("disableactuator group {}: added from child", group));
    }
    changes_.push_back([this, added] { parent_.option.disableactuator |= added; });
  }

  bool finish(Diagnostics& diagnostics) {
    std::string title = fmt::format("settings clash when attaching '{}', policy is '{}'",
                                    child_.modelname, keyword_of(policy()));
    if (!refused_.empty()) {
      diagnostics.error({}, fmt::format("{}\n{}", title, fmt::join(refused_, "\n")));
      return false;
    }
    for (auto& change : changes_) change();
    if (!notes_.empty()) {
      parent_.warnings.warning({}, fmt::format("{}\n{}", title, fmt::join(notes_, "\n")));
    }
    return true;
  }

 private:
  Conflict policy() const { return parent_.compiler->conflict; }

  void one_flag(const EnumValue& flag, int mine, int theirs, bool said_here) {
    std::string name(flag.keyword);
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(name[0]));
    if (policy() == Conflict::merge) {
      if (theirs & flag.number) notes_.push_back(fmt::format("flag '{}': added from child", name));
      return;
    }
    if (!said_here) return;
    auto state = [&](int flags) { return flags & flag.number ? "set" : "unset"; };
    std::string line =
        fmt::format("flag '{}': parent {}, child {}", name, state(mine), state(theirs));
    if (policy() == Conflict::error) {
      refused_.push_back(line);
    } else {
      notes_.push_back(line + ", keeping parent");
    }
  }

  Spec& parent_;
  const Spec& child_;
  std::vector<std::string> refused_;
  std::vector<std::string> notes_;
  std::vector<std::function<void()>> changes_;
};

void merge_options(Merge& merge, Spec& parent, const Spec& child) {
  const Option unset;
  auto option = [&](std::string_view name, Rule rule, auto member) {
    merge.field("option", name, rule, parent.option.*member, child.option.*member, unset.*member);
  };
#define FIELD(name, rule) option(#name, Rule::rule, &Option::name);
  FIELD(timestep, smaller)
  FIELD(tolerance, smaller)
  FIELD(ls_tolerance, smaller)
  FIELD(noslip_tolerance, smaller)
  FIELD(ccd_tolerance, smaller)
  FIELD(sleep_tolerance, smaller)
  FIELD(iterations, larger)
  FIELD(ls_iterations, larger)
  FIELD(noslip_iterations, larger)
  FIELD(ccd_iterations, larger)
  FIELD(sdf_iterations, larger)
  FIELD(sdf_initpoints, larger)
  FIELD(gravity, equal)
  FIELD(wind, equal)
  FIELD(magnetic, equal)
  FIELD(density, equal)
  FIELD(viscosity, equal)
  FIELD(integrator, equal)
  FIELD(cone, equal)
  FIELD(jacobian, equal)
  FIELD(solver, equal)
  FIELD(impratio, equal)
  FIELD(o_margin, equal)
  FIELD(o_solref, equal)
  FIELD(o_solimp, equal)
  FIELD(o_friction, equal)
#undef FIELD
}

void merge_visual(Merge& merge, Spec& parent, const Spec& child) {
  const Visual unset;
  Visual& mine = parent.visual;
  const Visual& theirs = child.visual;
  merge.field("visual/map", "znear", Rule::smaller, mine.map.znear, theirs.map.znear,
              unset.map.znear);
  merge.field("visual/global", "realtime", Rule::smaller, mine.global_.realtime,
              theirs.global_.realtime, unset.global_.realtime);
  merge.field("visual/map", "zfar", Rule::larger, mine.map.zfar, theirs.map.zfar, unset.map.zfar);
}

void merge_sizes(Merge& merge, Spec& parent, const Spec& child) {
  const SizeSpec unset;
#define FIELD(name) merge.field("size", #name, Rule::larger, parent.name, child.name, unset.name);
  FIELD(memory)
  FIELD(nuserdata)
  FIELD(nkey)
  FIELD(nuser_body)
  FIELD(nuser_jnt)
  FIELD(nuser_geom)
  FIELD(nuser_site)
  FIELD(nuser_cam)
  FIELD(nuser_tendon)
  FIELD(nuser_actuator)
  FIELD(nuser_sensor)
#undef FIELD
}

}  // namespace

bool merge_settings(Spec& parent, const Spec& child, Diagnostics& diagnostics) {
  Merge merge(parent, child);
  merge_options(merge, parent, child);
  merge_visual(merge, parent, child);
  merge_sizes(merge, parent, child);
  merge.flags<DisableBit>(&Option::disableflags);
  merge.flags<EnableBit>(&Option::enableflags);
  merge.actuator_groups();
  return merge.finish(diagnostics);
}

}  // namespace lockstep
