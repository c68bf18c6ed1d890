// 01_build_model.cc: build a model, edit it, compile it.
#include <cstdio>

#include "api/lockstep.h"

int main() {
  using namespace lockstep;
  ModelSpec spec;
  BodyId ball = spec.add_body(spec.world(), {.pos = {0, 0, 1}}, "ball");
  JointId joint = spec.add_joint(ball, {.type = JointType::free});
  GeomId shape = spec.add_geom(ball, {.type = GeomType::box, .size = {0.1, 0.2, 0.3}});
  spec[shape].density = 500;
  Result<Model> model = spec.compile();
  if (!model) return std::fputs(model.error().c_str(), stderr), 1;
  std::printf("joint %d, mass %g kg\n", spec.model_id(joint), model->body_mass[1]);
}
