// islands.cc: islands as MuJoCo reports them, found from the rows of the last step.
#include "step/islands.h"

#include "stage/island/islands.h"

namespace lockstep {
namespace {

struct Found {
  Islands islands;
  std::vector<int> memory;
};

void find(const Model& m, Data& d, Found& found) {
  const int ntree = int(m.ntree), nv = int(m.nv), nefc = d.arena->view().nefc;
  found.memory.resize(size_t(island_words(ntree, nv, nefc)));
  place_islands(found.islands, found.memory.data(), ntree, nv, nefc);
  find_islands(view(m), view(d), 0, found.islands);
  *d.nisland = found.islands.nisland;
  *d.nidof = found.islands.nidof;
}

}  // namespace

IslandCounts count_islands(const Model& m, Data& d) {
  Found found;
  find(m, d, found);
  return {found.islands.nisland, found.islands.nidof};
}

bool read_islands(const Model& m, Data& d, std::string_view name, std::vector<int>& integers,
                  std::vector<double>& numbers) {
  Found found;
  find(m, d, found);
  const Islands& in = found.islands;
  if (in.nisland == 0) return false;
  const ArenaView<double>& rows = d.arena->view();
  const int ntree = int(m.ntree), nv = int(m.nv);
  std::vector<int> dof_island, island_dofadr;
  for (int dof = 0; dof < nv; dof++) dof_island.push_back(in.tree_island[m.dof_treeid[dof]]);
  for (int i = 0; i < in.nisland; i++) {
    island_dofadr.push_back(in.map_idof2dof[in.island_idofadr[i]]);
  }
  const struct {
    std::string_view name;
    const int* values;
    int count;
  } tables[] = {
      {"tree_island", in.tree_island, ntree},
      {"island_ntree", in.island_ntree, in.nisland},
      {"island_itreeadr", in.island_itreeadr, in.nisland},
      {"map_itree2tree", in.map_itree2tree, ntree},
      {"dof_island", dof_island.data(), nv},
      {"island_nv", in.island_nv, in.nisland},
      {"island_idofadr", in.island_idofadr, in.nisland},
      {"island_dofadr", island_dofadr.data(), in.nisland},
      {"map_dof2idof", in.map_dof2idof, nv},
      {"map_idof2dof", in.map_idof2dof, nv},
      {"efc_island", in.efc_island, in.nefc},
      {"island_ne", in.island_ne, in.nisland},
      {"island_nf", in.island_nf, in.nisland},
      {"island_nefc", in.island_nefc, in.nisland},
      {"island_iefcadr", in.island_iefcadr, in.nisland},
      {"map_efc2iefc", in.map_efc2iefc, in.nefc},
      {"map_iefc2efc", in.map_iefc2efc, in.nefc},
  };
  for (const auto& table : tables) {
    if (table.name == name) integers.assign(table.values, table.values + table.count);
  }
  const struct {
    std::string_view name;
    const int* values;
  } row_integers[] = {
      {"iefc_type", rows.efc_type}, {"iefc_id", rows.efc_id}, {"iefc_state", rows.efc_state.start}};
  for (const auto& field : row_integers) {
    for (int k = 0; field.name == name && k < in.nefc; k++) {
      integers.push_back(field.values[in.map_iefc2efc[k]]);
    }
  }
  const struct {
    std::string_view name;
    const double* values;
    const int* map;
    int count;
  } sorted[] = {
      {"ifrc_smooth", d.qfrc_smooth, in.map_idof2dof, in.nidof},
      {"iacc_smooth", d.qacc_smooth, in.map_idof2dof, in.nidof},
      {"iacc", d.qacc, in.map_idof2dof, in.nidof},
      {"ifrc_constraint", d.qfrc_constraint, in.map_idof2dof, in.nidof},
      {"iefc_frictionloss", rows.efc_frictionloss, in.map_iefc2efc, in.nefc},
      {"iefc_D", rows.efc_D, in.map_iefc2efc, in.nefc},
      {"iefc_R", rows.efc_R, in.map_iefc2efc, in.nefc},
      {"iefc_aref", rows.efc_aref, in.map_iefc2efc, in.nefc},
      {"iefc_force", rows.efc_force, in.map_iefc2efc, in.nefc},
  };
  for (const auto& field : sorted) {
    for (int k = 0; field.name == name && k < field.count; k++) {
      numbers.push_back(field.values[field.map[k]]);
    }
  }
  return !integers.empty() || !numbers.empty();
}

}  // namespace lockstep
