"""What several environments share."""
from lockstep.gym.environment import Environment


def uniform_start(env, random):
    """The initial state with uniform noise on all coordinates; velocities with normal noise if the environment says so."""
    scale, nq, nv = env.reset_noise_scale, env.model.nq, env.model.nv
    noise = random.uniform(-scale, scale, nq if env.normal_velocities else nq + nv)
    velocities = scale * random.normal(nv) if env.normal_velocities else noise[:, nq:]
    return env.init_qpos + noise[:, :nq], env.init_qvel + velocities


class Mover(Environment):
    """Goes about; positions and velocities are observed, all but where it is."""

    exclude_current_positions_from_observation: bool = True
    normal_velocities = False

    start = uniform_start


class HealthyWalker(Mover):
    """Goes along x in a plane, and is rewarded while it stays upright."""

    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    reset_noise_scale: float = 5e-3

    def settings(self):
        return {'start_height': self.init_qpos[1]}
