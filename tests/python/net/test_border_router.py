# SPDX-License-Identifier: Apache-2.0
"""A border router by the lines of docs/network.md, in network namespaces.

A host outside is joined to the router by a cable (veth). The router and a node have
radio co-processors that hear each other.
"""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import nets
import pytest
from links import Running
from rcp_peer import Air, RcpPeer
from shell import assert_done, samara

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parents[3] / "docs" / "network.md"
ROUTER, HOST = "2001:db8:7::1", "2001:db8:7::2"
INTERFACE = "samara0"


def recipe() -> dict[str, list[str]]:
    """Return the commands of the page, by where they are to be run."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.split("### How to connect the network to others\n")[1]
    found: dict[str, list[str]] = {"router": [], "neighbour": [], "host": []}
    for line in section.split("\n### ")[0].splitlines():
        if line.startswith("    "):
            command, where = line.strip().split("  # on ")
            (place,) = [name for name in found if name in where.split(":")[0][:24]]
            found[place].append(command.strip().removeprefix("sudo "))
    return found


@contextlib.contextmanager
def host_outside() -> Iterator[nets.Member]:
    """Hold a namespace that is the host's."""
    with subprocess.Popen(
        ["unshare", "--net", "sh", "-c", "echo there; exec sleep 1000"],  # noqa: S607 - Debian's
        stdout=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield {"pid": process.pid, "enter": f"nsenter -n -t {process.pid}"}
        finally:
            process.kill()


def lay_cable(host: nets.Member, router: nets.Member) -> None:
    """Join the host's eth0 to the router's."""
    cable = f"ip link add eth0 type veth peer name eth0 netns {router['pid']}"
    nets.run(host, *cable.split())
    for member, address in ((host, HOST), (router, ROUTER)):
        nets.run(member, *f"ip -6 address add {address}/64 dev eth0 nodad".split())
        nets.run(member, *["ip", "link", "set", "eth0", "up"])


def ping(member: nets.Member, address: str, size: int = 56) -> bool:
    """Ping until an answer comes: the first long one is too big, and is told so."""
    words = f"ping -c 1 -W 10 -s {size} {address}".split()
    return any(
        subprocess.call(nets.command(member, *words), stdout=subprocess.DEVNULL) == 0
        for _ in range(6)
    )


@pytest.mark.slow
def test_a_host_outside_and_a_node_reach_each_other(tmp_path: Path) -> None:
    nets.need("ping", "unshare", "nsenter")
    commands = recipe()
    air = Air()
    with ExitStack() as stack:
        one, two = (stack.enter_context(RcpPeer(air)) for _ in range(2))
        made = ("node", "init", "border", "--link", "ieee802154", "--frame-retries=3")
        assert_done(samara(*made, "--radio", f"spinel:{one.path}", folder=tmp_path))
        made = ("node", "init", "leaf", "--pair-with", "border", "--frame-retries=3")
        assert_done(samara(*made, "--radio", f"spinel:{two.path}", folder=tmp_path))
        # The namespaces stand for machines.
        first, *others = commands["router"]
        assert shlex.split(first)[:-1] == ["samara", "ip", "up", "border"]
        up = ("ip", "up", "--own-netns", "--json")
        near = stack.enter_context(Running(tmp_path, *up, "border"))
        far = stack.enter_context(Running(tmp_path, *up, "leaf"))
        nets.until_printed(near)
        nets.until_printed(far)
        (router,), (leaf,) = nets.members_of(near), nets.members_of(far)
        host = stack.enter_context(host_outside())
        lay_cable(host, router)
        assert router["interface"] == INTERFACE
        assert not can_reach(host, leaf["address"])
        for command in others:
            shown = nets.run(router, *shlex.split(command))
        found = re.search(r"inet6 (fe80:[0-9a-f:]+)/", shown)
        assert found, shown
        for command in commands["neighbour"]:
            words = command.replace("LINK-LOCAL", found[1])
            nets.run(leaf, *shlex.split(words))
        for command in commands["host"]:
            nets.run(host, *shlex.split(command.replace("ROUTER", ROUTER)))
        assert ping(host, leaf["address"])
        assert ping(leaf, HOST)
        # Longer than what the radio's interface takes, and shorter than the cable's.
        assert ping(host, leaf["address"], 1400)
        for each in (near, far):
            each.send_signal(signal.SIGINT)


def can_reach(member: nets.Member, address: str) -> bool:
    """Tell whether there is a route."""
    words = f"ip -6 -json route get {address}".split()
    done = subprocess.run(
        nets.command(member, *words), capture_output=True, check=False, text=True
    )
    return done.returncode == 0 and bool(json.loads(done.stdout or "[]"))
