import numpy as np
import pytest

from fuzzybounds.paper.fuzzy.rules import fill


def test_neighbours_are_the_nearest_rules_by_brute_force():
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, (5, 4)).astype(float)
    table[rng.random(table.shape) < 0.6] = np.nan
    filled = fill(table, "neighbours")
    places = [divmod(k, 4) for k in range(20)]
    for i, j in places:
        if np.isnan(table[i, j]):
            distance = {
                (a, b): abs(a - i) + abs(b - j) for a, b in places if not np.isnan(table[a, b])
            }
            nearest = [table[cell] for cell, d in distance.items() if d == min(distance.values())]
            assert filled[i, j] == pytest.approx(np.mean(nearest))
