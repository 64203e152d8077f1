# SPDX-License-Identifier: Apache-2.0
"""Readers of traces: what each format has, and what damaged files are answered with."""

from __future__ import annotations

import io
import json
import random
import signal
import struct
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from samara.energy.trace import columns, formats, joulescope_process
from samara.energy.trace.blocks import Reading, TraceError
from samara.energy.trace.readers import joulescope as joulescope_reader
from samara.energy.trace.readers import ppk2
from samara.energy.trace.timing import Timing

if TYPE_CHECKING:
    from pathlib import Path

Array = NDArray[np.float64]


def read(
    path: Path, name: str | None = None, asked: dict[str, str] | None = None
) -> tuple[Array, Array, Reading, str]:
    found = formats.format_of(path, name)
    reading = Reading(path, asked or {})
    blocks = list(found.blocks(reading))
    times = np.concatenate([each.times_s for each in blocks] or [np.empty(0)])
    current = np.concatenate([each.current_a for each in blocks] or [np.empty(0)])
    return times, current, reading, found.name


def session(
    current_ua: Array,
    rate: object = 1000,
    compression: int = zipfile.ZIP_STORED,
    *,
    names: tuple[str, str] = ("metadata.json", "session.raw"),
) -> bytes:
    samples = np.zeros(len(current_ua), dtype=[("a", "<f4"), ("d", "<u2")])
    samples["a"] = current_ua
    samples["d"] = 0xFFFF
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as archive:
        about = {"metadata": {"samplesPerSecond": rate}, "formatVersion": 2}
        archive.writestr(names[0], json.dumps(about))
        archive.writestr(names[1], samples.tobytes())
        archive.writestr("minimap.raw", b"picture")
    return written.getvalue()


D = ",".join(f"D{number}" for number in range(8))
CSV = {
    "d0-d7": ("ppk2-csv", "Timestamp(ms),Current(uA),D0-D7\n0,1.5,0\n0.5,2500,0111\n"),
    "eight": (
        "ppk2-csv",
        f"Timestamp(ms),Current(uA),{D}\n0,1.5{8 * ',1'}\n0.5,2500{8 * ',0'}\n",
    ),
    "none": ("ppk2-csv", "Timestamp(ms),Current(uA)\r\n0.0,1.5\r\n0.5,2.5e3\r\n"),
    "no end": ("ppk2-csv", "Timestamp(ms),Current(uA)\n0,1.5\n0.5,2500"),
    "mark": ("ppk2-csv", "\ufeffTimestamp(ms),Current(uA)\n0,1.5\n0.5,2500\n"),
    "milli": ("ppk2-csv", "Timestamp(s),Current(mA)\n0,0.0015\n0.0005,2.5\n"),
    "comma": ("ppk2-csv", "Timestamp(ms);Current(uA)\n0;1,5\n0,5;2500,0\n"),
    # More commas than semicolons.
    "commas": ("ppk2-csv", "Timestamp(ms);Current(uA)\n0,0;1,5\n0,5;2500,0\n"),
    "otii": (
        "otii-csv",
        "Timestamp,Main current (A),Main voltage (V)\n0,0.0000015,3\n0.0005,0.0025,3\n",
    ),
    "energytrace": (
        "energytrace-csv",
        "Time (ns),Current (nA),Energy (uJ)\n0,1500,0\n500000,2500000,1\n",
    ),
    "energytrace quoted": (
        "energytrace-csv",
        '"Time (us)","Current (mA)","Energy"\n0,0.0015,0\n500,2.5,1\n',
    ),
    "brackets": ("csv", "time (s),current (A)\n0,0.0000015\n0.0005,0.0025\n"),
    "square": ("csv", "V,Time [ms],Current [nA]\n3,0,1500\n3,0.5,2500000\n"),
    "underscores": ("csv", "i_ua;t_us\n1,5;0\n2500;500\n"),
    "words": ("csv", '# scope\n"t/us"\t"I in mA"\n0\t0.0015\n500\t2.5\n'),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), CSV.values(), ids=CSV)
