# SPDX-License-Identifier: Apache-2.0
"""Multicast of a real kernel, in one frame under the key of a group."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import nets
import pytest
from links import Running, medium
from quiet_air import Air, joined

from samara.link import ieee802154
from samara.link.ieee802154.captures.pcap import Reader
from samara.link.ieee802154.frames.frame import FrameType
from samara.link.node import networks

if TYPE_CHECKING:
    from pathlib import Path

OTHERS = ("bob", "carol", "dave")
PINGS = 3
TO_ALL, FIRST_INDEX_OF_GROUPS = 0xFFFF, 128


@pytest.mark.slow
def test_a_ping_to_all_is_one_frame_and_each_answers(tmp_path: Path, air: Air) -> None:
    nets.need("ping")
    hub = tmp_path / "hub"
    networks.make(hub, "ieee802154", None, {"frame_retries": 3}, group=True)
    places = [hub, *(joined(hub, name) for name in OTHERS)]
    assert len(air.radios) == 0
    capture = tmp_path / "air.pcap"
    with medium(tmp_path, "--pcap", str(capture)) as port:
        where = ("--medium", f"127.0.0.1:{port}", "--json")
        with contextlib.ExitStack() as stack:
            up = [
                stack.enter_context(
                    Running(tmp_path, "ip", "up", "--own-netns", place, *where)
                )
                for place in places
            ]
            for each in up:
                nets.until_printed(each)
            (member,) = nets.members_of(up[0])
            watcher = stack.enter_context(
                Running(tmp_path, "ip", "watch", *places, *where)
            )
            assert "watching" in watcher.next_message()
            # Not to this node itself.
            ping = f"-L -c {PINGS} -W 60 ff02::1%{member['interface']}".split()
            assert f" {PINGS} received" in nets.run(member, "ping", *ping)
            # It may end before the last answers.
            shown = watcher.interrupted_after(PINGS * (1 + len(OTHERS)))
    asked = [each for each in shown if each["protocol"] == "ICMPv6 echo request"]
    assert [(each["source"], each["destination"]) for each in asked] == [
        ("hub", "all")
    ] * PINGS
    assert {(each["frames"], each["repetitions"]) for each in asked} == {(1, 0)}
    answers = [
        each["source"] for each in shown if each["protocol"] == "ICMPv6 echo reply"
    ]
    assert {name: answers.count(name) for name in answers} == dict.fromkeys(
        OTHERS, PINGS
    )
    assert indices_to_all(capture) == [FIRST_INDEX_OF_GROUPS] * PINGS


def indices_to_all(capture: Path) -> list[int]:
    """Return the key indices of all frames to everybody; 0: not secured."""
    with capture.open("rb") as file:
        frames = [ieee802154.parse(each.frame) for each in Reader(file)]
    return [
        0 if frame.security is None else frame.security.key_id.index
        for frame in frames
        if frame.type is FrameType.DATA and frame.destination.short == TO_ALL
    ]
