# SPDX-License-Identifier: Apache-2.0
"""How far a command is, where stderr is no terminal."""

from __future__ import annotations

import pytest

from samara.cli.shared import progress as progress_module
from samara.cli.shared.progress import progress
from samara.phy.searching import SearchRequest, search_counters
from samara.records import Progress


class Clock:
    """A clock that stands still until it is set."""

    now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.delenv(progress_module.SWITCH, raising=False)
    monkeypatch.setattr(progress_module, "time", found)
    return found


def test_a_long_command_says_how_far_it_is(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("points") as tell:
        for second in range(101):
            clock.now_s = 100.0 + second
            tell(second / 200, "3 dB")
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "samara: 3 dB, 10 % done, 20 s so far, some 180 s left.",
        "samara: 3 dB, 40 % done, 80 s so far, some 120 s left.",
    ]


def test_what_is_not_known_is_not_said(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("points") as tell:
        clock.now_s += 20
        tell(None)
        clock.now_s += 60
        tell(0.0)
    assert capsys.readouterr().err.splitlines() == [
        "samara: points, 20 s so far.",
        "samara: points, 80 s so far.",
    ]


def test_progress_may_be_switched_off(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAMARA_PROGRESS", "off")
    with progress("points") as tell:
        clock.now_s += 1000
        tell(0.5)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("text", "seconds"), [("points", 19.9), ("", 1000.0)])
def test_a_short_command_says_nothing(
    text: str, seconds: float, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress(text) as tell:
        clock.now_s += seconds
        tell(0.5, text)
    assert capsys.readouterr().err == ""


def test_nothing_is_said_without_stderr(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr", None)
    with progress("points") as tell:
        clock.now_s += 1000
        tell(0.5)
    assert capsys.readouterr().out == ""


def test_a_search_for_counters_tells_each_frame() -> None:
    request = SearchRequest(window=100, ebn0="3:4:1", frames=5, payload_size=8)
    progress = [each for each in search_counters(request) if isinstance(each, Progress)]
    assert [each.share for each in progress] == pytest.approx(
        [number / 10 for number in range(1, 11)]
    )
