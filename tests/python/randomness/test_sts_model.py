# SPDX-License-Identifier: Apache-2.0
"""The suite against a model that is written from the text of SP 800-22."""

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
    non_overlapping,
    random_excursions,
    random_excursions_variant,
    rank,
    runs,
    serial,
    spectral,
    universal,
)
from samara.randomness.sts.templates import aperiodic

from . import plain_sts

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = (100, 101, 127, 128, 129, 199, 255, 256, 257, 300)
RARE, OFTEN = 0.3, 0.7


def sequence(bits: list[int]) -> sts.Sequence:
    return sts.Sequence(np.array(bits, np.uint8))


def drawn(n: int, seed: int, ones: float = 0.5) -> list[int]:
    found = np.random.default_rng(seed).random(n) < ones
    return [int(one) for one in found]


def walk_as_far_as(far: int, n: int) -> list[int]:
    """Return bits whose sum is once so far from 0, and stays near."""
    return [1] * far + [i % 2 for i in range(n - far)]


def inputs(n: int) -> Iterator[list[int]]:
    """Random, biased, periodic and constant bits."""
    for seed, ones in enumerate((0.5, 0.5, 0.5, 0.45, RARE, OFTEN)):
        yield drawn(n, seed, ones)
    for period in (2, 3, 5, 8, 13):
        yield [int(i % period < period // 2) for i in range(n)]
    for bit in (0, 1):
        yield [bit] * n
    yield [int(i >= n // 2) for i in range(n)]


def same(found: list[float], expected: list[float]) -> bool:
    return len(found) == len(expected) and found == pytest.approx(
        expected, rel=1e-9, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("n", SIZES)
def test_short_sequences(n: int) -> None:
    whole = n.bit_length() - 1
    for bits in inputs(n):
        of = sequence(bits)
        assert same(frequency.p_values(of), plain_sts.frequency(bits))
        assert same(runs.p_values(of), plain_sts.runs(bits))
        for size in (8, 10, 20, 64, 100):
            expected = plain_sts.block_frequency(bits, size)
            assert same(block_frequency.p_values(of, size), expected), size
        expected = plain_sts.block_frequency(bits, 128) if n >= 128 else [math.nan]
        assert same(block_frequency.p_values(of), expected)
        expected = plain_sts.longest_run(bits) if n >= 128 else [math.nan]
        assert same(longest_run.p_values(of), expected)
        for m in range(2, 8):
            assert same(serial.p_values(of, m), plain_sts.serial(bits, m)), m
        # 2.11.7: m is below floor(log2 n) - 2.
        assert same(serial.p_values(of), plain_sts.serial(bits, whole - 3))
        for m in range(1, 7):
            expected = plain_sts.approximate_entropy(bits, m)
            assert same(approximate_entropy.p_values(of, m), expected), m
        # 2.12.7: m is below floor(log2 n) - 5.
        expected = [math.nan]
        if whole - 6 >= 1:
            expected = plain_sts.approximate_entropy(bits, whole - 6)
        assert same(approximate_entropy.p_values(of), expected)


@pytest.mark.parametrize("n", [100, 101, 300])
def test_spectra(n: int) -> None:
    for seed in range(4):
        bits = drawn(n, seed)
        assert same(spectral.p_values(sequence(bits)), plain_sts.spectral(bits))


@pytest.mark.parametrize("n", [100, 128, 300])
def test_walks_of_every_extent(n: int) -> None:
    for far in range(1, n + 1):
        for bits in (walk_as_far_as(far, n), walk_as_far_as(far, n)[::-1]):
            for turned in (bits, [1 - bit for bit in bits]):
                expected = plain_sts.cumulative_sums(turned)
                found = cumulative_sums.p_values(sequence(turned))
                assert same(found, expected), far
    for bits in inputs(n):
        found = cumulative_sums.p_values(sequence(bits))
        assert same(found, plain_sts.cumulative_sums(bits))


@pytest.mark.parametrize("n", [4159, 4160, 4161, 4167])
def test_the_shortest_blocks_for_templates(n: int) -> None:
    bits = drawn(n, n)
    found = non_overlapping.p_values(sequence(bits))
    assert len(found) == 148
    for p, number in list(zip(found, aperiodic(), strict=True))[::30]:
        template = [number >> (8 - i) & 1 for i in range(9)]
        expected = [math.nan]
        if n >= 4160:
            expected = plain_sts.non_overlapping(bits, template)
        assert same([p], expected), number


def cycling(cycles: int, *, is_open: bool) -> list[int]:
    """Return bits of a walk with so many cycles, the last of them open if so."""
    chance = np.random.default_rng(cycles)
    bits: list[int] = []
    for _ in range(cycles - is_open):
        up, height = int(chance.integers(2)), int(chance.choice((1, 1, 1, 2, 3, 6, 11)))
        # Up and down again, with steps back on the way.
        back = [1 - up, up] * int(chance.integers(3)) if height > 1 else []
        bits += [up] * height + back + [1 - up] * height
    return [*bits, 1, 1, 0] if is_open else bits


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("cycles", [499, 500, 501, 800])
def test_the_fewest_cycles(cycles: int, *, is_open: bool) -> None:
    bits = cycling(cycles, is_open=is_open)
    assert len(plain_sts.cycles_of(bits)) == cycles
    of, few = sequence(bits), cycles < 500
    expected = [math.nan] * 8 if few else plain_sts.excursions(bits)
    assert same(random_excursions.p_values(of), expected)
    expected = [math.nan] * 18 if few else plain_sts.excursions_variant(bits)
    assert same(random_excursions_variant.p_values(of), expected)


def test_the_fewest_matrices() -> None:
    # Some depend on one another: rows are repeated.
    bits = drawn(38 * 1024 + 5, 1)
    for matrix in range(0, 38, 3):
        for row in range(matrix % 4):
            at = matrix * 1024 + row * 32
            bits[at : at + 32] = bits[at + 320 : at + 352]
    assert same(rank.p_values(sequence(bits)), plain_sts.rank(bits))
    assert math.isnan(rank.p_values(sequence(bits[: 38 * 1024 - 1]))[0])


@pytest.mark.slow
def test_the_fewest_blocks_for_registers() -> None:
    for size, n in ((500, 100_000), (101, 20_210), (500, 100_499)):
        bits = drawn(n, size)
        expected = plain_sts.linear_complexity(bits, size)
        assert same(linear_complexity.p_values(sequence(bits), size), expected), n
    assert math.isnan(linear_complexity.p_values(sequence(bits[:99_999]))[0])


@pytest.mark.slow
def test_the_shortest_for_the_universal_test() -> None:
    for n in (387_840, 387_845, 387_846):
        bits = drawn(n, n)
        found = universal.p_values(sequence(bits))
        assert same(found, plain_sts.universal(bits)), n
    assert math.isnan(universal.p_values(sequence(bits[:387_839]))[0])
