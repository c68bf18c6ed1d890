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

}  // namespace
}  // namespace lockstep
