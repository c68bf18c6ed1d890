"""The machinery under all environments: a batch of worlds as a ``gymnasium.vector.VectorEnv``.

An environment is a subclass that says where episodes begin (``start``), and what is observed and rewarded: either by the
name of a compiled task (``task``: see src/env/task.h and compiled.py), or by functions of arrays with a row per world:

    observe(d)                        what the agent sees: parts by name, put side by side
    place(d)                          what the speed is measured of (optional)
    judge(d, actions, velocity)       rewards, which worlds terminated, and what to report about it
    info(d)                           what is reported after steps and resets alike

(see functions.py). Nothing here loops over worlds.
"""
import difflib
import operator
import pathlib

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import lockstep
from lockstep.batch import Batch
from lockstep.gym.compiled import Compiled
from lockstep.gym.functions import Functions
from lockstep.gym.resets import chosen_worlds, given_rows, spread, world_seeds
from lockstep.streams import Draws, Streams

ASSETS = pathlib.Path(gymnasium.__file__).parent / 'envs' / 'mujoco' / 'assets'
# arguments of Gymnasium's environments that only pictures depend on: accepted, and not used yet
RENDERING = frozenset(('width', 'height', 'camera_id', 'camera_name', 'default_camera_config', 'max_geom', 'visual_options'))
# warnings that tell of a state that was put back to the initial one
FAILURES = [int(getattr(lockstep.mjtWarning, f'mjWARN_BADQ{what}')) for what in ('POS', 'VEL', 'ACC')]

LARGEST = 1e10  # of positions and velocities that are not bad


