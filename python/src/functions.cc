// functions.cc: mj_* functions about models.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "array_args.h"
#include "base/files.h"
#include "bind.h"
#include "mjcf/mjcf.h"
#include "model/model_io.h"
#include "model_object.h"
#include "print.h"
#include "struct_object.h"

namespace lockstep::python {
namespace {

using nb::arg;

constexpr int api_version = 4000000;  // the API that the package speaks: 4.0.0

int find_id(ModelObject& m, int type, const std::string& name) {
  return m.id_of(static_cast<ObjType>(type), name);
}

std::optional<std::string> find_name(ModelObject& m, int type, int id) {
  std::string_view name = id2name(m.model(), static_cast<ObjType>(type), id);
  if (name.empty()) return std::nullopt;
  return std::string(name);
}

void write_file(const std::string& filename, const void* data, size_t size) {
  if (!write_bytes(filename, data, size)) throw FatalError(filename + ": cannot be written");
}

void write_file(const std::string& filename, const std::string& text) {
  write_file(filename, text.data(), text.size());
}

void save_binary(ModelObject& m, nb::object filename, std::optional<Vector<uint8_t, -1>> buffer) {
  std::vector<uint8_t> bytes = save_model(m.model());
  if (buffer) {
    if (buffer->size < int64_t(bytes.size()))
      throw FatalError("buffer is smaller than mj_sizeModel(m)");
    std::memcpy(buffer->data, bytes.data(), bytes.size());
  } else if (!filename.is_none()) {
    write_file(path_of(filename), bytes.data(), bytes.size());
  }
}

void save_xml(nb::object filename, ModelObject& m) {
  if (!m.holder->spec)
    throw FatalError("the model did not come from MJCF, there is nothing to save");
  std::unique_ptr<Spec> spec = m.holder->spec->copy();
  copy_back(m.model(), *m.holder->baseline, *spec);
  write_file(path_of(filename),
             write_mjcf(*spec, {.compiled = true, .exact = true, .model = &m.model()}));
}

double total_mass(const Model& m) {
  double mass = 0;
  for (int body = 0; body < m.nbody; body++) mass += m.body_mass[body];
  return mass;
}

void set_total_mass(Model& m, double mass) {
  double scale = std::max(mjMINVAL, mass / std::max(mjMINVAL, total_mass(m)));
  for (int body = 0; body < m.nbody; body++) {
    m.body_mass[body] *= scale;
    for (int i = 0; i < 3; i++) m.body_inertia[3 * body + i] *= scale;
  }
}

// auto: sparse from 60 degrees of freedom on
bool is_sparse(const Model& m) {
  auto jacobian = static_cast<Jacobian>(m.opt.jacobian);
  return jacobian == Jacobian::sparse || (jacobian == Jacobian::auto_ && m.nv >= 60);
}

void bind_saving(nb::module_& m) {
  m.def("mj_saveModel", save_binary, arg("m"), arg("filename") = nb::none(),
        arg("buffer") = nb::none(), "Saves a model to a binary file or into a buffer.");
  m.def(
      "mj_sizeModel", [](ModelObject& m) { return saved_bytes(m.model()); }, arg("m"),
      "Bytes that mj_saveModel writes.");
  m.def("mj_saveLastXML", save_xml, arg("filename"), arg("m"), "Saves a model as MJCF.");
  m.def(
      "mj_printModel",
      [](ModelObject& m, nb::object filename) {
        write_file(path_of(filename), print_model(m.model()));
      },
      arg("m"), arg("filename"), "Prints all of a model to a text file.");
  m.def(
      "mj_printFormattedModel",
      [](ModelObject& m, nb::object filename, const std::string& format) {
        write_file(path_of(filename), print_model(m.model(), format));
      },
      arg("m"), arg("filename"), arg("float_format"),
      "As mj_printModel, with numbers in a printf format.");
  m.def("mj_printSchema", print_schema, arg("flg_html"), arg("flg_pad"),
        "The language of model files, as text or HTML.");
}

void bind_questions(nb::module_& m) {
  m.def("mj_version", [] { return api_version; }, "Version of the API, as a number.");
  m.def("mj_versionString", [] { return "4.0.0"; }, "Version of the API.");
  m.def("mj_name2id", find_id, arg("m"), arg("type"), arg("name"),
        "Id of an object, -1 if there is none.");
  m.def("mj_id2name", find_name, arg("m"), arg("type"), arg("id"),
        "Name of an object, None if it has none.");
  m.def(
      "mj_getTotalmass", [](ModelObject& m) { return total_mass(m.model()); }, arg("m"),
      "Sum of all body masses.");
  m.def(
      "mj_isPyramidal",
      [](ModelObject& m) { return int(m.model().opt.cone == code(Cone::pyramidal)); }, arg("m"));
  m.def("mj_isSparse", [](ModelObject& m) { return int(is_sparse(m.model())); }, arg("m"));
  m.def(
      "mj_isDual",
      [](ModelObject& m) {
        return int(m.model().opt.solver == code(Solver::pgs) ||
                   m.model().opt.noslip_iterations > 0);
      },
      arg("m"));
}

void bind_settings(nb::module_& m) {
  m.def(
      "mj_setTotalmass", [](ModelObject& m, double newmass) { set_total_mass(m.model(), newmass); },
      arg("m"), arg("newmass"), "Scales masses and inertias to a total mass.");
  m.def("mj_defaultOption", [](StructObject<Option>& opt) { *opt.value = Option(); }, arg("opt"));
  m.def("mj_defaultVisual", [](nb::object vis) { visual_of(vis) = Visual(); }, arg("vis"));
  m.def(
      "mj_defaultSolRefImp",
      [](std::optional<Out<2>> solref, std::optional<Out<5>> solimp) {
        Option defaults;
        if (solref) std::copy(defaults.o_solref.begin(), defaults.o_solref.end(), solref->data);
        if (solimp) std::copy(defaults.o_solimp.begin(), defaults.o_solimp.end(), solimp->data);
      },
      arg("solref").none(), arg("solimp").none(), "Default solver parameters.");
}

// a number of bytes that is whole in a larger unit gets its letter: 2048 -> 2K
std::string bytes_text(uint64_t bytes) {
  const char* letters = " KMGTPE";
  int unit = 0;
  while (bytes && bytes % 1024 == 0 && unit < 6) bytes /= 1024, unit++;
  std::string text = std::to_string(bytes);
  if (unit) text += letters[unit];
  return text;
}

void bind_words(nb::module_& m) {
  m.def(
      "mju_type2Str",
      [](int type) -> std::optional<std::string> {
        std::string_view word =
            type > 0 && type < mjNOBJECT ? keyword_of(static_cast<ObjType>(type)) : "";
        if (word.empty()) return std::nullopt;
        return std::string(word);
      },
      arg("type"), "Word for a kind of object (mjtObj).");
  m.def(
      "mju_str2Type",
      [](const std::string& word) {
        auto type = enum_of<ObjType>(word);
        return type ? code(*type) : 0;
      },
      arg("str"), "Kind of object (mjtObj) of a word.");
  m.def("mju_writeNumBytes", bytes_text, arg("nbytes"),
        "Number of bytes with a letter for its unit.");
}

}  // namespace

void bind_functions(nb::module_& m) {
  nb::exception<FatalError>(m, "FatalError");
  nb::exception<UnexpectedError>(m, "UnexpectedError");
  bind_saving(m);
  bind_questions(m);
  bind_settings(m);
  bind_words(m);
}

}  // namespace lockstep::python
