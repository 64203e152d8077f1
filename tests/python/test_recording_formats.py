# SPDX-License-Identifier: Apache-2.0
"""Recordings by other programs: every sample format, by value, and what names tell."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import os
import struct
import tarfile
from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile  # type: ignore[import-untyped]
from shell import assert_misuse, samara

from samara.errors import ArgumentError
from samara.phy.recording_names import stated_by_name
from samara.phy.recordings import RecordingError, RecordingOptions, open_recording
from samara.phy.sample_formats import SampleFormat

RATE = 250e3
ALL = [
    f"{shape}{kind}{order}"
    for shape, (kind, orders) in itertools.product(
        "cr",
        [
            *((kind, ("",)) for kind in ("i8", "u8")),
            *(
                (kind, ("_le", "_be"))
                for kind in ("i16", "u16", "i32", "u32", "f32", "f64")
            ),
        ],
    )
    for order in orders
]
CODES = {"i8": "b", "i16": "h", "i32": "i", "f32": "f", "f64": "d"}


def packed(name: str, values: list[float]) -> bytes:
    """Return numbers between -1 and 1 in a sample format, by Python's own struct."""
    kind, _, order = name[1:].partition("_")
    code = CODES[kind.replace("u", "i")]
    numbers: list[float] = values
    if kind[0] in "iu":
        half = 1 << (int(kind[1:]) - 1)
        middle = half if kind[0] == "u" else 0
        numbers = [round(value * half) + middle for value in values]
        code = code.upper() if kind[0] == "u" else code
    ends = ">" if order == "be" else "<"
    return struct.pack(f"{ends}{len(values)}{code}", *numbers)


def write_sigmf(folder: Path, name: str, raw: bytes) -> Path:
    about = {
        "global": {
            "core:datatype": name,
            "core:sample_rate": RATE,
            "core:version": "1.0.0",
        },
        "captures": [{"core:sample_start": 0}],
        "annotations": [],
    }
    (folder / "x.sigmf-meta").write_text(json.dumps(about))
    (folder / "x.sigmf-data").write_bytes(raw)
    return folder / "x"


@pytest.mark.parametrize("name", ALL)
def test_all_sample_types_of_sigmf_have_their_values(name: str, tmp_path: Path) -> None:
    values = [0.5, -1.0, 0.0, 0.25, -0.375, 0.75]
    # The rest of a sample at the end is left out.
    raw = packed(name, values) + b"\x01"[: SampleFormat.parse(name).sample_size - 1]
    recording = open_recording(write_sigmf(tmp_path, name, raw))
    expected = (
        [0.5 - 1j, 0.25j, -0.375 + 0.75j] if name[0] == "c" else [*map(complex, values)]
    )
    assert recording.datatype == name
    assert recording.count == len(expected)
    assert recording.samples().tolist() == expected
    assert recording.samples(1, 1).tolist() == expected[1:2]
    assert np.concatenate([*recording.blocks(2)]).tolist() == expected


@pytest.mark.parametrize("name", [name for name in ALL if name[0] == "c"])
def test_the_library_of_sigmf_reads_the_same(name: str, tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    size = SampleFormat.parse(name).sample_size
    raw = random.integers(0, 256, 64 * size, np.uint8).tobytes()
    if "f" in name:
        raw = packed(name, random.uniform(-1, 1, 128).tolist())
    ours = open_recording(write_sigmf(tmp_path, name, raw)).samples()
    import sigmf  # noqa: PLC0415 - takes a second in each process of a run

    theirs = sigmf.fromfile(str(tmp_path / "x.sigmf-meta")).read_samples()
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=2e-7)


@pytest.mark.parametrize("size", [0, 1])
def test_no_recording_is_without_samples(size: int, tmp_path: Path) -> None:
    """One byte is less than a sample."""
    message = "x.cs8 has no samples: the recording is empty"
    (tmp_path / "x.cs8").write_bytes(bytes(size))
    with pytest.raises(RecordingError, match=message):
        open_recording(tmp_path / "x.cs8", RecordingOptions(RATE))
    with pytest.raises(RecordingError, match="has no samples"):
        open_recording(write_sigmf(tmp_path, "ci8", bytes(size)))


