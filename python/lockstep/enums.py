"""Enumerations with MuJoCo's names, made from the tables of the engine."""

import operator

from lockstep import _core


class _Constant:
    """Base of all enumerations: a named integer that compares and computes as MuJoCo's do."""

    __slots__ = ("_name", "_value")
    __members__: dict

    def __new__(cls, value):
        value = operator.index(value)
        member = cls._by_value.get(value)
        if member is None:
            raise ValueError(f"Invalid int value for {cls.__name__}: {value}")
        return member

    name = property(lambda self: self._name)
    value = property(lambda self: self._value)

    def __setattr__(self, name, value):
        raise AttributeError(f"property of '{type(self).__name__}' object has no setter")

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name}: {self._value}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name}"

    def __format__(self, spec):
        return format(str(self), spec)

    def __int__(self):
        return self._value

    __index__ = __int__

    def __hash__(self):
        return hash(self._value)

    def __eq__(self, other):
        if isinstance(other, _Constant):
            return type(other) is type(self) and other._value == self._value
        try:
            return self._value == operator.index(other)
        except TypeError:
            return False

    def __reduce__(self):
        return type(self), (self._value,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __neg__(self):
        return -self._value


def _binary(function, swapped):
    def method(self, other):
        if isinstance(other, _Constant):
            other = other._value
        return function(other, self._value) if swapped else function(self._value, other)

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "lshift", "rshift", "and", "or", "xor"):
    _function = getattr(operator, f"__{_name}__")
    setattr(_Constant, f"__{_name}__", _binary(_function, swapped=False))
    setattr(_Constant, f"__r{_name}__", _binary(_function, swapped=True))
for _name in ("lt", "le", "gt", "ge"):
    setattr(_Constant, f"__{_name}__", _binary(getattr(operator, _name), swapped=False))


class _Iterable(type):
    """Lets programs iterate over an enumeration and ask for its length."""

    def __iter__(cls):
        return iter(cls.__members__.values())

    def __len__(cls):
        return len(cls.__members__)

    def __contains__(cls, item):
        return item in cls._by_value


def _make(name, values):
    cls = _Iterable(name, (_Constant,), {"__slots__": (), "__module__": __name__})
    cls._by_value = {}
    cls.__members__ = {}
    for member_name, value in values.items():
        member = object.__new__(cls)
        object.__setattr__(member, "_name", member_name)
        object.__setattr__(member, "_value", value)
        cls._by_value.setdefault(value, member)
        cls.__members__[member_name] = member
        setattr(cls, member_name, member)
    cls.__doc__ = "Members:\n\n" + "\n\n".join(f"  {member}" for member in values)
    return cls


for _name, _values in _core.enum_table.items():
    globals()[_name] = _make(_name, _values)

__all__ = list(_core.enum_table)
