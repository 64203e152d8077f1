# SPDX-License-Identifier: Apache-2.0
"""An emulated air changes while it runs, as lines of --control ask for."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from vectorfile import ROOT

from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.air.steering import Steering as MediumSteering
from samara.link.rfserial import modem
from samara.link.rfserial import steering as modems
from samara.phy import air as airs
from samara.phy.channel import Impairments
from samara.phy.recordings import write_recording
from samara.phy.steering import Steering as ChannelSteering
from samara.phy.steering import burst_of, samples_of
from samara.records.parameters import parameters_of
from samara.steering import LINE_MAX, Action, ControlDone, ControlLines, ControlRefused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from samara.records import Record


class Asked:
    """Lines that are written piece by piece, and their answers."""

    def __init__(self, actions: Mapping[str, Action]) -> None:
        reading, self._writing = os.pipe()
        self.answers: list[Record] = []
        self._lines = ControlLines(actions, reading)

    def write(self, text: str) -> None:
        os.write(self._writing, text.encode())
        self.answers += self._lines.attend()

    def done(self, **line: Any) -> str:  # noqa: ANN401 - as JSON has
        self.write(json.dumps(line) + "\n")
        answer = self.answers.pop()
        assert isinstance(answer, ControlDone), answer
        return answer.sentence

    def refused(self, text: str) -> str:
        self.write(text)
        answer = self.answers.pop()
        assert isinstance(answer, ControlRefused), answer
        return answer.reason

    def end(self) -> None:
        os.close(self._writing)
        self.answers += self._lines.attend()


@pytest.fixture
def pair() -> modem.Pair:
    return modem.Pair(modem.Settings(baud=115_200))


@pytest.fixture
def medium() -> Iterator[Medium]:
    with Medium("127.0.0.1", 0, Conditions()) as running:
        yield running


@pytest.fixture
def air(tmp_path: Path) -> Iterator[airs.Air]:
    with airs.Air(
        f"ipc://{tmp_path}/a",
        [Impairments()] * 2,
        noise_power=1e-12,
        sample_rate=1e6,
        seed=1,
    ) as running:
        yield running


def test_lines_may_come_in_pieces_and_are_answered_one_by_one(
    pair: modem.Pair,
) -> None:
    asked = Asked(modems.actions(pair))
    asked.write('{"do": "set", ')
    assert asked.answers == []
    asked.write('"loss": 0.5}\n\n{"do": "lose", "count": 2}\n{"do":')
    assert [type(each) for each in asked.answers] == [ControlDone, ControlDone]
    assert pair.air.loss == 0.5
    asked.end()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nothing\n", "a line is a JSON object with"),
        ("[]\n", "a line is a JSON object with"),
        ('{"do": 1}\n', "a line is a JSON object with"),
        ('{"do": "win"}\n', "there is no action 'win': expected one of set, lose"),
        ('{"do": "lose", "cont": 1}\n', "there is no value 'cont': expected count"),
        ('{"do": "lose", "count": 0}\n', "count must be 1 to 1000, not 0"),
        ('{"do": "set", "loss": 1.01}\n', "loss must be 0 to 1, not 1.01"),
        ('{"do": "set", "loss": "x"}\n', "loss must be 0 to 1, not 'x'"),
        ('{"do": "set", "baud": 9601}\n', "baud must be 1200, 2400"),
        ('{"do": "send", "hex": "0"}\n', "hex must be hex digits, not '0'"),
    ],
)
def test_what_is_refused_is_reported_and_changes_nothing(
    pair: modem.Pair, line: str, reason: str
) -> None:
    asked, before = Asked(modems.actions(pair)), pair.air
    assert asked.refused(line).startswith(reason)
    assert pair.air == before


def test_a_line_without_end_takes_no_memory(pair: modem.Pair) -> None:
    asked = Asked(modems.actions(pair))
    for _ in range(LINE_MAX // 4096):
        asked.write("x" * 4096)
    assert asked.refused("x") == f"a line has at most {LINE_MAX} bytes"
    assert asked.done(do="lose", count=1) == "The next 1 packets are lost."


def passed_by(pair: modem.Pair, data: bytes) -> list[tuple[bytes, str]]:
    found: list[tuple[bytes, str]] = []
    pair.on_passed = lambda passed: found.append((passed.packet, passed.fate.value))
    pair.write(modem.Side.A, data)
    pair.advance(pair.now_s + 1)
    return found


def test_modems_lose_the_next_packets_and_no_others(pair: modem.Pair) -> None:
    asked = Asked(modems.actions(pair))
    asked.done(do="lose", count=2)
    fates = [fate for _, fate in passed_by(pair, bytes(36))]
    assert fates == ["lost", "lost", "arrived"]
    assert pair.statistics(modem.Side.B).lost == 2


def test_a_third_modem_sends_in_packets(pair: modem.Pair) -> None:
    asked = Asked(modems.actions(pair))
    data = bytes(range(14))
    asked.done(do="send", sender="b", hex=data.hex())
    outputs = pair.advance(1)
    assert b"".join(each.data for each in outputs) == data
    assert {each.side for each in outputs} == {modem.Side.A}
    assert [len(packet) for packet, _ in passed_by(pair, b"")] == []
    assert pair.statistics(modem.Side.A).packets_received == 2


def test_another_baud_rate_changes_the_times_of_both_lines(pair: modem.Pair) -> None:
    asked = Asked(modems.actions(pair))
    assert "9600 baud" in asked.done(do="set", baud=9600)
    pair.write(modem.Side.A, bytes(12))
    assert pair.backlog_s(modem.Side.A) == pytest.approx(12 * 10 / 9600)
    assert pair.settings(modem.Side.B).baud == 9600


def test_the_medium_changes_loss_and_delay_apart(medium: Medium) -> None:
    asked = Asked(MediumSteering(medium).actions())
    asked.done(do="set", loss=0.25)
    asked.done(do="set", delay=2)
    assert (medium.conditions.loss, medium.conditions.delay_s) == (0.25, 2)
    asked.done(do="set", loss=0)
    assert (medium.conditions.loss, medium.conditions.delay_s) == (0, 2)


def test_a_channel_repeats_a_burst_with_its_middle_inverted(air: airs.Air) -> None:
    asked = Asked(ChannelSteering(air, 2, 0.25, 1.0).actions())
    assert "no burst yet" in asked.refused('{"do": "repeat"}\n')
    heard: list[tuple[int, Any]] = []
    air.on_burst = lambda radio, samples: heard.append((radio, samples))
    sent = np.full(4000, 0.5 + 0.5j, np.complex64)
    air.insert(0, sent)
    for _ in range(3):
        air.step(10_000)
    asked.done(do="repeat", radio=0, inverted=0.5)
    for _ in range(3):
        air.step(10_000)
    assert [radio for radio, _ in heard] == [0, 0]
    first, second = (burst[np.abs(burst) > 0.1] for _, burst in heard)
    assert len(first) == len(second) == 4000
    # The carrier has one phase, but the middle has the other sign.
    turned = np.sign((second * np.conj(second[0])).real)
    assert turned.tolist().count(-1) == 2000
    assert turned[0] == turned[-1] == 1


def test_a_channel_loses_the_next_bursts(air: airs.Air) -> None:
    asked = Asked(ChannelSteering(air, 2, 0.25, 1.0).actions())
    asked.done(do="lose", count=1)
    for _ in range(2):
        air.insert(0, np.ones(500, np.complex64))
        for _ in range(3):
            air.step(10_000)
    assert air.statistics.lost_bursts == [1, 0]
    assert air.statistics.bursts == [2, 0]


def test_a_channel_plays_a_recording_for_a_radio_that_it_has(
    air: airs.Air, tmp_path: Path
) -> None:
    samples = np.full(700, 0.25, np.complex64)
    write_recording(tmp_path / "r", samples, sample_rate=1e6)
    asked = Asked(ChannelSteering(air, 2, 0.25, 1.0).actions())
    asked.done(do="play", radio=1, file=str(tmp_path / "r"))
    air.step(10_000)
    assert air.statistics.bursts == [0, 1]
    reason = asked.refused(f'{{"do": "play", "radio": 2, "file": "{tmp_path}/r"}}\n')
    assert reason == "radio must be 0 to 1, not 2"
    assert asked.refused('{"do": "play", "file": "nowhere"}\n')


def test_a_burst_is_reported_with_its_samples() -> None:
    samples = np.array([1, 1j, -0.5 - 0.5j], np.complex64)
    record = burst_of(1, samples)
    assert (record.radio, record.samples) == (1, 3)
    assert np.abs(samples_of(record.scale, record.data) - samples).max() < 0.01
    assert record.power_db == pytest.approx(10 * np.log10(2.5 / 3), abs=0.01)


def test_the_docs_name_all_actions_and_their_values(
    medium: Medium, pair: modem.Pair, air: airs.Air
) -> None:
    page = (ROOT / "docs/control.md").read_text(encoding="utf-8")
    sections = dict(
        re.findall(r"## `samara (\w+)`\n(.*?)(?=\n## |\Z)", page, re.DOTALL)
    )
    given = {
        "medium": MediumSteering(medium).actions(),
        "modem": modems.actions(pair),
        "channel": ChannelSteering(air, 2, 0.25, 1.0).actions(),
    }
    assert set(sections) == set(given)
    for command, actions in given.items():
        rows = dict(re.findall(r"\n\| `(\w+)` \| (.*?) \|", sections[command]))
        assert set(rows) == set(actions)
        for name, action in actions.items():
            values = set(re.findall(r"`(\w+)`", rows[name])) - {"a", "b"}
            assert values == {each.name for each in parameters_of(action.request)}
