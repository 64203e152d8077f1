# SPDX-License-Identifier: Apache-2.0
"""A node of a lab invites a new one: it joins over the air, and packets find it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nets
import pytest
from links import Running
from shell import PROGRAM, TIMEOUT_S

from samara.errors import MisuseError
from samara.link.node.status import status_of
from samara.net.topology import NODES_MAX, Network

if TYPE_CHECKING:
    from collections.abc import Iterator


class Steered:
    """A lab that takes lines of control."""

    def __init__(self, process: Running, lines: int) -> None:
        self._process, self._lines = process, lines

    def nodes(self) -> dict[str, Any]:
        """Return what was told of each node last."""
        records = [each for each in self._printed() if each["type"] == "lab_node"]
        return {each["node"]: each for each in records}

    def ask(self, **line: str) -> dict[str, Any]:
        """Ask for something, and return the answer."""
        before = len(self._answers())
        os.write(self._lines, json.dumps(line).encode() + b"\n")
        end_s = time.monotonic() + TIMEOUT_S
        while len(self._answers()) == before:
            assert time.monotonic() < end_s
            time.sleep(0.05)
        answer: dict[str, Any] = self._answers()[-1]
        return answer

    def _printed(self) -> list[dict[str, Any]]:
        return nets.members_of(self._process)

    def _answers(self) -> list[dict[str, Any]]:
        return [each for each in self._printed() if each["type"].startswith("control")]


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Steered]:
    nets.need("ping")
    yield from steered(tmp_path, 3)


def steered(folder: Path, nodes: int) -> Iterator[Steered]:
    words = ("ip", "lab", "--json", "--control", "--nodes", str(nodes))
    os.mkfifo(folder / "lines")
    lines = os.open(folder / "lines", os.O_RDWR)
    program = ("sh", "-c", 'exec "$0" "$@" < lines', PROGRAM)
    with Running(folder, *words, program=program) as process:
        message = process.next_message()
        while message and "nodes are up" not in message:
            message = process.next_message()
        assert message, process.ended()
        yield Steered(process, lines)
        process.send_signal(signal.SIGINT)
        process.wait(TIMEOUT_S)
    os.close(lines)


def until_settled(folder: Path, neighbour: str) -> None:
    """Wait until a node shares a key with a neighbour that both have used."""
    end_s = time.monotonic() + TIMEOUT_S
    while "settled" not in str(status_of(folder).neighbours.get(neighbour)):
        assert time.monotonic() < end_s, status_of(folder)
        time.sleep(0.1)


def ping(node: dict[str, Any], address: str) -> None:
    """Ping an address; a node looks for new neighbours at most once a second."""
    words = ("ping", "-c", "1", "-W", "2", address)
    end_s = time.monotonic() + TIMEOUT_S
    while subprocess.run(nets.command(node, *words), check=False).returncode:
        assert time.monotonic() < end_s
    said = nets.run(node, "ping", "-c", "2", "-W", "10", address)
    assert "2 received" in said


def test_a_newcomer_joins_and_packets_reach_it_over_all_hops(three: Steered) -> None:
    answer = three.ask(do="invite", node="n3")
    assert answer["type"] == "control_done"
    assert answer["sentence"].startswith("n3 has invited n4")
    nodes = three.nodes()
    assert nodes["n4"]["neighbours"] == ["n3"]
    assert nodes["n3"]["neighbours"] == ["n2", "n4"]
    assert nodes["n3"]["pid"] != nodes["n4"]["pid"]
    until_settled(Path(nodes["n3"]["directory"]), "n4")
    # Three hops, over nodes that ran before it was there.
    ping(nodes["n1"], nodes["n4"]["address"])
    # It can invite, too; who is not there cannot.
    assert three.ask(do="invite", node="n4")["type"] == "control_done"
    nodes = three.nodes()
    assert nodes["n5"]["neighbours"] == ["n4"]
    ping(nodes["n5"], nodes["n1"]["address"])
    three.ask(do="kill", node="n4")
    refused = three.ask(do="invite", node="n4")
    assert refused["reason"] == "n4 does not run: start it first"
    assert "n6" not in three.nodes()
    assert three.ask(do="start", node="n4")["type"] == "control_done"
    ping(nodes["n5"], nodes["n1"]["address"])


def test_a_pair_invites_nobody(tmp_path: Path) -> None:
    nets.need()
    for lab in steered(tmp_path, 2):
        refused = lab.ask(do="invite", node="n1")
        assert "one of a pair" in refused["reason"]
        assert list(lab.nodes()) == ["n1", "n2"]


def test_a_network_grows_to_its_bound_and_no_further() -> None:
    grown = Network.of("star", NODES_MAX - 1).with_neighbour(2)
    assert grown.nodes == NODES_MAX
    assert grown.neighbours(NODES_MAX) == [2]
    assert grown.routes(3)[NODES_MAX] == 1
    assert grown.routes(1)[NODES_MAX] == 2
    with pytest.raises(MisuseError, match=f"at most {NODES_MAX} nodes"):
        grown.with_neighbour(1)
