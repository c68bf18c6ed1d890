// dump_main.cc: processes meshes described in small text files and writes every result, for
// comparing with the reference by hand:  dump <description>...  writes <description>.out
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "compile/mesh/description.h"

using namespace lockstep;

namespace {

template <class T>
void write(std::ostream& out, const char* name, const char* type, const T* data, size_t n) {
  out << name << ' ' << type << ' ' << n << '\n';
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(n * sizeof(T)));
  out << '\n';
}
void write(std::ostream& out, const char* name, const std::vector<int>& v) {
  write(out, name, "int32", v.data(), v.size());
}
void write(std::ostream& out, const char* name, const std::vector<float>& v) {
  write(out, name, "float32", v.data(), v.size());
}
void write(std::ostream& out, const char* name, const std::vector<double>& v) {
  write(out, name, "float64", v.data(), v.size());
}

void write_all(std::ostream& out, const MeshData& m) {
  write(out, "mesh_vert", m.surface.vert);
  write(out, "mesh_normal", m.surface.normal);
  write(out, "mesh_texcoord", m.surface.texcoord);
  write(out, "mesh_face", m.surface.face);
  write(out, "mesh_facenormal", m.surface.facenormal);
  write(out, "mesh_facetexcoord", m.surface.facetexcoord);
  write(out, "mesh_graph", m.graph);
  write(out, "mesh_polynormal", m.polygons.normal);
  write(out, "mesh_polyvertadr", m.polygons.vertadr);
  write(out, "mesh_polyvertnum", m.polygons.vertnum);
  write(out, "mesh_polyvert", m.polygons.vert);
  write(out, "mesh_polymapadr", m.polygons.mapadr);
  write(out, "mesh_polymapnum", m.polygons.mapnum);
  write(out, "mesh_polymap", m.polygons.map);
  write(out, "mesh_extrema", "int32", m.extrema.data(), m.extrema.size());
  write(out, "nmeshdegmax", "int32", &m.degmax, 1);
  write(out, "mesh_pos", "float64", &m.pos.x, 3);
  write(out, "mesh_quat", "float64", &m.quat.w, 4);
  write(out, "mesh_scale", "float64", &m.scale.x, 3);
  write(out, "volume", "float64", &m.volume, 1);
  write(out, "boxsize", "float64", &m.boxsize.x, 3);
  write(out, "aamm", "float64", m.aamm.data(), 6);
  write(out, "bvh_aabb", m.bvh.aabb);
  write(out, "bvh_child", m.bvh.child);
  write(out, "bvh_nodeid", m.bvh.nodeid);
  write(out, "bvh_depth", m.bvh.depth);
  write(out, "oct_aabb", m.octree.aabb);
  write(out, "oct_child", m.octree.child);
  write(out, "oct_depth", m.octree.depth);
  write(out, "oct_coeff", m.octree.coeff);
}

void run(const std::string& path) {
  Description d;
  std::ifstream in(path);
  read_description(directory_of(path), in, d);
  MeshData data;
  std::string error;
  auto start = std::chrono::steady_clock::now();
  bool ok = process(d, data, error);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::ofstream out(path + ".out", std::ios::binary);
  double seconds = time.count();
  write(out, "time", "float64", &seconds, 1);
  if (ok) {
    write_all(out, data);
  } else {
    write(out, "error", "char", error.data(), error.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; i++) run(argv[i]);
}
