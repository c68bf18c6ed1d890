"""Beyond chaos: what robots do on the average is the same in both engines.

Trajectories with contacts part after some hundred steps, whoever computes them. Energy, number of contacts and return of
whole episodes are compared as means over many episodes, within the error of MuJoCo's own. Gymnasium's environments run
on either engine: Lockstep takes the place of the module `mujoco` in them.

LOCKSTEP_EPISODES sets the number of episodes per environment.
"""
import os

import gymnasium
import mujoco
import numpy as np
import pytest
from gymnasium.envs.mujoco import mujoco_env, mujoco_rendering

import lockstep

EPISODES = int(os.environ.get('LOCKSTEP_EPISODES', '32'))
STEPS = 150
ENVIRONMENTS = ('HalfCheetah-v5', 'Hopper-v5', 'Walker2d-v5', 'Ant-v5', 'Humanoid-v5')
MEASURES = ('return', 'energy', 'contacts')
BAND = 4  # standard errors: one comparison of 15 000 fails by chance


def policy(env, seed):
    """Swings of all joints, with an answer to what is seen."""
    rng = np.random.default_rng(seed)
    space = env.action_space
    n = space.shape[0]
    middle, reach = (space.high + space.low) / 2, (space.high - space.low) / 2
    size, pace, phase = rng.uniform(0.2, 0.8, n), rng.uniform(0.05, 0.4, n), rng.uniform(0, 6.3, n)
    gain = 0.1 * rng.normal(size=(n, env.observation_space.shape[0]))

    def act(seen, step):
        return (middle + reach * np.tanh(size * np.sin(pace * step + phase) + gain @ np.tanh(seen))).astype(np.float32)

    return act


def episodes(engine, name, monkeypatch, change=lambda model: None):
    """One row of measures per episode."""
    with monkeypatch.context() as patch:
        for module in (mujoco_env, mujoco_rendering):
            patch.setattr(module, 'mujoco', engine)
        options = {} if name == 'HalfCheetah-v5' else {'terminate_when_unhealthy': False}
        env = gymnasium.make(name, disable_env_checker=True, max_episode_steps=STEPS, **options).unwrapped
        env.model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        change(env.model)
        rows = []
        for seed in range(EPISODES):
            seen, _ = env.reset(seed=seed)
            act = policy(env, seed)
            total, energy, contacts = 0.0, 0.0, 0
            for step in range(STEPS):
                seen, reward, *_ = env.step(act(seen, step))
                total += reward
                energy += sum(env.data.energy)
                contacts += env.data.ncon
            rows.append((total, energy / STEPS, contacts / STEPS))
        assert type(env.data).__module__.startswith(engine.__name__)
        return np.array(rows)


def distances(own, ref):
    """Of the means, in standard errors."""
    spread = np.sqrt((own.var(axis=0, ddof=1) + ref.var(axis=0, ddof=1)) / len(ref))
    return np.abs(own.mean(axis=0) - ref.mean(axis=0)) / spread


@pytest.mark.parametrize('name', ENVIRONMENTS)
def test_means(name, monkeypatch):
    ref = episodes(mujoco, name, monkeypatch)
    own = episodes(lockstep, name, monkeypatch)
    assert np.isfinite(own).all()
    apart = distances(own, ref)
    for what, gap, a, b in zip(MEASURES, apart, own.T, ref.T):
        print(f'{name:15} {what:9} {a.mean():10.4g} {b.mean():10.4g}  {gap:.2f} standard errors')
    assert (apart < BAND).all(), dict(zip(MEASURES, apart))
    assert ref[:, 2].mean() > 0.3, 'the task has contacts'


def test_band_notices_other_physics(monkeypatch):
    """The comparison is sharp enough to see less gravity, or less friction."""

    def lighter(model):
        model.opt.gravity[2] *= 0.8

    def slippery(model):
        model.geom_friction[:, 0] *= 0.3

    for name, change in (('HalfCheetah-v5', lighter), ('Hopper-v5', slippery)):
        ref = episodes(mujoco, name, monkeypatch)
        assert (distances(episodes(lockstep, name, monkeypatch, change), ref) > BAND).any(), change.__name__
