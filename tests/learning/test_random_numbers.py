"""Random numbers by counter."""

import numpy as np

from fuzzybounds.learning.random_numbers import bits, keys, uniform


def test_bits_are_those_of_splitmix64():
    # First outputs of the reference implementation for the seed 0.
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [int(bits(np.uint64(0), counter)) for counter in range(3)] == expected


def test_uniform_numbers_fill_the_unit_interval_evenly():
    key = keys(np.random.default_rng(1), 1)[0]
    numbers = np.array([uniform(key, counter) for counter in range(20_000)])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    counts = np.histogram(numbers, bins=20, range=(0, 1))[0]
    chi_square = ((counts - 1000) ** 2 / 1000).sum()
    assert chi_square < 43.8  # 99.9 % quantile for 19 degrees of freedom
    assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 4 / np.sqrt(20_000)


def test_keys_of_the_first_streams_do_not_depend_on_how_many_there_are():
    assert (keys(np.random.default_rng(3), 5)[:2] == keys(np.random.default_rng(3), 2)).all()
