// attach_test.cc: attaching parts of specs and deleting them, against what MuJoCo 4.0.0 does.
#include "spec/attach.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using Names = std::vector<std::string>;

template <class T>
Names names(const std::vector<T*>& list) {
  Names result;
  for (const T* item : list) result.push_back(item->name);
  return result;
}

template <class T>
T* named(T* element, std::string name) {
  element->name = std::move(name);
  return element;
}

void add_sensor(Spec& spec, std::string name, ObjType kind, std::string object,
                ObjType ref_kind = ObjType::unknown, std::string ref = "") {
  Sensor* sensor = named(spec.add<Sensor>(), std::move(name));
  sensor->type = kind == ObjType::unknown ? SensorType::clock : SensorType::framepos;
  sensor->objtype = kind;
  sensor->objname = std::move(object);
  sensor->reftype = ref_kind;
  sensor->refname = std::move(ref);
}

void add_actuator(Spec& spec, std::string name, TrnType type, std::string target,
                  std::string refsite = "") {
  Actuator* actuator = named(spec.add<Actuator>(), std::move(name));
  actuator->trntype = type;
  actuator->target = std::move(target);
  actuator->refsite = std::move(refsite);
}

void add_pair(Spec& spec, std::string name, std::string geom1, std::string geom2) {
  Pair* pair = named(spec.add<Pair>(), std::move(name));
  pair->geomname1 = std::move(geom1);
  pair->geomname2 = std::move(geom2);
}

void add_weld(Spec& spec, std::string name, std::string body1, std::string body2) {
  Equality* equality = named(spec.add<Equality>(), std::move(name));
  equality->type = EqType::weld;
  equality->objtype = ObjType::body;
  equality->name1 = std::move(body1);
  equality->name2 = std::move(body2);
}

// world > { A (class c1) > A1, frame F > { B, gf } } and all kinds of things that refer to them
std::unique_ptr<Spec> make_kid() {
  auto spec = std::make_unique<Spec>();
  Spec& s = *spec;
  s.modelname = "kid";
  s.compiler->degree = false;
  s.modelfiledir = "kid/";
  Default* c1 = s.add_default("c1");
  s.add_default("c2", c1);
  s.main_default()->geom.density = 5;
  named(s.add<Material>(), "mt")->textures[1] = "tx";
  named(s.add<Texture>(), "tx");
  named(s.add<Numeric>(), "nn")->data = {1, 2};
  Body* a = named(s.add<Body>(s.world()), "A");
  a->childclass = "c1";
  named(s.add<Joint>(a), "ja");
  named(s.add<Geom>(a), "ga")->material = "mt";
  named(s.add<Site>(a), "sa");
  Body* a1 = named(s.add<Body>(a), "A1");
  named(s.add<Joint>(a1, s.find_default("c2")), "ja1");
  named(s.add<Geom>(a1), "ga1");
  Frame* f = named(s.add<Frame>(s.world()), "F");
  Body* b = named(s.add<Body>(s.world(), nullptr, f), "B");
  named(s.add<Joint>(b), "jb");
  named(s.add<Geom>(b), "gb");
  named(s.add<Site>(b), "sb");
  named(s.add<Geom>(s.world(), nullptr, f), "gf");
  add_pair(s, "p1", "ga", "ga1");
  add_pair(s, "p2", "ga", "gb");
  Exclude* exclude = named(s.add<Exclude>(), "ew");
  exclude->bodyname1 = "world";
  exclude->bodyname2 = "A";
  Tendon* tendon = named(s.add<Tendon>(), "tf");
  tendon->path = {{WrapType::joint, "ja", "", 1, "", {}}, {WrapType::joint, "jb", "", 2, "", {}}};
  add_weld(s, "q1", "A", "world");
  add_weld(s, "q2", "A", "B");
  add_actuator(s, "m1", TrnType::joint, "ja");
  add_actuator(s, "m2", TrnType::joint, "jb");
  add_actuator(s, "m3", TrnType::tendon, "tf");
  add_actuator(s, "m4", TrnType::site, "sa", "sb");
  add_sensor(s, "s1", ObjType::body, "A");
  add_sensor(s, "s2", ObjType::body, "world");
  add_sensor(s, "s3", ObjType::body, "A", ObjType::xbody, "world");
  add_sensor(s, "s4", ObjType::body, "B", ObjType::body, "A");
  add_sensor(s, "clk", ObjType::unknown, "");
  Tuple* tuple = named(s.add<Tuple>(), "tu");
  tuple->objtype = {code(ObjType::body), code(ObjType::body)};
  tuple->objname = {"A", "world"};
  tuple->objprm = {0, 0};
  Key* key = named(s.add<Key>(), "k1");
  key->qpos = {1, 2, 3};
  key->ctrl = {4, 5, 6, 7};
  return spec;
}

