"""Compiled tasks of your own: where their header is, and a call that compiles one.

    library = compile_task('height.cc')
    envs = lockstep.gym.MjcfVectorEnv('models/arm.xml', 64, task=library)
    episodes = lockstep.episodes.Episodes(batch, task=library)

docs/gym.md shows a task. From a shell: c++ -std=c++20 -O2 -shared -fPIC -I"$(python -m lockstep.tasks)" height.cc -o height.so
"""
import os
import pathlib
import subprocess


def include_dir():
    """The folder to name with -I: it has env/task.h, which came with this package."""
    return str(pathlib.Path(__file__).parent / 'include')


def compile_task(source, library=None, compiler=None, options=('-O2', '-ffp-contract=off')):
    """Compiles a C++ file that has a LOCKSTEP_TASK, if it is newer than its library; returns the path of the library.

    The library stands beside the source unless it is named; the compiler is $CXX, or c++.
    """
    source = pathlib.Path(source).resolve()
    library = pathlib.Path(library).resolve() if library else source.with_suffix('.so')
    header = pathlib.Path(include_dir()) / 'env' / 'task.h'
    if library.exists() and library.stat().st_mtime > max(source.stat().st_mtime, header.stat().st_mtime):
        return str(library)
    command = [compiler or os.environ.get('CXX', 'c++'), '-std=c++20', '-shared', '-fPIC', *options, f'-I{include_dir()}',
               str(source), '-o', str(library)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f'{source} does not compile:\n{done.stderr}')
    return str(library)


if __name__ == '__main__':
    print(include_dir())
