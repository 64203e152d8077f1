# SPDX-License-Identifier: Apache-2.0
"""A medium with as many nodes as it takes: each copy arrives, memory is bounded."""

from __future__ import annotations

import contextlib
import re
import select
import signal
import socket
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shell import PROGRAM, TIMEOUT_S, environment

from samara import _core
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.sockets import packed
from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NODES = 200
ROUNDS = 4
HERE = ("127.0.0.1", 0)


@contextlib.contextmanager
def sockets(count: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(count):
            one = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            one.bind(HERE)
            one.settimeout(TIMEOUT_S)
            opened.append(one)
        yield opened


def addresses_of(nodes: Sequence[socket.socket]) -> list[bytes]:
    return [packed(node.getsockname()) for node in nodes]


def has_datagram(node: socket.socket) -> bool:
    return bool(select.select([node], [], [], 0)[0])


# One datagram to many


@pytest.mark.parametrize("count", [0, 1, 64, 65, 130])
def test_a_datagram_reaches_each_address_once(count: int) -> None:
    with sockets(count) as nodes, sockets(1) as (sender,):
        assert _core.send_datagram(sender.fileno(), b"abc", addresses_of(nodes)) == []
        assert [node.recv(10) for node in nodes] == [b"abc"] * count
        assert not any(map(has_datagram, nodes))


def test_the_system_takes_an_address_as_it_is_packed() -> None:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as node:
        node.bind(("::1", 0))
        node.settimeout(TIMEOUT_S)
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sender:
            sent = _core.send_datagram(
                sender.fileno(), b"", [packed(node.getsockname())]
            )
            assert sent == []
            assert node.recv(10) == b""


def test_those_that_cannot_be_reached_are_reported_and_the_others_get_theirs() -> None:
    with sockets(3) as nodes, sockets(1) as (sender,):
        there = addresses_of(nodes)
        # No address has this family.
        wrong = b"\xff\xff" + bytes(14)
        asked = [wrong, there[0], wrong, wrong, there[1], there[2], wrong]
        assert _core.send_datagram(sender.fileno(), b"x", asked) == [0, 2, 3, 6]
        assert [node.recv(10) for node in nodes] == [b"x"] * 3
        assert not any(map(has_datagram, nodes))


def test_the_error_of_one_that_has_gone_costs_no_other_its_datagram() -> None:
    with sockets(4) as nodes, sockets(1) as (sender,):
        # As the medium asks for it: errors about datagrams of before.
        sender.setsockopt(socket.IPPROTO_IP, 11, 1)
        there = addresses_of(nodes)
        nodes[1].close()
        for _ in range(3):
            _core.send_datagram(sender.fileno(), b"x", there)
        for node in (nodes[0], nodes[2], nodes[3]):
            assert [node.recv(10) for _ in range(3)] == [b"x"] * 3


@pytest.mark.parametrize("size", [0, 1, 129])
def test_what_is_no_address_is_refused(size: int) -> None:
    with sockets(1) as (sender,), pytest.raises(ValueError, match="address"):
        _core.send_datagram(sender.fileno(), b"x", [bytes(size)])


# Many nodes


@contextlib.contextmanager
def medium_process() -> Iterator[tuple[int, int]]:
    """Run the command; yield its process and its port."""
    with subprocess.Popen(
        [PROGRAM, "medium", "--port", "0", "--no-airtime"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        try:
            assert process.stderr is not None
            messages = process.stderr.readline().decode()
            yield process.pid, int(messages.split("port ")[1].split(";")[0])
            process.send_signal(signal.SIGTERM)
            assert process.wait(TIMEOUT_S) == 0
        finally:
            process.kill()


def memory_kb(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0])


def datagram_of(number: int, sequence: int) -> bytes:
    """Return a frame from a node to all."""
    frame = b"\x41\x88" + bytes((sequence,)) + b"\xcd\xab\xff\xff"
    frame += number.to_bytes(2, "little") + bytes(20)
    return zep.build(zep.data_now(frame + fcs_of(frame), sequence))


def hear_each_other(nodes: list[socket.socket], sequence: int) -> None:
    """Let each node send a frame, and take what each hears: that of all others."""
    sent = [datagram_of(i, sequence) for i in range(1, len(nodes) + 1)]
    for node, datagram in zip(nodes, sent, strict=True):
        node.send(datagram)
    for node, own in zip(nodes, sent, strict=True):
        heard = {node.recv(2048) for _ in range(len(sent) - 1)}
        assert heard == set(sent) - {own}


@pytest.mark.slow
def test_200_nodes_hear_each_frame_and_take_little_memory() -> None:
    with medium_process() as (process, port), sockets(NODES) as nodes:
        empty_kb = memory_kb(process)
        for number, node in enumerate(nodes, 1):
            node.connect(("127.0.0.1", port))
            node.send(zep.build(zep.Hello(number, b"node" + number.to_bytes(4, "big"))))
        hear_each_other(nodes, 0)
        loaded_kb = memory_kb(process)
        # 10 MB is what a node may take in all; the medium's share is far below.
        assert (loaded_kb - empty_kb) / NODES < 100
        for sequence in range(1, ROUNDS):
            hear_each_other(nodes, sequence)
        assert not any(map(has_datagram, nodes))
        # What has arrived is not kept.
        assert memory_kb(process) - loaded_kb < 4096
