// read_attach.cc: replicate and attach.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "math/quat.h"
#include "mjcf/reader.h"
#include "spec/attach.h"
#include "spec/orientation.h"
#include "spec/references.h"

namespace lockstep::mjcf {
namespace {

// more copies than this are taken for a mistake
constexpr int max_copies = 1'000'000;

// number of a copy, with as many digits as the count has
std::string copy_number(int index, int count) {
  return fmt::format("{:0{}}", index, std::to_string(count).size());
}

}  // namespace

// The content is read into a body aside, attached once per copy, and dropped.
void Reader::replicate(const Node& node, Body* body, Frame* outer) {
  int count = 0;
  if (!integer(node, "count", count)) return;
  if (count > max_copies) {
    error(node, "count", "too many copies").expected = fmt::format("at most {}", max_copies);
    return;
  }
  const size_t names_before = entered_.size();
  Default* def = child_class(node);
  Body* aside = spec_.add<Body>(body, nullptr, outer);
  Frame* part = spec_.add<Frame>(aside, def);
  part->source = node.source;
  if (def) part->childclass = def->name;
  const Body* surrounding = std::exchange(replicated_, aside);
  const size_t flexes = spec_.flexes.size(), equalities = spec_.equalities.size();
  tree(node, aside, part);
  // of flexcomps: copied with their bodies
  std::vector<Element*> originals(spec_.flexes.begin() + flexes, spec_.flexes.end());
  originals.insert(originals.end(), spec_.equalities.begin() + equalities, spec_.equalities.end());
  replicated_ = surrounding;
  repeat(node, part, outer ? static_cast<Element*>(outer) : body, count);
  erase(aside);
  for (Element* original : originals) spec_.remove(original);
  // the names of the original are free again
  for (; entered_.size() > names_before; entered_.pop_back()) {
    names_[entered_.back().first].erase(entered_.back().second);
  }
}

void Reader::repeat(const Node& node, Frame* part, Element* parent, int count) {
  std::array<double, 3> offset{}, euler{};
  array(node, "offset", offset);
  array(node, "euler", euler);
  const std::string separator(node.text("sep"));
  Vec3d pos{0, 0, 0};
  NameIndex names(spec_);
  for (int i = 0; i < count; i++) {
    Orientation turn;
    turn.type = OrientationType::euler;
    for (int axis = 0; axis < 3; axis++) turn.euler[axis] = i * euler[axis];
    resolve_orientation(turn, *spec_.compiler, part->quat);
    part->pos = {pos.x, pos.y, pos.z};
    const Quatd quat{part->quat[0], part->quat[1], part->quat[2], part->quat[3]};
    pos = pos + rotate(quat, Vec3d{offset[0], offset[1], offset[2]});
    AttachOptions options;
    options.suffix = separator + copy_number(i, count);
    options.copy = true;
    options.keys_in_place = true;
    options.keys_follow = i == 0;  // of attached models: they stay with the first copy
    options.names = &names;
    if (!attach(parent, part, options, diagnostics_)) return;
  }
}

Element* Reader::part_to_attach(const Node& node, Spec& from) {
  const bool whole_body = node.has("body");
  const std::string_view attribute = whole_body ? "body" : "frame";
  const ObjType kind = whole_body ? ObjType::body : ObjType::frame;
  const std::string name(node.text(attribute));
  if (spec_.find(kind, std::string(node.text("prefix")) + name)) {
    error(node, attribute, "the model already has an element with this name and prefix");
    return nullptr;
  }
  Element* part = from.find(kind, name);
  if (!part) {
    std::vector<std::string_view> known;
    for (const Element* candidate : from.all(kind)) known.push_back(candidate->name);
    error(node, attribute, fmt::format("no such {} in the model", attribute)).suggestion =
        nearest_word(name, known);
  }
  return part;
}

void Reader::attach_element(const Node& node, Body* body, Frame* outer) {
  Spec* from = &spec_;
  if (const Attribute* model = node.find("model")) {
    auto named = [&](const auto& candidate) { return candidate->modelname == model->value; };
    auto found = std::find_if(models_.begin(), models_.end(), named);
    if (found == models_.end()) {
      std::vector<std::string_view> known;
      for (const auto& candidate : models_) known.push_back(candidate->modelname);
      error(node, "model", "no such model asset").suggestion = nearest_word(model->value, known);
      return;
    }
    from = found->get();
  }
  const bool whole_model = !node.has("body") && !node.has("frame");
  if (whole_model && from == &spec_) {
    error(node, "", "attributes are missing").expected = "model, body or frame";
    return;
  }
  Element* part = whole_model ? nullptr : part_to_attach(node, *from);
  if (!whole_model && !part) return;
  Frame* place = outer ? outer : spec_.add<Frame>(body);
  if (!outer) place->source = node.source;
  AttachOptions options;
  options.prefix = node.text("prefix");
  options.copy = true;
  options.keys_in_place = true;
  if (part) {
    attach(place, part, options, diagnostics_);
  } else {
    attach(place, *from, options, diagnostics_);
  }
}

}  // namespace lockstep::mjcf
