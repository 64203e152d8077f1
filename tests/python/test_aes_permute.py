# SPDX-License-Identifier: Apache-2.0
"""The tables of AES and GHASH by vector permutations are what the fields say."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INFINITE = 0x80

Linear = Callable[[int], int]


def _multiply(a: int, b: int) -> int:
    """Return a product in GF(2^8) of FIPS 197, 4.2."""
    product = 0
    for i in range(8):
        product ^= a << i if b >> i & 1 else 0
    for i in range(14, 7, -1):
        product ^= 0x11B << (i - 8) if product >> i & 1 else 0
    return product


def _power(a: int, n: int) -> int:
    product = 1
    for _ in range(n):
        product = _multiply(product, a)
    return product


INVERSE = [_power(a, 254) for a in range(256)]
#: Elements of GF(2^4), the subfield, in the order of their numbers: the basis is the
#: powers 0 to 3 of the smallest element that generates it.
SUBFIELD = [x for x in range(256) if _power(x, 16) == x]


@cache
def _elements() -> list[int]:
    orders = {x: len({_power(x, n) for n in range(15)}) for x in SUBFIELD}
    basis = [_power(next(x for x in SUBFIELD if orders[x] == 15), n) for n in range(4)]
    elements = [0] * 16
    for n in range(16):
        for i in range(4):
            elements[n] ^= basis[i] if n >> i & 1 else 0
    return elements


@cache
def _root() -> tuple[int, int]:
    """Return the smallest s with s^2 + a s + a = 0 outside of GF(2^4), and a."""
    for s in sorted(set(range(256)) - set(SUBFIELD)):
        conjugate = _power(s, 16)
        if s ^ conjugate == _multiply(s, conjugate):
            return s, s ^ conjugate
    raise AssertionError


@cache
def _pairs() -> list[int]:
    """Return the pair (i, k), as 16 i + k, of each byte k + i s."""
    pairs = [0] * 256
    for i, of_i in enumerate(_elements()):
        for k, of_k in enumerate(_elements()):
            pairs[of_k ^ _multiply(of_i, _root()[0])] = i << 4 | k
    return pairs


def _affine(x: int) -> int:
    """Return SubBytes of 1 / x without its constant (FIPS 197, 5.1.1)."""
    bits = [x >> i & 1 for i in range(8)]
    sums = [
        bits[i] ^ bits[(i + 4) % 8] ^ bits[(i + 5) % 8] ^ bits[(i + 6) % 8]
        ^ bits[(i + 7) % 8]
        for i in range(8)
    ]  # fmt: skip
    return sum(bit << i for i, bit in enumerate(sums))


def _after_affine(x: int) -> int:
    """Return the pair of A^-1(x)."""
    return _pairs()[next(y for y in range(256) if _affine(y) == x)]


def _of_inverse(f: Linear) -> dict[str, list[int]]:
    """Return u and t with u[p] + t[q] = f(1 / x)."""
    elements = _elements()
    s, a = _root()

    def at(of_p: int, of_q: int) -> int:
        k = _multiply(of_p ^ of_q, INVERSE[a])  # k / M
        i = _multiply(of_p ^ k, INVERSE[a])
        return f(k ^ _multiply(a, i) ^ _multiply(i, s))

    return {
        "u": [at(INVERSE[elements[n]], 0) for n in range(16)],
        "t": [at(0, INVERSE[elements[n]]) for n in range(16)],
    }


def _of_nibbles(f: Linear) -> dict[str, list[int]]:
    return {"low": [f(n) for n in range(16)], "high": [f(n << 4) for n in range(16)]}


def _over(byte: int) -> int:
    """Return a byte of GHASH times x^7 + x^2 + x + 1, as 16 bits."""
    return byte << 8 ^ byte << 7 ^ byte << 6 ^ byte << 1


def _inverse_times(factor: int) -> Linear:
    return lambda x: _after_affine(_multiply(factor, x))


def _after(first: dict[int, int], second: Linear) -> Linear:
    return lambda x: second(first[x])


def _expected() -> dict[str, list[int]]:
    elements, pairs = _elements(), _pairs()
    bytes_of = {pair: byte for byte, pair in enumerate(pairs)}
    number = {element: n for n, element in enumerate(elements)}
    scales = {"inverse": 1, "scaled": _root()[1]}
    tables = {
        name: [INFINITE] + [number[_multiply(scale, INVERSE[x])] for x in elements[1:]]
        for name, scale in scales.items()
    }
    nibbles: dict[str, Linear] = {
        "to_field": lambda x: pairs[x],
        "to_byte": lambda x: bytes_of[x],
        "to_inverse": _after_affine,
        "over_first": lambda x: _over(x) >> 8,
        "over_second": lambda x: _over(x) & 0xFF,
    }
    inverses: dict[str, Linear] = {
        "once": lambda x: pairs[_affine(x)],
        "twice": lambda x: pairs[_multiply(2, _affine(x))],
        "last": _affine,
        "inverse_last": lambda x: x,
    }
    for c in (14, 11, 13, 9):
        times = _inverse_times(c)
        inverses[f"times{c}"] = times
        nibbles[f"key{c}"] = _after(bytes_of, times)
    for name, f in nibbles.items():
        tables |= {f"{name}_{end}": t for end, t in _of_nibbles(f).items()}
    for name, f in inverses.items():
        tables |= {f"{name}_{end}": t for end, t in _of_inverse(f).items()}
    return tables


def _moves() -> dict[str, list[int]]:
    """Return where bytes come from, after 0 to 3 ShiftRows that were left out."""
    places = [(m, c, r) for m in range(4) for c in range(4) for r in range(4)]
    return {
        "down": [4 * ((c + m) % 4) + (r + 1) % 4 for m, c, r in places],
        "up": [4 * ((c - m) % 4) + (r + 3) % 4 for m, c, r in places],
        "shift": [4 * ((c + m * r) % 4) + r for m, c, r in places],
        "unshift": [4 * ((c - m * r) % 4) + r for m, c, r in places],
    }


def _written(file: str) -> dict[str, Sequence[int]]:
    text = (ROOT / "core" / file).read_text()
    return {
        name: [int(number, 0) for number in re.findall(r"\w+", numbers)]
        for name, numbers in re.findall(
            r"static const uint8_t permute_(\w+)(?:\[\d+\])+ =\s*\{(.*?)\};",
            text,
            re.DOTALL,
        )
    }


WRITTEN = {
    **_written("block/aes_permute_tables.h"),
    **_written("mode/ghash_permute_template.h"),
}
EXPECTED = _expected() | _moves()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_table_is_what_the_fields_say(name: str) -> None:
    assert WRITTEN[name] == EXPECTED[name]


def test_no_table_is_left_out() -> None:
    assert set(WRITTEN) == set(EXPECTED)
