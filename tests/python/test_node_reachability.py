# SPDX-License-Identifier: Apache-2.0
"""Nodes that stay up while what carries their link is away, of each kind."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from kept_up import Up, taking, until
from links import Running
from shell import TIMEOUT_S

from samara.errors import MisuseError
from samara.link.ieee802154.end import Ieee802154Link
from samara.link.node import folder as folders
from samara.link.node import serial_port
from samara.link.node.link import LinkError
from samara.link.node.serial_port import SerialPort
from samara.link.rfserial.end import RfSerialLink
from samara.link.sdr.end import SdrLink

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.link.node.link import Transmission


class AsMedium:
    """Frames of IEEE 802.15.4 by `samara medium`."""

    link, kind = "ieee802154", Ieee802154Link
    options: ClassVar[dict[str, Any]] = {}
    _port = "0"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def start(self) -> Running:
        running = Running(self._folder, "medium", "--port", self._port)
        self._port = running.next_message().split("port ")[1].split(";")[0]
        return running

    def where(self, end: str) -> dict[str, Any]:
        del end
        return {"medium": f"127.0.0.1:{self._port}"}


class AsModem:
    """Two modems by `samara modem`."""

    link, kind = "rf-serial", RfSerialLink
    options: ClassVar[dict[str, Any]] = {"baud": 115_200}

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def start(self) -> Running:
        links = [f"--link-{end}={self._folder}/modem-{end}" for end in "ab"]
        running = Running(self._folder, "modem", "--baud", "115200", *links)
        running.next_message()
        return running

    def where(self, end: str) -> dict[str, Any]:
        return {"port": f"{self._folder}/modem-{end}"}


class AsModule(AsModem):
    """Two modules that are off until they are set, as an RNode."""

    options: ClassVar[dict[str, Any]] = {"module": "rnode"}

    def start(self) -> Running:
        links = [f"--link-{end}={self._folder}/modem-{end}" for end in "ab"]
        running = Running(self._folder, "modem", "--module", "rnode", *links)
        running.next_message()
        return running


class AsChannel:
    """Samples by `samara channel`."""

    link, kind = "sdr", SdrLink
    options: ClassVar[dict[str, Any]] = {"rate": 250e3}

    def __init__(self, folder: Path) -> None:
        self._address = f"ipc://{folder}/air"
        self._folder = folder

    def start(self) -> Running:
        given = ("--address", self._address, "--rate", "250e3", "--seed", "1")
        return Running(self._folder, "channel", *given)

    def where(self, end: str) -> dict[str, Any]:
        del end
        return {"radio": f"zmq:{self._address}"}


@contextlib.contextmanager
def two_up(folder: Path, used: AsMedium | AsModem | AsChannel) -> Iterator[list[Up]]:
    """Keep a pair of nodes up."""
    folders.make_pair(folder / "a", used.link, used.options)
    folders.make_second(folder / "b", folder / "a", {})
    with Up(folder / "a", used.where("a")) as a, Up(folder / "b", used.where("b")) as b:
        yield [a, b]


def say(sender: Up, message: bytes, receiver: Up) -> None:
    """Send until the other node has confirmed: what carries it may just begin."""

    def is_confirmed() -> bool:
        with contextlib.suppress(MisuseError), sender.client() as client:
            return client.send(message, acknowledged=True).is_acknowledged
        return False

    with taking(receiver):
        until(is_confirmed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [AsMedium, AsModem, AsModule, AsChannel])
def test_nodes_go_on_when_what_carries_their_link_is_back(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: type[AsMedium | AsModem | AsChannel],
) -> None:
    if kind is AsChannel:
        pytest.importorskip("gnuradio", reason="NOT TRIED: GNU Radio is not installed")
    used, counters = kind(tmp_path), counted(monkeypatch, kind.kind)
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(used.start())
        nodes = stack.enter_context(two_up(tmp_path, used))
        say(nodes[0], b"before", nodes[1])
        first.kill()
        first.wait(TIMEOUT_S)
        until(lambda: all(len(node.notices) >= 1 for node in nodes))
        with nodes[0].client() as client, pytest.raises(MisuseError):
            client.send(b"meanwhile")
        stack.enter_context(used.start())
        until(lambda: all(len(node.notices) >= 2 for node in nodes))
        say(nodes[0], b"after", nodes[1])
        say(nodes[1], b"the other way", nodes[0])
    for node in nodes:
        assert node.error is None
        # A busy machine may not run the channel for seconds.
        for number, notice in enumerate(node.notices):
            assert ("is back", "is away")[number % 2 == 0] in notice
    assert len(counters) >= 6
    assert max(counters.values()) == 1


def counted(monkeypatch: pytest.MonkeyPatch, kind: type[Any]) -> Counter[Any]:
    """Count how often each node sends with each frame counter."""
    counts: Counter[Any] = Counter()
    send = kind.send

    def sending(link: Any, payload: bytes, to: str | None = None) -> Transmission:  # noqa: ANN401
        sent: Transmission = send(link, payload, to)
        counts[id(link), sent.counter] += 1
        return sent

    monkeypatch.setattr(kind, "send", sending)
    return counts


@pytest.mark.slow
def test_a_terminal_of_somebody_else_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have the number that the port of a modem had."""
    monkeypatch.setattr(serial_port, "_AGAIN_S", 0.0)
    link = tmp_path / "modem-a"
    with contextlib.ExitStack() as stack:
        modem = stack.enter_context(AsModem(tmp_path).start())
        port = SerialPort(str(link), 115_200)
        stack.callback(port.close)
        modem.kill()
        modem.wait(TIMEOUT_S)
        until(lambda: port.read() == b"" and bool(port.notices()))
        # The link is left over; a new modem would have replaced it.
        ours, theirs = os.openpty()
        stack.callback(os.close, ours)
        stack.callback(os.close, theirs)
        link.unlink()
        link.symlink_to(os.ttyname(theirs))
        with pytest.raises(LinkError, match="away"):
            port.check()
        stack.enter_context(AsModem(tmp_path).start())
        port.check()
        assert "is back" in port.notices()[0]


def test_a_terminal_without_a_reserved_link_is_lost_for_good() -> None:
    ours, theirs = os.openpty()
    port = SerialPort(os.ttyname(theirs), 115_200)
    os.close(theirs)
    os.close(ours)
    with pytest.raises(LinkError, match="does not answer"):
        port.read()
    port.close()
