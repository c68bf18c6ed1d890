// check.cc: `lockstep check`: does a model compile, and what is it?
#include <fmt/core.h>

#include <iostream>

#include "commands.h"
#include "load.h"

namespace lockstep::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
  bool strict = false;
};

// the counts a reader wants first; the rest is for `info`
std::string summary(const Model& m) {
  const std::pair<const char*, int64_t> rows[] = {
      {"bodies", m.nbody},          {"joints", m.njnt},         {"degrees of freedom", m.nv},
      {"geoms", m.ngeom},           {"sites", m.nsite},         {"meshes", m.nmesh},
      {"height fields", m.nhfield}, {"textures", m.ntex},       {"cameras", m.ncam},
      {"lights", m.nlight},         {"contact pairs", m.npair}, {"equalities", m.neq},
      {"tendons", m.ntendon},       {"actuators", m.nactuator}, {"controls", m.nu},
      {"sensors", m.nsensor},       {"keyframes", m.nkey},      {"flexes", m.nflex},
      {"skins", m.nskin},           {"plugins", m.nplugin},
  };
  std::string text;
  for (const auto& [name, count] : rows) {
    if (count) text += fmt::format("  {:<20}{:>8}\n", name, count);
  }
  double mass = 0;
  for (int body = 0; body < m.nbody; body++) mass += m.body_mass[body];
  return text + fmt::format("  {:<20}{:>8.6g} kg\n  {:<20}{:>8.6g} s\n", "total mass", mass,
                            "time step", m.opt.timestep);
}

int count(const Diagnostics& diagnostics, Severity severity) {
  int total = 0;
  for (const Diagnostic& entry : diagnostics.all()) total += entry.severity == severity;
  return total;
}

bool check(const std::string& file, const CheckOptions& options, Json& report) {
  Loaded loaded = load(file);
  int warnings = count(loaded.diagnostics, Severity::warning),
      errors = count(loaded.diagnostics, Severity::error);
  bool ok = loaded.compiled && !errors && !(options.strict && warnings);
  if (options.json) {
    Json entry{{"file", file}, {"ok", ok}, {"errors", errors}, {"warnings", warnings}};
    entry["diagnostics"] = to_json(loaded.diagnostics);
    if (loaded.compiled) entry["sizes"] = sizes_json(loaded.model());
    report.push_back(std::move(entry));
    return ok;
  }
  print_diagnostics(loaded.diagnostics);
  std::string notes =
      warnings ? fmt::format(", {} warning{}", warnings, warnings == 1 ? "" : "s") : "";
  if (loaded.compiled) {
    std::cout << file << ": ok" << notes << "\n" << summary(loaded.model());
  } else {
    std::cout << fmt::format("{}: {} error{}{}\n", file, errors, errors == 1 ? "" : "s", notes);
  }
  return ok;
}

}  // namespace

void add_check(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      program.add_subcommand("check", "Compile models and report what is wrong with them");
  command->add_option("model", options->files, "MJCF files (.xml), MJZ archives or binary models")
      ->required();
  command->add_flag("--json", options->json, "print one JSON list instead of text");
  command->add_flag("--strict", options->strict, "warnings count as errors");
  command->footer(
      "The exit code is 0 if all models compile, 1 otherwise.\n"
      "Examples:\n"
      "  lockstep check robot.xml\n"
      "  lockstep check models/*.xml --json | jq '.[] | select(.ok | not) | .file'");
  command->callback([options, &exit_code] {
    Json report = Json::array();
    for (const std::string& file : options->files) {
      if (!check(file, *options, report)) exit_code = 1;
    }
    if (options->json)
      std::cout << report.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  });
}

}  // namespace lockstep::cli
