# SPDX-License-Identifier: Apache-2.0
"""Error rates: what encryption changes (nothing), and that they are right."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from samara.crypto import ple_sync
from samara.phy import searching, theory, trial
from samara.phy.coded import Code, CodedFrames
from samara.phy.intervals import Rate, Tally, difference, proportion
from samara.phy.modulation import CHIPS, MODULATIONS, find
from samara.phy.trial import (
    Case,
    Fading,
    Receiver,
    generator,
    hear,
    plain_soft,
    run_block,
    tally_of,
)

KEY = bytes(range(16))
# Where about half of the frames fail: decoded bits are a mixture.
HALF = {Code.NONE: 5.0, Code.CONV: 2.0, Code.POLAR: 2.0, Code.TAILBITING: 2.0}
EVERY_PAIR = list(itertools.product(MODULATIONS, Code))


@pytest.mark.parametrize(("name", "code"), EVERY_PAIR)
def test_encryption_changes_no_decoded_bit(name: str, code: Code) -> None:
    case = Case(name, code, payload_size=20)
    heard = hear(case, HALF[code], generator(case, HALF[code], 1, 0), count=60)
    decrypted, good = heard.frames.decode(heard.soft, 0)
    plain, plain_good = heard.frames.decode(plain_soft(heard), 0, decrypts=False)
    assert np.array_equal(decrypted, plain)
    assert np.array_equal(good, plain_good)
    wrong = (decrypted != heard.payloads).any(axis=1).sum()
    assert wrong > 0, "no frame failed, so that the bits are the same for nothing"


@pytest.mark.parametrize("name", ["bpsk", "qpsk"])
def test_plain_is_a_plain_transmission_under_mirrored_noise(name: str) -> None:
    random = np.random.default_rng(4)
    frames = CodedFrames(Code.CONV, 20, KEY)
    payloads = random.integers(0, 256, (9, 20), dtype=np.uint8)
    scheme = find(name).mapper()
    encrypted = scheme.modulate(frames.encode(payloads, 0))
    plain = scheme.modulate(frames.encode(payloads, 0, encrypts=False))
    noise = random.standard_normal((*plain.shape, 2)).astype(np.float32)
    # Where a bit was inverted, its part of the symbol was, and so is the noise's.
    mirror = np.stack(
        [
            np.where(part(encrypted) == part(plain), np.float32(1), np.float32(-1))
            for part in (np.real, np.imag)
        ],
        axis=-1,
    )
    mirrored = noise * mirror
    heard = scheme.demodulate(encrypted + noise.view(np.complex64)[..., 0], 2)
    plainly = scheme.demodulate(plain + mirrored.view(np.complex64)[..., 0], 2)
    assert plain.shape == encrypted.shape, "encryption added symbols"
    keystream = frames.keystream(0, len(payloads))
    assert np.array_equal(heard * (1 - 2.0 * keystream), plainly)


def test_exclusive_or_after_decisions_costs_two_decibels() -> None:
    soft, hard = (
        run_block(Case(), ebn0_db, 1, 0)[receiver].frame_error_rate.value
        for receiver, ebn0_db in ((Receiver.PLE, 2.5), (Receiver.PLE_HARD, 4.5))
    )
    same = run_block(Case(), 2.5, 1, 0)[Receiver.PLE_HARD].frame_error_rate.value
    assert same > 5 * soft
    assert hard > soft / 2, "2 dB more make up for hard decisions"


def test_eavesdroppers_guess() -> None:
    tallies = run_block(Case(), 9, 1, 0)
    assert tallies[Receiver.PLE].bit_errors == 0
    for receiver in (Receiver.NO_KEY, Receiver.WRONG_KEY):
        assert tallies[receiver].frame_errors == tallies[receiver].frames
        assert abs(tallies[receiver].bit_error_rate.value - 0.5) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ebn0_db"), [("bpsk", 4), ("qpsk", 4), ("16-qam", 8), ("o-qpsk-dsss", 3)]
)
@pytest.mark.parametrize("fading", Fading)
def test_uncoded_rates_are_those_of_theory(
    name: str, ebn0_db: float, fading: Fading
) -> None:
    case = Case(name, Code.NONE, fading)
    tally = Tally()
    for block in range(4):
        tally.add(run_block(case, ebn0_db, 5, block)[Receiver.PLE])
    expected = theory.bit_error_rate(case, np.array([ebn0_db]))[0]
    rate = tally.bit_error_rate
    if name == "o-qpsk-dsss":
        assert rate.low < expected, "a union bound is not below the truth"
        assert rate.value > 0.5 * expected
    else:
        assert rate.low < 1.02 * expected
        assert rate.high > 0.98 * expected


def test_coded_rates_are_below_the_union_bound() -> None:
    case = Case("qpsk", Code.CONV, payload_size=200)
    tally = run_block(case, 3.5, 1, 0)[Receiver.PLE]
    bound = theory.bit_error_rate(case, np.array([3.5]))[0]
    assert 0.2 * bound < tally.bit_error_rate.value
    assert tally.bit_error_rate.low < bound


GENERATORS = (109, 79)
"""gr-fec's, bit i being the bit i steps ago."""


