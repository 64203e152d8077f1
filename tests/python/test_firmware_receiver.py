# SPDX-License-Identifier: Apache-2.0
"""Projects of two boards: a sensor and a receiver, made and run without a node."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import time
from pathlib import Path

import pytest
import shell
from links import Running

from samara.errors import MisuseError
from samara.firmware import project as projects
from samara.firmware.making import FirmwareMade, new
from samara.firmware.planning import NewRequest
from samara.records import records_of

RECORD = "record.h"
BYTES = re.compile(r"0x([0-9a-f]{2})")


def made(folder: Path, **options: object) -> list[FirmwareMade]:
    asked = NewRequest(
        project=folder / "sensor",
        receiver=folder / "display",
        interval_s=0.5,
        **options,  # type: ignore[arg-type]
    )
    return list(records_of(new(asked)))


def content_of(record: Path) -> bytes:
    return bytes(int(each, 16) for each in BYTES.findall(record.read_text()))


def run(
    folder: Path, seconds: float = 2.5
) -> tuple[list[str], list[dict[str, object]]]:
    """Run both boards; return texts that the receiver shows, and both receipts."""
    words = ("sensor", "--with", "display", "--seconds", str(seconds), "--json")
    done = shell.samara("firmware", "run", *words, folder=folder)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    messages = [each for each in records if each["type"] == "firmware_message"]
    numbers = [each["number"] for each in messages]
    assert numbers == list(range(1, len(numbers) + 1))
    return [each["text"] for each in messages], records[len(messages) :]


def test_both_ends_have_one_key_and_there_is_no_node(tmp_path: Path) -> None:
    sensor, display = made(tmp_path)
    assert (sensor.node, display.node) == (None, None)
    assert {"receiver.c", "inbox.c", "board.c", RECORD} <= set(display.files)
    assert "sensor.c" not in display.files
    first, second = (
        content_of(tmp_path / each / RECORD) for each in ("sensor", "display")
    )
    assert first[12:28] == second[12:28]
    assert first != second
    for name, role in (("sensor", "sensor"), ("display", "receiver")):
        folder = tmp_path / name
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / RECORD).stat().st_mode) == 0o600
        assert not (folder / "host").exists()
        assert projects.read(folder).role == role
        read_me = (folder / "README.md").read_text()
        assert not re.search(r"@\w+@|`host/`|\[ *\]", read_me)
        assert f"../{'display' if role == 'sensor' else 'sensor'}" in read_me
    assert sorted(each.name for each in tmp_path.iterdir()) == ["display", "sensor"]


@pytest.mark.slow
def test_the_receiver_shows_what_the_sensor_sends(tmp_path: Path) -> None:
    made(tmp_path)
    written = []
    for _ in range(2):
        texts, receipts = run(tmp_path)
        assert set(texts) == {"3300 mV"}
        assert len(texts) >= 3
        first, second = receipts
        assert (first["project"], second["project"]) == ("sensor", "display")
        assert {each["messages"] for each in receipts} == {len(texts)}
        assert {each["lost"] for each in receipts} == {None}
        # Each text, and the end of its line.
        assert second["uart_bytes"]["value"] == 9 * len(texts)  # type: ignore[index]
        assert first["uart_bytes"]["value"] >= 24 * len(texts)  # type: ignore[index]
        # One sleeps without its clock, the other listens with it.
        assert first["asleep_time"]["value"] > 1  # type: ignore[index]
        assert second["idle_time"]["value"] > 1  # type: ignore[index]
        written.append(second["eeprom_bytes"]["value"])  # type: ignore[index]
    # The key is written in the first run alone.
    assert written[0] > written[1] > 0
    copies = tmp_path / "display" / "simulated" / "sensor"
    records = [content_of(copies / each / RECORD) for each in ("sensor", "receiver")]
    assert records[0][12:28] == records[1][12:28]
    assert records[0][12:28] != content_of(tmp_path / "sensor" / RECORD)[12:28]


def children_of(process: int, word: str) -> list[int]:
    """Return the programs that a process started and whose command has a word."""
    listed = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(each) for path in listed for each in path.read_text().split()]
    return [
        each
        for each in children
        if word.encode() in Path(f"/proc/{each}/cmdline").read_bytes()
    ]


@pytest.mark.slow
@pytest.mark.parametrize("other", [("--with", "display"), ()], ids=["board", "node"])
def test_a_modem_that_dies_is_reported_in_a_sentence(
    other: tuple[str, ...], tmp_path: Path
) -> None:
    made(tmp_path) if other else records_of(
        new(NewRequest(project=tmp_path / "sensor", interval_s=0.5))
    )
    words = ("firmware", "run", "sensor", *other, "--json")
    with Running(tmp_path, *words) as run:
        end_s = time.monotonic() + shell.TIMEOUT_S
        while run.lines_so_far() < 1 and time.monotonic() < end_s:
            time.sleep(0.05)
        (modem,) = children_of(run.pid, "modem")
        os.kill(modem, signal.SIGKILL)
        _, message = run.ended()
    assert run.returncode == 2
    # After what is simulated: one line that names the modem.
    assert len(message.decode().splitlines()) == 2, message
    assert b"Traceback" not in message
    assert b"modem ended" in message.splitlines()[1]


@pytest.mark.slow
def test_a_receiver_with_another_key_shows_nothing(tmp_path: Path) -> None:
    """The judge: what is shown was opened by the second board."""
    made(tmp_path)
    assert run(tmp_path, 1.5)[0]
    copy = tmp_path / "display" / "simulated" / "sensor" / "receiver"
    (copy / "eeprom").unlink()
    text = (copy / RECORD).read_text()
    begin = BYTES.findall(text)
    key = ", ".join(f"0x{each}" for each in begin[12:16])
    assert text.count(key) == 1
    (copy / RECORD).write_text(text.replace(key, "0x00, 0x00, 0x00, 0x00"))
    assert run(tmp_path)[0] == []


@pytest.mark.slow
@pytest.mark.parametrize("build", ["cmake", "arduino"])
def test_each_build_makes_both(build: str, tmp_path: Path) -> None:
    """On the larger chip, with the cipher of other files than the default's."""
    made(tmp_path, device="atmega2560", suite="ascon-aead128", build=build)
    texts, _ = run(tmp_path)
    assert len(texts) >= 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"device": "cortex-m0"}, "--device atmega128rfa1, atmega2560, atmega328p"),
        ({"suite": "aes128-ctr"}, "does not authenticate"),
        ({"link": "ieee802154"}, "take --link rf-serial"),
    ],
)
def test_what_cannot_be_leaves_nothing(
    options: dict[str, object], words: str, tmp_path: Path
) -> None:
    with pytest.raises(MisuseError, match=re.escape(words)):
        made(tmp_path, **options)
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    sensor = tmp_path / "sensor"
    for receiver, words in (
        (sensor, "given twice"),
        (tmp_path / "below" / "display", "is not beside"),
        (tmp_path / "below", "exists"),
        (tmp_path / "a b", "no name of a project"),
    ):
        with pytest.raises(MisuseError, match=words):
            records_of(new(NewRequest(project=sensor, receiver=receiver)))
        assert [each.name for each in tmp_path.iterdir()] == ["below"]


def test_two_that_are_no_pair(tmp_path: Path) -> None:
    made(tmp_path)
    other = NewRequest(
        project=tmp_path / "other", receiver=tmp_path / "gauge", suite="ascon-aead128"
    )
    records_of(new(other))
    result = shell.samara("firmware", "cost", "display", folder=tmp_path)
    assert result.returncode == 2
    assert b"give the project of the sensor" in result.stderr
    for words, sentence in (
        (("display",), "display receives: give the project of the sensor"),
        (("sensor", "--with", "other"), "other does not receive"),
        (("sensor", "--with", "gauge"), "gauge has suite ascon-aead128"),
        (("sensor", "--with", "none"), "none is no project"),
    ):
        done = shell.samara("firmware", "run", *words, folder=tmp_path)
        assert done.returncode == 2
        assert sentence in done.stderr.decode()
