// order.h: in which order Newton's method takes the trees of an island. Not a stage.
// The matrix is eliminated from its last dof to its first, and eliminating a tree couples all trees
// that it touches. Taking the tree with the fewest neighbours first keeps that fill small.
// reads efc_J_colind efc_type efc_id
#pragma once

#include "stage/island/islands.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

// trees that touch each other, as bits; numbered by their place in the island
struct TreeGraph {
  int count, words;
  int *bits, *degree;

  LOCKSTEP_INLINE int* row(int tree) const { return bits + tree * words; }
  LOCKSTEP_INLINE void join(int a, int b) const {
    row(a)[b / 32] |= int(1u << (b % 32));
    row(b)[a / 32] |= int(1u << (a % 32));
  }
  LOCKSTEP_INLINE void part(int a, int b) const { row(a)[b / 32] &= ~int(1u << (b % 32)); }
  LOCKSTEP_FN void count_neighbours(int tree) const {
    int sum = 0;
    for (int w = 0; w < words; w++) sum += __builtin_popcount(unsigned(row(tree)[w]));
    degree[tree] = sum;
  }

  // takes a tree out; its neighbours become neighbours of each other
  LOCKSTEP_FN void eliminate(int tree) const {
    const int* own = row(tree);
    for (int w = 0; w < words; w++) {
      for (unsigned left = unsigned(own[w]); left; left &= left - 1) {
        const int other = 32 * w + __builtin_ctz(left);
        for (int v = 0; v < words; v++) row(other)[v] |= own[v];
        part(other, other);
        part(other, tree);
        count_neighbours(other);
      }
    }
    degree[tree] = count + 1;  // never the fewest again
  }
};

LOCKSTEP_INLINE int order_words(int ntree) { return ntree * ((ntree + 31) / 32) + ntree; }

// order <- the trees of an island, the first one to be eliminated last. place: where a tree stands
// in the island; both and memory are working memory
template <class Real>
LOCKSTEP_FN void order_trees(const ModelView<Real>& m, const ArenaView<Real>& rows,
                             const Islands& islands, int island, int* memory, int* place,
                             int* order) {
  const int count = islands.island_ntree[island], words = (count + 31) / 32;
  const int* trees = islands.map_itree2tree + islands.island_itreeadr[island];
  const TreeGraph graph{count, words, memory, memory + count * words};
  for (int i = 0; i < count * words; i++) memory[i] = 0;
  for (int i = 0; i < count; i++) place[trees[i]] = i;
  const int first = islands.island_iefcadr[island], number = islands.island_nefc[island];
  for (int k = 0; k < number; k++) {
    const int row = islands.map_iefc2efc[first + k], adr = rows.efc_J_rowadr[row];
    if (k > 0) {  // the same trees as the row before, of those that this lane has
      const int before = islands.map_iefc2efc[first + k - 1];
      if (rows.efc_type[row] == rows.efc_type[before] && rows.efc_id[row] == rows.efc_id[before]) {
        continue;
      }
    }
    const int end = adr + rows.efc_J_rownnz[row];
    // the first column of the next tree
    const auto next_tree = [&](int a) LOCKSTEP_LAMBDA {
      const int tree = m.dof_treeid[rows.efc_J_colind[a]];
      while (++a < end && m.dof_treeid[rows.efc_J_colind[a]] == tree) {
      }
      return a;
    };
    for (int a = adr; a < end; a = next_tree(a)) {
      // each tree of the row with those after it
      const int tree = m.dof_treeid[rows.efc_J_colind[a]];
      for (int b = next_tree(a); b < end; b = next_tree(b)) {
        graph.join(place[tree], place[m.dof_treeid[rows.efc_J_colind[b]]]);
      }
    }
  }
  for (int i = 0; i < count; i++) graph.count_neighbours(i);
  for (int at = count - 1; at >= 0; at--) {
    int fewest = 0;
    for (int i = 1; i < count; i++) {
      if (graph.degree[i] < graph.degree[fewest]) fewest = i;
    }
    order[at] = trees[fewest];
    graph.eliminate(fewest);
  }
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