def spectrum_of_the_code(most: int) -> dict[int, tuple[int, int]]:
    """Follow the trellis from the zero state until it is there again.

    Returns words, and information bits in all of them, by weight.
    """
    found: dict[int, tuple[int, int]] = {}
    # Paths by state (the last six bits) and weight: how many, with how many bits.
    paths = {(1, sum(g & 1 for g in GENERATORS)): (1, 1)}
    while paths:
        longer: dict[tuple[int, int], tuple[int, int]] = {}
        for (state, weight), (words, ones) in paths.items():
            for bit in (0, 1):
                memory = state << 1 | bit
                total = weight + sum((memory & g).bit_count() % 2 for g in GENERATORS)
                if total > most:
                    continue
                into = found if (memory & 63) == 0 else longer
                place: Any = total if into is found else (memory & 63, total)
                before = into.get(place, (0, 0))
                into[place] = (before[0] + words, before[1] + ones + bit * words)
        paths = longer
    return found


def test_the_distance_spectrum_is_that_of_the_code() -> None:
    assert spectrum_of_the_code(20) == theory.SPECTRUM


def rate_of(case: Case, ebn0_db: float, receiver: Receiver, blocks: int) -> Tally:
    tally = Tally()
    for block in range(blocks):
        tally.add(run_block(case, ebn0_db, 11, block)[receiver])
    return tally


@pytest.mark.parametrize(
    ("name", "ebn0_db"), [("bpsk", 6), ("qpsk", 6), ("16-qam", 9.5)]
)
@pytest.mark.parametrize("fading", Fading)
def test_uncoded_frames_fail_as_theory_has_it(
    name: str, ebn0_db: float, fading: Fading
) -> None:
    # The tag is as long as the payload: without it, half as many frames fail.
    case = Case(name, Code.NONE, fading, payload_size=4)
    expected = theory.frame_error_rate(case, np.array([ebn0_db]))[0]
    rate = rate_of(case, ebn0_db, Receiver.PLE, 12).frame_error_rate
    assert rate.low < expected < rate.high
    assert 0.05 < expected < 0.6


def test_uncoded_frames_of_dsss_are_below_the_bound() -> None:
    case = Case("o-qpsk-dsss", Code.NONE, payload_size=4)
    expected = theory.frame_error_rate(case, np.array([4.0]))[0]
    rate = rate_of(case, 4, Receiver.PLE, 12).frame_error_rate
    assert rate.low < expected
    assert rate.value > 0.5 * expected


@pytest.mark.slow
def test_coded_frames_are_below_the_union_bound() -> None:
    case = Case("bpsk", Code.CONV, payload_size=60)
    expected = theory.frame_error_rate(case, np.array([4.0]))[0]
    rate = rate_of(case, 4, Receiver.PLE, 40).frame_error_rate
    assert rate.low < expected
    assert rate.high > 0.4 * expected
    assert theory.frame_error_rate(case, np.array([-5.0]))[0] == 1


def test_bounds_know_that_the_tail_takes_energy() -> None:
    short, long = (Case("bpsk", Code.CONV, payload_size=size) for size in (1, 1000))
    places = np.array([6.0])
    ratio = theory.bit_error_rate(short, places) / theory.bit_error_rate(long, places)
    # 40 of 46 bits: 0.6 dB.
    shifted = theory.bit_error_rate(long, places - 10 * np.log10(46 / 40 * 8032 / 8038))
    assert ratio[0] > 5
    assert theory.bit_error_rate(short, places) == pytest.approx(shifted)


