// load.h: what all subcommands do first: get a Model from a file, whatever its kind.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/diagnostic.h"
#include "compile/compile.h"

namespace lockstep::cli {

using Json = nlohmann::ordered_json;

struct Loaded {
  std::unique_ptr<Compiled> compiled;  // null if there were errors; a binary model has no spec
  std::unique_ptr<Spec> spec;          // as it was written; null for a binary model
  Diagnostics diagnostics;

  const Model& model() const { return compiled->model; }
};

// MJCF, MJZ archive or binary model, by extension
Loaded load(const std::string& path);
bool is_binary(const std::string& path);

// diagnostics with source line and caret, to stderr
void print_diagnostics(const Diagnostics& diagnostics);
Json to_json(const Diagnostics& diagnostics);

// sizes that are not zero
Json sizes_json(const Model& m);

}  // namespace lockstep::cli
