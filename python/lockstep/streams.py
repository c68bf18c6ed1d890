"""Random numbers of many worlds: one PCG64 stream per world (python/src/streams.cc draws from them).

World i seeded with s draws what ``numpy.random.Generator(PCG64(s))`` draws, number for number, so that an environment
starts where Gymnasium's starts with the same seed. What a world draws depends on its seed and on what it drew before:
not on the number of worlds, and not on the draws of others.
"""
import functools

import numpy as np

from lockstep import _core

_U32, _U64 = np.uint32, np.uint64
_LOW = _U64(0xFFFFFFFF)
_HALF = _U64(32)
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # of PCG64: state <- state * multiplier + increment, mod 2**128
_WORD, _TWO_WORDS = 2**64, 2**128


def _hash(values, constant, factor):
    """One round of SeedSequence; returns its next constant too."""
    values = values ^ constant
    constant = constant * factor
    values = values * constant
    return values ^ (values >> _U32(16)), constant


def _seed_words(seeds):
    """What ``SeedSequence(seed).generate_state(4, uint64)`` gives, for seeds below 2**64; (n, 4)."""
    pool = [(seeds & _LOW).astype(_U32), (seeds >> _HALF).astype(_U32)] + [np.zeros(len(seeds), _U32)] * 2
    constant = np.array([0x43B0D7E5], _U32)
    for i in range(4):
        pool[i], constant = _hash(pool[i], constant, _U32(0x931E8875))
    for source in range(4):
        for target in range(4):
            if source != target:
                hashed, constant = _hash(pool[source], constant, _U32(0x931E8875))
                mixed = _U32(0xCA01F9DD) * pool[target] - _U32(0x4973F715) * hashed
                pool[target] = mixed ^ (mixed >> _U32(16))
    constant, words = np.array([0x8B51F9DD], _U32), []
    for i in range(8):
        word, constant = _hash(pool[i % 4], constant, _U32(0x58F38DED))
        words.append(word.astype(_U64))
    return np.ascontiguousarray(np.stack([low | (high << _HALF) for low, high in zip(words[::2], words[1::2])], 1))


class _NumPy:
    """NumPy's own generator, put into the state of a stream."""

    def __init__(self):
        self.bits = np.random.PCG64(0)
        self.generator = np.random.Generator(self.bits)

    def draw(self, state, increment, kind, *arguments):
        """Numbers and the state after them; states are integers."""
        now = {'state': state, 'inc': increment}
        self.bits.state = {'bit_generator': 'PCG64', 'state': now, 'has_uint32': 0, 'uinteger': 0}
        numbers = getattr(self.generator, kind)(*arguments)
        return numbers, self.bits.state['state']['state']


@functools.cache
def _layers():
    """Widths of the layers of NumPy's normal ziggurat, and below which number a draw in them is taken at once.

    The widths are read off NumPy, by drawing from states whose next word is known.
    """
    numpy_, widths, increment = _NumPy(), np.empty(256), 1
    back = pow(_MULTIPLIER, -1, _TWO_WORDS)
    for layer in range(256):
        word = layer | (2**20 << 9)  # layer, sign, position
        state = (word - increment) * back % _TWO_WORDS
        widths[layer] = numpy_.draw(state, increment, 'standard_normal')[0] / 2**20
    limits = np.roll(widths, 1) / widths * 2.0**52 * (1 - 1e-9)  # a little less: what is close is left to NumPy
    limits[1] = 0
    return widths, limits.astype(_U64)


class Streams:
    """Streams of ``count`` worlds."""

    def __init__(self, count):
        self._streams, self._numpy = _core._Streams(count), _NumPy()
        self.seed(np.arange(count), np.random.default_rng().integers(0, _WORD, count, _U64, endpoint=False))

    def seed(self, worlds, seeds):
        """Begins the streams of some worlds anew."""
        try:
            words = _seed_words(np.asarray(seeds, _U64))
        except OverflowError:  # seeds of more than 64 bits, as np_random_seed is
            words = np.array([np.random.SeedSequence(seed).generate_state(4, _U64) for seed in seeds])
        self._streams.seed(_indices(worlds), words)

    def uniform(self, worlds, low, high, count):
        """Numbers between low and high; (n, count)."""
        numbers = np.empty((len(worlds), count))
        self._streams.uniform(_indices(worlds), numbers)
        return low + (high - low) * numbers

    def normal(self, worlds, count):
        """Standard normal numbers; (n, count). One in a hundred needs more than a word: NumPy draws those rows."""
        numbers = np.empty((len(worlds), count))
        for row in self._streams.normal(_indices(worlds), *_layers(), numbers):
            numbers[row] = self._draw(int(worlds[row]), count)
        return numbers

    def _draw(self, world, count):
        """Lets NumPy draw for a world."""
        words = self._streams.get(world)
        state, increment = (high * _WORD + low for high, low in (words[:2], words[2:]))
        numbers, state = self._numpy.draw(state, increment, 'standard_normal', count)
        self._streams.set_state(world, *divmod(state, _WORD))
        return numbers


def _indices(worlds):
    return np.ascontiguousarray(worlds, np.int64)


class Draws:
    """The streams of some worlds, for one reset: what ``start`` of an environment draws from."""

    def __init__(self, streams, worlds):
        self.streams, self.worlds = streams, worlds

    def uniform(self, low, high, count):
        return self.streams.uniform(self.worlds, low, high, count)

    def normal(self, count):
        return self.streams.normal(self.worlds, count)

    def uniform_until(self, accept, low, high):
        """Draws points with components between low and high until they are accepted; (n, components)."""
        low, high = np.asarray(low), np.asarray(high)
        points = np.empty((len(self.worlds), len(low)))
        rows = np.arange(len(points))
        while rows.size:
            points[rows] = low + (high - low) * self.streams.uniform(self.worlds[rows], 0.0, 1.0, len(low))
            rows = rows[~accept(points[rows])]
        return points