def test_a_frame_with_a_wrong_tag_is_lost() -> None:
    sent = np.array([[1, 2], [3, 4], [5, 6]], np.uint8)
    received = np.array([[1, 2], [3, 5], [5, 6]], np.uint8)
    tally = tally_of(sent, received, np.array([True, False, False]))
    assert tally == Tally(3, 2, bits=48, bit_errors=1, squares=1)
    # A tag that fits by chance makes no payload right.
    assert tally_of(sent, received, np.array([True] * 3)).frame_errors == 1


def test_the_interval_of_a_difference() -> None:
    # Newcombe (1998), method 10, his example (a) with Wilson's intervals.
    one = Rate(56 / 70, 0.6919, 0.8769)
    other = Rate(48 / 80, 0.4904, 0.7003)
    found = difference(one, other)
    assert found.value == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0524, 0.3339), abs=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code", "ebn0_db"),
    [
        ("bpsk", Code.CONV, 2.0),
        ("qpsk", Code.CONV, 2.0),
        ("16-qam", Code.CONV, 4.0),
        ("o-qpsk-dsss", Code.CONV, 3.0),
        ("bpsk", Code.POLAR, 2.0),
        ("qpsk", Code.NONE, 8.0),
    ],
)
def test_encryption_costs_nothing_under_independent_noise(
    name: str, code: Code, ebn0_db: float
) -> None:
    """Two simulations with nothing in common, and the interval of what is between."""
    tallies = {receiver: Tally() for receiver in Receiver}
    case = Case(name, code, payload_size=20)
    for block in range(12):
        for receiver, tally in run_block(case, ebn0_db, 17, block).items():
            tallies[receiver].add(tally)
    plain, ple, hard = (
        tallies[receiver].frame_error_rate
        for receiver in (Receiver.PLAIN_APART, Receiver.PLE, Receiver.PLE_HARD)
    )
    assert 0.03 < plain.value < 0.9
    assert tallies[Receiver.PLAIN_APART] != tallies[Receiver.PLAIN], "the same noise"
    cost = difference(ple, plain)
    assert cost.low < 0 < cost.high
    assert cost.high - cost.low < 0.06
    if code is not Code.NONE:
        assert difference(hard, plain).low > 0.1, "what costs something is seen"


def test_frames_apart_have_payloads_and_noise_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blocks = []

    def hear(*given: Any, **named: Any) -> trial.FrameBlock:  # noqa: ANN401 - whatever it takes
        blocks.append(trial_hear(*given, **named))
        return blocks[-1]

    trial_hear = trial.hear
    monkeypatch.setattr(trial, "hear", hear)
    run_block(Case(payload_size=20), 3.0, 17, 0)
    one, apart = blocks
    assert (one.payloads != apart.payloads).mean() > 0.9


def test_intervals_of_frames_are_exact() -> None:
    # Clopper and Pearson: 3 of 20.
    rate = proportion(3, 20)
    assert (round(rate.low, 4), round(rate.high, 4)) == (0.0321, 0.3789)
    assert proportion(0, 20).low == 0
    assert round(proportion(0, 20).high, 4) == 0.1684
    assert proportion(20, 20).high == 1


def test_intervals_of_bits_count_frames() -> None:
    bunched = Tally(
        frames=100, frame_errors=4, bits=10_000, bit_errors=80, squares=1600
    )
    scattered = Tally(
        frames=100, frame_errors=80, bits=10_000, bit_errors=80, squares=80
    )
    assert bunched.bit_error_rate.value == scattered.bit_error_rate.value
    rates = (bunched.bit_error_rate, scattered.bit_error_rate)
    widths = [rate.high - rate.low for rate in rates]
    assert widths[0] > 3 * widths[1]
    none = Tally(frames=100, bits=10_000).bit_error_rate
    assert none.value == none.low == 0
    assert 0 < none.high < 0.05


@pytest.mark.parametrize(
    ("name", "ebn0_db", "tolerance"),
    [
        ("bpsk", 2, 0.03),
        ("qpsk", 2, 0.03),
        ("16-qam", 6, 0.06),
        ("o-qpsk-dsss", 0, 0.15),
    ],
)
def test_soft_bits_tell_how_likely_they_are_wrong(
    name: str, ebn0_db: float, tolerance: float
) -> None:
    # Max-log takes bits of 16-QAM and DSSS for a little surer than they are.
    case = Case(name, Code.NONE, payload_size=60)
    heard = hear(case, ebn0_db, np.random.default_rng(3), 250, KEY)
    sent = heard.frames.encode(heard.payloads, 0)
    wrong = (heard.soft < 0) != sent
    expected = (1 / (1 + np.exp(np.abs(heard.soft.astype(float))))).sum()
    assert wrong.sum() == pytest.approx(expected, rel=tolerance)


