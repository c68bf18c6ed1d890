// convert.cc: `lockstep convert`: MJCF to canonical MJCF or to a binary model.
#include <fmt/core.h>

#include <iostream>

#include "base/files.h"
#include "commands.h"
#include "load.h"
#include "mjcf/mjcf.h"
#include "model/model_io.h"

namespace lockstep::cli {
namespace {

struct ConvertOptions {
  std::string from;
  std::string to;
  bool as_written = false;
  bool for_mujoco = false;
};

// what MuJoCo does not know, by element
std::vector<std::string> own_extensions(const Spec& spec) {
  std::vector<std::string> list;
  for (const Equality* equality : spec.equalities) {
    if (equality->type != EqType::distance) continue;
    list.push_back(fmt::format("{}:{}: equality distance '{}'", equality->source.file_name(),
                               equality->source.line, equality->name));
  }
  if (spec.option.integrator == code(Integrator::implicitspringdamper)) {
    list.push_back("option integrator=\"implicitspringdamper\"");
  }
  if (spec.option.solver == code(Solver::cgstrict)) list.push_back("option solver=\"cgstrict\"");
  return list;
}

// what to write, or "" with a message
bool make_output(const Loaded& loaded, const ConvertOptions& options, std::vector<uint8_t>& bytes) {
  if (is_binary(options.to)) {
    bytes = save_model(loaded.model());
    return true;
  }
  if (extension_of(options.to) != "xml") {
    std::cerr << fmt::format(
        "error: {}: unknown kind of file; known are .xml (MJCF) and .mjb, .lsb (binary)\n",
        options.to);
    return false;
  }
  if (!loaded.compiled->spec) {
    std::cerr << fmt::format(
        "error: {}: a binary model cannot be written as MJCF; start from its MJCF\n", options.from);
    return false;
  }
  std::string text = options.as_written
                         ? write_mjcf(*loaded.spec)
                         : write_mjcf(*loaded.compiled->spec, {.compiled = true, .exact = true});
  bytes.assign(text.begin(), text.end());
  return true;
}

bool convert(const ConvertOptions& options) {
  Loaded loaded = load(options.from);
  print_diagnostics(loaded.diagnostics);
  std::vector<uint8_t> bytes;
  if (options.for_mujoco && loaded.spec) {
    const std::vector<std::string> own = own_extensions(*loaded.spec);
    for (const std::string& what : own) {
      std::cerr << fmt::format("error: {} is our own extension, MuJoCo cannot read it\n", what);
    }
    if (!own.empty()) return false;
  }
  if (!loaded.compiled || !make_output(loaded, options, bytes)) return false;
  if (!write_bytes(options.to, bytes.data(), bytes.size())) {
    std::cerr << fmt::format("error: {}: cannot be written\n", options.to);
    return false;
  }
  std::cerr << fmt::format("{}: {} bytes\n", options.to, bytes.size());
  return true;
}

}  // namespace

void add_convert(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command =
      program.add_subcommand("convert", "Write a model in another form, by file extension");
  command
      ->add_option("from", options->from,
                   "MJCF file (.xml), MJZ archive (.mjz) or binary model (.mjb, .lsb)")
      ->required();
  command->add_option("to", options->to, "MJCF file (.xml) or binary model (.mjb, .lsb)")
      ->required();
  command->add_flag("--as-written", options->as_written,
                    "MJCF as it was written, without the compiler's numbers");
  command->add_flag("--for-mujoco", options->for_mujoco,
                    "refuse what MuJoCo could not read: our own extensions");
  command->footer(
      "Examples:\n"
      "  lockstep convert robot.xml flat.xml      one file, includes and defaults resolved\n"
      "  lockstep convert robot.mjz robot.mjb     archive to binary, for fast loading");
  command->callback([options, &exit_code] {
    if (!convert(*options)) exit_code = 1;
  });
}

}  // namespace lockstep::cli
