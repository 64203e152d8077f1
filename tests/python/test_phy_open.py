# SPDX-License-Identifier: Apache-2.0
"""Recordings of bursts, opened by who has the key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from shell import samara

from samara.phy.burst_opening import Opener
from samara.phy.frames import make_codec
from samara.phy.recordings import open_recording, write_recording

if TYPE_CHECKING:
    from pathlib import Path

KEY, OTHER = bytes(range(16)), bytes(range(1, 17))
LONG = "A message of three frames: " + "0123456789" * 12


def record(folder: Path, name: str, *options: str) -> None:
    done = samara("phy", "record", name, *options, folder=folder)
    assert done.returncode == 0, done.stderr


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Return exit status, output and messages of `samara phy open`."""
    done = samara("phy", "open", *arguments, folder=folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    for name, key in (("a", KEY), ("b", OTHER)):
        path = tmp_path / f"{name}.key"
        path.write_text(key.hex())
        path.chmod(0o600)
    return tmp_path


def test_what_is_recorded_is_opened(tmp_path: Path) -> None:
    record(tmp_path, "hello", "--message", LONG)
    status, output, said = run(tmp_path, "hello", "--key", "@hello.key")
    assert (status, output) == (0, LONG + "\n")
    lines = [line for line in said.splitlines() if "burst at" in line]
    assert len(lines) == 3
    assert lines[2].endswith("key 1, direction 0, frame 2.")
    key = (tmp_path / "hello.key").read_text().strip()
    assert key not in (tmp_path / "hello.sigmf-meta").read_text()


def test_late_echoes_are_reported(tmp_path: Path) -> None:
    record(tmp_path, "x", "--message", "21.5 C", "--multipath", "0:0,24:-3")
    _, _, said = run(tmp_path, "x", "--key", "@x.key")
    assert "echoes up to 6 symbols late, taken out by decision feedback: key 1" in said
    status, output, _ = run(tmp_path, "x", "--key", "@x.key", "--json")
    burst, message = (json.loads(line) for line in output.splitlines())
    assert (status, burst["echo_symbols"]) == (0, 6)
    assert bytes.fromhex(message["hex"]) == b"21.5 C"


@pytest.mark.parametrize("modulation", ["bpsk", "16-qam", "o-qpsk-dsss"])
def test_metadata_tell_how_it_was_sent(tmp_path: Path, modulation: str) -> None:
    options = ("--modulation", modulation, "--payload", "33", "--no-encrypt")
    record(tmp_path, "x", "--message", LONG, *options)
    status, output, _ = run(tmp_path, "x", "--key", "@x.key")
    assert (status, output) == (0, LONG + "\n")


def test_another_program_s_copy_without_metadata(tmp_path: Path) -> None:
    record(tmp_path, "x", "--message", "21.5 C")
    parts = open_recording(tmp_path / "x").samples().view(np.float32)
    np.rint(parts * 32768).clip(-32768, 32767).astype("<i2").tofile(tmp_path / "y.cs16")
    status, output, _said = run(tmp_path, "y.cs16", "--rate", "1MHz", "--key", "@x.key")
    assert (status, output) == (0, "21.5 C\n")


def test_swapped_branches_are_hinted_at(tmp_path: Path) -> None:
    record(tmp_path, "x", "--message", "21.5 C")
    swapped = open_recording(tmp_path / "x").samples().view(np.float32)
    pairs = swapped.reshape(-1, 2)[:, ::-1]
    pairs.astype("<f4").tofile(tmp_path / "y.cf32")
    asked = ("y.cf32", "--rate", "1MHz", "--key", "@x.key")
    status, _, said = run(tmp_path, *asked)
    assert status == 1
    assert "give --swap-iq if the spectrum is mirrored" in said
    status, output, said = run(tmp_path, *asked, "--swap-iq")
    assert (status, output) == (0, "21.5 C\n")
    assert "--swap-iq" not in said
    status, _, said = run(tmp_path, "x", "--key", "@x.key", "--swap-iq")
    assert status == 1
    assert "leave out --swap-iq if the spectrum is mirrored" in said


def test_a_wrong_key_opens_nothing(keys: Path) -> None:
    record(keys, "x", "--message", "hello")
    status, output, said = run(keys, "x", "--key", "@a.key", "--json")
    assert status == 1
    (burst,) = map(json.loads, output.splitlines())
    assert (burst["key"], burst["counter"], burst["hex"]) == (None, None, None)
    assert "1 of 1 bursts were not opened with frame counters from 0" in said


def test_two_keys_and_counters_far_away(keys: Path) -> None:
    record(keys, "x", "--message", "one", "--key", "@a.key", "--counter", "90000")
    record(keys, "y", "--message", "two", "--key", "@b.key", "--counter", "7")
    parts = [open_recording(keys / name).samples() for name in "xyx"]
    write_recording(keys / "z", np.concatenate(parts), 1e6)
    both = ("--key", "@b.key", "--key", "@a.key")
    status, output, _ = run(keys, "z", *both, "--json")
    rows = [json.loads(line) for line in output.splitlines()]
    assert status == 1
    assert [row["counter"] for row in rows[:3]] == [None, 7, None]
    assert bytes.fromhex(rows[3]["hex"]) == b"two"
    more = ("--window", "100000")
    status, output, _said = run(keys, "z", *both, *more, "--json")
    rows = [json.loads(line) for line in output.splitlines()]
    assert status == 0
    assert [(row["key"], row["counter"]) for row in rows[:3]] == [
        (2, 90000),
        (1, 7),
        (2, 90000),
    ]
    assert [row["is_replayed"] for row in rows[:3]] == [False, False, True]
    assert sorted(bytes.fromhex(row["hex"]) for row in rows[3:]) == [b"one", b"two"]


def test_a_frame_that_is_missing_is_reported(keys: Path) -> None:
    record(keys, "x", "--message", LONG, "--key", "@a.key", "--counter", "5")
    recording = open_recording(keys / "x")
    lost = recording.annotations[1]
    samples = recording.samples()
    samples[lost.start : lost.start + lost.count] = 0
    (keys / "x.sigmf-data").write_bytes(samples.tobytes())
    status, _output, said = run(keys, "x", "--key", "@a.key")
    assert status == 1
    assert "1 frames between these were not opened" in said


def test_nothing_in_noise(tmp_path: Path) -> None:
    (tmp_path / "a.key").write_bytes(KEY)
    (tmp_path / "x.cu8").write_bytes(bytes(40_000))
    status, output, said = run(tmp_path, "x.cu8", "--rate", "1MHz", "--key", "@a.key")
    assert status == 1
    assert output == ""
    assert "no burst was found" in said


@pytest.mark.parametrize("encrypted", [True, False])
@pytest.mark.parametrize("direction", [0, 1])
def test_both_directions_and_the_link_id(direction: int, *, encrypted: bool) -> None:
    codec = make_codec(KEY, direction=direction, link_id=9, encrypts=encrypted)
    payload = np.arange(60, dtype=np.uint8)[None]
    soft = 4 - 8 * codec.encode(payload, 300)[0].astype(np.float32)

    def opened(link_id: int) -> tuple[int, int, int, bytes] | None:
        opener = Opener(
            [OTHER, KEY],
            range(4096),
            payload_size=60,
            link_id=link_id,
            encrypted=encrypted,
        )
        found = opener.open(soft)
        if found is None:
            return None
        return (found.key, found.direction, found.counter, found.payload)

    assert opened(9) == (2, direction, 300, bytes(range(60)))
    assert opened(8) is None
