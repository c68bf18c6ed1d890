// main.cc: the program `lockstep`. Results go to stdout, diagnostics to stderr.
#include <exception>
#include <iostream>

#include "commands.h"

int main(int argc, char** argv) {
  CLI::App program("Lockstep: MuJoCo's physics, many worlds per core, the same bits everywhere.",
                   "lockstep");
  program.set_version_flag("--version", "lockstep " LOCKSTEP_VERSION);
  program.require_subcommand(1);
  program.footer(
      "Examples:\n"
      "  lockstep check robot.xml               is the model right? errors show file, line and a "
      "caret\n"
      "  lockstep info robot.xml --tree         what is in it: sizes, the tree of bodies, memory\n"
      "  lockstep convert robot.xml robot.mjb   compile once, load fast\n"
      "  lockstep run robot.xml --out t.npz     simulate, record the trajectory\n"
      "  lockstep compare robot.xml             against an installed MuJoCo, stage by stage\n"
      "  lockstep bench robot.xml               how fast, one world and many, beside MuJoCo\n"
      "  lockstep COMMAND --help                more about one command");
  int exit_code = 0;
  lockstep::cli::add_check(program, exit_code);
  lockstep::cli::add_info(program, exit_code);
  lockstep::cli::add_convert(program, exit_code);
  lockstep::cli::add_run(program, exit_code);
  lockstep::cli::add_compare(program, exit_code);
  lockstep::cli::add_bench(program, exit_code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) ? 2 : 0;  // wrong usage is 2, a wrong model 1
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return exit_code;
}
