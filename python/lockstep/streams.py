"""Random numbers of many worlds: one PCG64 stream per world, all advanced in a few array operations.

World i seeded with s draws what ``numpy.random.Generator(PCG64(s))`` draws, number for number, so that an environment
starts where Gymnasium's starts with the same seed. What a world draws depends on its seed and on what it drew before:
not on the number of worlds, and not on the draws of others.
"""
import functools

import numpy as np

_U32, _U64 = np.uint32, np.uint64
_LOW = _U64(0xFFFFFFFF)
_HALF = _U64(32)
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # of PCG64: state <- state * multiplier + increment, mod 2**128
_WORD, _TWO_WORDS = 2**64, 2**128


def _pair(number):
    """A number of 128 bits as two words."""
    return _U64(number // _WORD % _WORD), _U64(number % _WORD)


def _high_of_product(a, b):
    """Upper word of the product of two words."""
    a1, a0, b1, b0 = a >> _HALF, a & _LOW, b >> _HALF, b & _LOW
    low, cross, other = a0 * b0, a1 * b0, a0 * b1
    carry = ((low >> _HALF) + (cross & _LOW) + (other & _LOW)) >> _HALF
    return a1 * b1 + (cross >> _HALF) + (other >> _HALF) + carry


def _times(a, b):
    """Products of pairs, mod 2**128."""
    return _high_of_product(a[1], b[1]) + a[0] * b[1] + a[1] * b[0], a[1] * b[1]


def _plus(a, b):
    low = a[1] + b[1]
    return a[0] + b[0] + (low < a[1]), low


@functools.cache
def _jumps(count):
    """Factors of state and increment that lead 1 ... count draws ahead."""
    powers, sums = [_MULTIPLIER], [1]
    for _ in range(count - 1):
        sums.append((sums[-1] + powers[-1]) % _TWO_WORDS)
        powers.append(powers[-1] * _MULTIPLIER % _TWO_WORDS)
    return tuple(tuple(np.array(words, _U64) for words in zip(*map(_pair, numbers))) for numbers in (powers, sums))


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
    return np.stack([low | (high << _HALF) for low, high in zip(words[::2], words[1::2])], 1)


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
        self.state, self.increment = np.zeros((2, 2, count), _U64)
        self._numpy = _NumPy()
        self.seed(slice(None), np.random.default_rng().integers(0, _WORD, count, _U64, endpoint=False))

    def seed(self, worlds, seeds):
        """Begins the streams of some worlds anew."""
        seeds = np.asarray(seeds, _U64)
        words = _seed_words(seeds).T
        one = np.ones(len(seeds), _U64)
        increment = (words[2] << one) | (words[3] >> _U64(63)), (words[3] << one) | one
        state = _plus(_times(_plus(increment, (words[0], words[1])), _pair(_MULTIPLIER)), increment)
        self.state[:, worlds], self.increment[:, worlds] = state, increment

    def words(self, worlds, count):
        """The next ``count`` words of some worlds; (n, count)."""
        powers, sums = _jumps(count)
        state, increment = self.state[:, worlds, None], self.increment[:, worlds, None]
        high, low = _plus(_times(state, powers), _times(increment, sums))
        self.state[:, worlds] = high[:, -1], low[:, -1]
        mixed, turn = high ^ low, high >> _U64(58)
        return (mixed >> turn) | (mixed << (-turn & _U64(63)))

    def uniform(self, worlds, low, high, count):
        """Numbers between low and high; (n, count)."""
        if len(worlds) == 1:
            return self._draw(worlds[0], self.state[:, worlds[0]], 'uniform', low, high, count)[None]
        return low + (high - low) * ((self.words(worlds, count) >> _U64(11)) * 2.0**-53)

    def normal(self, worlds, count):
        """Standard normal numbers; (n, count). One in a hundred needs more than a word: NumPy draws those rows."""
        if len(worlds) == 1:
            return self._draw(worlds[0], self.state[:, worlds[0]], 'standard_normal', count)[None]
        before = self.state[:, worlds].copy()
        words = self.words(worlds, count)
        widths, limits = _layers()
        layer, position = (words & _U64(255)).astype(np.intp), (words >> _U64(9)) & _U64(2**52 - 1)
        numbers = position * widths[layer]
        np.negative(numbers, where=(words >> _U64(8)) & _U64(1) != 0, out=numbers)
        for row in np.flatnonzero((position >= limits[layer]).any(1)):
            numbers[row] = self._draw(worlds[row], before[:, row], 'standard_normal', count)
        return numbers

    def _draw(self, world, state, kind, *arguments):
        """Lets NumPy draw for a world from a state on."""
        state, increment = (int(high) * _WORD + int(low) for high, low in (state, self.increment[:, world]))
        numbers, state = self._numpy.draw(state, increment, kind, *arguments)
        self.state[:, world] = _pair(state)
        return numbers


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
