# SPDX-License-Identifier: Apache-2.0
"""Finding a frame's counter, as Python calls it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from samara.crypto import grain128ple, ple_sync

KEY = bytes(range(16))
GENERATORS = (0b1011011, 0b1111001)
"""gr-fec's 109 and 79, the newest bit first."""


def coded(rng: np.random.Generator, size: int) -> npt.NDArray[np.uint8]:
    """Return a random word of the code for `size` bytes."""
    info = np.concatenate((rng.integers(0, 2, 8 * size), np.zeros(6, np.int64)))
    streams = [
        np.convolve(info, [generator >> (6 - i) & 1 for i in range(7)])[: len(info)] % 2
        for generator in GENERATORS
    ]
    bits: npt.NDArray[np.uint8] = np.stack(streams, axis=1).reshape(-1).astype(np.uint8)
    return bits


def heard(
    counter: int,
    *,
    key: bytes = KEY,
    link: tuple[int, int] = (1, 99),
    size: int = 52,
    ebn0_db: float = 6,
    seed: int = 1,
) -> npt.NDArray[np.int8]:
    """Return the soft values of an encrypted frame over BPSK."""
    rng = np.random.default_rng(seed)
    bits = coded(rng, size)
    nonce = ple_sync.nonce(ple_sync.Domain.KEYSTREAM, *link, counter)
    keystream = grain128ple.keystream(key, nonce, len(bits))
    bits ^= np.unpackbits(keystream, bitorder="little")[: len(bits)]
    bits[ple_sync.places(len(bits))] = bits.copy()
    variance = 1 / 10 ** (ebn0_db / 10)
    noise = np.sqrt(variance) * rng.standard_normal(len(bits))
    return ple_sync.quantise(2 * (1 - 2.0 * bits + noise) / variance)


def receiver(next_counter: int = 0) -> ple_sync.Receiver:
    return ple_sync.Receiver(KEY, direction=1, link_id=99, next_counter=next_counter)


def test_receiver_locks_after_two_frames_and_leaves_after_three_misses() -> None:
    end = receiver(1000)
    stages = []
    for counter in (1500, 1501):
        found = end.search(heard(counter))
        assert found is not None
        assert (found.counter, found.tested) == (counter, 4096)
        assert found.margin > 0
        end.accept(found.counter)
        stages.append(end.stage)
    assert stages == [ple_sync.Stage.WIDE, ple_sync.Stage.LOCKED]
    assert end.windows == [(1502, 8), (1510, 4088)]
    for _ in range(3):
        end.miss()
    assert end.windows == [(1502, 4096)]
    for _ in range(3):
        end.miss()
    assert end.stage is ple_sync.Stage.COLD
    assert end.windows == [(1502, 4096), (1502 + 4096, 65536)]
    assert end.next_counter == 1502


def test_numbers_of_a_link_are_where_both_ends_look() -> None:
    assert ple_sync.WIDE_WINDOW == 4096
    assert list(ple_sync.Domain) == [1, 2]
    assert list(ple_sync.Stage) == [0, 1, 2]
    tag = ple_sync.nonce(ple_sync.Domain.TAG, 3, 0x0405, 0x0A0B0C0D)
    assert tag.hex() == "02030405000000000a0b0c0d"
    assert receiver().windows == [(0, ple_sync.WIDE_WINDOW)]


def test_who_names_no_link_has_the_first_one_from_its_beginning() -> None:
    soft = heard(5, link=(0, 0))
    found = ple_sync.scan(KEY, soft, range(9))
    assert found is not None
    assert (found.counter, found.tested) == (5, 9)
    end = ple_sync.Receiver(KEY, direction=0, link_id=0)
    assert end.next_counter == 0
    assert end.search(heard(0, link=(0, 0))) is not None


def test_margin_is_a_natural_logarithm() -> None:
    # Without noise no soft value disagrees with the word: the formula of
    # samara/ple_sync.h has no distance, and 422 information bits. The C library
    # works in 1/256, and rounds each of 844 terms.
    soft = heard(5, ebn0_db=60)
    found = ple_sync.scan(KEY, soft, range(9), direction=1, link_id=99)
    assert found is not None
    ratios = np.abs(soft / 8.0)
    gain = np.log(2 / (1 + np.exp(-ratios))).sum()
    expected = gain - len(soft) / 2 * np.log(2) - np.log(9 / 1e-9)
    assert found.margin == pytest.approx(expected, abs=3)


def test_frame_is_found_once() -> None:
    end = receiver()
    soft = heard(3)
    found = end.search(soft)
    assert found is not None
    end.accept(found.counter)
    assert end.search(soft) is None
    with pytest.raises(ValueError, match="counter 3 cannot be accepted: the next"):
        end.accept(3)


def test_another_key_finds_nothing() -> None:
    end = ple_sync.Receiver(bytes(16), direction=1, link_id=99)
    assert end.search(heard(3)) is None


def test_scan_takes_the_counters_of_a_range() -> None:
    soft = heard(77)
    for counters, found in ((range(78), True), (range(77), False)):
        answer = ple_sync.scan(KEY, soft, counters, direction=1, link_id=99)
        assert (answer is not None) is found
    with pytest.raises(ValueError, match="must have step 1"):
        ple_sync.scan(KEY, soft, range(0, 9, 2))
    with pytest.raises(ValueError, match="key of 16 bytes, not 3"):
        ple_sync.scan(bytes(3), soft, range(9))


@pytest.mark.parametrize("soft", [np.zeros(844), b"\0" * 844, [0] * 844])
def test_soft_values_are_int8(soft: object) -> None:
    with pytest.raises(TypeError, match="must be an array of int8, not"):
        receiver().search(soft)  # type: ignore[arg-type]


def test_too_few_or_odd_soft_values_are_no_frame() -> None:
    soft = heard(3)
    for count in (0, 26, 843):
        assert receiver().search(soft[:count]) is None


@pytest.mark.parametrize("count", [0, 1, 28, 844, 4108, 65548])
def test_each_place_on_the_air_has_one_bit(count: int) -> None:
    places = ple_sync.places(count)
    assert np.array_equal(np.sort(places), np.arange(count))
    if count > 1:
        assert places[1] == {28: 17, 844: 521, 4108: 2539, 65548: 40511}[count]


def test_quantise_clips() -> None:
    ratios = np.array([0.0, 1.0, -1.0, 1e9, -np.inf])
    assert ple_sync.quantise(ratios).tolist() == [0, 8, -8, 127, -127]
