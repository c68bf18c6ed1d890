// camera_light.cc: cameras and lights: pose in the body, targets, intrinsics.
#include <fmt/core.h>

#include <cmath>

#include "compile/build.h"
#include "compile/passes.h"

namespace lockstep {
namespace {

// focal length and principal point, in lengths; without a sensor size the near plane serves as
// focus
void settle_intrinsics(Build& b, Camera& camera, CameraData& data) {
  data.intrinsic = camera.intrinsic;
  data.fovy = camera.fovy;
  bool sensor = camera.sensor_size[0] > 0 && camera.sensor_size[1] > 0;
  if (!sensor) {
    data.intrinsic[0] = data.intrinsic[1] = b.spec.visual.map.znear;
    return;
  }
  for (int i = 0; i < 2; i++) {
    float density = static_cast<float>(camera.resolution[i]) / camera.sensor_size[i];
    data.intrinsic[i] = camera.focal_pixel[i] / density + camera.focal_length[i];
    data.intrinsic[i + 2] = camera.principal_pixel[i] / density + camera.principal_length[i];
  }
  data.fovy = std::atan2(camera.sensor_size[1] / 2, data.intrinsic[1]) * 360.0 / mjPI;
}

bool any(const std::array<float, 2>& pair) { return pair[0] != 0 || pair[1] != 0; }

void check_intrinsics(Build& b, const Camera& camera) {
  if (camera.fovy >= 180) {
    auto& error = b.error(camera, "fovy", "the field of view must be below 180 degrees");
    error.found = fmt::format("{:g}", camera.fovy);
  }
  for (int i = 0; i < 2; i++) {
    if (camera.principal_length[i] != 0 && camera.principal_pixel[i] != 0) {
      b.error(camera, "principalpixel", "the principal point is given twice");
      break;
    }
    if (camera.focal_length[i] != 0 && camera.focal_pixel[i] != 0) {
      b.error(camera, "focalpixel", "the focal length is given twice");
      break;
    }
  }
  bool lens = any(camera.focal_length) || any(camera.focal_pixel) || any(camera.principal_length) ||
              any(camera.principal_pixel);
  if (lens && !(camera.sensor_size[0] > 0 && camera.sensor_size[1] > 0)) {
    b.error(camera, "sensorsize", "focal length and principal point need the size of the sensor");
  }
}

void settle(Build& b, Light& light, LightData& data) {
  Vec3d dir = to_vec(light.dir);
  if (normalize_length(dir) < tiny_length) {
    b.error(light, "dir", "the direction is too short");
    return;
  }
  if (light.softness < 0 || light.softness > 1) {
    auto& error = b.error(light, "softness", "out of range");
    error.expected = "a number from 0 to 1";
    error.found = fmt::format("{:g}", light.softness);
  }
  light.dir = to_array(dir);
  Pose frame = b.tree.frame_of(light.frame);
  data.pos = b.tree.placed(light.frame, to_vec(light.pos));
  data.dir = rotate(frame.quat, dir);
  normalize_length(data.dir);
  if (!light.targetbody.empty()) {
    data.target = b.resolve(light, "target", ObjType::body, light.targetbody);
  }
  if (!light.texture.empty()) {
    data.texid = b.resolve(light, "texture", ObjType::texture, light.texture);
  }
}

}  // namespace

void compile_cameras_lights(Build& b) {
  for (Camera* camera : b.cameras) {
    CameraData& data = b.tree.cameras[camera->id];
    data.pose = b.tree.placed(camera->frame, Pose{to_vec(camera->pos), to_quat(camera->quat)});
    check_intrinsics(b, *camera);
    settle_intrinsics(b, *camera, data);
    if (!camera->targetbody.empty()) {
      data.target = b.resolve(*camera, "target", ObjType::body, camera->targetbody);
    }
  }
  for (Light* light : b.lights) settle(b, *light, b.tree.lights[light->id]);
}

}  // namespace lockstep
