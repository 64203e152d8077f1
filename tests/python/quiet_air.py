# SPDX-License-Identifier: Apache-2.0
"""Air within one process: nodes of ieee802154 without sockets, media or time."""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from samara.link import ieee802154
from samara.link.ieee802154 import radios
from samara.link.ieee802154.air.zep_radio import ReceivedFrame
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.node import networks
from samara.link.node.node import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest


@dataclass
class Air:
    """What joins the radios; the test decides what arrives."""

    arrives: Callable[[int], bool] = lambda _: True
    """Asked with the number of each frame, from 0."""
    sent: list[bytes] = field(default_factory=list)
    """All frames with their FCS."""
    radios: list[Radio] = field(default_factory=list)
    when_idle: Callable[[], None] = lambda: None
    """Called when a node waits and nothing is there: lets the others run."""

    def carry(self, source: Radio, psdu: bytes) -> None:
        """Let a frame arrive at all other radios, or not."""
        number = len(self.sent)
        self.sent.append(psdu)
        for radio in self.radios:
            if radio is not source and self.arrives(number):
                radio.waiting.append(psdu)

    def pass_time(self, time_s: float) -> None:
        """Let the time go by for which nothing came; here it does so by itself."""

    def nonces_repeated(self) -> int:
        """Return how many nonces were used more than once, as far as can be seen.

        A frame shows its source, its counter and the index of its key.
        """
        seen: Counter[Any] = Counter()
        for psdu in set(self.sent):
            frame = ieee802154.parse(psdu[:-2])
            assert frame.security is not None
            address = frame.destination
            seen[
                frame.source.short or frame.source.long,
                address.short or address.long,
                frame.security.key_id.index,
                frame.security.counter,
            ] += 1
        return sum(count > 1 for count in seen.values())

    def hear_again(self, psdu: bytes) -> None:
        """Play a frame of before to all."""
        for radio in self.radios:
            radio.waiting.append(psdu)


class Radio:
    """The radio of one node; takes the place of `ZepRadio`."""

    air: Air

    def __init__(
        self, medium: str, channel: int, *, paced: bool = True, hello: object = None
    ) -> None:
        del medium, channel, paced, hello
        self.waiting: list[bytes] = []
        self.air.radios.append(self)

    def fileno(self) -> int:
        raise NotImplementedError

    def send(self, frame: bytes) -> tuple[bytes, float]:
        return self.transmit(frame), 0.0

    def transmit(self, frame: bytes, first_s: float | None = None) -> bytes:
        del first_s
        psdu = frame + fcs_of(frame)
        self.air.carry(self, psdu)
        return psdu

    def acknowledge(self, answer: bytes) -> bytes:
        return self.transmit(answer)

    def is_unanswered(self, frame: bytes) -> bool:
        del frame
        return False

    def receive(self, timeout_s: float) -> list[ReceivedFrame]:
        if not self.waiting and timeout_s:
            self.air.when_idle()
        if not self.waiting:
            self.air.pass_time(timeout_s)
        heard = [ReceivedFrame(psdu, 0.0) for psdu in self.waiting]
        self.waiting.clear()
        return heard

    def notices(self) -> list[str]:
        return []

    def close(self) -> None:
        if self in self.air.radios:
            self.air.radios.remove(self)


def quiet_air(monkeypatch: pytest.MonkeyPatch, air: Air | None = None) -> Air:
    """Let all nodes of ieee802154 use one air, and return it."""
    air = air or Air()
    radio = type("RadioOfThisAir", (Radio,), {"air": air})
    monkeypatch.setattr(radios, "ZepRadio", radio)
    return air


def abandon(node: Node) -> None:
    """Leave a node as a killed process does: nothing is given back or told."""
    state = node.state
    state._database.close()  # noqa: SLF001 - what the kernel does
    state._witness.close()  # noqa: SLF001
    os.close(state._lock)  # noqa: SLF001
    node.link._mac.close()  # type: ignore[attr-defined] # noqa: SLF001


def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat at once what is not answered, and let old keys end at once."""
    # Before: the end waits as long as the constant says when it is imported.
    from samara.link.ieee802154 import end  # noqa: PLC0415 - for this alone
    from samara.link.ieee802154.keys import timers  # noqa: PLC0415 - for this alone

    del end

    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 0.0)
    monkeypatch.setattr(timers, "LATE_S", 0.0)


def rounds(*nodes: Node, count: int = 6) -> list[Any]:
    """Let nodes receive, in turn; return all events."""
    return [event for _ in range(count) for node in nodes for event in node.receive(0)]


def joined(hub: Path, name: str, folder: str = "") -> Path:
    """Make a newcomer and let the hub accept it; return its directory."""
    made = hub.with_name(folder or name)
    networks.join(made, networks.invite(hub, name, None).text, {})
    with Node(hub) as inviter, Node(made) as newcomer:
        rounds(newcomer, inviter, count=3)
        assert newcomer.wait_for_answers(0) == []
    return made


def opened(folders: Iterator[Path]) -> list[Node]:
    """Open nodes."""
    return [Node(folder) for folder in folders]


def now_s() -> float:
    """Return the time of the clock that invitations expire by."""
    return time.time()
