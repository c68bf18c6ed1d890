"""One world of an environment as a ``gymnasium.Env``."""
import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from gymnasium.vector import AutoresetMode

import lockstep
from lockstep.gym import environments


class SingleEnv(gymnasium.Env, EzPickle):
    """Arguments are those of the environment of many worlds, which is ``vector``. As with Gymnasium's, a copy or what comes
    out of a pickle is an environment with the same arguments, to be reset."""

    kind = None

    def __init__(self, **options):
        EzPickle.__init__(self, **options)
        options.setdefault('nthread', 1)
        self.vector = self.kind(1, max_episode_steps=None, autoreset_mode=AutoresetMode.DISABLED, **options)
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space
        self.metadata = {key: self.vector.metadata[key] for key in ('render_modes', 'render_fps')}
        self.model, self.dt, self.frame_skip = self.vector.model, self.vector.dt, self.vector.frame_skip
        self.init_qpos, self.init_qvel = self.vector.init_qpos, self.vector.init_qvel
        self.observation_structure = self.vector.observation_structure

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        observations, infos = self.vector.reset(seed=seed, options=options)
        return observations[0], _of_one(infos)

    def step(self, action):
        self.vector._done[:] = False  # whoever goes on after the end may
        observations, rewards, terminated, _, infos = self.vector.step(np.asarray(action)[None])
        return observations[0], float(rewards[0]), bool(terminated[0]), False, _of_one(infos)

    @property
    def data(self):
        """What follows from the world's state now, in an MjData of its own: to be read, ``set_state`` changes the world."""
        model = self.vector.batch.get_model(0)
        data = self.vector.batch.get_data(0, lockstep.MjData(model))
        lockstep.mj_forward(model, data)
        return data

    def set_state(self, qpos, qvel):
        """Puts the world where the next step begins, as Gymnasium's environments do."""
        batch = self.vector.batch
        if np.shape(qpos) != (self.model.nq,) or np.shape(qvel) != (self.model.nv,):
            raise ValueError(f'qpos and qvel should have the shapes ({self.model.nq},) and ({self.model.nv},)')
        batch.qpos, batch.qvel = qpos, qvel
        batch.forward()

    def state_vector(self):
        """Positions and velocities."""
        return np.concatenate([self.vector.batch.qpos[0], self.vector.batch.qvel[0]])


def _of_one(infos):
    return {name: value[0] for name, value in infos.items() if not name.startswith('_')}


# HopperEnv and so on, so that they can be found by name
for _name, _kind in environments.items():
    globals()[f'{_name}Env'] = type(f'{_name}Env', (SingleEnv,), {'kind': _kind, '__doc__': _kind.__doc__,
                                                                  '__module__': __name__})