TEST(Attach, BodyOfAnotherSpecBringsWhatRefersToIt) {
  auto kid = make_kid();
  Spec parent;
  Frame* frame = parent.add<Frame>(parent.world());
  Diagnostics diagnostics;
  AttachOptions options{.prefix = "x-", .suffix = "", .copy = true, .keys_in_place = false};
  Element* result = attach(frame, kid->find<Body>("A"), options, diagnostics);
  ASSERT_NE(result, nullptr) << diagnostics.text(Severity::error);
  EXPECT_EQ(names(parent.all_bodies()), (Names{"world", "x-A", "x-A1"}));
  EXPECT_EQ(names(parent.defaults()), (Names{"main", "x-main", "x-c1", "x-c2"}));
  Geom* geom = parent.find<Geom>("x-ga");
  EXPECT_EQ(geom->def->name, "x-c1");
  EXPECT_EQ(geom->material, "x-mt");
  EXPECT_EQ(geom->parent->childclass, "x-c1");
  EXPECT_EQ(geom->parent->frame, frame);
  EXPECT_FALSE(geom->compiler->degree);
  EXPECT_EQ(geom->compiler->modelfiledir, "kid/");
  EXPECT_EQ(parent.find<Material>("x-mt")->textures[1], "x-tx");
  EXPECT_EQ(names(parent.pairs), (Names{"x-p1"}));
  EXPECT_EQ(names(parent.excludes), (Names{"x-ew"}));
  EXPECT_EQ(parent.excludes[0]->bodyname1, "world");
  EXPECT_EQ(names(parent.tendons), (Names{}));
  EXPECT_EQ(names(parent.equalities), (Names{"x-q1"}));
  EXPECT_EQ(names(parent.actuators), (Names{"x-m1"}));
  EXPECT_EQ(names(parent.sensors), (Names{"x-s1", "x-s3", "x-clk"}));
  EXPECT_EQ(parent.sensors[1]->refname, "world");
  EXPECT_EQ(parent.tuples.at(0)->objname, (Names{"x-A", "world"}));
  EXPECT_EQ(names(parent.numerics), (Names{"x-nn"}));
  ASSERT_EQ(names(parent.keys), (Names{"x-k1"}));
  ASSERT_EQ(parent.keys[0]->parts.size(), 3u);
  EXPECT_EQ(parent.keys[0]->parts[0].element, parent.find<Joint>("x-ja"));
  EXPECT_EQ(parent.keys[0]->parts[1].values.qpos, Numbers{2});
  EXPECT_EQ(parent.keys[0]->parts[2].values.ctrl, Numbers{4});
  // the child is as it was
  EXPECT_EQ(names(kid->all_bodies()), (Names{"world", "A", "A1", "B"}));
  EXPECT_EQ(kid->find<Geom>("ga")->material, "mt");
}

