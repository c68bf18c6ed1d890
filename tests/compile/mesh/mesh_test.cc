// mesh_test.cc: whole meshes against the reference: every array that ends in the Model.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "compile/mesh/description.h"
#include "compile/mesh/inertia.h"

namespace lockstep {
namespace {

const std::string data_dir = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/mesh/";

// "field value..." lines: what the reference made of the mesh above them
using Expected = std::map<std::string, std::vector<double>>;

Expected read_expected(std::istream& in, std::string& error) {
  Expected out;
  for (std::string line; std::getline(in, line) && !line.empty();) {
    std::istringstream words(line);
    std::string field;
    words >> field;
    if (field == "error") {
      std::getline(words >> std::ws, error);
    } else {
      std::vector<double>& values = out[field];
      for (std::string word; words >> word;) values.push_back(std::strtod(word.c_str(), nullptr));
    }
  }
  return out;
}

template <class T>
std::vector<double> as_double(const T& v) {
  return {v.begin(), v.end()};
}

Expected fields_of(const MeshData& m) {
  Vec3d inertia = mesh::diagonal_inertia(m, m.volume);
  Expected out;
  out["mesh_vert"] = as_double(m.surface.vert);
  out["mesh_normal"] = as_double(m.surface.normal);
  out["mesh_texcoord"] = as_double(m.surface.texcoord);
  out["mesh_face"] = as_double(m.surface.face);
  out["mesh_facenormal"] = as_double(m.surface.facenormal);
  out["mesh_facetexcoord"] = as_double(m.surface.facetexcoord);
  out["mesh_graph"] = as_double(m.graph);
  out["mesh_polynormal"] = m.polygons.normal;
  out["mesh_polyvertadr"] = as_double(m.polygons.vertadr);
  out["mesh_polyvertnum"] = as_double(m.polygons.vertnum);
  out["mesh_polyvert"] = as_double(m.polygons.vert);
  out["mesh_polymapadr"] = as_double(m.polygons.mapadr);
  out["mesh_polymapnum"] = as_double(m.polygons.mapnum);
  out["mesh_polymap"] = as_double(m.polygons.map);
  out["mesh_extrema"] = as_double(m.extrema);
  out["nmeshdegmax"] = {double(m.degmax)};
  out["mesh_pos"] = {m.pos.x, m.pos.y, m.pos.z};
  out["mesh_quat"] = {m.quat.w, m.quat.x, m.quat.y, m.quat.z};
  out["mass"] = {m.volume};
  out["inertia"] = {inertia.x, inertia.y, inertia.z};
  out["bvh_aabb"] = m.bvh.aabb;
  out["bvh_child"] = as_double(m.bvh.child);
  out["bvh_nodeid"] = as_double(m.bvh.nodeid);
  out["bvh_depth"] = as_double(m.bvh.depth);
  out["oct_aabb"] = m.octree.aabb;
  out["oct_child"] = as_double(m.octree.child);
  out["oct_depth"] = as_double(m.octree.depth);
  out["oct_coeff"] = m.octree.coeff;
  return out;
}

bool is_real(const std::string& field) {
  return field == "mesh_polynormal" || field == "mesh_pos" || field == "mesh_quat" ||
         field == "mass" || field == "inertia" || field == "bvh_aabb" || field == "oct_aabb" ||
         field == "oct_coeff";
}

void expect_equal(const std::string& field, const std::vector<double>& ours,
                  const std::vector<double>& expected) {
  ASSERT_EQ(ours.size(), expected.size()) << field;
  double scale = 0;
  for (double x : expected) scale = std::max(scale, std::abs(x));
  for (size_t i = 0; i < ours.size(); i++) {
    double tolerance = is_real(field) ? 1e-12 * scale : 0;
    ASSERT_NEAR(ours[i], expected[i], tolerance) << field << " " << i;
  }
}

TEST(Mesh, EqualsReference) {
  int ncase = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir)) {
    if (entry.path().extension() != ".txt") continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream in(entry.path());
    Description description;
    read_description(data_dir, in, description);
    std::string expected_error;
    Expected expected = read_expected(in, expected_error);

    MeshData data;
    std::string error;
    bool ok = process(description, data, error);
    EXPECT_EQ(ok, expected_error.empty()) << error;
    if (!ok) {
      EXPECT_EQ(error, expected_error);
    } else {
      Expected ours = fields_of(data);
      for (const auto& [field, values] : expected) expect_equal(field, ours[field], values);
    }
    ncase++;
  }
  EXPECT_GE(ncase, 30);
}

}  // namespace
}  // namespace lockstep
