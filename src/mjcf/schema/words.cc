#include "mjcf/schema/words.h"

namespace lockstep::mjcf {
namespace {

template <size_t n>
constexpr std::span<const EnumValue> list(const EnumValue (&values)[n]) {
  return {values, n};
}

constexpr EnumValue false_true_list[] = {{"", 0, "false"}, {"", 1, "true"}};
constexpr EnumValue false_auto_list[] = {{"", 0, "false"}, {"", 1, "auto"}};
constexpr EnumValue false_true_auto_list[] = {{"", 0, "false"}, {"", 1, "true"}, {"", 2, "auto"}};
constexpr EnumValue false_true_auto_number_list[] = {
    {"", 0, "false"}, {"", 1, "true"}, {"", 2, "auto"}, {"", 0, "0"}, {"", 1, "1"}, {"", 2, "2"}};
constexpr EnumValue enable_list[] = {{"", 0, "disable"}, {"", 1, "enable"}};
constexpr EnumValue angle_list[] = {{"", 0, "radian"}, {"", 1, "degree"}};
constexpr EnumValue coordinate_list[] = {{"", 0, "local"}, {"", 1, "global"}};
constexpr EnumValue fluid_list[] = {{"", 0, "none"}, {"", 1, "ellipsoid"}};
constexpr EnumValue sleep_list[] = {{"", code(SleepPolicy::auto_), "auto"},
                                    {"", code(SleepPolicy::never), "never"},
                                    {"", code(SleepPolicy::allowed), "allowed"},
                                    {"", code(SleepPolicy::init), "init"}};
constexpr EnumValue camera_output_list[] = {{"", code(CamOutBit::rgb), "rgb"},
                                            {"", code(CamOutBit::depth), "depth"},
                                            {"", code(CamOutBit::dist), "distance"},
                                            {"", code(CamOutBit::normal), "normal"},
                                            {"", code(CamOutBit::seg), "segmentation"}};
constexpr EnumValue interpolation_list[] = {{"", 0, "zoh"}, {"", 1, "linear"}, {"", 2, "cubic"}};
constexpr EnumValue frame_object_list[] = {{"", code(ObjType::body), "body"},
                                           {"", code(ObjType::xbody), "xbody"},
                                           {"", code(ObjType::geom), "geom"},
                                           {"", code(ObjType::site), "site"},
                                           {"", code(ObjType::camera), "camera"}};
constexpr EnumValue reduction_list[] = {
    {"", 0, "none"}, {"", 1, "mindist"}, {"", 2, "maxforce"}, {"", 3, "netforce"}};
constexpr EnumValue differential_list[] = {
    {"", 0, "average"}, {"", 1, "difference"}, {"", 2, "weighted"}};
constexpr EnumValue elastic2d_list[] = {
    {"", 0, "none"}, {"", 1, "bend"}, {"", 2, "stretch"}, {"", 3, "both"}};
constexpr EnumValue flex_dof_list[] = {
    {"", 0, "full"}, {"", 1, "radial"}, {"", 2, "trilinear"}, {"", 3, "quadratic"}, {"", 4, "2d"}};
constexpr EnumValue flex_equality_list[] = {{"", 0, "false"}, {"", 1, "true"}, {"", 3, "strain"}};
constexpr EnumValue flexcomp_list[] = {{"", 0, "grid"},      {"", 1, "box"},    {"", 2, "cylinder"},
                                       {"", 3, "ellipsoid"}, {"", 4, "square"}, {"", 5, "disc"},
                                       {"", 6, "circle"},    {"", 7, "mesh"},   {"", 8, "gmsh"},
                                       {"", 9, "direct"}};

}  // namespace

std::span<const EnumValue> false_true() { return list(false_true_list); }
std::span<const EnumValue> false_auto() { return list(false_auto_list); }
std::span<const EnumValue> false_true_auto() { return list(false_true_auto_list); }
std::span<const EnumValue> false_true_auto_or_number() { return list(false_true_auto_number_list); }
std::span<const EnumValue> enable_disable() { return list(enable_list); }
std::span<const EnumValue> radian_degree() { return list(angle_list); }
std::span<const EnumValue> local_global() { return list(coordinate_list); }
std::span<const EnumValue> fluid_shapes() { return list(fluid_list); }
std::span<const EnumValue> geom_types() { return enum_values<GeomType>().first(mjNGEOMTYPES); }
std::span<const EnumValue> sleep_policies() { return list(sleep_list); }
std::span<const EnumValue> texture_roles() { return enum_values<TextureRole>().subspan(1, 9); }
std::span<const EnumValue> camera_outputs() { return list(camera_output_list); }
std::span<const EnumValue> interpolations() { return list(interpolation_list); }
std::span<const EnumValue> frame_objects() { return list(frame_object_list); }
std::span<const EnumValue> reductions() { return list(reduction_list); }
std::span<const EnumValue> differential_types() { return list(differential_list); }
std::span<const EnumValue> elastic2d_modes() { return list(elastic2d_list); }
std::span<const EnumValue> flex_dofs() { return list(flex_dof_list); }
std::span<const EnumValue> flex_equalities() { return list(flex_equality_list); }
std::span<const EnumValue> flexcomp_types() { return list(flexcomp_list); }

}  // namespace lockstep::mjcf
