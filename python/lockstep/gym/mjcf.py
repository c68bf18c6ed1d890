"""Any model as an environment of many worlds, with rewards and ends given as NumPy functions or as a compiled task."""
import numpy as np

import lockstep
from lockstep.gym.environment import Environment
from lockstep.gym.parts import uniform_start


class MjcfVectorEnv(Environment):
    """``num_envs`` worlds of a model: a path to an MJCF file, or an ``MjModel``.

    The functions get ``d``, whose attributes are the fields of MjData with a row per world (``d.xpos[:, 2]`` is the place
    of body 2 in every world), and return a row per world:

        reward(d, actions)             or reward(d, actions, velocity) if there is a ``place``
        terminated(d)                  which worlds came to an end; none without it
        observe(d)                     an array, or parts by name; without it positions and velocities
        place(d)                       coordinates whose mean velocity over a step ``reward`` is given
        start(random)                  positions and velocities; ``random`` has ``uniform(low, high, count)`` and
                                       ``normal(count)``; without it the initial state with noise of ``reset_noise_scale``
        info(d)                        what to report, by name

    A field that is read only in some steps has to be named in ``fields``. In place of the functions, but for ``start``,
    stands ``task``: the path of a shared library with a compiled task (src/env/task.h), which gets ``settings``, numbers by
    name. All other arguments are those of ``Environment``. Actions without a control range are not bounded.
    """

    reset_noise_scale: float = 0.01
    normal_velocities = False

    def __init__(self, model, num_envs=1, *, reward=None, terminated=None, observe=None, place=None, start=None, info=None,
                 task=None, settings=None, frame_skip=1, **options):
        functions = reward, terminated, observe, place, info
        if (task is None) == (reward is None) or (task is not None and any(functions)):
            raise TypeError('either functions are needed, reward among them, or a task')
        self._source, self._given_functions = model, (reward, terminated, observe, place, start, info)
        self.task, self._settings = task, settings or {}
        super().__init__(num_envs, frame_skip=frame_skip, **options)

    def load(self):
        if isinstance(self._source, lockstep.MjModel):
            return self._source
        return lockstep.MjModel.from_xml_path(str(self._source))

    def action_range(self):
        limited = self.model.actuator_ctrllimited.astype(bool)[:, None]
        return np.where(limited, self.model.actuator_ctrlrange, (-np.inf, np.inf)).T

    def settings(self):
        return self._settings

    def start(self, random):
        start = self._given_functions[4]
        return start(random) if start else uniform_start(self, random)

    def observe(self, d):
        observe = self._given_functions[2]
        seen = observe(d) if observe else {'qpos': d.qpos, 'qvel': d.qvel}
        return seen if isinstance(seen, dict) else {'observation': seen}

    def place(self, d):
        place = self._given_functions[3]
        return place(d) if place else None

    def judge(self, d, actions, velocity):
        reward, terminated, *_ = self._given_functions
        value = reward(d, actions) if velocity is None else reward(d, actions, velocity)
        return value, terminated(d) if terminated else False, {}

    def info(self, d):
        info = self._given_functions[5]
        return info(d) if info else {}