TEST(Attach, AllOfAnotherSpec) {
  auto kid = make_kid();
  Spec parent;
  Diagnostics diagnostics;
  Frame* all =
      attach(parent.add<Frame>(parent.world()), *kid, {"x-", "", true, false}, diagnostics);
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(names(parent.all_bodies()), (Names{"world", "x-A", "x-A1", "x-B"}));
  EXPECT_EQ(parent.find<Frame>("x-F")->frame, all);
  EXPECT_EQ(parent.find<Geom>("x-gf")->def, parent.main_default());
  EXPECT_EQ(parent.find<Geom>("x-gf")->frame->name, "x-F");
  EXPECT_EQ(names(parent.tendons), (Names{"x-tf"}));
  EXPECT_EQ(names(parent.equalities), (Names{"x-q1", "x-q2"}));
  EXPECT_EQ(names(parent.actuators), (Names{"x-m1", "x-m2", "x-m3", "x-m4"}));
}

TEST(Attach, WithinOneSpec) {
  auto kid = make_kid();
  Diagnostics diagnostics;
  Frame* frame = kid->add<Frame>(kid->find<Body>("B"));
  EXPECT_EQ(attach(frame, kid->find<Body>("A"), {"y-", "", false, false}, diagnostics), nullptr);
  ASSERT_NE(attach(frame, kid->find<Body>("A"), {"y-", "", true, true}, diagnostics), nullptr);
  EXPECT_EQ(names(kid->all_bodies()), (Names{"world", "A", "A1", "B", "y-A", "y-A1"}));
  EXPECT_EQ(kid->find<Geom>("y-ga")->material, "mt");
  EXPECT_EQ(kid->find<Geom>("y-ga")->def->name, "c1");
  EXPECT_EQ(names(kid->pairs), (Names{"p1", "p2", "y-p1", "y-p2"}));
  EXPECT_EQ(kid->pairs[3]->geomname2, "gb");
  EXPECT_EQ(names(kid->tendons), (Names{"tf", "y-tf"}));
  EXPECT_EQ(kid->tendons[1]->path[1].target, "jb");
  EXPECT_EQ(names(kid->actuators), (Names{"m1", "m2", "m3", "m4", "y-m1", "y-m3"}));
  EXPECT_EQ(names(kid->sensors),
            (Names{"s1", "s2", "s3", "s4", "clk", "y-s1", "y-s3", "y-s4", "y-clk"}));
  EXPECT_EQ(names(kid->numerics), (Names{"nn"}));
  EXPECT_EQ(names(kid->keys), (Names{"k1"}));
  EXPECT_FALSE(kid->keys[0]->pending);
}

TEST(Attach, ByReferenceMovesTheElementsThemselves) {
  auto kid = make_kid();
  Body* a = kid->find<Body>("A");
  auto parent = std::make_unique<Spec>();
  Frame* frame = parent->add<Frame>(parent->world());
  Diagnostics diagnostics;
  EXPECT_EQ(attach(frame, a, {"x-", "-y", false, false}, diagnostics), a);
  EXPECT_EQ(a->name, "x-A-y");
  EXPECT_EQ(a->spec, parent.get());
  EXPECT_EQ(a->parent, parent->world());
  EXPECT_EQ(a->compiler, kid->compiler);
  EXPECT_EQ(names(kid->all_bodies()), (Names{"world", "x-A-y", "x-A1-y", "B"}));
  EXPECT_EQ(names(kid->actuators), (Names{"x-m1-y", "m2", "m3", "m4"}));
  EXPECT_EQ(attach(frame, a, {"z-", "", false, false}, diagnostics), nullptr);
  // the rest of the child can follow
  EXPECT_NE(attach(frame, kid->find<Body>("B"), {"z-", "", false, false}, diagnostics), nullptr);
  EXPECT_EQ(names(parent->actuators), (Names{"x-m1-y", "z-m2"}));
  EXPECT_EQ(names(parent->materials), (Names{"x-mt-y"}));
  EXPECT_EQ(attach(frame, *kid, {"w-", "", false, false}, diagnostics), nullptr);
  kid.reset();
  auto copy = parent->copy();
  EXPECT_EQ(names(copy->all_bodies()), (Names{"world", "x-A-y", "x-A1-y", "z-B"}));
  EXPECT_EQ(copy->keys.at(0)->parts.at(0).element, copy->find<Joint>("x-ja-y"));
}

