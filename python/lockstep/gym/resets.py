"""What a reset is told (which worlds, which seeds, which states), and how reports of some worlds become those of all."""
import operator

import numpy as np


def chosen_worlds(options, count):
    """Ids of the worlds that the options of a reset ask for."""
    unknown = set(options) - {'mask', 'reset_mask', 'ids', 'qpos', 'qvel'}
    if unknown:
        raise ValueError(f'unknown options of reset: {", ".join(sorted(unknown))}')
    ids, mask = options.get('ids'), options.get('mask', options.get('reset_mask'))
    if mask is not None:
        mask = np.asarray(mask)
        if mask.dtype != bool or mask.shape != (count,) or not mask.any() or ids is not None:
            raise ValueError(f'a mask should be {count} booleans, some of them True, and stand without ids')
        return np.flatnonzero(mask)
    if ids is None:
        return np.arange(count)
    ids = np.asarray(ids)
    inside = ids.ndim == 1 and ids.dtype.kind in 'iu' and ids.size and 0 <= ids[0] and ids[-1] < count
    if not inside or (np.diff(ids) <= 0).any():
        raise ValueError(f'ids should be sorted, unique and between 0 and {count - 1}')
    return ids


def world_seeds(seed, worlds, count):
    """Which of the worlds get a seed, and the seeds: one number s stands for s, s + 1, ..."""
    if np.ndim(seed) == 0:
        seed = range(operator.index(seed), operator.index(seed) + count)
    if len(seed) != count:
        raise ValueError(f'{count} seeds are needed, got {len(seed)}')
    told = [world for world in worlds.tolist() if seed[world] is not None]
    return np.array(told, np.intp), [operator.index(seed[world]) for world in told]


def given_rows(name, rows, worlds, shape):
    """Rows of an option: one per world that is reset, one per world, or one for all."""
    rows = np.asarray(rows)
    if rows.shape == shape:
        return rows[worlds]
    if rows.shape not in ((len(worlds), shape[1]), shape[1:]):
        raise ValueError(f'options[{name!r}] should have the shape ({len(worlds)}, {shape[1]}), got {rows.shape}')
    return rows


def spread(worlds, mask, start_info, info):
    """Infos of all worlds: of those that were reset, which are also given as a mask, and of the others, which have the
    rows of ``info``. Beside each array stands who has it, as in Gymnasium."""
    infos = {}
    for name, value in info.items():
        value[worlds] = 0
        infos[name], infos['_' + name] = value, ~mask
    for name, value in start_info.items():
        value = np.asarray(value)
        if name in infos:
            infos['_' + name] = np.ones(len(mask), bool)
        else:
            infos[name], infos['_' + name] = np.zeros((len(mask), *value.shape[1:]), value.dtype), mask
        infos[name][worlds] = value
    return infos
