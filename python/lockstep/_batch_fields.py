"""Names of fields that a batch knows, and what is said of names that it does not."""
import difflib

from lockstep import _core

# names that bind() and expand() accept, and the state parts among the former
DATA_FIELDS, MODEL_FIELDS = map(frozenset, _core._batch_fields())
STATE = _core._state_fields()


def similar(name, names):
    close = difflib.get_close_matches(name, list(names), 3)
    return f' (did you mean {", ".join(map(repr, close))}?)' if close else ''


def advice(name, names, fields_of_model=False):
    """Where a name belongs, or what it resembles."""
    if fields_of_model and name in MODEL_FIELDS:
        return f': it is an MjModel field: use expand({name!r})'
    if f'opt.{name}' in MODEL_FIELDS:
        return f": it is an option: use expand('opt.{name}')"
    return similar(name, names)


def is_result(name):
    return ValueError(f'{name} is computed by every call: write the state, or expand fields of the model')
