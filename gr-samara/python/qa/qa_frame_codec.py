# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest
import reference
from flowgraphs import KEY, OTHER_KEY
from gnuradio import samara

CODES = list(samara.frame_code.__members__.values())
NONE, CONVOLUTIONAL, POLAR, TAILBITING = (
    samara.frame_code.NONE,
    samara.frame_code.CONVOLUTIONAL,
    samara.frame_code.POLAR,
    samara.frame_code.TAILBITING,
)
TAG, CRC32 = samara.frame_check.TAG, samara.frame_check.CRC32
PLAIN = samara.frame_cipher.NONE

FRAMES, SIZE, FIRST = 70, 44, 2**40
RANDOM = np.random.default_rng(3)
PAYLOADS = RANDOM.integers(0, 256, (FRAMES, SIZE), dtype=np.uint8)
COUNTERS = np.arange(FIRST, FIRST + FRAMES, dtype=np.uint64)


def soft_of(bits: np.ndarray) -> np.ndarray:
    return 2 * bits.astype(np.float32) - 1


@pytest.mark.parametrize("check", [TAG, CRC32])
@pytest.mark.parametrize("code", [NONE, CONVOLUTIONAL, TAILBITING])
def test_bits_are_those_of_the_definition(
    code: samara.frame_code, check: samara.frame_check
) -> None:
    link = {"direction": 1, "link_id": 0x0203}
    codec = samara.frame_codec(code, check, KEY, **link)
    got = codec.encode(PAYLOADS, FIRST)
    for counter, payload, bits in zip(COUNTERS.tolist(), PAYLOADS, got, strict=True):
        key = KEY if check is TAG else None
        frame = reference.checked(payload.tobytes(), counter, key, **link)
        coded = np.unpackbits(np.frombuffer(frame, np.uint8))
        if code is CONVOLUTIONAL:
            coded = reference.convolutional(coded)
        if code is TAILBITING:
            # The register begins with the last bits: these go before the first.
            whole = reference.convolutional(np.concatenate([coded[-6:], coded]))
            coded = whole[12 : 12 + 2 * len(coded)]
        pad = reference.keystream(counter, len(coded), KEY, **link)
        assert bits.tolist() == reference.interleaved(coded ^ pad).tolist()


@pytest.mark.parametrize("code", CODES)
def test_encryption_costs_no_bit_and_no_sensitivity(code: samara.frame_code) -> None:
    plain = samara.frame_codec(code, TAG, KEY, cipher=PLAIN)
    encrypted = samara.frame_codec(code, TAG, KEY)
    plain_soft = soft_of(plain.encode(PAYLOADS, FIRST))
    soft = soft_of(encrypted.encode(PAYLOADS, FIRST))
    assert soft.shape == plain_soft.shape
    # The same noise relative to what was sent, enough of it to lose frames.
    level = {NONE: 0.4, POLAR: 0.9}.get(code, 1.0)
    noise = level * RANDOM.standard_normal(soft.shape).astype(np.float32)
    expected, good = plain.decode_unverified(
        plain_soft * (1 + noise), COUNTERS, payload_size=SIZE
    )
    got, got_good = encrypted.decode_unverified(
        soft * (1 + noise), COUNTERS, payload_size=SIZE
    )
    assert (expected != PAYLOADS).any()
    assert got.tolist() == expected.tolist()
    assert got_good.tolist() == good.tolist()


def test_deciding_before_decrypting_loses_frames() -> None:
    codec = samara.frame_codec(CONVOLUTIONAL, TAG, KEY)
    noise = 0.7 * RANDOM.standard_normal((FRAMES, codec.coded_bits(SIZE)))
    soft = soft_of(codec.encode(PAYLOADS, FIRST)) + noise
    _, good = codec.decode(soft, COUNTERS)
    _, hard_good = codec.decode(np.sign(soft), COUNTERS)
    assert good.mean() > 0.9
    assert hard_good.mean() < 0.5


@pytest.mark.parametrize("check", [TAG, CRC32])
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    ("key", "other"),
    [
        (OTHER_KEY, {}),
        (KEY, {"direction": 1}),
        (KEY, {"link_id": 1}),
    ],
)
def test_only_the_right_key_and_link_open(
    code: samara.frame_code,
    check: samara.frame_check,
    key: str,
    other: dict[str, int],
) -> None:
    sent = soft_of(samara.frame_codec(code, check, KEY).encode(PAYLOADS, FIRST))
    stranger = samara.frame_codec(code, check, key, **other)
    payloads, good = stranger.decode(sent, COUNTERS, SIZE)
    assert not good.any()
    assert not payloads.any()
    unverified, _ = stranger.decode_unverified(sent, COUNTERS, SIZE)
    errors = np.unpackbits(unverified ^ PAYLOADS).mean()
    assert errors == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("code", CODES)
