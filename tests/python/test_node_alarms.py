# SPDX-License-Identifier: Apache-2.0
"""What nodes that stay up tell of what they refuse: log, status and listeners."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from json_page import documented
from kept_up import Up, medium, until
from links import Running
from links import medium as running_medium
from shell import Done, assert_done, samara

from samara.link.ieee802154 import build, parse
from samara.link.ieee802154.air.zep_radio import ZepRadio
from samara.link.node import folder as folders
from samara.link.node import networks
from samara.link.node.events import Alarm, Refused
from samara.link.node.node import Node

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FLOOD = 40


@pytest.fixture
def where() -> Iterator[dict[str, Any]]:
    with medium() as given:
        yield given


def forged(frame: bytes, counter: int) -> bytes:
    """Return a frame with a counter that its tag is not for."""
    read = parse(frame)
    assert read.security is not None
    return build(replace(read, security=replace(read.security, counter=counter)))


def of_kind(lines: list[str], alarm: Alarm) -> list[str]:
    return [each for each in lines if each.startswith(f"refused, {alarm.value}: ")]


def test_a_copied_invitation_is_reported_by_all_means(
    tmp_path: Path, where: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    networks.make(tmp_path / "hub", "ieee802154", None, where)
    text = networks.invite(tmp_path / "hub", "bob", None).text
    networks.join(tmp_path / "bob", text, {})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    networks.join(tmp_path / "thief", text, {})
    with Up(tmp_path / "hub", where) as hub:
        with Node(tmp_path / "thief", where) as thief:
            assert thief.wait_for_answers(60) == []
            assert thief.refused(()) == []
        with hub.client() as listener, Up(tmp_path / "bob", where) as bob:
            heard = listener.receive(0)
            until(lambda: bool(hub.status()["security"]["counts"]))
            until(lambda: bool(bob.status()["security"]["counts"]))
            while not heard:
                heard = listener.receive(1)
            (alarm,) = (each for each in heard if isinstance(each, Refused))
            assert alarm.kind is Alarm.COPIED_INVITATION
            assert bob.status()["security"]["counts"] == {"refused join": 1}
        security = hub.status()["security"]
    assert security["counts"] == {"copied invitation": 1}
    (last,) = security["last"]
    assert (last["kind"], last["count"]) == ("copied invitation", 1)
    assert "second node uses the invitation of bob" in last["reason"]
    assert of_kind(hub.notices, Alarm.COPIED_INVITATION) == [
        f"refused, copied invitation: {last['reason']}"
    ]
    assert len(of_kind(bob.notices, Alarm.REFUSED_JOIN)) == 1


def test_a_flood_of_replays_and_forgeries_is_counted_and_reported_seldom(
    tmp_path: Path, where: dict[str, Any]
) -> None:
    folders.make_pair(tmp_path / "a", "ieee802154", where)
    folders.make_second(tmp_path / "b", tmp_path / "a", {})
    channel = folders.read(tmp_path / "a").end.settings["channel"]
    with Up(tmp_path / "b", where) as b:
        radio = ZepRadio(where["medium"], channel)
        with Node(tmp_path / "a", where) as a:
            frame = a.send(b"once").transmissions[0].carrier.encoded[:-2]
        for number in range(FLOOD):
            radio.send(frame)
            radio.send(forged(frame, 1000 + number))

        def counts() -> dict[str, int]:
            counted: dict[str, int] = b.status()["security"]["counts"]
            return counted

        until(lambda: counts() == {"replay": FLOOD, "not genuine": FLOOD})
        radio.close()
    for alarm in (Alarm.REPLAY, Alarm.NOT_GENUINE):
        first, *others = of_kind(b.notices, alarm)
        assert "of this kind" not in first
        numbers = [int(each.split("(")[1].split()[0]) for each in others]
        # All of them, in few lines.
        assert sum(numbers) == FLOOD - 1
        assert len(numbers) <= FLOOD // 4


def words_of(done: Done) -> str:
    """Return what a table shows, without the breaks of its lines."""
    return " ".join(assert_done(done).decode().split())


@pytest.mark.slow
def test_commands_say_that_an_invitation_has_expired(tmp_path: Path) -> None:
    def node(*arguments: str) -> Done:
        return samara("node", *arguments, folder=tmp_path)

    with running_medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}")
        assert_done(node("init", "hub", "--link", "ieee802154", "--network", *where))
        for name in ("bob", "carol"):
            made = node(
                "invite", "hub", "--name", name, "-o", name + "s", "--expires=0"
            )
            assert_done(made)
        shown = words_of(node("status", "hub"))
        assert shown.count("the invitation has expired") == 2
        with Running(tmp_path, "node", "up", "hub") as hub:
            assert "is up" in hub.next_message()
            late = node("join", "bob", "--invitation", "bobs", "--timeout", "60")
            assert late.returncode == 1
            assert late.stderr.count(b"the invitation has expired") == 1
            assert "expired invitation: the invitation of bob" in hub.next_message()
            join = ("join", "carol", "--invitation", "carols", "--timeout", "60")
            late = node(*join, "--json")
            assert late.returncode == 1
            lines = [json.loads(each) for each in late.stdout.splitlines()]
            (refused,) = (each for each in lines if each["type"] == "refused")
            assert set(refused) == documented("refused")
            assert refused["kind"] == "refused join"
            assert lines[-1]["refused"] == [refused["reason"]]
            assert lines[-1]["unsettled"] == []
            status = json.loads(assert_done(node("status", "hub", "--json")))
            assert set(status) == documented("node")
            security = status["service"]["security"]
            assert security["counts"] == {"expired invitation": 2}
            assert "start: expired invitation" in words_of(node("status", "hub"))
            assert status["refused"] is None


@pytest.mark.slow
def test_status_says_that_a_backup_is_refused(tmp_path: Path) -> None:
    init = ("node", "init", "a", "--link", "ieee802154")
    assert_done(samara(*init, folder=tmp_path))
    shutil.copytree(tmp_path / "a", tmp_path / "backup")

    def status(name: str) -> dict[str, Any]:
        done = samara("node", "status", name, "--json", folder=tmp_path)
        record: dict[str, Any] = json.loads(assert_done(done))
        return record

    assert status("a")["refused"] is None
    assert "is a copy" in status("backup")["refused"]
    shown = samara("node", "status", "backup", folder=tmp_path)
    assert b"cannot be used" in assert_done(shown)
