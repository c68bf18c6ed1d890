// hull.cc: the only place that knows qhull.
#include "compile/mesh/hull.h"

#include <fmt/core.h>

#include <cmath>
#include <csetjmp>
#include <cstdio>

#include "compile/mesh/geometry.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace lockstep::mesh {
namespace {

// which of the degenerate arrangements the points have; nullptr: none, there is a hull
const char* degeneracy(const std::vector<double>& vert) {
  const int nvert = static_cast<int>(vert.size() / 3);
  const Vec3d origin = point(vert, 0);

  int second = 0;
  double length = 0;
  for (int v = 1; v < nvert && !second; v++) {
    length = distance(point(vert, v), origin);
    if (length > min_val) second = v;
  }
  if (!second) {
    return "all vertices are one point and have no hull; a small sphere can stand for them";
  }

  Vec3d edge = point(vert, second) - origin;
  Vec3d normal{};
  bool collinear = true;
  for (int v = 1; v < nvert && collinear; v++) {
    if (v == second) continue;
    Vec3d other = point(vert, v) - origin;
    double size = norm(other);
    if (size < min_val) continue;
    normal = cross(edge, other);
    double area = norm(normal);
    if (area > min_val * length * size) {
      normal = divide(normal, area);
      collinear = false;
    }
  }
  if (collinear) {
    return "all vertices lie on a line and have no hull; a thin capsule can stand for them";
  }

  double level = dot(normal, origin);
  for (int v = 0; v < nvert; v++) {
    if (std::abs(dot(normal, point(vert, v)) - level) > min_val * length) return nullptr;
  }
  return "all vertices lie in a plane and have no hull; a plane or thin box can stand for them";
}

// qhull leaves by longjmp, so nothing with a destructor may live in here
bool run_qhull(qhT* qh, char* options, double* points, int npoint) {
  if (setjmp(qh->errexit)) return false;
  qh->NOerrexit = False;
  qh_initflags(qh, options);
  qh_init_B(qh, points, npoint, 3, False);
  qh_qhull(qh);
  qh_triangulate(qh);
  qh_vertexneighbors(qh);
  return true;
}

// neighbours of all vertices, in the order of their first appearance around the vertex
bool add_edges(qhT* qh, int npoint, std::vector<int>& graph) {
  int nvert = graph[0], nface = graph[1];
  int* edgeadr = graph.data() + 2;
  int* globalid = edgeadr + nvert;
  int* edge = globalid + nvert;
  const int nedge = nvert + 3 * nface;
  std::vector<int> local(npoint, -1);

  int vert = 0, adr = 0;
  vertexT *vertex, *corner, **cornerp;
  facetT *facet, **facetp;
  FORALLvertices {
    int id = qh_pointid(qh, vertex->point);
    if (id < 0 || id >= npoint || vert >= nvert) return false;
    edgeadr[vert] = adr;
    globalid[vert] = id;
    local[id] = vert++;
    int start = adr;
    FOREACHsetelement_(facetT, vertex->neighbors, facet) {
      FOREACHsetelement_(vertexT, facet->vertices, corner) {
        int other = qh_pointid(qh, corner->point);
        if (other < 0 || other >= npoint) return false;
        bool known = other == id;
        for (int e = start; e < adr && !known; e++) known = edge[e] == other;
        if (known) continue;
        if (adr >= nedge) return false;
        edge[adr++] = other;
      }
    }
    if (adr >= nedge) return false;
    edge[adr++] = -1;
  }
  if (vert != nvert || adr != nedge) return false;

  for (int e = 0; e < nedge; e++) {
    if (edge[e] < 0) continue;
    edge[e] = local[edge[e]];
    if (edge[e] < 0) return false;
  }
  return true;
}

bool add_faces(qhT* qh, std::vector<int>& graph) {
  int nvert = graph[0], nface = graph[1];
  int* face = graph.data() + 2 + 3 * nvert + 3 * nface;
  int n = 0;
  facetT* facet;
  vertexT *corner, **cornerp;
  FORALLfacets {
    int k = 0;
    if (n >= nface) return false;
    FOREACHsetelement_(vertexT, facet->vertices, corner) {
      if (k >= 3) return false;
      // outward orientation
      int slot = facet->toporient && k < 2 ? 1 - k : k;
      face[3 * n + slot] = qh_pointid(qh, corner->point);
      k++;
    }
    if (k != 3) return false;
    n++;
  }
  return n == nface;
}

}  // namespace

HullView::HullView(const std::vector<int>& graph)
    : nvert(graph[0]),
      nface(graph[1]),
      edgeadr(graph.data() + 2),
      globalid(edgeadr + nvert),
      edge(globalid + nvert),
      face(edge + nvert + 3 * nface) {}

bool make_hull(const std::vector<double>& vert, int maxvert, std::vector<int>& graph,
               std::string& error) {
  graph.clear();
  int npoint = static_cast<int>(vert.size() / 3);
  if (npoint < 4) return true;
  if (const char* what = degeneracy(vert)) {
    error = what;
    return false;
  }

  // with a limit: add the farthest of all points first, count those after the initial simplex
  std::string options = "qhull Qt";
  if (maxvert > -1) options += fmt::format(" Q9 TA{}", maxvert - 4);

  std::FILE* null = std::fopen("/dev/null", "w");  // qhull insists on a stream for its complaints
  qhT* qh = new qhT;
  qh_zero(qh, null ? null : stderr);
  qh_init_A(qh, stdin, null ? null : stdout, null ? null : stderr, 0, nullptr);
  bool ok = run_qhull(qh, options.data(), const_cast<double*>(vert.data()), npoint);
  if (ok) {
    graph.assign(2 + 3 * size_t(qh->num_vertices) + 6 * size_t(qh->num_facets), 0);
    graph[0] = qh->num_vertices;
    graph[1] = qh->num_facets;
    ok = add_edges(qh, npoint, graph) && add_faces(qh, graph);
  }
  int curlong, totlong;
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &curlong, &totlong);
  delete qh;
  if (null) std::fclose(null);
  if (!ok) {
    graph.clear();
    error = "the convex hull could not be computed";
  }
  return ok;
}

}  // namespace lockstep::mesh