def test_a_csv_is_known_by_its_content(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8", newline="")
    times, current, reading, found = read(path)
    assert found == name
    assert times == pytest.approx([0, 0.5e-3])
    assert current == pytest.approx([1.5e-6, 2.5e-3])
    assert reading.unreadable == 0


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (
            {"time": "us", "i": "mA"},
            "# scope\nt,time,i in mA\n9,0,0.0015\n9,500,2.5\n",
        ),
        ({"2": "us", "3": "mA"}, "t0,time,i\n9,0,0.0015\n9,500,2.5\n"),
        ({"1": "ms", "2": "nA"}, "0\t1500\n0.5\t2500000\n"),
    ],
)
def test_other_csv_needs_its_columns(
    asked: dict[str, str], text: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    times, current, _, _ = read(path, "csv", asked)
    assert times == pytest.approx([0, 0.5e-3])
    assert current == pytest.approx([1.5e-6, 2.5e-3])
    with pytest.raises(TraceError, match="--columns"):
        read(path)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, "--columns is missing"),
        ({"time": "ms"}, "expected the column of times"),
        ({"time": "uA", "current": "ms"}, "time=uA,current=ms"),
        ({"clock": "ms", "current": "uA"}, "there is no column clock"),
        ({"1": "ms", "3": "uA"}, "the file has 2 columns, not 1 and 3"),
    ],
)
def test_wrong_columns_are_refused(
    asked: dict[str, str], expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("time,current\n0,1\n1,1\n")
    with pytest.raises(TraceError, match=expected):
        read(path, "csv", asked)


def test_lines_that_are_no_samples_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "Timestamp(ms),Current(uA)\n0,1\n1,nothing\ntext\n2\n3,4,5\n\n4,6\n"
    )
    times, current, reading, _ = read(path)
    assert times == pytest.approx([0, 1e-3, 2e-3, 3e-3, 4e-3])
    assert np.isnan(current).tolist() == [False, True, True, False, False]
    assert current[[0, 3, 4]] == pytest.approx([1e-6, 4e-6, 6e-6])
    assert reading.unreadable == 3


def test_lines_that_make_up_for_one_another_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Timestamp(ms),Current(uA),D\n0,1,0\n1,2\n2,3,0,0\n3,4,0\n")
    times, current, _, _ = read(path)
    assert times == pytest.approx([0, 1e-3, 2e-3, 3e-3])
    assert current == pytest.approx([1e-6, 2e-6, 3e-6, 4e-6])


def test_blocks_may_end_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"{i},{i % 7},00000000\n" for i in range(200))
    path.write_text(f"Timestamp(ms),Current(uA),D0-D7\n{rows}")
    whole = read(path)
    for size in (23, 24, 25, 97):
        monkeypatch.setattr(columns, "_BYTES", size)
        parts = read(path)
        assert (parts[0] == whole[0]).all()
        assert (parts[1] == whole[1]).all()


def test_a_line_without_an_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "_BYTES", 1000)
    path = tmp_path / "t.csv"
    path.write_text("Timestamp(ms),Current(uA)\n0,1\n1," + "1" * 5000)
    with pytest.raises(TraceError, match="a line of more than 1000 bytes"):
        read(path)


def test_a_session_has_microampere_and_a_rate(tmp_path: Path) -> None:
    path = tmp_path / "t.ppk2"
    path.write_bytes(session(np.array([1.5, 2500.0, -0.25]), 2000))
    times, current, reading, name = read(path)
    assert name == "ppk2"
    assert times == pytest.approx([0, 0.5e-3, 1e-3])
    assert current == pytest.approx([1.5e-6, 2.5e-3, -0.25e-6])
    assert not reading.cut_short


def test_a_session_is_read_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.ppk2"
    path.write_bytes(session(np.arange(1000.0), 1000, zipfile.ZIP_DEFLATED))
    whole = read(path)
    monkeypatch.setattr(ppk2, "SAMPLES", 7)
    parts = read(path)
    assert (parts[0] == whole[0]).all()
    assert (parts[1] == whole[1]).all()


@pytest.mark.parametrize("rate", [0, -1, 1e12, "100000", None, True, [], 1e-9])
def test_a_rate_that_is_not_possible_is_refused(rate: object, tmp_path: Path) -> None:
    path = tmp_path / "t.ppk2"
    path.write_bytes(session(np.ones(10), rate))
    with pytest.raises(TraceError, match="no possible samplesPerSecond"):
        read(path)


