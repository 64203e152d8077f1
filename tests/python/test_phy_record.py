# SPDX-License-Identifier: Apache-2.0
"""Recordings of messages can be received by who has the key."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import numpy as np
import pytest
from shell import assert_misuse, samara

from samara.phy import composing, recordings
from samara.phy.bursts import form_of
from samara.phy.channel import THREE_RAYS, Impairments
from samara.phy.coded import Code, CodedFrames
from samara.phy.composing import Composed, Composition, compose
from samara.phy.frames import sign_changed
from samara.phy.modulation import MODULATIONS
from samara.phy.recording_messages import RecordRequest, record_message
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path

    from samara.phy.channel import Samples

KEY = bytes(range(16))
MESSAGE = b"over the air, and what is left of it" * 3
MIXED = Impairments(offset=0.01, clock_ppm=30, rays=THREE_RAYS, phase_noise=0.001)


def received(
    samples: Samples, how: Composition, key: bytes = KEY, *, decrypts: bool = True
) -> bytes:
    """Return what the receiver makes of the samples."""
    frames = CodedFrames(Code.CONV, how.payload_size, key)
    receiver = form_of(how.modulation).receiver(frames.coded_bits)
    quiet = np.zeros(20_000, np.complex64)
    heard = [*receiver.feed(samples), *receiver.feed(quiet), *receiver.finish()]
    if not heard:
        return b""
    soft = sign_changed(
        np.stack([np.asarray(burst.soft, np.float32) for burst in heard])
    )
    payloads, good = frames.decode(soft, how.first_counter, decrypts=decrypts)
    return payloads[good].tobytes()


@pytest.mark.parametrize("name", MODULATIONS)
@pytest.mark.parametrize("encrypts", [True, False])
def test_a_recording_is_received(name: str, *, encrypts: bool) -> None:
    how = Composition(
        modulation=name, impairments=MIXED, first_counter=7, encrypts=encrypts
    )
    composed = compose(MESSAGE, KEY, how)
    assert composed.frames == 2
    content = received(composed.samples, how, decrypts=encrypts)
    assert content.rstrip(b"\0") == MESSAGE
    if encrypts:
        assert received(composed.samples, how, bytes(16)) == b""


def test_encryption_adds_no_sample() -> None:
    counts = [
        len(compose(MESSAGE, KEY, Composition(encrypts=encrypts)).samples)
        for encrypts in (True, False)
    ]
    assert counts[0] == counts[1]


def test_power_of_the_noise() -> None:
    noisy = compose(b"", KEY, Composition(gap=200_000, ebn0_db=10))
    noise = noisy.samples[:190_000]
    # 4 samples a symbol of 2 bits, of which a bit less than half are information.
    bits_per_sample = 2 * (512 / 1036) / 4
    expected = 0.25**2 / bits_per_sample / 10
    assert np.mean(np.abs(noise) ** 2) == pytest.approx(expected, rel=0.02)


def test_power_of_the_noise_beside_spread_symbols() -> None:
    noisy = compose(
        b"", KEY, Composition(modulation="o-qpsk-dsss", gap=100_000, ebn0_db=10)
    )
    noise = noisy.samples[:90_000]
    # 64 samples a symbol of 4 bits.
    expected = 0.25**2 / (4 * (512 / 1036) / 64) / 10
    assert np.mean(np.abs(noise) ** 2) == pytest.approx(expected, rel=0.02)


def test_a_message_that_is_too_long(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(bytes(65537))
    done = samara("phy", "record", "x", "-i", "long", folder=tmp_path)
    assert_misuse(done, "long is too long: at most 65536 bytes")


def test_a_request_means_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[bytes, bytes, Composition]] = []

    def compose_nothing(content: bytes, key: bytes, how: Composition) -> Composed:
        asked.append((content, key, how))
        return Composed(np.zeros(4, np.complex64), (), 1)

    monkeypatch.setattr(composing, "compose", compose_nothing)
    request = RecordRequest(
        name=tmp_path / "x",
        message="hello",
        key=KEY.hex(),
        counter=77,
        encrypt=False,
        modulation="bpsk",
        payload_size=33,
        ebn0_db=5.0,
        rate=2e6,
        offset_hz=1e4,
        clock_ppm=12.0,
        multipath="three-ray",
        gap=99,
        seed=4,
    )
    (made,) = records_of(record_message(request))
    assert made.bursts == 1
    how = Composition(
        modulation="bpsk",
        payload_size=33,
        encrypts=False,
        first_counter=77,
        gap=99,
        ebn0_db=5.0,
        impairments=Impairments(offset=0.005, clock_ppm=12, rays=THREE_RAYS),
        seed=4,
    )
    assert asked == [(b"hello", KEY, how)]
    assert recordings.open_recording(tmp_path / "x").sample_rate == 2e6


def test_record_and_inspect(tmp_path: Path) -> None:
    done = samara("phy", "record", "hello", "--message", "hello", folder=tmp_path)
    assert done.returncode == 0, done
    key_file = tmp_path / "hello.key"
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    recording = recordings.open_recording(tmp_path / "hello")
    (note,) = recording.annotations
    assert (note.label, note.comment) == ("frame 0", "qpsk, Grain-128PLE")
    key = bytes.fromhex(key_file.read_text())
    assert received(recording.samples(), Composition(), key).rstrip(b"\0") == b"hello"
    shown = samara("phy", "inspect", "hello", "--json", folder=tmp_path)
    looked_at, heard = map(json.loads, shown.stdout.splitlines())
    assert heard["sample"] == pytest.approx(note.start, abs=128)
    assert heard["echo_symbols"] == 0
    (burst,) = looked_at["bursts"]
    assert burst["start"] == pytest.approx(note.start, abs=128)
    assert burst["count"] == pytest.approx(note.count, abs=192)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "expected either --message TEXT or -i FILE"),
        (
            ["--message", "x", "-i", __file__],
            "expected either --message TEXT or -i FILE",
        ),
        (["--message", "x", "--key", "@k"], "--key needs --counter"),
        (["--message", "x", "--multipath", "y"], "--multipath 'y' is not valid"),
        (["--message", "x", "--modulation", "fm"], "unknown modulation 'fm'"),
        (
            ["--message", "x", "--offset", "9e9"],
            "offset must be at most 0.5 cycles",
        ),
        (["-i", "nowhere"], "No such file"),
    ],
)
def test_what_cannot_be_recorded(
    arguments: list[str], words: str, tmp_path: Path
) -> None:
    assert_misuse(samara("phy", "record", "x", *arguments, folder=tmp_path), words)
    assert list(tmp_path.iterdir()) == []


def test_no_recording_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "x.sigmf-data").write_bytes(b"mine")
    done = samara("phy", "record", "x", "--message", "hello", folder=tmp_path)
    assert_misuse(done, "x.sigmf-data exists")
    assert (tmp_path / "x.sigmf-data").read_bytes() == b"mine"
    assert not (tmp_path / "x.key").exists()
