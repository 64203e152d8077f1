# SPDX-License-Identifier: Apache-2.0
"""Modules are set up: what is written, what is asked, and answers that are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from emulated_modules import Modules
from shell import samara

from samara.errors import MisuseError
from samara.link.rfserial import modules
from samara.link.rfserial.modem import Side
from samara.link.rfserial.modules import programming
from samara.link.rfserial.modules.emulated.at_commands import DIALECTS as AT_DIALECTS
from samara.link.rfserial.modules.programming import (
    ModuleSetting,
    ModuleStep,
    SetUpRequest,
    set_up,
)
from samara.link.rfserial.modules.setting_up import setting_up_of
from samara.records import Digest

if TYPE_CHECKING:
    from pathlib import Path

SET_UP = [name for name in modules.names() if modules.module(name).setting_up]
BY_GUARD = [name for dialect in AT_DIALECTS for name in dialect.modules]


def answered(request: SetUpRequest, **given: Any) -> list[Any]:  # noqa: ANN401 - as set_up takes them
    """Return the records of an answer."""
    found: list[Any] = []
    for part in set_up(request, **given):
        found += part.records if isinstance(part, Digest) else []
    return found


def emulated(name: str) -> Modules:
    """Return two modules that take commands, those with a pin because it is held."""
    by_pin = name not in BY_GUARD and name != "rylr896"
    return Modules(modules.module(name), is_set_up=by_pin)


@pytest.mark.parametrize("name", SET_UP)
def test_a_module_takes_what_its_profile_writes(name: str) -> None:
    with emulated(name) as ports:
        request = SetUpRequest(port=ports.paths[0], module=name, yes=True)
        records = answered(request)
        if name != "rylr896":
            # What it was told by the profile is what the emulated module understood.
            assert ports.pair.settings(Side.A).channel
    how = modules.module(name).setting_up
    assert how is not None
    settings = [each for each in records if isinstance(each, ModuleSetting)]
    assert [each.name for each in settings] == list(how.settings)
    steps = [each for each in records if isinstance(each, ModuleStep)]
    assert len(steps) == len(how.steps)
    assert all(each.answer is not None for each in steps)
    assert all(each.expected in (each.answer or b"") for each in steps)


def test_the_modules_of_a_pair_hear_each_other_on_one_channel_only() -> None:
    heard = {}
    for channel in (3, 4):
        with emulated("hc-12") as ports:
            for port, number in zip(ports.paths, (3, channel), strict=True):
                given = (f"channel={number}",)
                answered(SetUpRequest(port=port, module="hc-12", set=given, yes=True))
            first, second = (ports.pair.settings(side) for side in Side)
            heard[channel] = first.hears(second)
    assert heard == {3: True, 4: False}


def test_nothing_is_written_before_the_user_agrees(tmp_path: Path) -> None:
    asked: list[str] = []

    def refuses(question: str) -> bool:
        asked.append(question)
        return False

    with emulated("hc-12") as ports:
        request = SetUpRequest(port=ports.paths[0], module="hc-12")
        with pytest.raises(MisuseError, match="nothing was written"):
            answered(request, agrees=refuses)
        assert asked == [f"write 5 commands to {ports.paths[0]}?"]
        dry = SetUpRequest(port=ports.paths[0], module="hc-12", dry_run=True)
        records = answered(dry, agrees=refuses)
        assert [each.answer for each in records if isinstance(each, ModuleStep)] == (
            [None] * 5
        )
        assert ports.pair.statistics(Side.A).bytes_in == 0
        words = ("radio", "setup", ports.paths[0], "--module", "hc-12")
        done = samara(*words, folder=tmp_path)
    assert done.returncode == 2
    assert b"nobody can be asked: give --yes" in done.stderr


def test_a_port_that_is_not_there_is_reported_before_anything_is_prepared(
    tmp_path: Path,
) -> None:
    words = ("radio", "setup", "nowhere", "--module", "hc-12")
    for more in ((), ("--yes",)):
        done = samara(*words, *more, folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b" ".join(done.stderr.split()) == (
            b"samara: the serial port nowhere cannot be opened: No such file or "
            b"directory; samara radio list shows those that are there."
        )
    # What would be written needs no port.
    assert samara(*words, "--dry-run", folder=tmp_path).returncode == 0


def test_a_wrong_answer_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programming, "ANSWER_S", 0.5)
    # Its pin is not held: what is written goes on the air.
    with Modules(modules.module("hc-12")) as ports:
        request = SetUpRequest(port=ports.paths[0], module="hc-12", yes=True)
        with pytest.raises(MisuseError, match=r"answers 'nothing', and not 'OK'"):
            answered(request)
        assert ports.pair.statistics(Side.A).bytes_in == len(b"AT\r\n")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (("channel=0",), "channel must be 1 to 100, not 0"),
        (("chanel=1",), "no setting 'chanel'; there are channel, power"),
        (("channel",), "--set must be as channel=4"),
        (("channel=-1",), "--set must be as channel=4"),
        (("channel=1", "channel=2"), "--set channel is given twice"),
    ],
)
def test_settings_that_are_wrong_are_refused(
    given: tuple[str, ...], reason: str
) -> None:
    request = SetUpRequest(port="port", module="hc-12", set=given, yes=True)
    with pytest.raises(MisuseError, match=reason):
        answered(request)


def test_a_module_without_set_up_says_so() -> None:
    with pytest.raises(MisuseError, match="does not know how generic is set up"):
        answered(SetUpRequest(port="port", module="generic", yes=True))


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([], "knows after, baud"),
        ({"steps": []}, "a list of 1 to 32"),
        ({"steps": [{"send": "AT{power}", "answer": ""}]}, "no setting 'power'"),
        ({"steps": [{"send": "", "answer": "OK"}]}, "something to send"),
        ({"steps": [{"send": "€", "answer": ""}]}, "characters are bytes"),
        ({"hex": True, "steps": [{"send": "XY", "answer": ""}]}, "no text of bytes"),
        ({"baud": True, "steps": [{"send": "A", "answer": ""}]}, "no baud rate"),
        ({"guard_s": 99, "steps": [{"send": "A", "answer": ""}]}, "guard_s must be"),
        ({"settings": {"a": {}}, "steps": []}, "needs default, low, high and help"),
    ],
)
def test_a_set_up_that_is_wrong_is_refused(table: object, reason: str) -> None:
    with pytest.raises(MisuseError, match=reason):
        setting_up_of(table)
