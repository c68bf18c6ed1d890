"""Which arrays of a model ``mj_setConst`` reads and writes, by its four phases, in the order of the fields.

A batch that randomises a model needs them: an array that is read may be changed per world, one that is written then
differs per world too. A digit per phase: 1 reads, 2 writes, 3 both.
"""

from lockstep._core import MjModel

GROUPS = ("fixed", "kin0", "inert0", "spring")
SCALARS = ("ngravcomp", "npolygonmax", "nmeshdegmax", "flg_gravcomp", "flg_surfacevel", "flg_adhesion")
_TABLE = """
0111  qpos0
0001  qpos_spring
1111  body_parentid
0111  body_rootid
1111  body_weldid
0111  body_mocapid body_jntnum body_jntadr
1111  body_dofnum body_dofadr
2111  body_treeid
1111  body_geomnum body_geomadr body_simple
2111  body_sameframe
0111  body_pos body_quat
1111  body_ipos body_iquat body_mass
2111  body_subtreemass
0111  body_inertia
0020  body_invweight0
1000  body_gravcomp
2000  body_margin body_contype body_conaffinity
1000  body_bvhadr body_bvhnum
1110  bvh_child bvh_nodeid
2000  bvh_aabb
0111  jnt_type jnt_qposadr
1111  jnt_dofadr
1110  jnt_bodyid
2010  jnt_actuatorid
0111  jnt_pos jnt_axis dof_bodyid
0110  dof_jntid
1111  dof_parentid
1000  dof_treeid
0010  dof_simplenum dof_armature
0020  dof_invweight0
0021  dof_M0
0200  dof_length
2000  tree_bodyadr tree_bodynum tree_dofadr tree_dofnum
3000  tree_sleep_policy
1000  geom_type geom_contype geom_conaffinity
1111  geom_bodyid
1000  geom_dataid
2111  geom_sameframe
3111  geom_size
3000  geom_aabb
2100  geom_rbound
1111  geom_pos geom_quat
1000  geom_margin geom_gap geom_surfacevel geom_adhesion
3000  geom_fluid
1111  site_bodyid
2111  site_sameframe
1111  site_pos site_quat
0100  cam_bodyid cam_targetbodyid cam_pos cam_quat
0200  cam_poscom0 cam_pos0 cam_mat0
0100  light_bodyid light_targetbodyid light_pos light_dir
0200  light_poscom0 light_pos0 light_dir0
1001  flex_passive
1111  flex_dim flex_interp flex_cellnum
1110  flex_nodeadr flex_nodenum
1111  flex_vertadr flex_vertnum flex_edgeadr flex_edgenum
0110  flex_elemadr
0111  flex_elemnum flex_elemdataadr
1001  flex_stiffnessadr
1111  flex_bendingadr flex_nodebodyid flex_vertbodyid
0110  flex_vertcell
1111  flex_edge
0001  flex_edgeflap
0111  flex_elem
0110  flex_vert flex_vert0 flex_node
0200  flexedge_length0
0020  flexedge_invweight0
0110  flex_radius
1001  flex_stiffness
1111  flex_bending
0002  efm0_dofid efm0_L_rownnz efm0_L_rowadr efm0_L_colind efm0_L efmC_perm
1111  flex_damping
1110  flex_edgestiffness flex_edgedamping
1111  flex_edgeequality
1001  flex_rigid
0010  flexedge_rigid
0110  flex_centered flex_bvhadr flex_bvhnum
2110  flexedge_J_rownnz flexedge_J_rowadr
2010  flexedge_J_colind
1000  mesh_polyvertnum mesh_polymapnum hfield_size pair_adhesion
0100  eq_type eq_obj1id eq_obj2id eq_objtype
0300  eq_data
1111  tendon_type tendon_adr tendon_num
2010  tendon_actuatorid
2000  tendon_treenum tendon_treeid
2111  ten_J_rownnz ten_J_rowadr ten_J_colind
1000  tendon_stiffness tendon_stiffnesspoly tendon_damping tendon_dampingpoly
0010  tendon_armature
0200  tendon_length0
0020  tendon_invweight0
1111  wrap_type wrap_objid
0111  wrap_prm
1111  actuator_trntype
0111  actuator_outadr
1111  actuator_trnid
0111  actuator_cranklength
1000  actuator_damping actuator_dampingpoly
1010  actuator_armature
0111  actuator_gear
0020  actuator_acc0
0200  actuator_length0
0010  M_rownnz M_rowadr M_colind
"""


def _fields():
    result, code = {}, None
    for word in _TABLE.split():
        if word.isdigit():
            code = tuple(map(int, word))
        else:
            result[word] = code
    return result


def _install():
    fields = _fields()
    MjModel._setconst_fields = fields
    MjModel._setconst_groups = GROUPS
    MjModel._setconst_scalars = SCALARS
    # read before anything writes it
    MjModel._setconst_inputs = tuple(name for name, code in fields.items() if next(filter(None, code)) & 1)
    MjModel._setconst_outputs = tuple(name for name, code in fields.items() if any(phase & 2 for phase in code))


_install()
