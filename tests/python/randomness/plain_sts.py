# SPDX-License-Identifier: Apache-2.0
"""The tests of SP 800-22 rev. 1a as its text says them: loops, slow, no arrays.

Each function takes a list of bits and returns p-values. They share nothing with
`samara.randomness`; that is what makes them a model of it.
"""

from __future__ import annotations

import cmath
import math
from fractions import Fraction


def upper_gamma(a: float, x: float) -> float:
    """Return Q(a, x) for a multiple of 1/2: its recurrence, from 1/2 or 1 up."""
    if x <= 0:
        return 1.0
    at, total = (1.0, math.exp(-x)) if a == int(a) else (0.5, math.erfc(math.sqrt(x)))
    while at < a:
        total += math.exp(at * math.log(x) - x - math.lgamma(at + 1))
        at += 1
    return total


def chi_square(observed: list[int], shares: list[float]) -> float:
    n = sum(observed)
    return sum(
        (o - n * s) ** 2 / (n * s) for o, s in zip(observed, shares, strict=True)
    )


def blocks_of(bits: list[int], size: int) -> list[list[int]]:
    count = len(bits) // size
    return [bits[i * size : (i + 1) * size] for i in range(count)]


def frequency(bits: list[int]) -> list[float]:
    total = sum(1 if bit else -1 for bit in bits)
    return [math.erfc(abs(total) / math.sqrt(len(bits)) / math.sqrt(2))]


def block_frequency(bits: list[int], size: int) -> list[float]:
    blocks = blocks_of(bits, size)
    statistic = 4 * size * sum((sum(block) / size - 0.5) ** 2 for block in blocks)
    return [upper_gamma(len(blocks) / 2, statistic / 2)]


def runs(bits: list[int]) -> list[float]:
    n, share = len(bits), sum(bits) / len(bits)
    if abs(share - 0.5) >= 2 / math.sqrt(n):
        return [0.0]
    total = 1 + sum(bits[i] != bits[i + 1] for i in range(n - 1))
    spread = 2 * math.sqrt(2 * n) * share * (1 - share)
    return [math.erfc(abs(total - 2 * n * share * (1 - share)) / spread)]


def longest_run(bits: list[int]) -> list[float]:
    """For 128 to 6271 bits: blocks of 8, classes of 1 and less to 4 and more."""
    shares = [0.2148, 0.3672, 0.2305, 0.1875]
    # Table 2.4.4 rounds; exactly: how many of the 256 blocks are of each class.
    every = [longest_of([i >> j & 1 for j in range(8)]) for i in range(256)]
    exact = [sum(min(max(one, 1), 4) == c for one in every) / 256 for c in (1, 2, 3, 4)]
    assert [round(share, 4) for share in exact] == shares
    found = [min(max(longest_of(block), 1), 4) for block in blocks_of(bits, 8)]
    statistic = chi_square([found.count(c) for c in (1, 2, 3, 4)], exact)
    return [upper_gamma(3 / 2, statistic / 2)]


def longest_of(block: list[int]) -> int:
    longest = now = 0
    for bit in block:
        now = now + 1 if bit else 0
        longest = max(longest, now)
    return longest


def rank(bits: list[int]) -> list[float]:
    found = []
    for matrix in blocks_of(bits, 32 * 32):
        rows = [int("".join(map(str, row)), 2) for row in blocks_of(matrix, 32)]
        found.append(rank_of(rows))
    observed = [found.count(32), found.count(31)]
    observed.append(len(found) - sum(observed))
    full = math.prod(1 - 2.0**-i for i in range(1, 33))
    # A rank of 31: 3.5, with the products written out.
    less = 0.5 * math.prod((1 - 2.0 ** (i - 32)) ** 2 for i in range(31))
    less /= math.prod(1 - 2.0 ** (i - 31) for i in range(31))
    return [math.exp(-chi_square(observed, [full, less, 1 - full - less]) / 2)]


def rank_of(rows: list[int]) -> int:
    basis: list[int] = []
    for row in rows:
        left = row
        for other in basis:
            left = min(left, left ^ other)
        if left:
            basis.append(left)
    return len(basis)