def test_the_imaginary_part_first(tmp_path: Path) -> None:
    (tmp_path / "x.cs8").write_bytes(packed("ci8", [0.5, -1.0, 0.25, 0.75]))
    said = RecordingOptions(RATE, swaps_iq=True)
    recording = open_recording(tmp_path / "x.cs8", said)
    assert recording.samples().tolist() == [-1 + 0.5j, 0.75 + 0.25j]
    assert recording.samples(1, 1).tolist() == [0.75 + 0.25j]


@pytest.mark.parametrize("cut", [1, 3, 4, 9])
def test_a_wav_file_that_was_cut(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    wavfile.write(path, 48000, np.arange(20, dtype=np.int16).reshape(-1, 2))
    assert open_recording(path).remark() is None
    path.write_bytes(path.read_bytes()[:-cut])
    recording = open_recording(path)
    assert (recording.missing_bytes, recording.count) == (cut, 10 - -(-cut // 4))
    assert f"{path} was cut: {cut} bytes are missing" in (recording.remark() or "")


def test_an_archive_a_header_and_another_data_file(tmp_path: Path) -> None:
    raw = packed("ci16_le", [0.5, -0.5, 0.25, 0])
    write_sigmf(tmp_path, "ci16_le", raw)
    with tarfile.open(tmp_path / "y.sigmf", "w") as archive:
        for end in ("meta", "data"):
            archive.add(tmp_path / f"x.sigmf-{end}", f"x/x.sigmf-{end}")
    assert open_recording(tmp_path / "y.sigmf").samples().tolist() == [
        0.5 - 0.5j,
        0.25 + 0j,
    ]
    about = json.loads((tmp_path / "x.sigmf-meta").read_text())
    about["global"] |= {"core:dataset": "other.iq", "core:trailing_bytes": 3}
    about["captures"][0]["core:header_bytes"] = 5
    (tmp_path / "x.sigmf-meta").write_text(json.dumps(about))
    (tmp_path / "other.iq").write_bytes(b"HEAD " + raw + b"end")
    assert open_recording(tmp_path / "x").samples().tolist() == [0.5 - 0.5j, 0.25 + 0j]
    (tmp_path / "z.sigmf").write_bytes(b"no archive")
    with pytest.raises(RecordingError, match="not a SigMF archive"):
        open_recording(tmp_path / "z.sigmf")


@pytest.mark.parametrize(
    ("name", "sample_format", "rate", "frequency"),
    [
        ("x.cu8", "cu8", None, None),
        ("x.CS8", "ci8", None, None),
        ("x.cs16", "ci16_le", None, None),
        ("x.cf64", "cf64_le", None, None),
        ("g001_433.92M_250k.cu8", "cu8", 250e3, 433.92e6),
        ("gqrx_20261128_120000_868300000_1800000_fc.raw", "cf32_le", 1.8e6, 868.3e6),
        ("HackRF-20261128_1200-868_3MHz-2MSps-2MHz.complex16s", "ci8", 2e6, 868.3e6),
        ("SDRSharp_20261128_120000Z_868300000Hz_IQ.wav", None, None, 868.3e6),
        ("baseband_868300000Hz_12-00-00_28-11-2026.wav", None, None, 868.3e6),
        ("HDSDR_20261128_120000Z_868300kHz_RF.wav", None, None, 868.3e6),
        ("reading_1.iq", None, None, None),
    ],
)
def test_what_names_tell(
    name: str, sample_format: str | None, rate: float | None, frequency: float | None
) -> None:
    stated = stated_by_name(Path(name))
    assert (stated.sample_format and stated.sample_format.name) == sample_format
    assert (stated.sample_rate, stated.frequency) == (rate, frequency)


def test_what_is_given_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "g001_433.92M_250k.cu8"
    path.write_bytes(bytes([128, 0, 192, 255]))
    recording = open_recording(path)
    assert (recording.sample_rate, recording.frequency) == (250e3, 433.92e6)
    assert recording.samples().tolist() == [-1j, 0.5 + 0.9921875j]
    given = RecordingOptions(1e6, 868e6, SampleFormat.parse("cs8"))
    recording = open_recording(path, given)
    assert (recording.sample_rate, recording.frequency) == (1e6, 868e6)
    assert recording.samples().tolist() == [-1 + 0j, -0.5 - 1j / 128]


def test_one_sentence_says_what_to_give(tmp_path: Path) -> None:
    (tmp_path / "x.iq").write_bytes(bytes(8))
    (tmp_path / "x.cu8").write_bytes(bytes(8))
    (tmp_path / "y.sigmf-data").write_bytes(bytes(8))
    for name, words in (
        ("x.iq", "does not say its sample format: give it with --format"),
        ("x.cu8", "does not say its sample rate: give it with --rate HZ"),
        ("y.sigmf-data", "which says what the samples are: give --format and --rate"),
        ("z", "there is no z.sigmf-meta"),
    ):
        done = samara("phy", "inspect", name, folder=tmp_path)
        assert_misuse(done, words)
    facts = samara(
        *("phy", "inspect", "x.iq", "--format", "cs8", "--rate", "1MHz", "--json"),
        folder=tmp_path,
    )
    assert json.loads(facts.stdout)["samples"] == 4
    with pytest.raises(ArgumentError, match="'cu9' is not a sample format"):
        SampleFormat.parse("cu9")


PAIRS = [(0.5, -1.0), (0.0, 0.25), (-0.375, 0.75)]
EXPECTED = [0.5 - 1j, 0.25j, -0.375 + 0.75j]


@pytest.mark.parametrize("kind", ["u1", "i2", "i4", "f4", "f8"])
def test_wav_files_that_scipy_writes(kind: str, tmp_path: Path) -> None:
    pairs = np.array(PAIRS)
    numbers = {"u1": pairs * 128 + 128, "i2": pairs * 2**15, "i4": pairs * 2**31}
    path = tmp_path / "baseband_868300000Hz_12-00-00_28-11-2026.wav"
    wavfile.write(path, 2_400_000, numbers.get(kind, pairs).astype(kind))
    recording = open_recording(path)
    assert (recording.sample_rate, recording.frequency) == (2.4e6, 868.3e6)
    assert recording.samples().tolist() == EXPECTED


def chunk(name: bytes, body: bytes, size: int | None = None) -> bytes:
    return name + struct.pack("<I", len(body) if size is None else size) + body


def wav_of(form: bytes, *chunks: bytes) -> bytes:
    return form + struct.pack("<I", 0xFFFFFFFF) + b"WAVE" + b"".join(chunks)


def test_wav_files_with_24_bits_auxi_and_more_than_4_gib(tmp_path: Path) -> None:
    form = struct.pack("<HHIIHH", 1, 2, 192_000, 6 * 192_000, 6, 24)
    numbers = [round(part * 2**23) for pair in PAIRS for part in pair]
    raw = b"".join(number.to_bytes(3, "little", signed=True) for number in numbers)
    auxi = struct.pack(
        "<8H8H9I", *(2026, 11, 6, 28, 12, 34, 56, 789), *[0] * 8, 7_074_000, *[0] * 8
    )
    path = tmp_path / "x.wav"
    ds64 = struct.pack("<QQQI", 0, len(raw), 3, 0)
    path.write_bytes(
        wav_of(
            b"RF64",
            chunk(b"ds64", ds64),
            chunk(b"fmt ", form),
            chunk(b"auxi", auxi),
            chunk(b"data", raw + b"what follows", 0xFFFFFFFF),
        )
    )
    recording = open_recording(path)
    assert recording.samples().tolist() == EXPECTED
    assert recording.frequency == 7_074_000
    assert recording.time == dt.datetime(2026, 11, 28, 12, 34, 56, 789000, dt.UTC)
    # A program that was stopped leaves a size of 0.
    path.write_bytes(wav_of(b"RIFF", chunk(b"fmt ", form), chunk(b"data", raw, 0)))
    assert open_recording(path).samples().tolist() == EXPECTED


def test_wav_files_that_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    wavfile.write(path, 48_000, np.zeros(5, np.int16))
    with pytest.raises(RecordingError, match="1 channels: complex samples have two"):
        open_recording(path)
    for rest in (b"", chunk(b"fmt ", b"12"), chunk(b"ds64", b"")):
        path.write_bytes(wav_of(b"RIFF", rest))
        with pytest.raises(RecordingError, match="cannot be read as a recording"):
            open_recording(path)


def test_100_million_samples_are_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "x_1M_1M.cs8"
    with path.open("wb") as file:
        file.truncate(200_000_000)
        file.seek(-2, os.SEEK_END)
        file.write(bytes([64, 192]))
    recording = open_recording(path)
    assert recording.count == 100_000_000
    sizes = [len(each) for each in itertools.islice(recording.blocks(), 3)]
    assert max(sizes) <= 1 << 18
    assert recording.samples(recording.count - 1).tolist() == [0.5 - 0.5j]
