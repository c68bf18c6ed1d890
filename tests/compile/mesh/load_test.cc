// load_test.cc: hostile mesh files give errors, never crashes.
#include "compile/mesh/load.h"

#include <gtest/gtest.h>

#include <random>

#include "compile/mesh/fit.h"
#include "compile/mesh/mesh.h"

namespace lockstep {
namespace {

const std::string data_dir = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/mesh/";

std::string error_of(const std::string& file, const Bytes& bytes) {
  MeshInput input;
  input.name = "m";
  input.file = file;
  input.bytes = &bytes;
  input.needhull = true;
  MeshData data;
  std::string error;
  bool ok = process_mesh(input, data, error);
  EXPECT_EQ(ok, error.empty());
  return error;
}

Bytes text(const std::string& s) { return Bytes(s.begin(), s.end()); }

TEST(Load, TellsWhatIsWrong) {
  EXPECT_EQ(error_of("a.stl", {}), "STL file 'a.stl' is empty");
  EXPECT_EQ(error_of("a.stl", Bytes(50)), "stl_decoder: invalid header of file 'a.stl'");
  EXPECT_EQ(error_of("a.stl", text("solid a" + std::string(80, ' ') + "facet normal 0 0 1")),
            "STL file of 1 to 200000 faces expected: 'a.stl' is something else, or text");
  EXPECT_EQ(error_of("a.msh", Bytes(10)), "MSH file 'a.msh' ends within its header");
  EXPECT_EQ(error_of("a.msh", Bytes(16)), "bad counts in the header of MSH file 'a.msh'");
  EXPECT_EQ(error_of("a.xyz", Bytes(16)), "unknown type of mesh file 'a.xyz'");
  EXPECT_EQ(error_of("a.obj", text("v 0 0 0\n")), "fewer than 4 vertices");
  EXPECT_NE(error_of("a.obj", text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 9\nf 1 2 3\n")), "");
}

// every way to cut a file short, and many ways to damage it
TEST(Load, SurvivesDamage) {
  std::mt19937 random(1);
  for (std::string file : {"cube.stl", "cube.msh", "cube.obj"}) {
    Bytes bytes = *read_bytes(data_dir + file);
    for (size_t n = 0; n < bytes.size(); n += 7) {
      error_of(file, Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)));
    }
    for (int i = 0; i < 300; i++) {
      Bytes damaged = bytes;
      for (int k = 0; k < 4; k++) damaged[random() % bytes.size()] = uint8_t(random());
      error_of(file, damaged);
    }
  }
}

TEST(Fit, EqualsReference) {
  MeshInput input;
  input.user.vert = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1.5f, .2f, .9f, -.3f};
  MeshData data;
  std::string error;
  ASSERT_TRUE(process_mesh(input, data, error)) << error;
  mesh::Fit fit;
  auto size = [&](GeomType type, bool aabb) {
    EXPECT_TRUE(mesh::fit_geom(data, type, aabb, 1.1, fit, error));
    return std::array{fit.size.x, fit.size.y, fit.size.z};
  };
  auto near = [](std::array<double, 3> a, std::array<double, 3> b) {
    for (int i = 0; i < 3; i++) EXPECT_NEAR(a[i], b[i], 1e-12);
  };
  near(size(GeomType::sphere, false), {0.5257821321289555, 0, 0});
  near(size(GeomType::capsule, false), {0.4413101620003921, 0.4740709913858864, 0});
  near(size(GeomType::cylinder, false), {0.4413101620003921, 0.6947260723860824, 0});
  near(size(GeomType::box, false), {0.41575926859047463, 0.4668610554103095, 0.6947260723860824});
  near(size(GeomType::sphere, true), {1.070553467108822, 0, 0});
  near(size(GeomType::capsule, true), {0.7003259900434852, 0.3702274770653369, 0});
  near(size(GeomType::ellipsoid, true),
       {0.7003259900434852, 0.6725609318980019, 1.070553467108822});
  EXPECT_FALSE(mesh::fit_geom(data, GeomType::plane, false, 1, fit, error));
  Vec3d reach = mesh::reach(data);
  near({reach.x, reach.y, reach.z}, {0.7318265222682032, 0.628840283108396, 1.274776684026182});
}

}  // namespace
}  // namespace lockstep
