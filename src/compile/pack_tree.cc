// pack_tree.cc: bodies, joints and dofs into the Model.
#include "compile/build.h"
#include "compile/pack_row.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

void pack_inertial(Model& m, int i, const BodyData& data) {
  pack_row(m.body_pos, i, data.pose.pos);
  pack_row(m.body_quat, i, data.pose.quat);
  pack_row(m.body_ipos, i, data.inertial.pos);
  pack_row(m.body_iquat, i, data.inertial.quat);
  m.body_mass[i] = data.mass;
  pack_row(m.body_inertia, i, data.inertia);
}

void pack_reference(Model& m, const BodyData& data, const Joint& joint, int adr) {
  switch (joint.type) {
    case JointType::free:
      for (int i = 0; i < 3; i++) m.qpos0[adr + i] = data.pose.pos[i];
      for (int i = 0; i < 4; i++) m.qpos0[adr + 3 + i] = data.pose.quat[i];
      std::copy_n(m.qpos0 + adr, 7, m.qpos_spring + adr);
      break;
    case JointType::ball: m.qpos0[adr] = m.qpos_spring[adr] = 1; break;
    default: m.qpos0[adr] = joint.ref; m.qpos_spring[adr] = joint.springref;
  }
}

}  // namespace

void pack_bodies(Build& b) {
  Model& m = b.model;
  for (const Body* body : b.bodies) {
    int i = body->id;
    const BodyData& data = b.tree.bodies[i];
    m.body_parentid[i] = data.parent;
    m.body_rootid[i] = data.root;
    m.body_weldid[i] = data.weld;
    m.body_mocapid[i] = data.mocap;
    m.body_treeid[i] = data.tree;
    m.body_jntnum[i] = static_cast<int>(body->joints.size());
    m.body_jntadr[i] = data.jntadr;
    m.body_dofnum[i] = data.dofnum;
    m.body_dofadr[i] = data.dofadr;
    m.body_geomnum[i] = static_cast<int>(body->geoms.size());
    m.body_geomadr[i] = data.geomadr;
    m.body_simple[i] = static_cast<Byte>(data.simple);
    m.body_gravcomp[i] = body->gravcomp;
    m.body_plugin[i] = -1;
    pack_row(m.body_user, i, body->userdata);
    pack_inertial(m, i, data);
    if (data.tree >= 0 && body->sleep != SleepPolicy::auto_) {
      m.tree_sleep_policy[data.tree] = code(body->sleep);
    }
  }
}

void pack_joints(Build& b) {
  Model& m = b.model;
  for (const Joint* joint : b.joints) {
    int i = joint->id;
    const JointData& data = b.tree.joints[i];
    m.jnt_type[i] = code(joint->type);
    m.jnt_qposadr[i] = data.qposadr;
    m.jnt_dofadr[i] = data.dofadr;
    m.jnt_bodyid[i] = joint->parent->id;
    m.jnt_actuatorid[i] = -1;
    m.jnt_group[i] = joint->group;
    m.jnt_plasticadr[i] = data.plasticadr;
    m.jnt_limited[i] = data.limited;
    m.jnt_actfrclimited[i] = data.actfrclimited;
    m.jnt_actgravcomp[i] = joint->actgravcomp;
    pack_row(m.jnt_solref, i, joint->solref_limit);
    pack_row(m.jnt_solimp, i, joint->solimp_limit);
    pack_row(m.jnt_pos, i, data.pos);
    pack_row(m.jnt_axis, i, data.axis);
    m.jnt_stiffness[i] = joint->stiffness[0];
    std::copy_n(joint->stiffness.data() + 1, mjNPOLY, m.jnt_stiffnesspoly + mjNPOLY * i);
    m.jnt_springyield[i] = joint->springyield;
    pack_row(m.jnt_range, i, joint->range);
    pack_row(m.jnt_actfrcrange, i, joint->actfrcrange);
    m.jnt_margin[i] = joint->margin;
    pack_row(m.jnt_user, i, joint->userdata);
    pack_reference(m, b.tree.bodies[joint->parent->id], *joint, data.qposadr);
  }
}

void pack_dofs(Build& b) {
  Model& m = b.model;
  for (int i = 0; i < m.nv; i++) {
    const DofData& data = b.tree.dofs[i];
    const Joint& joint = *b.joints[data.joint];
    m.dof_bodyid[i] = data.body;
    m.dof_jntid[i] = data.joint;
    m.dof_parentid[i] = data.parent;
    m.dof_treeid[i] = data.tree;
    m.dof_Madr[i] = data.Madr;
    m.dof_simplenum[i] = data.simplenum;
    pack_row(m.dof_solref, i, joint.solref_friction);
    pack_row(m.dof_solimp, i, joint.solimp_friction);
    m.dof_frictionloss[i] = joint.frictionloss;
    m.dof_armature[i] = joint.armature;
    m.dof_damping[i] = joint.damping[0];
    std::copy_n(joint.damping.data() + 1, mjNPOLY, m.dof_dampingpoly + mjNPOLY * i);
  }
}

}  // namespace lockstep
