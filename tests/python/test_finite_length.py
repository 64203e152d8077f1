# SPDX-License-Identifier: Apache-2.0
"""What the best code of a length can do, and how near the codes of frames come."""

from __future__ import annotations

import numpy as np
import pytest

from samara.phy import finite_length, theory
from samara.phy.coded import Code, CodedFrames
from samara.phy.trial import Case, Fading, Receiver, run_block


def test_capacity_of_antipodal_bits() -> None:
    """Shannon's limit of rate 1/2 with +1 and -1 is at Eb/N0 of 0.187 dB."""
    mean, _ = finite_length.information(0.5 * 10**0.0187)
    assert mean == pytest.approx(0.5, abs=2e-4)
    assert finite_length.information(100.0)[0] == pytest.approx(1)
    assert finite_length.information(1e-9)[0] == pytest.approx(0, abs=1e-6)


def test_variance_of_the_information_is_that_of_drawn_bits() -> None:
    ratio = 0.7
    noise = np.random.default_rng(5).standard_normal(1_000_000)
    likelihoods = 4 * ratio + np.sqrt(8 * ratio) * noise
    bits = 1 - np.log2(1 + np.exp(-likelihoods))
    mean, variance = finite_length.information(ratio)
    assert mean == pytest.approx(bits.mean(), abs=3e-3)
    assert variance == pytest.approx(bits.var(), rel=0.01)


def test_half_of_the_frames_are_lost_near_capacity_and_long_codes_are_better() -> None:
    at = np.array([0.187, 0.6, 1.0])
    short, long = (finite_length.frame_error_rate(n // 2, n, at) for n in (384, 4064))
    assert long[0] == pytest.approx(0.46, abs=0.05)
    assert (np.diff(short) < 0).all()
    assert (long[1:] < short[1:]).all()


def test_only_what_it_is_true_of_has_it() -> None:
    assert theory.has_least(Case("qpsk", Code.TAILBITING))
    for case in (
        Case("bpsk", Code.NONE),
        Case("16-qam", Code.CONV),
        Case("cc1101", Code.CONV),
        Case("bpsk", Code.CONV, Fading.RAYLEIGH),
    ):
        assert not theory.has_least(case)


def test_a_tail_biting_frame_has_no_tail_and_loses_no_more() -> None:
    """With 20 bytes and Eb/N0 of 2 dB; between the best code and the terminated one."""
    lost = {}
    for code in (Code.CONV, Code.TAILBITING):
        case = Case("bpsk", code, payload_size=20)
        found = [run_block(case, 2.0, 1, block)[Receiver.PLE] for block in range(4)]
        lost[code] = sum(tally.frame_errors for tally in found)
    least = theory.least_frame_error_rate(
        Case("bpsk", Code.TAILBITING, payload_size=20), np.array([2.0])
    )[0]
    assert least < 1e-3
    assert 60 < lost[Code.TAILBITING] < 150
    assert lost[Code.TAILBITING] < 1.1 * lost[Code.CONV]
    sizes = [
        CodedFrames(code, 20, bytes(16)).coded_bits
        for code in (Code.CONV, Code.TAILBITING)
    ]
    assert sizes == [2 * (192 + 6), 2 * 192]


@pytest.mark.parametrize("size", [0, 1, 250])
def test_tail_biting_frames_of_all_sizes_are_decoded(size: int) -> None:
    frames = CodedFrames(Code.TAILBITING, size, bytes(16))
    random = np.random.default_rng(size)
    payloads = random.integers(0, 256, (20, size), dtype=np.uint8)
    bits = frames.encode(payloads, 3)
    assert bits.shape == (20, 16 * (size + 4))
    soft = (1 - 2 * bits.astype(np.float32)) + 0.5 * random.standard_normal(bits.shape)
    decoded, good = frames.decode(soft.astype(np.float32), 3)
    assert good.all()
    assert (decoded == payloads).all()