TEST(Attach, ToASite) {
  auto kid = make_kid();
  Spec parent;
  Site* site = parent.add<Site>(parent.world());
  site->pos = {1, 2, 3};
  Diagnostics diagnostics;
  ASSERT_NE(attach(site, kid->find<Body>("A"), {"x-", "", true, false}, diagnostics), nullptr);
  EXPECT_EQ(parent.find<Body>("x-A")->frame->pos, site->pos);
}

TEST(Attach, RefusesRepeatedAssets) {
  auto kid = make_kid();
  Spec parent;
  named(parent.add<Material>(), "mt");
  Diagnostics diagnostics;
  EXPECT_EQ(attach(parent.add<Frame>(parent.world()), kid->find<Body>("A"), {"", "", true, false},
                   diagnostics),
            nullptr);
  EXPECT_NE(diagnostics.text(Severity::error).find("repeated name 'mt' in material"),
            std::string::npos);
}

struct Pairing {
  Spec parent, child;
  Diagnostics diagnostics;
  Pairing() { child.modelname = "kid"; }
  bool go(Conflict policy) {
    parent.compiler->conflict = policy;
    Body* body = child.add<Body>(child.world());
    return attach(parent.add<Frame>(parent.world()), body, {"x-", "", true, false}, diagnostics);
  }
};

TEST(Attach, ConflictsAreKeptMergedOrRefused) {
  Pairing keep;
  keep.child.option.timestep = 0.004;
  EXPECT_TRUE(keep.go(Conflict::warning));
  EXPECT_EQ(keep.parent.option.timestep, 0.002);
  EXPECT_EQ(keep.parent.warnings.all().at(0).message,
            "settings clash when attaching 'kid', policy is 'warning'\n"
            "timestep: parent has 0.002 (default), child has 0.004, keeping parent value");

  Pairing merge;
  merge.parent.option.timestep = 0.005;
  merge.child.option.timestep = 0.001;
  merge.child.option.iterations = 200;
  merge.parent.option.disableflags = code(DisableBit::gravity);
  merge.child.option.disableflags = code(DisableBit::contact);
  EXPECT_TRUE(merge.go(Conflict::merge));
  EXPECT_EQ(merge.parent.option.timestep, 0.001);
  EXPECT_EQ(merge.parent.option.iterations, 200);
  EXPECT_EQ(merge.parent.option.disableflags, 128 + 16);

  Pairing unmergeable;
  unmergeable.parent.option.timestep = 0.005;
  unmergeable.parent.option.integrator = 1;
  unmergeable.child.option.timestep = 0.001;
  unmergeable.child.option.integrator = 2;
  EXPECT_FALSE(unmergeable.go(Conflict::merge));
  EXPECT_EQ(unmergeable.parent.option.timestep, 0.005);
  EXPECT_EQ(unmergeable.diagnostics.all().at(0).message,
            "settings clash when attaching 'kid', policy is 'merge'\n"
            "integrator: parent has 1, child has 2");

  Pairing refuse;
  refuse.parent.authored.insert("option/timestep");  // a default value, but written
  refuse.child.option.timestep = 0.001;
  EXPECT_FALSE(refuse.go(Conflict::error));
}

TEST(Erase, TakesReferencesAlong) {
  auto kid = make_kid();
  erase(kid->find<Body>("A1"));
  EXPECT_EQ(names(kid->pairs), (Names{"p2"}));
  EXPECT_TRUE(kid->keys[0]->pending);
  erase(kid->find<Frame>("F"));
  EXPECT_EQ(names(kid->all_bodies()), (Names{"world", "A"}));
  EXPECT_EQ(names(kid->pairs), (Names{}));
  EXPECT_EQ(names(kid->tendons), (Names{}));
  EXPECT_EQ(names(kid->actuators), (Names{"m1"}));
  EXPECT_EQ(names(kid->sensors), (Names{"s1", "s2", "s3", "clk"}));
}

}  // namespace
}  // namespace lockstep
