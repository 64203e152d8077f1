# SPDX-License-Identifier: Apache-2.0
"""Nodes are killed while a file crosses: it is whole, and no nonce is used twice."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import nets
import pytest
from links import Running, medium
from quiet_air import Air
from shell import TIMEOUT_S

from samara.link import ieee802154
from samara.link.ieee802154.captures.pcap import Reader
from samara.link.ieee802154.frames.frame import FrameType
from samara.net import lab_nodes
from samara.net.addresses import (
    DEFAULT_PREFIX,
    LINK_LOCAL,
    address_in,
    link_addresses_of,
)
from samara.net.plan import Plan
from samara.net.topology import Network

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass
class Member:
    """A node in a network namespace that outlives it."""

    number: int
    folder: Path
    medium: int
    process: Running | None = None

    @property
    def namespace(self) -> str:
        return f"samara-test-{os.getpid()}-kill-{self.number}"

    @property
    def address(self) -> str:
        return str(address_in(DEFAULT_PREFIX, link_addresses_of(self.folder).own))

    @property
    def link_local(self) -> str:
        return str(address_in(LINK_LOCAL, link_addresses_of(self.folder).own))

    def command(self, *words: str) -> list[str]:
        return ["ip", "netns", "exec", self.namespace, *words]

    def run(self, *words: str) -> None:
        subprocess.run(self.command(*words), check=True, timeout=TIMEOUT_S)

    def start(self, near: Member, *far: Member) -> None:
        """Start the process, with routes to the far nodes by the near one."""
        where = ("--netns", self.namespace, "--medium", f"127.0.0.1:{self.medium}")
        up = ("ip", "up", str(self.folder), *where, "--tun", "samara0", "--json")
        self.process = Running(self.folder.parent, *up, "--frame-retries", "3")
        nets.until_printed(self.process)
        for each in far:
            by = ("via", near.link_local, "dev", "samara0")
            self.run("ip", "-6", "route", "add", f"{each.address}/128", *by)

    def kill(self) -> None:
        """End the process as nothing else could; its interface is gone with it."""
        assert self.process is not None
        with self.process:
            # What leaves the block is killed.
            assert self.process.poll() is None, self.process.ended()
        self.process = None


@contextlib.contextmanager
def chain(folder: Path) -> Iterator[list[Member]]:
    """Three nodes; the one in the middle forwards."""
    names = lab_nodes.make(
        Plan(network=Network.of("chain", 3), link="ieee802154"), folder
    )
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(medium(folder, "--pcap", str(folder / "air.pcap")))
        members = [
            Member(number, folder / name, port) for number, name in names.items()
        ]
        for member in members:
            subprocess.run(["ip", "netns", "add", member.namespace], check=True)  # noqa: S607
            delete = ["ip", "netns", "delete", member.namespace]
            stack.callback(subprocess.run, delete, check=False)
            member.run("ip", "link", "set", "dev", "lo", "up")
        stack.callback(end_all, members)
        for member in (members[0], members[2]):
            # While the interface is away packets are lost, and nobody is told: as on
            # a machine with a radio that is a device of its own.
            here = ("ip", "-6", "address", "add", f"{member.address}/128")
            member.run(*here, "dev", "lo", "nodad")
            away = ("ip", "-6", "route", "add", str(DEFAULT_PREFIX), "dev", "lo")
            member.run(*away, "metric", "4096")
        members[1].run("sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1")
        for member in members:
            started(member, members)
        yield members


def started(member: Member, members: list[Member]) -> None:
    """Start a node of the chain."""
    first, middle, last = members
    far = {1: [last], 3: [first]}.get(member.number, [])
    member.start(middle, *far)


def end_all(members: list[Member]) -> None:
    """End the processes."""
    for member in members:
        if member.process is not None:
            member.kill()


class CoapGet:
    """libcoap's programs: the client asks for each block until it has it."""

    needs = ("coap-client-notls", "coap-server-notls")
    port = 5683
    content = os.urandom(48 * 64)
    between = 10 * 64
    """A node is killed whenever so many bytes more have arrived."""

    def __init__(self, folder: Path) -> None:
        self._sent, self.got = folder / "sent", folder / "got"

    def server(self) -> list[str]:
        return [self.needs[1]]

    def prepare(self, server: Member) -> None:
        """Let the server, which runs, have the file."""
        self._sent.write_bytes(self.content)
        put = ("-m", "put", "-f", str(self._sent), "coap://[::1]/example_data")
        server.run(self.needs[0], *put)

    def client(self, server: Member) -> list[str]:
        options = ("-B", "280", "-b", "64", "-o", str(self.got))
        return [self.needs[0], *options, f"coap://[{server.address}]/example_data"]


