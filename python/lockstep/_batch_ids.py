"""Arguments of a batch's calls: which simulations, and integers for each."""
import numpy as np


def sorted_ids(ids, nsim):
    """Ids or a mask as sorted int32 ids, checked before any conversion; None for all."""
    if ids is None:
        return None
    ids = np.asarray(ids)
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f'a mask should have the shape ({nsim},), got {ids.shape}')
        return None if ids.all() else np.flatnonzero(ids).astype(np.int32)
    if ids.ndim != 1:
        raise ValueError('ids should have one dimension')
    if not ids.size:
        return np.empty(0, np.int32)
    if ids.dtype.kind not in 'iu':
        raise ValueError(f'ids should be integers, got {ids.dtype}')
    falls = np.flatnonzero(ids[1:] <= ids[:-1])
    if falls.size:
        raise ValueError(f'ids should be sorted and unique, got {ids[falls[0]]} before {ids[falls[0] + 1]}')
    for end in (ids[0], ids[-1]):
        if not 0 <= end < nsim:
            raise ValueError(f'ids should lie in [0, {nsim}), got {end}')
    return np.ascontiguousarray(ids, np.int32)


def integers(values, shape, low, high, name):
    """Integers in [low, high) as int32 of a shape, checked before any conversion."""
    values = np.asarray(values)
    if values.dtype.kind not in 'iu':
        raise ValueError(f'{name} should be integers, got {values.dtype}')
    wrong = values[(values < low) | (values >= high)]
    if wrong.size:
        raise ValueError(f'{name} should lie in [{low}, {high}), got {wrong.flat[0]}')
    return np.ascontiguousarray(np.broadcast_to(values, shape), np.int32)
