// pack_geom.cc: geoms, sites, cameras and lights into the Model.
#include "compile/build.h"
#include "compile/pack_row.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

void pack_contact(Model& m, const Geom& geom) {
  int i = geom.id;
  m.geom_contype[i] = geom.contype;
  m.geom_conaffinity[i] = geom.conaffinity;
  m.geom_condim[i] = geom.condim;
  m.geom_priority[i] = geom.priority;
  m.geom_solmix[i] = geom.solmix;
  pack_row(m.geom_solref, i, geom.solref);
  pack_row(m.geom_solimp, i, geom.solimp);
  pack_row(m.geom_friction, i, geom.friction);
  m.geom_margin[i] = geom.margin;
  m.geom_gap[i] = geom.gap;
  m.geom_adhesion[i] = geom.adhesion;
}

void pack_look(Model& m, const Light& light) {
  int i = light.id;
  m.light_castshadow[i] = light.castshadow;
  m.light_bulbradius[i] = light.bulbradius;
  m.light_intensity[i] = light.intensity;
  m.light_range[i] = light.range;
  m.light_active[i] = light.active;
  pack_row(m.light_attenuation, i, light.attenuation);
  m.light_cutoff[i] = light.cutoff;
  m.light_softness[i] = light.softness;
  m.light_exponent[i] = light.exponent;
  pack_row(m.light_ambient, i, light.ambient);
  pack_row(m.light_diffuse, i, light.diffuse);
  pack_row(m.light_specular, i, light.specular);
}

}  // namespace

void pack_geoms(Build& b) {
  Model& m = b.model;
  for (const Geom* geom : b.geoms) {
    int i = geom->id;
    const GeomData& data = b.tree.geoms[i];
    m.geom_type[i] = code(geom->type);
    m.geom_bodyid[i] = geom->parent->id;
    m.geom_dataid[i] = data.dataid;
    m.geom_matid[i] = data.matid;
    m.geom_group[i] = geom->group;
    m.geom_plugin[i] = -1;
    m.geom_castshadow[i] = geom->castshadow;
    pack_row(m.geom_size, i, geom->size);
    pack_row(m.geom_aabb, i, data.aabb);
    pack_row(m.geom_surfacevel, i, data.surfacevel);
    if (geom->type == GeomType::mesh || geom->type == GeomType::sdf) {
      m.geom_rbound[i] = norm(to_vec(geom->size));
    }
    pack_row(m.geom_pos, i, data.pose.pos);
    pack_row(m.geom_quat, i, data.pose.quat);
    pack_row(m.geom_user, i, geom->userdata);
    pack_row(m.geom_rgba, i, geom->rgba);
    // the added masses behind these follow from the shape
    if (geom->fluid_ellipsoid > 0) {
      m.geom_fluid[mjNFLUID * i] = geom->fluid_ellipsoid;
      std::copy_n(geom->fluid_coefs.data(), 5, m.geom_fluid + mjNFLUID * i + 1);
    }
    pack_contact(m, *geom);
  }
}

void pack_sites(Build& b) {
  Model& m = b.model;
  for (const Site* site : b.sites) {
    int i = site->id;
    const SiteData& data = b.tree.sites[i];
    m.site_type[i] = code(site->type);
    m.site_bodyid[i] = site->parent->id;
    m.site_dataid[i] = data.dataid;
    m.site_matid[i] = data.matid;
    m.site_group[i] = site->group;
    pack_row(m.site_size, i, site->size);
    pack_row(m.site_pos, i, data.pose.pos);
    pack_row(m.site_quat, i, data.pose.quat);
    pack_row(m.site_user, i, site->userdata);
    pack_row(m.site_rgba, i, site->rgba);
  }
}

void pack_cameras_lights(Build& b) {
  Model& m = b.model;
  for (const Camera* camera : b.cameras) {
    int i = camera->id;
    const CameraData& data = b.tree.cameras[i];
    m.cam_mode[i] = code(camera->mode);
    m.cam_bodyid[i] = camera->parent->id;
    m.cam_targetbodyid[i] = data.target;
    pack_row(m.cam_pos, i, data.pose.pos);
    pack_row(m.cam_quat, i, data.pose.quat);
    m.cam_projection[i] = code(camera->proj);
    m.cam_fovy[i] = data.fovy;
    m.cam_ipd[i] = camera->ipd;
    pack_row(m.cam_resolution, i, camera->resolution);
    m.cam_output[i] = camera->output;
    pack_row(m.cam_sensorsize, i, camera->sensor_size);
    pack_row(m.cam_intrinsic, i, data.intrinsic);
    pack_row(m.cam_user, i, camera->userdata);
  }
  for (const Light* light : b.lights) {
    int i = light->id;
    const LightData& data = b.tree.lights[i];
    m.light_mode[i] = code(light->mode);
    m.light_bodyid[i] = light->parent->id;
    m.light_targetbodyid[i] = data.target;
    m.light_type[i] = code(light->type);
    m.light_texid[i] = data.texid;
    pack_row(m.light_pos, i, data.pos);
    pack_row(m.light_dir, i, data.dir);
    pack_look(m, *light);
  }
}

}  // namespace lockstep