class TftpGet:
    """tftp-hpa's programs: the server repeats each block until it is acknowledged."""

    needs = ("tftp", "in.tftpd")
    port = 69
    content = os.urandom(64 * 512)
    # It writes no less to the file.
    between = 4096

    def __init__(self, folder: Path) -> None:
        self._sent, self.got = folder / "sent", folder / "got"
        self._served = folder

    def server(self) -> list[str]:
        options = ["--foreground", "--user", "root", "--ipv6", "--secure", "--create"]
        return [self.needs[1], *options, str(self._served)]

    def prepare(self, server: Member) -> None:
        """Let the side that sends have the file."""
        del server
        self._sent.write_bytes(self.content)

    def client(self, server: Member) -> list[str]:
        return self._command(server, "get", self._sent.name, str(self.got))

    def _command(self, server: Member, *words: str) -> list[str]:
        return [self.needs[0], *("-6", "-m", "binary", server.address, "-c"), *words]


class TftpPut(TftpGet):
    """The same the other way: the client repeats each block, after 5 s."""

    def client(self, server: Member) -> list[str]:
        return self._command(server, "put", str(self._sent), self.got.name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [CoapGet, TftpGet, pytest.param(TftpPut, marks=pytest.mark.thorough)]
)
def test_a_file_is_whole_though_each_node_is_killed(
    tmp_path: Path, kind: type[CoapGet | TftpGet]
) -> None:
    nets.need(*kind.needs)
    used = kind(tmp_path)
    try:
        move_while_killing(tmp_path, used)
        assert used.got.read_bytes() == used.content
    finally:
        # Also when the file did not cross: this may be why.
        assert_no_nonce_twice(tmp_path / "air.pcap", 3)


def move_while_killing(folder: Path, used: CoapGet | TftpGet) -> None:
    """Let a file cross, and kill one node after the other meanwhile."""
    with chain(folder) as members, contextlib.ExitStack() as stack:
        first, _, last = members
        stack.enter_context(nets.server(*last.command(*used.server())))
        until_there(last, used.port)
        used.prepare(last)
        client = stack.enter_context(
            subprocess.Popen(first.command(*used.client(last)))
        )
        stack.callback(client.kill)
        for number, member in enumerate(members, 1):
            until_arrived(used.got, used.between * number, client)
            member.kill()
            assert client.poll() is None, "the file crossed before the node was killed"
            started(member, members)
        assert client.wait(TIMEOUT_S) == 0


def until_there(member: Member, port: int) -> None:
    """Wait until a node's server answers."""
    end_s = time.monotonic() + TIMEOUT_S
    words = member.command("cat", "/proc/self/net/udp6")
    while b":%04X " % port not in subprocess.check_output(words):
        assert time.monotonic() < end_s, "the server does not start"


def until_arrived(file: Path, size: int, client: subprocess.Popen[bytes]) -> None:
    """Wait until a file has grown to a size."""
    end_s = time.monotonic() + TIMEOUT_S
    while not file.exists() or file.stat().st_size < size:
        assert client.poll() is None, "the client has given up, or has the whole file"
        assert time.monotonic() < end_s, "the file does not go on"
        time.sleep(0.01)


def assert_no_nonce_twice(capture: Path, senders: int) -> None:
    """Look at all frames that were on the air, as an eavesdropper can."""
    air = Air()
    with capture.open("rb") as file:
        for captured in Reader(file):
            frame = ieee802154.parse(captured.frame)
            if frame.type is FrameType.DATA and frame.security is not None:
                air.sent.append(captured.frame + bytes(2))
    sources = {ieee802154.parse(each[:-2]).source for each in air.sent}
    assert len(sources) == senders
    assert air.nonces_repeated() == 0
