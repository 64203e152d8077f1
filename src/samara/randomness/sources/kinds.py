# SPDX-License-Identifier: Apache-2.0
"""The kinds of sources that are computed, by the beginning of their names."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from samara import crypto
from samara.crypto import keystreams
from samara.crypto.names import UnknownNameError, find
from samara.errors import MisuseError
from samara.randomness.sources import ciphers, weak

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from samara.randomness.sources.computed import Computed


def _no_names() -> Iterable[str]:
    return ()


def _block_ciphers() -> Iterable[str]:
    return [cipher.slug for cipher in crypto.block_ciphers()]


class Kind(NamedTuple):
    """Sources that are made in the same way."""

    pattern: str
    """How such a source is named."""
    description: str
    make: Callable[[str, int], Computed]
    """Takes what follows the colon, and the seed."""
    names: Callable[[], Iterable[str]] = _no_names
    """What may follow the colon, where that is a list."""


def _on_air(name: str, seed: int) -> Computed:
    # It needs gr-samara, which takes a second to load.
    from samara.randomness.sources.air import on_air  # noqa: PLC0415

    return on_air(name, seed)


class BadSource(NamedTuple):
    """A source that is bad on purpose."""

    description: str
    make: Callable[[int], Computed]


BAD = {
    "counter": BadSource("numbers of 32 bits, counted up", weak.plain_counter),
    "biased": BadSource("50.5 % ones, otherwise random", weak.biased),
    "lcg": BadSource(
        "linear congruential generator modulo 2^32, whole states",
        weak.linear_congruential,
    ),
    "lfsr": BadSource("LFSR of 89 bits", weak.shift_register),
    "rc4-head": BadSource(
        "the first two bytes of RC4 under many random keys", weak.rc4_heads
    ),
    "grain-64": BadSource(
        "heads of Grain-128PLE with 64 of its 512 start-up clocks",
        partial(weak.started_grain, "64"),
    ),
    "speck-6": BadSource(
        "Speck128/128 with 6 of its 32 rounds, counter mode",
        partial(ciphers.counter, "speck128-128@6"),
    ),
    "air-plain": BadSource(
        "coded bits on the air without Grain-128PLE", partial(_on_air, "plain")
    ),
}
"""By what follows `bad:`."""


def _bad(name: str, seed: int) -> Computed:
    return find("bad source", name, BAD).make(seed)


def _predictable(name: str, seed: int) -> Computed:
    make = {"mt19937": weak.mersenne_twister}
    return find("predictable source", name, make)(seed)


KINDS = {
    "ctr": Kind(
        "ctr:CIPHER[@ROUNDS]",
        "block cipher in counter mode, from block 0; with fewer rounds on request",
        ciphers.counter,
        _block_ciphers,
    ),
    "cbc": Kind(
        "cbc:CIPHER",
        "CBC of zeros, a new key for each sequence, as in NIST's AES evaluation",
        ciphers.chained,
        _block_ciphers,
    ),
    "key-avalanche": Kind(
        "key-avalanche:CIPHER",
        "what flips of single key bits change, as in NIST's AES evaluation",
        ciphers.key_avalanche,
        _block_ciphers,
    ),
    "plaintext-avalanche": Kind(
        "plaintext-avalanche:CIPHER",
        "what flips of single plaintext bits change, as in NIST's AES evaluation",
        ciphers.plaintext_avalanche,
        _block_ciphers,
    ),
    "grain": Kind(
        "grain:CLOCKS",
        "heads of Grain-128PLE's keystream after so many start-up clocks (of 512)",
        weak.started_grain,
    ),
    "air": Kind(
        "air:ple",
        "bits on the air: frames of one text, coded and encrypted with Grain-128PLE",
        _on_air,
        lambda: ("ple",),
    ),
    "predictable": Kind(
        "predictable:mt19937",
        "Mersenne Twister: passes, and anyone predicts it from 624 numbers",
        _predictable,
        lambda: ("mt19937",),
    ),
    "bad": Kind("bad:NAME", "bad on purpose: each must fail", _bad, lambda: BAD),
}
"""By what stands before the colon."""

SUITE = Kind(
    "SUITE",
    "keystream of a suite, as samara keystream SUITE --raw prints it",
    ciphers.keystream,
    lambda: [suite.slug for suite in keystreams.with_keystreams()],
)


@lru_cache(maxsize=8)
def computed(name: str, seed: int) -> Computed:
    """Return the source of a name, such as ``"ctr:aes128"`` or ``"aes128-ctr"``.

    Raises
    ------
    MisuseError
        When there is none; the text suggests the nearest names.
    """
    kind, colon, rest = name.partition(":")
    if colon:
        return find("kind of source", kind, KINDS).make(rest, seed)
    try:
        return SUITE.make(name, seed)
    except UnknownNameError as error:
        message = f"{error}; {_other_meaning(name)}"
        raise MisuseError(message) from None


def _other_meaning(name: str) -> str:
    """Return what else an unknown suite may be meant for."""
    if name and Path(name).exists():
        return f"file:{name} tests the file of that name"
    return "samara randomness sources lists what else can be tested"


__all__ = ["BAD", "KINDS", "SUITE", "Kind", "computed"]
