# SPDX-License-Identifier: Apache-2.0
"""Projects of firmware with frames of IEEE 802.15.4, on a simulated ATmega128RFA1.

What a board sends is judged by the project's own node, and by the nonces that frames
show. Its power fails again and again, also within writes to its EEPROM.
"""

from __future__ import annotations

import json
import re
import stat
from functools import partial
from typing import TYPE_CHECKING

import firmware_boards
import pytest
from firmware_boards import (
    BoardRun,
    SimulatedBoard,
    cost_of_a_message,
    image_with_short_records,
    plant_a_forgetful_store,
    runs_beside_a_node,
)
from quiet_air import Air, quiet_air

from samara.bench.simulators.avr_programs import avr_program
from samara.errors import MisuseError
from samara.firmware import project as projects
from samara.link import ieee802154
from samara.link.ieee802154.frames.fcs import is_intact
from samara.link.node.node import Lost, Node, Received, Refused

if TYPE_CHECKING:
    from pathlib import Path

CHIP, CLOCK = "atmega128rfa1", 16_000_000


made = partial(firmware_boards.made, link="ieee802154", interval_s=0.5)


def board() -> SimulatedBoard:
    return SimulatedBoard((avr_program("board"),), CHIP, CLOCK)


def busy_run(image: Path, seconds: float, busy: int) -> list[bytes]:
    """Return the frames of a run in which the channel is often busy.

    Parameters
    ----------
    busy
        Percent of the radio's looks at which it is.
    """
    memory = image.parent / "memory"
    return frames_of(board().run(image, memory, seconds, 0, None, str(busy)))


def frames_of(run: BoardRun) -> list[bytes]:
    frames, rest = [], run.sent
    while rest:
        size = rest[0]
        frames.append(rest[1 : 1 + size])
        rest = rest[1 + size :]
    assert all(map(is_intact, frames))
    return frames


def power_cycled(folder: Path, count: int) -> tuple[list[bytes], int]:
    """Return the frames of so many runs, and how many of these tore a write."""
    runs = list(board().power_cycles(image_with_short_records(folder), count))
    frames = [frame for run in runs for frame in frames_of(run)]
    return frames, sum(run.is_torn for run in runs)


def counters_of(frames: list[bytes]) -> list[int]:
    found = [ieee802154.parse(frame[:-2]).security for frame in frames]
    counters = [each.counter for each in found if each is not None]
    return [each for each in counters if each is not None]


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    return quiet_air(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suite", "build"), [("aes128", "make"), ("grain128aead", "cmake")]
)
def test_its_node_takes_all_that_it_sends_over_power_cuts(
    suite: str, build: str, air: Air, tmp_path: Path
) -> None:
    folder = made(tmp_path / "sensor", suite=suite, build=build)
    frames, torn = power_cycled(folder, 16)
    counters = counters_of(frames)
    assert len(counters) == len(frames) > 30
    assert counters == sorted(set(counters))
    assert torn > 3
    with Node(folder / "host") as node:
        for frame in frames:
            air.hear_again(frame)
        events = node.receive(0)
        texts = [each.message for each in events if isinstance(each, Received)]
        assert set(texts) == {b"3300 mV"}
        # The others are notices at the start of a life; no number that is skipped there
        # is a loss.
        assert len(frames) - 16 <= len(texts) < len(frames)
        assert not [each for each in events if isinstance(each, Lost | Refused)]
        air.hear_again(frames[-1])
        assert isinstance(node.receive(0)[0], Refused)


@pytest.mark.slow
def test_a_store_that_forgets_is_seen(tmp_path: Path) -> None:
    """The judge: with a store that gives one number more than it reserved."""
    folder = made(tmp_path / "sensor")
    plant_a_forgetful_store(folder)
    counters = counters_of(power_cycled(folder, 12)[0])
    assert len(counters) > len(set(counters))


@pytest.mark.slow
def test_a_busy_channel_costs_a_message_and_not_the_sensor(tmp_path: Path) -> None:
    image = projects.read(made(tmp_path / "sensor")).make()
    counters = counters_of(busy_run(image, 40, busy=70))
    assert counters == sorted(set(counters))
    skipped = counters[-1] + 1 - len(counters)
    # All five looks find it busy in a sixth of the messages; each used its number.
    assert 3 <= skipped <= 30
    assert len(counters) + skipped > 60
    assert busy_run(image, 4, busy=100) == []