def spectral(bits: list[int]) -> list[float]:
    n = len(bits)
    turns = [cmath.exp(2j * cmath.pi * i / n) for i in range(n)]
    below = 0
    for frequency_ in range(n // 2):
        total = sum(
            (1 if bit else -1) * turns[frequency_ * i % n] for i, bit in enumerate(bits)
        )
        below += abs(total) < math.sqrt(math.log(1 / 0.05) * n)
    distance = (below - 0.95 * n / 2) / math.sqrt(n * 0.95 * 0.05 / 4)
    return [math.erfc(abs(distance) / math.sqrt(2))]


def non_overlapping(bits: list[int], template: list[int]) -> list[float]:
    m, size = len(template), len(bits) // 8
    mean = (size - m + 1) / 2**m
    variance = size * (1 / 2**m - (2 * m - 1) / 2 ** (2 * m))
    statistic = 0.0
    for block in blocks_of(bits, size)[:8]:
        hits = at = 0
        while at <= size - m:
            is_hit = block[at : at + m] == template
            hits += is_hit
            at += m if is_hit else 1
        statistic += (hits - mean) ** 2 / variance
    return [upper_gamma(8 / 2, statistic / 2)]


def universal(bits: list[int]) -> list[float]:
    """For 387,840 to 904,959 bits: patterns of 6."""
    length, first = 6, 640
    last: dict[tuple[int, ...], int] = {}
    total, blocks = 0.0, blocks_of(bits, length)
    for number, block in enumerate(blocks, 1):
        pattern = tuple(block)
        if number > first:
            total += math.log2(number - last.get(pattern, 0))
        last[pattern] = number
    tested = len(blocks) - first
    factor = 0.7 - 0.8 / length + (4 + 32 / length) * tested ** (-3 / length) / 15
    deviation = factor * math.sqrt(2.954 / tested)
    return [math.erfc(abs((total / tested - 5.2177052) / (math.sqrt(2) * deviation)))]


def linear_complexity(bits: list[int], size: int) -> list[float]:
    shares = [0.01047, 0.03125, 0.125, 0.5, 0.25, 0.0625, 0.020833]
    sign = (-1) ** size
    mean = size / 2 + (9 - sign) / 36 - (size / 3 + 2 / 9) / 2.0**size
    observed = [0] * 7
    for block in blocks_of(bits, size):
        off = sign * (shortest_register(block) - mean) + 2 / 9
        observed[sum(off > edge for edge in (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5))] += 1
    return [upper_gamma(3, chi_square(observed, shares) / 2)]


def shortest_register(block: list[int]) -> int:
    """Return the linear complexity: Berlekamp and Massey, 2.10.4."""
    now, before, length, since = 1, 1, 0, 1
    seen = 0
    for number, bit in enumerate(block):
        seen = seen << 1 | bit
        if (now & seen).bit_count() % 2:
            kept = now
            now ^= before << since
            if 2 * length <= number:
                length, before, since = number + 1 - length, kept, 0
        since += 1
    return length


def serial(bits: list[int], m: int) -> list[float]:
    one, two, three = (psi_square(bits, m - i) for i in range(3))
    return [
        upper_gamma(2 ** (m - 2), (one - two) / 2),
        upper_gamma(2.0 ** (m - 3), (one - 2 * two + three) / 2),
    ]


def psi_square(bits: list[int], m: int) -> float:
    if m == 0:
        return 0.0
    n = len(bits)
    return 2.0**m / n * sum(count**2 for count in patterns(bits, m)) - n


def patterns(bits: list[int], m: int) -> list[int]:
    found: dict[tuple[int, ...], int] = {}
    ring = bits + bits[: m - 1]
    for at in range(len(bits)):
        pattern = tuple(ring[at : at + m])
        found[pattern] = found.get(pattern, 0) + 1
    return list(found.values())


def approximate_entropy(bits: list[int], m: int) -> list[float]:
    n = len(bits)
    phi = [
        sum(count / n * math.log(count / n) for count in patterns(bits, size))
        for size in (m, m + 1)
    ]
    statistic = 2 * n * (math.log(2) - (phi[0] - phi[1]))
    return [upper_gamma(2 ** (m - 1), statistic / 2)]


def cumulative_sums(bits: list[int]) -> list[float]:
    return [far_walk(bits), far_walk(bits[::-1])]


def far_walk(bits: list[int]) -> float:
    at = far = 0
    for bit in bits:
        at += 1 if bit else -1
        far = max(far, abs(at))
    n = len(bits)
    unit, ratio = far / math.sqrt(n), Fraction(n, far)
    found = 1.0
    for k in range(-n // far - 1, n // far + 2):
        if (-ratio + 1) / 4 <= k <= (ratio - 1) / 4:
            found -= phi((4 * k + 1) * unit) - phi((4 * k - 1) * unit)
        if (-ratio - 3) / 4 <= k <= (ratio - 1) / 4:
            found += phi((4 * k + 3) * unit) - phi((4 * k + 1) * unit)
    return min(max(found, 0.0), 1.0)


def phi(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def cycles_of(bits: list[int]) -> list[list[int]]:
    at, cycles, now = 0, [], []
    for bit in bits:
        at += 1 if bit else -1
        now.append(at)
        if at == 0:
            cycles.append(now)
            now = []
    return [*cycles, now] if now else cycles


def excursions(bits: list[int]) -> list[float]:
    cycles, found = cycles_of(bits), []
    for x in (-4, -3, -2, -1, 1, 2, 3, 4):
        visits = [min(cycle.count(x), 5) for cycle in cycles]
        stays = 1 - 1 / (2 * abs(x))
        shares = [stays, *(stays ** (k - 1) / (4 * x * x) for k in (1, 2, 3, 4))]
        shares.append(stays**4 / (2 * abs(x)))
        statistic = chi_square([visits.count(k) for k in range(6)], shares)
        found.append(upper_gamma(5 / 2, statistic / 2))
    return found


def excursions_variant(bits: list[int]) -> list[float]:
    cycles, found = cycles_of(bits), []
    for x in (*range(-9, 0), *range(1, 10)):
        visits = sum(cycle.count(x) for cycle in cycles)
        spread = math.sqrt(2 * len(cycles) * (4 * abs(x) - 2))
        found.append(math.erfc(abs(visits - len(cycles)) / spread))
    return found