def test_a_session_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    whole = session(np.arange(5000.0))
    path = tmp_path / "t.ppk2"
    for size in (4, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(TraceError, match="damaged or not complete"):
            read(path)


def test_an_archive_without_samples_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "t.ppk2"
    path.write_bytes(session(np.ones(9), names=("metadata.json", "other.raw")))
    with pytest.raises(TraceError, match=r"expected session\.raw"):
        read(path)


def test_samples_that_are_packed_too_far_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.ppk2"
    bomb = session(np.zeros(4_000_000), 1000, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 100_000
    path.write_bytes(bomb)
    with pytest.raises(TraceError, match="no trace is packed so far"):
        read(path)


def joulescope(path: Path, current_a: Array, units: str = "A") -> None:
    pyjls = pytest.importorskip("pyjls")
    with pyjls.Writer(str(path)) as writer:
        writer.source_def(
            source_id=1, name="js", vendor="v", model="m", version="1",
            serial_number="1",
        )  # fmt: skip
        writer.signal_def(
            3, source_id=1, signal_type=pyjls.SignalType.FSR,
            data_type=pyjls.DataType.F32, sample_rate=2000, name="current", units=units,
        )  # fmt: skip
        writer.fsr_f32(3, 0, current_a.astype(np.float32))


def test_a_joulescope_file_has_its_current(tmp_path: Path) -> None:
    path = tmp_path / "t.jls"
    sent = np.linspace(1e-6, 5e-3, 3000)
    joulescope(path, sent)
    times, current, _, name = read(path)
    assert name == "jls"
    assert times == pytest.approx(np.arange(3000) / 2000)
    assert current == pytest.approx(sent, rel=1e-6)


def test_a_joulescope_file_without_current_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jls"
    joulescope(path, np.ones(100), "V")
    with pytest.raises(TraceError, match="it has no current"):
        read(path)


def test_a_joulescope_file_that_is_not_complete_is_left_as_it_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.jls"
    joulescope(path, np.ones(100_000))
    content = path.read_bytes()
    for size in (9, 40, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(TraceError, match="is not complete"):
            read(path)
        assert path.read_bytes() == content[:size]
    path.write_bytes(content[:32] + bytes(len(content) - 32))
    with pytest.raises(TraceError, match="cannot be read as JLS"):
        read(path)


def test_what_is_no_trace_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"")
    with pytest.raises(TraceError, match="is empty: expected a trace"):
        read(path)
    for content in (b"\0" * 100, b"\0text\n", b"a,b\n1,2\n"):
        path.write_bytes(content)
        with pytest.raises(TraceError, match="in no format that is known"):
            read(path)
    heads = "Timestamp(ms),Current(uA)", "time (s),current (A)", "a,b\nc,d", "0.5 1.5"
    for head in heads:
        path.write_text(f"{head}\n\n")
        with pytest.raises(TraceError, match="has no samples: expected lines"):
            read(path)


_CSV_SEEDS = [text.encode() for _, text in CSV.values()]
_ZIP_SEEDS = [
    session(np.arange(40.0)), session(np.arange(40.0), 1000, zipfile.ZIP_DEFLATED)
]  # fmt: skip


def damaged(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    """Return files with some bytes replaced, taken out, or put in."""

    def apply(seed: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
        for place, length, text in changes:
            at = place % (len(seed) + 1)
            seed = seed[:at] + text + seed[at + length :]
        return seed

    change = st.tuples(st.integers(0, 4000), st.integers(0, 40), st.binary(max_size=20))
    return st.builds(apply, st.sampled_from(seeds), st.lists(change, max_size=4))


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        *[(name, {}) for name in ("ppk2-csv", "otii-csv", "energytrace-csv")],
        ("csv", {"1": "ms", "2": "uA"}),
        ("csv", {"t": "s", "c": "A"}),
    ],
)
@settings(
    max_examples=60, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(content=damaged(_CSV_SEEDS) | st.binary(max_size=300))
def test_any_csv_is_read_or_refused(
    name: str, asked: dict[str, str], content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    read_or_refused(path, name, asked)


@settings(
    max_examples=150, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(content=damaged(_ZIP_SEEDS))
def test_any_session_is_read_or_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.ppk2"
    path.write_bytes(content)
    read_or_refused(path, "ppk2", {})


def crc32c(content: bytes | bytearray) -> int:
    found = 0xFFFFFFFF
    for byte in content:
        found ^= byte
        for _ in range(8):
            found = (found >> 1) ^ (0x82F63B78 if found & 1 else 0)
    return found ^ 0xFFFFFFFF


CHUNK = struct.Struct("<QQBBHIII")


def chunks(content: bytes) -> list[tuple[int, int]]:
    """Return where the chunks of a JLS file begin, and the lengths of their content."""
    found, at = [], 32
    while at < len(content):
        length = CHUNK.unpack_from(content, at)[5]
        found.append((at, length))
        at += CHUNK.size + ((length + 4 + 7) // 8 * 8 if length else 0)
    return found


def sealed(content: bytearray, at: int, length: int) -> None:
    """Make the check sequences of a chunk right."""
    head = CHUNK.size - 4
    struct.pack_into("<I", content, at + head, crc32c(content[at : at + head]))
    if length:
        begins = at + CHUNK.size
        ends = begins + (length + 4 + 7) // 8 * 8 - 4
        own = crc32c(content[begins : begins + length])
        struct.pack_into("<I", content, ends, own)


def hostile(seed: bytes, generator: random.Random) -> bytes:
    """Return a JLS file with wrong values where its check sequences are right."""
    content = bytearray(seed)
    for _ in range(generator.choice([1, 1, 2, 3])):
        at, length = generator.choice(chunks(seed))
        fields = {0: 8, 8: 8, 16: 1, 18: 2, 20: 4, 24: 4}
        place, size = generator.choice(list(fields.items()))
        if length and generator.random() < 0.5:
            place = CHUNK.size + generator.randrange(min(length, 80))
            size = min(generator.choice([1, 2, 4, 8]), CHUNK.size + length - place)
        value = generator.choice(
            [0, 1, 255, 1 << 31, len(seed), generator.getrandbits(64)]
        )
        value &= (1 << 8 * size) - 1
        content[at + place : at + place + size] = value.to_bytes(size, "little")
        sealed(content, at, length)
    return bytes(content)


def test_a_joulescope_file_that_ends_pyjls_is_one_sentence(tmp_path: Path) -> None:
    """A definition of a signal whose tag is that of a chunk of data."""
    path = tmp_path / "t.jls"
    joulescope(path, np.ones(3000))
    content = bytearray(path.read_bytes())
    at, length = chunks(bytes(content))[2]
    assert content[at + 16] == 2
    content[at + 16] = 24
    sealed(content, at, length)
    path.write_bytes(content)
    ended = subprocess.run(
        [sys.executable, "-m", joulescope_process.__name__, str(path)],
        stdout=subprocess.DEVNULL,
        check=False,
    )
    assert ended.returncode == -signal.SIGSEGV  # or this test tries nothing
    with pytest.raises(TraceError, match="is damaged: pyjls cannot read it"):
        read(path)


def test_a_joulescope_file_is_read_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.jls"
    joulescope(path, np.ones(3000))
    monkeypatch.setattr(joulescope_reader, "_SILENT_S", 0.0)
    with pytest.raises(TraceError, match="reading it does not end"):
        read(path)


def test_the_process_that_reads_a_joulescope_file_writes_none(tmp_path: Path) -> None:
    """One whose end says that it has content, which pyjls would cut off."""
    path = tmp_path / "t.jls"
    joulescope(path, np.ones(3000))
    content = bytearray(path.read_bytes())
    at, _ = chunks(bytes(content))[-1]
    struct.pack_into("<I", content, at + 20, 800)
    sealed(content, at, 0)
    path.write_bytes(content)
    with pytest.raises(TraceError, match="does not end as such a file does"):
        read(path)
    subprocess.run(
        [sys.executable, "-m", joulescope_process.__name__, str(path)],
        # A file would be what it may not write.
        capture_output=True,
        check=True,
    )
    assert path.read_bytes() == content


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_any_joulescope_file_is_read_or_refused(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.jls"
    joulescope(path, np.linspace(0, 1e-3, 3000))
    monkeypatch.setattr(joulescope_reader, "_SILENT_S", 20.0)
    whole, generator = path.read_bytes(), random.Random(seed)  # noqa: S311 - no secret
    for _ in range(6):
        content = hostile(whole, generator)
        path.write_bytes(content)
        read_or_refused(path, "jls", {})
        assert path.read_bytes() == content


def test_all_formats_are_fuzzed() -> None:
    fuzzed = {"ppk2-csv", "otii-csv", "energytrace-csv", "csv", "ppk2", "jls"}
    assert set(formats.names()) == fuzzed


def read_or_refused(path: Path, name: str, asked: dict[str, str]) -> None:
    reading, timing = Reading(path, asked), Timing()
    blocks = formats.format_of(path, name).blocks(reading)
    try:
        for stretch in timing.stretches(blocks):
            assert (stretch.lasts_s > 0).all()
            assert stretch.times_s.size == stretch.current_a.size
    except TraceError:
        return
