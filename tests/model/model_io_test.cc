// binary models: what is saved loads again, what is damaged is refused.
#include "model/model_io.h"

#include <gtest/gtest.h>

#include <cstring>

#include "api/lockstep.h"

namespace lockstep {
namespace {

Model make_model() {
  ModelSpec spec;
  BodyId ball = spec.add_body(spec.world(), {.pos = {0, 0, 1}});
  static_cast<void>(spec.add_geom(ball, {.size = {0.1}}));
  return std::move(spec.compile()).value();
}

TEST(ModelIo, LoadsWhatItSaved) {
  const std::vector<uint8_t> bytes = save_model(make_model());
  Model loaded;
  EXPECT_EQ(load_model(bytes, loaded), "");
  EXPECT_EQ(save_model(loaded), bytes);
}

// found by the fuzzer: another nbuffer was replaced in silence
TEST(ModelIo, RefusesSizesThatDoNotFit) {
  const Model model = make_model();
  const std::vector<uint8_t> bytes = save_model(model);
  int checked = 0;
  for (size_t at = 24; at + 8 < bytes.size(); at++) {
    if (std::memcmp(bytes.data() + at, &model.nbuffer, 8) != 0) continue;
    std::vector<uint8_t> damaged = bytes;
    damaged[at] ^= 64;
    seal_model(damaged);
    Model loaded;
    EXPECT_NE(load_model(damaged, loaded), "");
    checked++;
    break;
  }
  EXPECT_EQ(checked, 1);
}

TEST(ModelIo, RefusesEveryTruncation) {
  std::vector<uint8_t> bytes = save_model(make_model());
  Model loaded;
  for (size_t size = 0; size < bytes.size(); size += 97) {
    EXPECT_NE(load_model({bytes.data(), size}, loaded), "") << size;
  }
}

// found by fuzzing the stages behind a loaded file: each of these led out of an array
TEST(ModelIo, RefusesIndicesThatLeadOutside) {
  const char* text = R"(
    <mujoco>
      <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
      <worldbody>
        <site name="a"/>
        <geom type="mesh" mesh="m"/>
        <flexcomp name="f" type="grid" count="2 2 1" spacing=".1 .1 .1"/>
        <body>
          <joint name="j" stiffness="1" springyield="1"/><geom name="g" size=".1" pos="1 0 0"/>
          <site name="b"/>
        </body>
      </worldbody>
      <tendon><spatial><site site="a"/><geom geom="g"/><site site="b"/></spatial></tendon>
      <actuator><position joint="j" delay=".01" nsample="5"/></actuator>
      <sensor><gyro site="b"/><tactile mesh="m" geom="g"/></sensor>
    </mujoco>)";
  struct Damage {
    const char* name;
    void (*apply)(Model&);
  };
  const Damage damages[] = {
      {"M_rownnz", [](Model& m) { m.M_rownnz[0] = 0; }},
      {"D_diag", [](Model& m) { m.D_diag[0] = 1; }},
      {"jnt_plasticadr", [](Model& m) { m.jnt_type[0] = 1, m.jnt_plasticadr[0] = 0; }},
      {"wrap_type", [](Model& m) { m.wrap_type[2] = m.wrap_type[1]; }},
      {"wrap_prm", [](Model& m) { m.wrap_prm[1] = 1e9; }},
      {"actuator_history", [](Model& m) { m.actuator_history[0] = 6; }},
      {"actuator_outnum", [](Model& m) { m.actuator_trntype[0] = code(TrnType::so3); }},
      {"actuator_trnid", [](Model& m) { m.actuator_trnid[0] = -1; }},
      {"slider of a crank", [](Model& m) { m.actuator_trntype[0] = code(TrnType::slidercrank); }},
      {"flex_edge", [](Model& m) { m.flex_edge[0] = 4; }},
      {"flex_elem", [](Model& m) { m.flex_elem[0] = -1; }},
      {"flex_vertbodyid", [](Model& m) { m.flex_vertbodyid[0] = -1; }},
      {"mesh_graph", [](Model& m) { m.mesh_graph[2] = 1000; }},
      {"mesh_graph end", [](Model& m) { m.mesh_graph[2 + 2 * 4 + 15] = 0; }},
      {"mesh_polyvert", [](Model& m) { m.mesh_polyvert[0] = 4; }},
      {"mesh_polymap", [](Model& m) { m.mesh_polymap[0] = -1; }},
      {"bvh_nodeid", [](Model& m) { m.bvh_nodeid[0] = 1000; }},
      {"sensor_dim", [](Model& m) { m.sensor_dim[1] = 8; }},
      {"sensor_reftype", [](Model& m) { m.sensor_reftype[1] = code(ObjType::site); }},
      {"sensor_objid", [](Model& m) { m.sensor_objid[1] = -1; }},
      {"sensor_type", [](Model& m) { m.sensor_type[0] = code(SensorType::framequat); }},
  };
  for (const Damage& damage : damages) {
    Result<ModelSpec> spec = ModelSpec::parse(text);
    ASSERT_TRUE(spec.ok()) << spec.error();
    Result<Model> model = spec->compile();
    ASSERT_TRUE(model.ok()) << model.error();
    Model loaded;
    ASSERT_EQ(load_model(save_model(*model), loaded), "");
    damage.apply(*model);
    EXPECT_NE(load_model(save_model(*model), loaded), "") << damage.name;
  }
}

}  // namespace
}  // namespace lockstep
