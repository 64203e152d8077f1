# SPDX-License-Identifier: Apache-2.0
"""Nodes whose radios filter by address hear no frame that is for others alone."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from samara.link.ieee802154 import radios
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.air.zep_radio import ZepRadio
from samara.link.ieee802154.frames.acks import Identity
from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE_S = 60
LONG = "0102030405060708"
HELLOS = {
    "a": zep.Hello(0x000A, wants_unanswered=True, filters=True),
    "b": zep.Hello(0x000B, bytes.fromhex(LONG), wants_unanswered=True, filters=True),
    "c": zep.Hello(0x000C, wants_unanswered=True, filters=True),
    "plain": zep.Hello(0x000D),
    "watches": zep.Hello(0, zep.OBSERVER),
}
ACK = bytes((2, 0, 1))


class Nodes:
    """The nodes of a medium, as sockets."""

    def __init__(self, medium: Medium, sockets: dict[str, socket.socket]) -> None:
        self.medium, self._sockets = medium, sockets

    def heard(self, sender: str, frame: bytes) -> set[str]:
        """Let a node send; return who hears it.

        A frame to all follows, which ends the wait: the order is kept.
        """
        self._send(sender, frame)
        self._send(sender, b"\x01\x00end")
        return {
            name
            for name, node in self._sockets.items()
            if name != sender and self._psdus(node) == [frame + fcs_of(frame)]
        }

    def _send(self, sender: str, frame: bytes) -> None:
        packet = zep.data_now(frame + fcs_of(frame), 1)
        self._sockets[sender].send(zep.build(packet))

    def _psdus(self, node: socket.socket) -> list[bytes]:
        """Take the frames up to the last one, without that."""
        found: list[bytes] = []
        while True:
            packet = zep.parse(node.recv(2048))
            assert isinstance(packet, zep.Data)
            if packet.psdu[:-2] == b"\x01\x00end":
                return found
            found.append(packet.psdu)


@contextmanager
def nodes(**conditions: float) -> Iterator[Nodes]:
    over = threading.Event()
    with (
        Medium("127.0.0.1", 0, Conditions(paced=False, **conditions)) as medium,  # type: ignore[arg-type]
        ExitStack() as stack,
    ):
        thread = threading.Thread(target=medium.run, args=(over.is_set,))
        thread.start()
        try:
            sockets = {}
            for name, hello in HELLOS.items():
                one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                sockets[name] = stack.enter_context(one)
                one.settimeout(PATIENCE_S)
                one.connect(("127.0.0.1", medium.port))
                one.send(zep.build(hello))
            while medium.statistics.hellos < len(HELLOS):
                select.select([], [], [], 0.001)
            yield Nodes(medium, sockets)
        finally:
            over.set()
            thread.join()


def data(to: str, *, asks: bool = False) -> bytes:
    """Return a frame of node a to a short or an extended address."""
    control = 0x8841 | (0x20 if asks else 0) | (0x0400 if len(to) == 16 else 0)
    ends = bytes.fromhex(to)[::-1] + b"\x0a\x00"
    return control.to_bytes(2, "little") + b"\x01\xcd\xab" + ends + b"21.5 C"


def test_a_hello_says_that_the_radio_filters() -> None:
    for hello in HELLOS.values():
        assert zep.parse(zep.build(hello)) == hello


@pytest.mark.parametrize("to", ["000b", LONG])
@pytest.mark.parametrize("duplication", [0.0, 1e-300])
def test_a_frame_for_one_goes_to_it_and_to_those_without_a_filter(
    to: str, duplication: float
) -> None:
    # Without faults the receivers are known before; otherwise each copy is drawn.
    with nodes(duplication=duplication) as found:
        assert found.heard("a", data(to)) == {"b", "plain", "watches"}
    statistics = found.medium.statistics
    # And to all four the frame that ended the wait.
    assert statistics.deliveries == 3 + 4
    # On the air it reached the other one, too.
    assert statistics.links["000a", "000c"].delivered == 2


def test_a_frame_for_nobody_here_goes_to_those_without_a_filter() -> None:
    with nodes() as found:
        assert found.heard("a", data("0001")) == {"plain", "watches"}


@pytest.mark.parametrize("frame", [data("ffff"), data("f" * 16), b"\xff\xff\xff\xff"])
def test_what_is_for_all_or_cannot_be_read_goes_to_all(frame: bytes) -> None:
    with nodes() as found:
        assert found.heard("a", frame) == {"b", "c", "plain", "watches"}


def test_an_acknowledgement_goes_to_who_waits_for_it() -> None:
    with nodes() as found:
        assert "b" in found.heard("a", data("000b", asks=True))
        assert found.heard("b", ACK) == {"a", "plain", "watches"}
        # One that nobody is known to wait for.
        assert found.heard("b", ACK) == {"a", "c", "plain", "watches"}


@pytest.mark.parametrize(
    ("mac", "filters"),
    [(None, True), ("always-listening", True), ("box-mac-2", False)],
)
def test_a_node_that_sleeps_is_told_of_all_that_is_on_the_air(
    mac: str | None,
    filters: bool,  # noqa: FBT001 - pytest gives it
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = []
    monkeypatch.setattr(ZepRadio, "__init__", lambda *_, **more: said.append(more))
    settings = {"medium": "127.0.0.1:1", "channel": 26, "mac": mac}
    radios.opened(settings, Identity(0xABCD, 0x000A, bytes(8)))
    assert said[0]["hello"].filters is filters
