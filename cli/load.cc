#include "load.h"

#include <iostream>

#include "base/files.h"
#include "mjcf/mjcf.h"
#include "model/model_io.h"

namespace lockstep::cli {
namespace {

void load_binary(const std::string& path, Loaded& loaded) {
  Source source{std::make_shared<const std::string>(path), 0};
  std::optional<Bytes> bytes = read_bytes(path);
  if (!bytes) {
    loaded.diagnostics.error(source, "the file cannot be read");
    return;
  }
  auto compiled = std::make_unique<Compiled>();
  std::string wrong = load_model(*bytes, compiled->model);
  if (wrong.empty()) {
    loaded.compiled = std::move(compiled);
  } else {
    loaded.diagnostics.error(source, wrong);
  }
}

const char* name_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

}  // namespace

bool is_binary(const std::string& path) {
  std::string extension = extension_of(path);
  return extension == "mjb" || extension == "lsb";
}

Loaded load(const std::string& path) {
  Loaded loaded;
  if (is_binary(path)) {
    load_binary(path, loaded);
    return loaded;
  }
  loaded.spec = read_mjcf_file(path, nullptr, loaded.diagnostics);
  if (loaded.spec) loaded.compiled = compile(*loaded.spec, loaded.diagnostics);
  return loaded;
}

void print_diagnostics(const Diagnostics& diagnostics) {
  for (const Diagnostic& entry : diagnostics.all()) std::cerr << explain(entry) << "\n";
}

Json to_json(const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& entry : diagnostics.all()) {
    Json item{{"severity", name_of(entry.severity)},
              {"file", std::string(entry.source.file_name())},
              {"line", entry.source.line},
              {"message", entry.message}};
    auto add = [&](const char* key, const std::string& text) {
      if (!text.empty()) item[key] = text;
    };
    add("element", entry.element);
    add("attribute", entry.attribute);
    add("expected", entry.expected);
    add("found", entry.found);
    add("suggestion", entry.suggestion);
    item["text"] = to_string(entry);
    list.push_back(std::move(item));
  }
  return list;
}

Json sizes_json(const Model& m) {
  Json sizes = Json::object();
  for (const SizeInfo& size : m.sizes()) {
    if (*size.value > 0) sizes[std::string(size.name)] = *size.value;
  }
  return sizes;
}

}  // namespace lockstep::cli
