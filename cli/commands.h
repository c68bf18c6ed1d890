// commands.h: the subcommands; each adds itself to the program and sets the exit code when it runs.
#pragma once

#include <CLI/CLI.hpp>

namespace lockstep::cli {

void add_check(CLI::App& program, int& exit_code);
void add_info(CLI::App& program, int& exit_code);
void add_convert(CLI::App& program, int& exit_code);
void add_run(CLI::App& program, int& exit_code);
void add_compare(CLI::App& program, int& exit_code);
void add_bench(CLI::App& program, int& exit_code);

}  // namespace lockstep::cli
