"""Environments for Stable-Baselines3, which has vector environments of its own kind.

    from lockstep.gym.sb3 import VecEnv
    from stable_baselines3 import PPO

    PPO('MlpPolicy', VecEnv('Hopper', 64)).learn(1_000_000)
"""
import time

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common import vec_env

from lockstep.gym import environments


class VecEnv(vec_env.VecEnv):
    """A ``stable_baselines3`` VecEnv of an environment: its name (with the options it takes), or one that resets in the
    same step.

    ``infos`` of a world whose episode ended have ``terminal_observation``, ``TimeLimit.truncated`` and ``episode`` (return,
    length and seconds, as a Monitor reports them); those of the others are empty, because a dictionary for each of thousands
    of worlds takes longer than their step. With ``tell_all`` they have all that the environment reports.
    """

    def __init__(self, env, num_envs=1, *, tell_all=False, **options):
        if isinstance(env, str):
            env = environments[env](num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        if env.unwrapped.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError("the environment should be made with autoreset_mode='SameStep'")
        self.env, self._tell_all = env, tell_all
        self._returns, self._lengths = np.zeros(env.num_envs), np.zeros(env.num_envs, np.int64)
        self._began, self._actions = time.time(), None
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self):
        told = any(seed is not None for seed in self._seeds)
        options = self._options[0]
        if any(other != options for other in self._options):
            raise ValueError('options of reset are common to all worlds: rows in them are of one world each')
        observations, infos = self.env.reset(seed=self._seeds if told else None, options=options)
        self.reset_infos = [_of_world(infos, world) for world in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        self._returns[:], self._lengths[:] = 0, 0
        return observations

    def step_async(self, actions):
        self._actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, infos = self.env.step(self._actions)
        dones = terminated | truncated
        self._returns += rewards
        self._lengths += 1
        told = [_of_world(infos, world) if self._tell_all else {} for world in range(self.num_envs)]
        for world in dones.nonzero()[0].tolist():
            if self._tell_all:
                told[world] = _of_world(infos['final_info'], world)
            told[world] |= {'terminal_observation': infos['final_obs'][world],
                            'TimeLimit.truncated': bool(truncated[world] and not terminated[world]),
                            'episode': self._episode(world)}
            self.reset_infos[world] = _of_world(infos, world)
        self._returns[dones], self._lengths[dones] = 0, 0
        return observations, rewards.astype(np.float32), dones, told

    def _episode(self, world):
        return {'r': round(float(self._returns[world]), 6), 'l': int(self._lengths[world]),
                't': round(time.time() - self._began, 6)}

    def close(self):
        self.env.close()

    # ---- worlds have no objects of their own: all share the attributes of the environment ----

    def get_attr(self, attr_name, indices=None):
        return [getattr(self.env, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name, value, indices=None):
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError('an attribute is common to all worlds')
        setattr(self.env, attr_name, value)

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        raise NotImplementedError(f'worlds have no methods: call env.{method_name} for all of them')

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * len(list(self._get_indices(indices)))


def _of_world(infos, world):
    """What is reported about one world."""
    return {name: values[world] for name, values in infos.items()
            if not name.startswith(('_', 'final_')) and infos['_' + name][world]}
