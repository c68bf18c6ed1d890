"""What several environments share."""
import numpy as np

from lockstep.gym.environment import Environment


def squares(rows):
    """Sum of the squares of each row."""
    rows = rows.reshape(len(rows), -1)
    return np.einsum('ij,ij->i', rows, rows)


def between(values, limits):
    """Which values lie between two limits."""
    return (values > limits[0]) & (values < limits[1])


def finite(d):
    """Which worlds have a finite state; MuJoCo keeps it far from where sums overflow."""
    return np.isfinite(np.einsum('ij->i', d.qpos) + np.einsum('ij->i', d.qvel))


def uniform_start(env, random):
    """The initial state with uniform noise on all coordinates; velocities with normal noise if the environment says so."""
    scale, nq, nv = env.reset_noise_scale, env.model.nq, env.model.nv
    noise = random.uniform(-scale, scale, nq if env.normal_velocities else nq + nv)
    velocities = scale * random.normal(nv) if env.normal_velocities else noise[:, nq:]
    return env.init_qpos + noise[:, :nq], env.init_qvel + velocities


class Walker(Environment):
    """Goes along x in a plane: positions and velocities are observed, all but where it is."""

    exclude_current_positions_from_observation: bool = True
    normal_velocities = False
    velocity_limit = None
    tells_height = False

    start = uniform_start

    def observe(self, d):
        skipped = int(self.exclude_current_positions_from_observation)
        limit = self.velocity_limit
        return {'qpos': d.qpos[:, skipped:], 'qvel': d.qvel if limit is None else np.clip(d.qvel, -limit, limit)}

    def place(self, d):
        return d.qpos[:, :1]

    def info(self, d):
        if self.tells_height:
            return {'x_position': d.qpos[:, 0], 'z_distance_from_origin': d.qpos[:, 1] - self.init_qpos[1]}
        return {'x_position': d.qpos[:, 0]}


class Roamer(Environment):
    """Goes in all directions; positions and velocities are observed, all but where it is."""

    exclude_current_positions_from_observation: bool = True
    normal_velocities = False

    start = uniform_start

    def observe(self, d):
        skipped = 2 * bool(self.exclude_current_positions_from_observation)
        return {'qpos': d.qpos[:, skipped:], 'qvel': d.qvel}

    def info(self, d):
        x, y = d.qpos[:, 0], d.qpos[:, 1]
        return {'x_position': x, 'y_position': y, 'distance_from_origin': np.sqrt(x * x + y * y)}


class HealthyWalker(Walker):
    """A walker that is rewarded while it stays upright."""

    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    reset_noise_scale: float = 5e-3
    velocity_limit = 10
    tells_height = True

    def healthy(self, d):
        return between(d.qpos[:, 1], self.healthy_z_range) & between(d.qpos[:, 2], self.healthy_angle_range)

    def judge(self, d, actions, velocity):
        healthy = self.healthy(d)
        forward, survive = self.forward_reward_weight * velocity[:, 0], self.healthy_reward * healthy
        cost = self.ctrl_cost_weight * squares(actions)
        terms = {'x_velocity': velocity[:, 0], 'reward_forward': forward, 'reward_ctrl': -cost, 'reward_survive': survive}
        return forward + survive - cost, ~healthy & bool(self.terminate_when_unhealthy), terms
