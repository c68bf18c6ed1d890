"""Worst residuals of a test run, by group of models and whatever else tells comparisons apart; printed at its end."""
import collections

import parity


def group(path):
    """Whose model: gymnasium, dm_control or our own."""
    name = parity.label(path).split('/')[0]
    return 'own' if name == 'models' else name


class Worst:
    def __init__(self):
        self.size = collections.defaultdict(float)
        self.count = collections.Counter()

    def note(self, size, *key):
        self.size[key] = max(self.size[key], float(size))
        self.count[key] += 1

    def table(self, *heads):
        """In Markdown, to be copied into docs/parity.md."""
        lines = ['| ' + ' | '.join((*heads, 'worst residual', 'comparisons')) + ' |', '|---' * (len(heads) + 2) + '|']
        for key in sorted(self.size):
            lines.append('| ' + ' | '.join((*map(str, key), f'{self.size[key]:.1e}', str(self.count[key]))) + ' |')
        return '\n'.join(lines)