def test_blocks_have_randomness_of_their_own() -> None:
    places = [
        (Case(), 1.0, 1, 0),
        (Case(), 1.0, 1, 1),
        (Case(), 1.0, 2, 0),
        (Case(), 1.001, 1, 0),
        (Case(), 1.25, 1, 0),
        (Case("qpsk"), 1.0, 1, 0),
        (Case(payload_size=61), 1.0, 1, 0),
        (Case(fading=Fading.RAYLEIGH), 1.0, 1, 0),
    ]
    drawn = {generator(*place).bytes(8) for place in places}
    assert len(drawn) == len(places)
    assert generator(*places[0]).bytes(8) in drawn


def test_both_eavesdroppers_are_simulated() -> None:
    tallies = run_block(Case(), 9, 1, 0)
    few = [tallies[each] for each in (Receiver.NO_KEY, Receiver.WRONG_KEY)]
    assert few[0] != few[1]
    assert [tally.frames for tally in few] == [25, 25]


def test_intervals_of_bits_known_answer() -> None:
    # By hand: mean 1 and variance 2 of 100 frames of 100 bits; 50 failed.
    tally = Tally(100, 50, bits=10_000, bit_errors=100, squares=300)
    rate = tally.bit_error_rate
    reach = 1.959964 * (2 / 100) ** 0.5 / 100
    assert (rate.low, rate.value, rate.high) == pytest.approx(
        (0.01 - reach, 0.01, 0.01 + reach)
    )
    tally.add(Tally(1, 2, 3, 4, 5))
    assert tally == Tally(101, 52, 10_003, 104, 305)


def test_a_counter_that_is_found_wrongly_is_not_counted_as_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def scan(*_: object) -> ple_sync.Found:
        return ple_sync.Found(10**9, 100, 1.0)

    monkeypatch.setattr(ple_sync, "scan", scan)
    search = searching.Search(Case(payload_size=8), 6.0, 100)
    assert list(searching.block(search, 1, 10)) == [*range(1, 11)]
    # In the window that has the counter, and in the one that has not.
    assert (search.found, search.wrong, search.frames) == (0, 20, 10)
    assert search.per_second(2.0) == 500


@pytest.mark.parametrize("name", sorted({*MODULATIONS} - {*CHIPS}))
def test_soft_bits_are_of_the_nearest_symbols(name: str) -> None:
    scheme = find(name).mapper()
    random = np.random.default_rng(2)
    count = scheme.bits_per_symbol
    bits = np.array(list(itertools.product((0, 1), repeat=count)), np.uint8)
    symbols = scheme.modulate(bits)
    shape = (300, scheme.samples_per_symbol, 2)
    received = (
        random.normal(0, 0.8, shape).astype(np.float32).view(np.complex64)[..., 0]
    )
    squares = (np.abs(received[:, np.newaxis] - symbols) ** 2).sum(axis=-1)
    gain = 3.0
    soft = scheme.demodulate(received, gain)
    for bit in range(count):
        ones = bits[:, bit] == 1
        nearest = squares[:, ones].min(axis=1) - squares[:, ~ones].min(axis=1)
        np.testing.assert_allclose(soft[:, bit], nearest * gain / 4, atol=1e-4)


def test_chips_are_those_of_the_standard() -> None:
    # IEEE 802.15.4-2020, table 12-1.
    rows = {
        0: "11011001110000110101001000101110",
        1: "11101101100111000011010100100010",
        7: "10011100001101010010001011101101",
        8: "10001100100101100000011101111011",
        15: "11001001011000000111011110111000",
    }
    for number, chips in rows.items():
        bits = np.array([[number >> bit & 1 for bit in range(4)]], np.uint8)
        symbol = find("o-qpsk-dsss").mapper().modulate(bits)[0]
        parts = np.ascontiguousarray(symbol).view(np.float32)
        assert "".join("01"[int(part > 0)] for part in parts) == chips, number
