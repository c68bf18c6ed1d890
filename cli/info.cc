// info.cc: `lockstep info`: sizes, tree of bodies and memory of a model.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "commands.h"
#include "load.h"

namespace lockstep::cli {
namespace {

struct InfoOptions {
  std::string file;
  bool json = false;
  bool tree = false;
  bool memory = false;
};

std::string label(const Model& m, ObjType kind, int id) {
  std::string_view name = id2name(m, kind, id);
  return name.empty() ? fmt::format("#{}", id) : std::string(name);
}

std::string joint_list(const Model& m, int body) {
  std::string text;
  for (int joint = m.body_jntadr[body], end = joint + m.body_jntnum[body]; joint < end; joint++) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        keyword_of(static_cast<JointType>(m.jnt_type[joint])),
                        label(m, ObjType::joint, joint));
  }
  return text;
}

std::vector<int> depths(const Model& m) {
  std::vector<int> depth(static_cast<size_t>(m.nbody), 0);
  for (int body = 1; body < m.nbody; body++) depth[body] = depth[m.body_parentid[body]] + 1;
  return depth;
}

void print_tree(const Model& m) {
  std::vector<int> depth = depths(m);
  for (int body = 0; body < m.nbody; body++) {
    std::string line =
        fmt::format("{:{}}{}", "", 2 + 2 * depth[body], label(m, ObjType::body, body));
    std::string joints = joint_list(m, body);
    if (m.body_mass[body] > 0) line += fmt::format("  {:.6g} kg", m.body_mass[body]);
    if (m.body_geomnum[body]) line += fmt::format("  {} geoms", m.body_geomnum[body]);
    if (!joints.empty()) line += "  [" + joints + "]";
    std::cout << line << "\n";
  }
}

// arrays with contents, largest first
std::vector<FieldInfo> by_memory(const Model& m) {
  std::vector<FieldInfo> fields = m.fields();
  std::erase_if(fields, [](const FieldInfo& field) { return !field.bytes(); });
  std::stable_sort(fields.begin(), fields.end(),
                   [](const FieldInfo& a, const FieldInfo& b) { return a.bytes() > b.bytes(); });
  return fields;
}

void print_memory(const Model& m) {
  for (const FieldInfo& field : by_memory(m)) {
    std::cout << fmt::format("  {:<24}{:>12}  {} x {}\n", field.name, field.bytes(), field.rows,
                             field.cols);
  }
  std::cout << fmt::format("  {:<24}{:>12}\n", "total", m.nbuffer);
}

void print_sizes(const Model& m) {
  for (const SizeInfo& size : m.sizes()) {
    if (*size.value > 0) std::cout << fmt::format("  {:<24}{:>12}\n", size.name, *size.value);
  }
}

Json info_json(const Model& m, const InfoOptions& options) {
  Json report{{"file", options.file}, {"name", m.names}, {"sizes", sizes_json(m)}};
  for (int body = 0; body < m.nbody; body++) {
    Json joints = Json::array();
    for (int joint = m.body_jntadr[body], end = joint + m.body_jntnum[body]; joint < end; joint++) {
      joints.push_back({{"id", joint},
                        {"name", id2name(m, ObjType::joint, joint)},
                        {"type", keyword_of(static_cast<JointType>(m.jnt_type[joint]))}});
    }
    report["bodies"].push_back({{"id", body},
                                {"name", id2name(m, ObjType::body, body)},
                                {"parent", m.body_parentid[body]},
                                {"mass", m.body_mass[body]},
                                {"geoms", m.body_geomnum[body]},
                                {"joints", joints}});
  }
  for (const FieldInfo& field : by_memory(m))
    report["memory"][std::string(field.name)] = field.bytes();
  return report;
}

void print_info(const Model& m, const InfoOptions& options) {
  bool all = !options.tree && !options.memory;
  std::cout << options.file << ": " << m.names << "\n";
  if (all) {
    std::cout << "sizes\n";
    print_sizes(m);
  }
  if (all || options.tree) {
    std::cout << "bodies\n";
    print_tree(m);
  }
  if (all || options.memory) {
    std::cout << "memory, bytes\n";
    print_memory(m);
  }
}

}  // namespace

void add_info(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      program.add_subcommand("info", "Show sizes, the tree of bodies and memory of a model");
  command->add_option("model", options->file, "MJCF file (.xml), MJZ archive or binary model")
      ->required();
  command->add_flag("--tree", options->tree, "only the tree of bodies, with masses and joints");
  command->add_flag("--memory", options->memory, "only the memory of each field, largest first");
  command->add_flag("--json", options->json, "print JSON instead of text");
  command->footer(
      "Examples:\n"
      "  lockstep info robot.xml\n"
      "  lockstep info robot.xml --tree\n"
      "  lockstep info robot.xml --json | jq .sizes.nv");
  command->callback([options, &exit_code] {
    Loaded loaded = load(options->file);
    print_diagnostics(loaded.diagnostics);
    if (!loaded.compiled) {
      exit_code = 1;
    } else if (options->json) {
      std::cout
          << info_json(loaded.model(), *options).dump(2, ' ', false, Json::error_handler_t::replace)
          << "\n";
    } else {
      print_info(loaded.model(), *options);
    }
  });
}

}  // namespace lockstep::cli