def test_a_counter_opens_its_own_frame_only(code: samara.frame_code) -> None:
    codec = samara.frame_codec(code, TAG, KEY)
    sent = soft_of(codec.encode(PAYLOADS, FIRST))
    _, good = codec.decode(sent, COUNTERS + np.uint64(1), SIZE)
    assert not good.any()


@pytest.mark.parametrize("code", CODES)
def test_bits_flipped_on_the_air_forge_a_crc_but_not_a_tag(
    code: samara.frame_code,
) -> None:
    """Show why a CRC is no authentication under a stream cipher.

    Code and CRC are linear, so the difference of two frames without a key is
    what has to be flipped on the air to turn a payload into another one.
    """
    wanted = np.zeros((1, SIZE), np.uint8)
    wanted[0, :5] = np.frombuffer(b"0.00 ", np.uint8) ^ np.frombuffer(
        b"98.50", np.uint8
    )
    keyless = samara.frame_codec(code, CRC32, cipher=PLAIN)
    flips = keyless.encode(wanted, 0) ^ keyless.encode(np.zeros_like(wanted), 0)
    for check, forged in ((CRC32, True), (TAG, False)):
        codec = samara.frame_codec(code, check, KEY)
        changed = soft_of(codec.encode(PAYLOADS, FIRST) ^ flips)
        payloads, good = codec.decode(changed, COUNTERS, SIZE)
        assert good.tolist() == [forged] * FRAMES
        expected = PAYLOADS ^ wanted if forged else np.zeros_like(PAYLOADS)
        assert payloads.tolist() == expected.tolist()


def test_the_scale_of_soft_values_does_not_matter() -> None:
    codec = samara.frame_codec(CONVOLUTIONAL, TAG, KEY)
    soft = soft_of(codec.encode(PAYLOADS, FIRST))
    for scale in (1e-6, 1.0, 1e6):
        assert codec.decode(scale * soft, COUNTERS)[1].all()


def test_a_key_is_needed_for_encryption_and_tags() -> None:
    with pytest.raises(ValueError, match="need a key"):
        samara.frame_codec(NONE, TAG, "", cipher=PLAIN)
    with pytest.raises(ValueError, match="need a key"):
        samara.frame_codec(NONE, CRC32, "")


@pytest.mark.parametrize(
    ("soft", "counters", "size"),
    [
        (np.zeros(100), [0], None),
        (np.zeros((2, 108)), [0], None),
        (np.zeros((1, 107)), [0], None),
        (np.zeros((1, 108)), [0], 4),
        (np.zeros((1, 0)), [0], None),
        (np.zeros((1, 108)), [0], 10**6),
    ],
)
def test_arrays_that_are_no_frames_are_refused(
    soft: np.ndarray, counters: list[int], size: int | None
) -> None:
    codec = samara.frame_codec(CONVOLUTIONAL, TAG, KEY)
    with pytest.raises(ValueError, match=r"bits|payload|array"):
        codec.decode(soft, counters, size)


def test_no_frames_are_nothing() -> None:
    codec = samara.frame_codec(CONVOLUTIONAL, TAG, KEY)
    bits = codec.encode(np.zeros((0, 5), np.uint8), 0)
    assert bits.shape == (0, codec.coded_bits(5))
    payloads, good = codec.decode(bits, np.zeros(0), 5)
    assert payloads.shape == (0, 5)
    assert good.shape == (0,)


def test_a_pulse_costs_no_frame() -> None:
    """A pulse over 1/16 of the frame that inverts half of its bits for sure."""
    size = 252
    codec = samara.frame_codec(CONVOLUTIONAL, TAG, KEY)
    payloads = RANDOM.integers(0, 256, (FRAMES, size), dtype=np.uint8)
    soft = soft_of(codec.encode(payloads, FIRST))
    for row in soft:
        start = RANDOM.integers(0, len(row) - 256)
        row[start : start + 256] *= RANDOM.choice([-1, 1], 256)
    opened, good = codec.decode(soft, COUNTERS)
    assert good.all()
    assert np.array_equal(opened, payloads)
