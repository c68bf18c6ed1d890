"""Gymnasium's MuJoCo environments (v5) for thousands of worlds at once.

    import gymnasium
    import lockstep.gym

    envs = gymnasium.make_vec('lockstep/Humanoid-v5', num_envs=4096)   # a VectorEnv
    env = gymnasium.make('lockstep/Humanoid-v5')                       # a single Env

Importing this registers them. They take Gymnasium's keyword arguments and model files, and return what Gymnasium's
return; docs/gym.md tells what is ours alone.
"""
import gymnasium

from lockstep.gym.ant import Ant
from lockstep.gym.environment import Environment
from lockstep.gym.half_cheetah import HalfCheetah
from lockstep.gym.hopper import Hopper
from lockstep.gym.humanoid import Humanoid
from lockstep.gym.humanoid_standup import HumanoidStandup
from lockstep.gym.inverted_double_pendulum import InvertedDoublePendulum
from lockstep.gym.inverted_pendulum import InvertedPendulum
from lockstep.gym.mjcf import MjcfVectorEnv
from lockstep.gym.pusher import Pusher
from lockstep.gym.reacher import Reacher
from lockstep.gym.swimmer import Swimmer
from lockstep.gym.walker2d import Walker2d
from lockstep.tasks import compile_task, include_dir

environments = {kind.__name__: kind for kind in (
    Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedDoublePendulum, InvertedPendulum, Pusher, Reacher,
    Swimmer, Walker2d)}

__all__ = ['Environment', 'MjcfVectorEnv', 'compile_task', 'include_dir', *environments]


def _register():
    for name, kind in environments.items():
        spec = f'lockstep/{name}-v5'
        if spec not in gymnasium.registry:
            gymnasium.register(spec, entry_point=f'lockstep.gym.single:{name}Env', vector_entry_point=f'lockstep.gym:{name}',
                               max_episode_steps=kind.max_episode_steps,
                               reward_threshold=gymnasium.spec(f'{name}-v5').reward_threshold)


_register()
