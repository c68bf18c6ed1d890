// spec_fields.cc: the lists.
#include "spec_fields.h"

namespace lockstep::python {

// clang-format off
#define F(name) make_field<&BodySpec::name>(#name, &BodySpec::name),
template <> const std::vector<Field>& fields_of<BodySpec>() {
  static const std::vector<Field> fields{
    F(pos) F(quat) F(alt) F(mass) F(ipos) F(iquat) F(inertia) F(ialt) F(fullinertia) F(mocap)
    F(gravcomp) F(sleep) F(simple) F(fuse) F(userdata) F(explicitinertial) F(plugin)
  };
  return fields;
}
#undef F

#define F(name) make_field<&FrameSpec::name>(#name, &FrameSpec::name),
template <> const std::vector<Field>& fields_of<FrameSpec>() {
  static const std::vector<Field> fields{
    F(pos) F(quat) F(alt) F(scale) F(scaling) F(massscale)
  };
  return fields;
}
#undef F

#define F(name) make_field<&JointSpec::name>(#name, &JointSpec::name),
template <> const std::vector<Field>& fields_of<JointSpec>() {
  static const std::vector<Field> fields{
    F(type) F(pos) F(axis) F(ref) F(align) F(stiffness) F(springref) F(springyield)
    F(springdamper) F(limited) F(range) F(margin) F(solref_limit) F(solimp_limit) F(actfrclimited)
    F(actfrcrange) F(armature) F(damping) F(frictionloss) F(solref_friction) F(solimp_friction)
    F(group) F(actgravcomp) F(userdata)
  };
  return fields;
}
#undef F

#define F(name) make_field<&GeomSpec::name>(#name, &GeomSpec::name),
template <> const std::vector<Field>& fields_of<GeomSpec>() {
  static const std::vector<Field> fields{
    F(type) F(pos) F(quat) F(alt) F(fromto) F(size) F(contype) F(conaffinity) F(condim)
    F(priority) F(friction) F(solmix) F(solref) F(solimp) F(margin) F(gap) F(surfacevel)
    F(adhesion) F(mass) F(density) F(typeinertia) F(fluid_ellipsoid) F(fluid_coefs) F(material)
    F(rgba) F(group) F(castshadow) F(hfieldname) F(meshname) F(fitscale) F(userdata) F(plugin)
  };
  return fields;
}
#undef F

#define F(name) make_field<&SiteSpec::name>(#name, &SiteSpec::name),
template <> const std::vector<Field>& fields_of<SiteSpec>() {
  static const std::vector<Field> fields{
    F(pos) F(quat) F(alt) F(fromto) F(size) F(type) F(material) F(group) F(rgba) F(meshname)
    F(userdata)
  };
  return fields;
}
#undef F

#define F(name) make_field<&CameraSpec::name>(#name, &CameraSpec::name),
template <> const std::vector<Field>& fields_of<CameraSpec>() {
  static const std::vector<Field> fields{
    F(pos) F(quat) F(alt) F(mode) F(targetbody) F(proj) F(resolution) F(output) F(fovy) F(ipd)
    F(intrinsic) F(sensor_size) F(focal_length) F(focal_pixel) F(principal_length)
    F(principal_pixel) F(userdata)
  };
  return fields;
}
#undef F

#define F(name) make_field<&LightSpec::name>(#name, &LightSpec::name),
template <> const std::vector<Field>& fields_of<LightSpec>() {
  static const std::vector<Field> fields{
    F(pos) F(dir) F(mode) F(targetbody) F(active) F(type) F(texture) F(castshadow) F(bulbradius)
    F(intensity) F(range) F(attenuation) F(cutoff) F(softness) F(exponent) F(ambient) F(diffuse)
    F(specular)
  };
  return fields;
}
#undef F

#define F(name) make_field<&FlexSpec::name>(#name, &FlexSpec::name),
template <> const std::vector<Field>& fields_of<FlexSpec>() {
  static const std::vector<Field> fields{
    F(contype) F(conaffinity) F(condim) F(priority) F(friction) F(solmix) F(solref) F(solimp)
    F(margin) F(gap) F(dim) F(radius) F(size) F(flatskin) F(selfcollide) F(passive)
    F(activelayers) F(group) F(edgestiffness) F(edgedamping) F(rgba) F(material) F(young)
    F(poisson) F(shear) F(damping) F(thickness) F(stressyield) F(elastic2d) F(elastic3d)
    F(section) F(sectionsize) F(cellcount) F(order) F(nodebody) F(vertbody) F(node) F(vert)
    F(elem) F(texcoord) F(elemtexcoord)
  };
  return fields;
}
#undef F

#define F(name) make_field<&MeshSpec::name>(#name, &MeshSpec::name),
template <> const std::vector<Field>& fields_of<MeshSpec>() {
  static const std::vector<Field> fields{
    F(content_type) F(file) F(refpos) F(refquat) F(scale) F(inertia) F(smoothnormal) F(needsdf)
    F(maxhullvert) F(uservert) F(usernormal) F(usertexcoord) F(userface) F(userfacenormal)
    F(userfacetexcoord) F(usernode) F(usertet) F(plugin) F(material) F(octree_maxdepth)
  };
  return fields;
}
#undef F

#define F(name) make_field<&HFieldSpec::name>(#name, &HFieldSpec::name),
template <> const std::vector<Field>& fields_of<HFieldSpec>() {
  static const std::vector<Field> fields{
    F(content_type) F(file) F(size) F(nrow) F(ncol) F(userdata)
  };
  return fields;
}
#undef F

#define F(name) make_field<&SkinSpec::name>(#name, &SkinSpec::name),
template <> const std::vector<Field>& fields_of<SkinSpec>() {
  static const std::vector<Field> fields{
    F(file) F(material) F(rgba) F(inflate) F(group) F(vert) F(texcoord) F(face) F(bodyname)
    F(bindpos) F(bindquat) F(vertid) F(vertweight)
  };
  return fields;
}
#undef F

#define F(name) make_field<&TextureSpec::name>(#name, &TextureSpec::name),
template <> const std::vector<Field>& fields_of<TextureSpec>() {
  static const std::vector<Field> fields{
    F(type) F(colorspace) F(builtin) F(mark) F(rgb1) F(rgb2) F(markrgb) F(random) F(height)
    F(width) F(nchannel) F(content_type) F(file) F(gridsize) F(cubefiles) F(data) F(hflip)
    F(vflip) F(embed)
  };
  return fields;
}
#undef F

#define F(name) make_field<&MaterialSpec::name>(#name, &MaterialSpec::name),
template <> const std::vector<Field>& fields_of<MaterialSpec>() {
  static const std::vector<Field> fields{
    F(textures) F(texuniform) F(texrepeat) F(emission) F(specular) F(shininess) F(reflectance)
    F(metallic) F(roughness) F(rgba)
  };
  return fields;
}
#undef F

#define F(name) make_field<&PairSpec::name>(#name, &PairSpec::name),
template <> const std::vector<Field>& fields_of<PairSpec>() {
  static const std::vector<Field> fields{
    F(geomname1) F(geomname2) F(condim) F(solref) F(solreffriction) F(solimp) F(margin) F(gap)
    F(adhesion) F(friction)
  };
  return fields;
}
#undef F

#define F(name) make_field<&ExcludeSpec::name>(#name, &ExcludeSpec::name),
template <> const std::vector<Field>& fields_of<ExcludeSpec>() {
  static const std::vector<Field> fields{
    F(bodyname1) F(bodyname2)
  };
  return fields;
}
#undef F

#define F(name) make_field<&EqualitySpec::name>(#name, &EqualitySpec::name),
template <> const std::vector<Field>& fields_of<EqualitySpec>() {
  static const std::vector<Field> fields{
    F(type) F(data) F(active) F(name1) F(name2) F(objtype) F(solref) F(solimp)
  };
  return fields;
}
#undef F

#define F(name) make_field<&TendonSpec::name>(#name, &TendonSpec::name),
template <> const std::vector<Field>& fields_of<TendonSpec>() {
  static const std::vector<Field> fields{
    F(stiffness) F(springlength) F(springyield) F(damping) F(frictionloss) F(solref_friction)
    F(solimp_friction) F(armature) F(limited) F(actfrclimited) F(range) F(actfrcrange) F(margin)
    F(solref_limit) F(solimp_limit) F(material) F(width) F(rgba) F(group) F(userdata)
  };
  return fields;
}
#undef F

#define F(name) make_field<&ActuatorSpec::name>(#name, &ActuatorSpec::name),
template <> const std::vector<Field>& fields_of<ActuatorSpec>() {
  static const std::vector<Field> fields{
    F(type) F(gaintype) F(gainprm) F(biastype) F(biasprm) F(dyntype) F(dynprm) F(actdim)
    F(ctrlspec) F(velrange) F(ffrange) F(actearly) F(trntype) F(gear) F(target) F(refsite)
    F(slidersite) F(cranklength) F(lengthrange) F(inheritrange) F(damping) F(armature)
    F(ctrllimited) F(ctrlrange) F(forcelimited) F(forcerange) F(actlimited) F(actrange) F(group)
    F(nsample) F(interp) F(delay) F(userdata) F(plugin)
  };
  return fields;
}
#undef F

#define F(name) make_field<&SensorSpec::name>(#name, &SensorSpec::name),
template <> const std::vector<Field>& fields_of<SensorSpec>() {
  static const std::vector<Field> fields{
    F(type) F(objtype) F(objname) F(reftype) F(refname) F(intprm) F(datatype) F(needstage) F(dim)
    F(cutoff) F(noise) F(nsample) F(interp) F(delay) F(interval) F(userdata) F(plugin)
  };
  return fields;
}
#undef F

#define F(name) make_field<&NumericSpec::name>(#name, &NumericSpec::name),
template <> const std::vector<Field>& fields_of<NumericSpec>() {
  static const std::vector<Field> fields{
    F(data) F(size)
  };
  return fields;
}
#undef F

#define F(name) make_field<&TextSpec::name>(#name, &TextSpec::name),
template <> const std::vector<Field>& fields_of<TextSpec>() {
  static const std::vector<Field> fields{
    F(data)
  };
  return fields;
}
#undef F

#define F(name) make_field<&TupleSpec::name>(#name, &TupleSpec::name),
template <> const std::vector<Field>& fields_of<TupleSpec>() {
  static const std::vector<Field> fields{
    F(objtype) F(objname) F(objprm)
  };
  return fields;
}
#undef F

#define F(name) make_field<&KeySpec::name>(#name, &KeySpec::name),
template <> const std::vector<Field>& fields_of<KeySpec>() {
  static const std::vector<Field> fields{
    F(time) F(qpos) F(qvel) F(act) F(mpos) F(mquat) F(ctrl) F(plastic)
  };
  return fields;
}
#undef F

#define F(name) make_field<&Orientation::name>(#name, &Orientation::name),
template <> const std::vector<Field>& fields_of<Orientation>() {
  static const std::vector<Field> fields{
    F(type) F(axisangle) F(xyaxes) F(zaxis) F(euler)
  };
  return fields;
}
#undef F

#define F(name) make_field<&CompilerSpec::name>(#name, &CompilerSpec::name),
template <> const std::vector<Field>& fields_of<CompilerSpec>() {
  static const std::vector<Field> fields{
    F(autolimits) F(boundmass) F(boundinertia) F(settotalmass) F(balanceinertia) F(fitaabb)
    F(degree) F(discardvisual) F(usethread) F(fusestatic) F(inertiafromgeom) F(inertiagrouprange)
    F(saveinertial) F(savecompiled) F(savecanonical) F(alignfree) F(conflict) F(passthrough)
    F(meshdir) F(texturedir)
  };
  return fields;
}
#undef F

#define F(name) make_field<&LengthRangeOptions::name>(#name, &LengthRangeOptions::name),
template <> const std::vector<Field>& fields_of<LengthRangeOptions>() {
  static const std::vector<Field> fields{
    F(mode) F(useexisting) F(uselimit) F(accel) F(maxforce) F(timeconst) F(timestep) F(inttotal)
    F(interval) F(tolrange)
  };
  return fields;
}
#undef F

// clang-format on

}  // namespace lockstep::python
