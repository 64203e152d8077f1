# SPDX-License-Identifier: Apache-2.0
"""NIST's tests against the values that SP 800-22 rev. 1a prints.

Appendix B has values of a million bits of pi, e and two roots; the sections on the
tests have small examples.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from samara.randomness import sts
from samara.randomness.sts import (
    approximate_entropy,
    block_frequency,
    cumulative_sums,
    frequency,
    linear_complexity,
    longest_run,
    random_excursions,
    random_excursions_variant,
    runs,
    serial,
    spectral,
    universal,
)

from .constants import bits

if TYPE_CHECKING:
    from samara.randomness.sts.sequence import Bits

NUMBERS = ("pi", "e", "sqrt2", "sqrt3")

APPENDIX_B = {
    "frequency": (0.578211, 0.953749, 0.811881, 0.610051),
    "block frequency": (0.380615, 0.211072, 0.833222, 0.473961),
    "cumulative sums forward": (0.628308, 0.669887, 0.879009, 0.917121),
    "cumulative sums backward": (0.663369, 0.724266, 0.957206, 0.689519),
    "runs": (0.419268, 0.561917, 0.313427, 0.261123),
    "longest run": (0.024390, 0.718945, 0.012117, 0.446726),
    "rank": (0.083553, 0.306156, 0.823810, 0.314498),
    "spectral": (0.010186, 0.847187, 0.581909, 0.776046),
    "non-overlapping template 000000001": (0.165757, 0.078790, 0.569461, 0.532235),
    "overlapping template": (0.296897, 0.110434, 0.791982, 0.082716),
    "universal": (0.669012, 0.282568, 0.130805, 0.165981),
    "approximate entropy": (0.361595, 0.700073, 0.884740, 0.180481),
    "random excursions +1": (0.844143, 0.786868, 0.216235, 0.783283),
    "random excursions variant -1": (0.760966, 0.826009, 0.566118, 0.155066),
    "linear complexity": (0.255475, 0.826335, 0.317127, 0.346469),
    "serial 1": (0.143005, 0.766182, 0.861925, 0.157500),
}

# 100 bits of pi's binary expansion, as in sections 2.1.8 to 2.13.8.
HUNDRED = sts.Sequence(
    np.array(
        [
            int(bit)
            for bit in "11001001000011111101101010100010001000010110100011"
            "00001000110100110001001100011001100010100010111000"
        ],
        np.uint8,
    )
)


def of_text(text: str) -> Bits:
    return np.array([int(bit) for bit in text], np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_a_million_bits_give_the_published_values(number: str) -> None:
    found = dict(zip(sts.NAMES, sts.p_values(bits(number)), strict=True))
    place = NUMBERS.index(number)
    wrong = {
        name: (found[name], values[place])
        for name, values in APPENDIX_B.items()
        if abs(found[name] - values[place]) > 1e-6
    }
    assert wrong == {}
    assert all(0 <= p <= 1 for p in found.values())


@pytest.mark.slow
def test_the_examples_of_e_in_the_sections() -> None:
    e = bits("e")
    assert random_excursions.p_values(e) == pytest.approx(
        [
            0.573306,
            0.197996,
            0.164011,
            0.007779,
            0.786868,
            0.440912,
            0.797854,
            0.778186,
        ],
        abs=1e-6,
    )
    assert random_excursions_variant.p_values(e) == pytest.approx(
        [0.858946, 0.794755, 0.576249, 0.493417, 0.633873, 0.917283, 0.934708, 0.816012,
         0.826009, 0.137861, 0.200642, 0.441254, 0.939291, 0.505683, 0.445935, 0.512207,
         0.538635, 0.593930],
        abs=1e-6,
    )  # fmt: skip
    assert serial.p_values(e, m=2) == pytest.approx([0.843764, 0.561915], abs=1e-6)
    # 2.10.8 has blocks of 1000 bits.
    assert linear_complexity.p_values(e, block=1000) == pytest.approx(
        [0.845406], abs=1e-6
    )


def test_the_examples_of_a_hundred_bits() -> None:
    assert HUNDRED.n == 100
    assert frequency.p_values(HUNDRED) == pytest.approx([0.109599], abs=1e-6)
    assert block_frequency.p_values(HUNDRED, block=10) == pytest.approx(
        [0.706438], abs=1e-6
    )
    assert runs.p_values(HUNDRED) == pytest.approx([0.500798], abs=1e-6)
    assert spectral.p_values(HUNDRED) == pytest.approx([0.646355], abs=1e-6)
    assert approximate_entropy.p_values(HUNDRED, m=2) == pytest.approx(
        [0.235301], abs=1e-6
    )
    assert cumulative_sums.p_values(HUNDRED) == pytest.approx(
        [0.219194, 0.114866], abs=1e-6
    )


def test_the_example_of_the_longest_run() -> None:
    sequence = sts.Sequence(
        of_text(
            "11001100000101010110110001001100111000000000001001"
            "00110101010001000100111101011010000000110101111100"
            "1100111001101101100010110010"
        )
    )
    assert longest_run.p_values(sequence) == pytest.approx([0.180609], abs=1e-6)


def test_the_example_of_berlekamp_and_massey() -> None:
    # 2.10.4: the complexity of 1101011110001 is 4.
    blocks = of_text("1101011110001")[None, :]
    assert linear_complexity.complexities(blocks).tolist() == [4]


def test_complexities_of_rows_that_differ() -> None:
    rows = np.zeros((70, 100), np.uint8)
    for row in range(1, 70):
        # A one at place p alone has the complexity p + 1.
        rows[row, row] = 1
    found = linear_complexity.complexities(rows).tolist()
    assert found == [0, *range(2, 71)]


def test_the_example_of_the_universal_test() -> None:
    # 2.9.4: 10 blocks of two bits, of which four begin.
    sequence = sts.Sequence(of_text("01011010011101010111" * 5))
    total = universal._sum_of_logarithms(sequence, 2, 10, 4)  # noqa: SLF001 - the section's own small example
    assert total == pytest.approx(7.169925002, abs=1e-9)


@pytest.mark.parametrize(
    ("what", "sequence"),
    [
        ("zeros", np.zeros(1_000_000, np.uint8)),
        ("ones", np.ones(1_000_000, np.uint8)),
        ("alternating", np.arange(1_000_000, dtype=np.uint8) % 2),
    ],
)
def test_a_constant_fails_and_nothing_breaks(what: str, sequence: Bits) -> None:
    found = dict(zip(sts.NAMES, sts.p_values(sts.Sequence(sequence)), strict=True))
    known = [p for p in found.values() if not math.isnan(p)]
    assert all(0 <= p <= 1 for p in known), what
    for name in ("runs", "serial 1", "approximate entropy", "universal", "rank"):
        assert found[name] == 0, (what, name)


def test_a_short_sequence_is_not_judged_by_what_needs_a_long_one() -> None:
    random = np.random.default_rng(1)
    short = sts.Sequence(random.integers(0, 2, 2000, np.uint8))
    found = dict(zip(sts.NAMES, sts.p_values(short), strict=True))
    for name in ("rank", "overlapping template", "universal", "linear complexity"):
        assert math.isnan(found[name])
    for name in ("frequency", "serial 1", "approximate entropy", "longest run"):
        assert found[name] > 0
    with pytest.raises(ValueError, match="at least 100 bits, not 99"):
        sts.Sequence(np.zeros(99, np.uint8))


def test_bytes_begin_with_the_most_significant_bit() -> None:
    sequence = sts.Sequence.of_bytes(b"\x80" + bytes(20), 100)
    assert sequence.n == 100
    assert sequence.bits[:2].tolist() == [1, 0]


def test_there_are_188_values_of_15_tests() -> None:
    of_nist = [test for test in sts.TESTS if test.place is not None]
    assert [test.place for test in of_nist] == list(range(1, 16))
    names = [name for test in of_nist for name in test.names]
    assert len(set(names)) == len(names) == 188
    sections = {test.section for test in of_nist}
    assert sections == {f"2.{i}" for i in range(1, 16)}