@pytest.mark.slow
def test_it_runs_beside_a_node_and_goes_on_after_its_end(tmp_path: Path) -> None:
    runs = runs_beside_a_node(made(tmp_path / "sensor"))
    for *messages, receipt in runs:
        assert {each["text"] for each in messages} == {"3300 mV"}
        assert receipt["messages"] == len(messages) >= 2
        assert receipt["lost"] == 0
        assert receipt["uart_bytes"]["value"] >= 28 * len(messages)
        assert receipt["asleep_time"]["value"] > receipt["active_time"]["value"] > 0
    first, second = (run[-1]["eeprom_bytes"]["value"] for run in runs)
    assert first > 32 > second > 0


@pytest.mark.slow
def test_the_cost_of_a_message_is_that_of_its_frame(tmp_path: Path) -> None:
    cost = cost_of_a_message(made(tmp_path / "sensor"))
    # Header 9, security header 6, message 7, MIC 4, FCS 2.
    assert cost["uart_bytes"]["value"] == 28
    # On the air with its head of 6 bytes, turnaround, sensing, 0 to 7 slots of backoff.
    least = 34 * 32e-6 + 192e-6 + 128e-6
    assert least < cost["sending_time"]["value"] < least + 7 * 320e-6
    assert cost["ram_left"]["value"] > 14_000
    assert cost["computing"]["value"] < 50_000


def test_the_key_is_in_the_record_alone(tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor")
    assert stat.S_IMODE((folder / "record.h").stat().st_mode) == 0o600
    record = bytes(
        int(each, 16)
        for each in re.findall(r"0x([0-9a-f]{2})", (folder / "record.h").read_text())
    )
    assert record[:4] == b"smf1"
    key = record[-4 - record[4] : -4]
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "record.h" and "host" not in path.parts:
            content = path.read_bytes()
            assert key not in content, path
            assert key.hex().encode() not in content.lower(), path
    for name in ("README.md", "settings.h", "project.mk", "samara.toml", "link.h"):
        assert not re.search(r"@\w+@", (folder / name).read_text()), name
    assert "samara_node_ieee802154" in (folder / "link.h").read_text()


@pytest.mark.slow
def test_the_radio_refuses_what_its_data_sheet_forbids(tmp_path: Path) -> None:
    folder = made(tmp_path / "sensor")
    head = '#include <avr/io.h>\n#include "radio.h"\n#define STATE TRX_STATE\n'
    send = "static uint8_t frame[127]; radio_send(0, frame,"
    for code, words in (
        ("STATE = CMD_PLL_ON;", "not allowed"),
        ("STATE = CMD_TRX_OFF; STATE = CMD_TRX_OFF;", "before the last one is done"),
        ("radio_start(26, 0); STATE = CMD_PLL_ON;", "not allowed"),
        ("TRXPR |= 1 << SLPTR;", "lets the radio sleep"),
        (f"radio_start(27, 0); {send} 9);", "a channel that does not exist"),
        (f"radio_start(11, 0); {send} 0);", "a frame of a wrong length"),
        (f"radio_start(11, 0); {send} 126);", "a frame of a wrong length"),
    ):
        run = board().refuse(folder, f"{head}int main(void) {{ {code} }}\n")
        assert words in run.report, code
        assert run.sent == b""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"device": "atmega328p"}, "no driver for a radio of ieee802154 at atmega328p"),
        ({"device": "cortex-m0"}, "take --device atmega128rfa1"),
        ({"build": "arduino"}, "take --build make or cmake"),
        ({"suite": "no-such"}, "unknown suite"),
        ({"suite": "aes128-ctr"}, "did you mean aes128"),
    ],
)
def test_what_cannot_be_leaves_nothing(
    options: dict[str, object], words: str, tmp_path: Path
) -> None:
    with pytest.raises(MisuseError, match=re.escape(words)):
        made(tmp_path / "sensor", **options)
    assert list(tmp_path.iterdir()) == []


def test_options_of_an_advice_are_those_of_its_simulated_copy(tmp_path: Path) -> None:
    best = {
        "layer": "link",
        "suite": "aes128",
        "options": {"suite": "aes128", "level": 7, "addresses": "extended"},
        "opt": "O2",
        "implementation": "assembly",
    }
    advice = {"type": "advice", "link": "ieee802154", "device": CHIP, "sentence": "s"}
    file = tmp_path / "advice.json"
    file.write_text(json.dumps({**advice, "recommended": best}))
    folder = made(tmp_path / "sensor", link=None, advise=file)
    project = projects.read(folder)
    assert project.options == best["options"]
    # The level is in the record of the board, behind the size of its key.
    record = (folder / "record.h").read_text()
    assert int(re.findall(r"0x([0-9a-f]{2})", record)[5], 16) & 7 == 7