class Environment(VectorEnv):
    """``num_envs`` worlds of an environment. Annotated attributes of subclasses are keyword arguments.

    ``dtype`` (float64 or float32) is the precision of simulation and observations, ``nthread`` the number of threads
    (0: all processors). With ``copy=False`` every call returns the same array of observations, written anew. A world
    whose state becomes NaN or enormous goes on from the initial state, as in MuJoCo; with ``terminate_failed`` it
    terminates, with reward zero, and ``infos['failed']`` tells; so does one whose reward is not finite.

    Randomness: world i has a stream of its own (PCG64). ``reset(seed=s)`` seeds it with s + i, a list of seeds with its
    i-th entry; without a seed it goes on. It is used only when world i is reset, so what happens to a world does not
    depend on how many others there are, nor on when they are reset; and with the same seed a world starts where
    Gymnasium's environment starts.

    ``reset(options=...)`` knows ``mask`` (or Gymnasium's ``reset_mask``) or ``ids``: the worlds to reset, the others
    keep their state; ``qpos`` and ``qvel``: where they start, a row for each of them or one for all.
    """

    xml_file: str
    frame_skip: int
    max_episode_steps = 1000
    task = None  # a compiled task
    info_types = {'reward_ctrl': 'action'}  # of reports of a compiled task that are not float64; 'action': as actions

    def __init__(self, num_envs=1, *, max_episode_steps=Ellipsis, autoreset_mode=AutoresetMode.NEXT_STEP,
                 dtype=np.float64, nthread=0, copy=True, terminate_failed=False, fields=(), render_mode=None, **options):
        if render_mode is not None:
            raise ValueError('rendering is not supported yet')
        self._set_options(options)
        self.num_envs, self.copy, self.terminate_failed = num_envs, copy, terminate_failed
        if max_episode_steps is not Ellipsis:
            self.max_episode_steps = None if max_episode_steps == -1 else max_episode_steps  # -1 as in gymnasium.make
        if self.max_episode_steps is not None:
            self.max_episode_steps = operator.index(self.max_episode_steps)
            if self.max_episode_steps < 1:
                raise ValueError(f'max_episode_steps should be positive, or None for no limit, got {max_episode_steps}')
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.model = self.load()
        self.dt = self.model.opt.timestep * self.frame_skip
        self.metadata = {'render_modes': [], 'render_fps': round(1 / self.dt), 'autoreset_mode': self.autoreset_mode}
        self.batch = Batch(self.model, num_envs, nthread, dtype=dtype, width=int(num_envs == 1))
        self.init_qpos, self.init_qvel = (self.batch.bind(name)[0].astype(np.float64) for name in ('qpos', 'qvel'))
        for name in fields:
            self.batch.bind(name)
        self.prepare()
        self._task = Compiled(self) if self.task else Functions(self)
        self.observation_structure = self._task.structure
        self._observations = np.zeros((num_envs, sum(self.observation_structure.values())), dtype)
        self._make_spaces()
        self._streams = Streams(num_envs)
        self._elapsed = np.zeros(num_envs, np.int64)
        self._done = np.zeros(num_envs, bool)
        self._running = False

    # ---- what environments say ----

    def load(self):
        """The model: a file of Gymnasium's assets, or any path that begins with / . or ~."""
        name = str(self.xml_file)
        path = pathlib.Path(name).expanduser() if name[:1] in ('/', '.', '~') else ASSETS / name
        if not path.exists():
            raise OSError(f'File {path} does not exist')
        return lockstep.MjModel.from_xml_path(str(path))

    def prepare(self):
        """Computes what depends on model and options only."""

    def action_range(self):
        return self.model.actuator_ctrlrange.T

    def settings(self):
        """Numbers that a compiled task needs besides the options."""
        return {}

    def start(self, random):
        raise NotImplementedError

    def observe(self, d):
        raise NotImplementedError

    def place(self, d):
        return None

    def judge(self, d, actions, velocity):
        raise NotImplementedError

    def info(self, d):
        return {}

    # ---- VectorEnv ----

    def reset(self, *, seed=None, options=None):
        options = options or {}
        worlds = chosen_worlds(options, self.num_envs)
        whole = len(worlds) == self.num_envs
        if not (whole or self._running):
            raise gymnasium.error.ResetNeeded('the first reset should be one of all worlds')
        if seed is not None:
            if np.ndim(seed) == 0:
                super().reset(seed=operator.index(seed))
            self._streams.seed(*world_seeds(seed, worlds, self.num_envs))
        if whole or self.copy:
            self._new_observations(keep=not whole)
        info = self._reset(worlds, options.get('qpos'), options.get('qvel'))
        mask = np.zeros(self.num_envs, bool)
        mask[worlds] = True
        return self._observations, spread(worlds, mask, info, {})

    def step(self, actions):
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f'actions should have the shape {self.action_space.shape}, got {actions.shape}')
        if not self._running:
            raise gymnasium.error.ResetNeeded('call reset before step')
        resting = self._resting()
        self._elapsed += 1
        if self.copy:
            self._new_observations(keep=False)
        reward, terminated, info = self._task.advance(actions, None if resting is None else ~self._done, self._observations)
        if self.terminate_failed:
            self._end_failed(reward, terminated, info)
        limit = self.max_episode_steps
        truncated = np.zeros(self.num_envs, bool) if limit is None else self._elapsed >= limit
        if resting is not None:
            reward[resting], terminated[resting], truncated[resting] = 0, False, False
        np.logical_or(terminated, truncated, out=self._done)
        final = None
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._done.any():
            resting = self._done.nonzero()[0]
            final = self._observations[resting], {name: value[resting] for name, value in info.items()}
        if resting is not None:
            info = self._rest(info, resting, final)
        else:
            ones = np.ones(self.num_envs, bool)
            info |= {'_' + name: ones for name in info}
        return self._observations, reward, terminated, truncated, info

    # ---- parts of a step ----

    def _resting(self):
        """Worlds that are reset instead of stepped; None if there are none."""
        if not self._done.any() or self.autoreset_mode is AutoresetMode.SAME_STEP:
            return None
        if self.autoreset_mode is AutoresetMode.DISABLED:
            raise gymnasium.error.ResetNeeded(f'worlds {np.flatnonzero(self._done)} are done: reset them')
        return self._done.nonzero()[0]

    def _end_failed(self, reward, terminated, info):
        # what integration has just spoiled would be noticed by the next step only
        spoiled = ~((np.abs(self.batch.qpos) <= LARGEST).all(1) & (np.abs(self.batch.qvel) <= LARGEST).all(1))
        failed = info['failed'] = self.batch.warning[:, FAILURES, 1].any(1) | spoiled | ~np.isfinite(reward)
        reward[failed], terminated[failed] = 0, True
        self._observations[spoiled] = 0

    def _new_observations(self, keep):
        last, self._observations = self._observations, np.empty_like(self._observations)
        if keep:
            self._observations[...] = last

    def _rest(self, info, worlds, final):
        """Resets worlds in the course of a step; what is reported of the others is kept."""
        mask = np.zeros(self.num_envs, bool)
        mask[worlds] = True
        start_info = self._reset(worlds)
        whole = len(worlds) == self.num_envs
        infos = spread(worlds, mask, start_info, {} if whole else info)
        if final is not None:
            observations, values = final
            infos['final_obs'] = np.full(self.num_envs, None, object)
            infos['final_obs'][worlds] = np.fromiter(observations, object, len(worlds))
            infos['final_info'] = spread(worlds, mask, values, {})
            infos['_final_obs'] = infos['_final_info'] = mask
        return infos

    def _reset(self, worlds, qpos=None, qvel=None):
        """Starts episodes; returns what is reported about them."""
        if qpos is not None:
            qpos = given_rows('qpos', qpos, worlds, (self.num_envs, self.model.nq))
        if qvel is not None:
            qvel = given_rows('qvel', qvel, worlds, (self.num_envs, self.model.nv))
        drawn = self.start(Draws(self._streams, worlds))
        qpos, qvel = (own if rows is None else rows for own, rows in zip(drawn, (qpos, qvel)))
        info = self._task.begin(worlds, qpos, qvel, self._observations)
        self._elapsed[worlds] = 0
        self._done[worlds] = False
        self._running = True
        return info

    # ---- making ----

    def _set_options(self, options):
        self._options = {}
        for base in reversed(type(self).__mro__):
            if issubclass(base, Environment):
                self._options.update(base.__dict__.get('__annotations__', {}))
        for name, value in options.items():
            if name in RENDERING:
                continue
            if name not in self._options:
                close = difflib.get_close_matches(name, self._options, 1)
                advice = f': did you mean {close[0]!r}?' if close else ''
                raise TypeError(f'{type(self).__name__} has no argument {name!r}{advice}')
            setattr(self, name, value)

    def _make_spaces(self):
        low, high = self.action_range().astype(np.float32)
        self.single_action_space = gymnasium.spaces.Box(low, high, dtype=np.float32)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, self._observations.shape[1:], self.batch.dtype.type)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
