# SPDX-License-Identifier: Apache-2.0
"""IPv6 over links that join two nodes: serial radios, and software-defined ones."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import nets
import pytest
from links import Running
from shell import TIMEOUT_S, assert_misuse, samara

from samara.link.node.events import Lost
from samara.net.attached import Attached
from samara.net.interface import Statistics
from samara.net.packet_queue import datagrams

if TYPE_CHECKING:
    from collections.abc import Iterator

SLOW = ("--link", "rf-serial", "--baud", "9600")
HTTP_PORT = 8000


@pytest.fixture(scope="module")
def slow_pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[nets.Member]]:
    """Two nodes at modems of 9600 baud."""
    nets.need("ping")
    with nets.lab(tmp_path_factory.mktemp("slow"), *SLOW) as members:
        yield members


@pytest.mark.slow
def test_a_long_ping_crosses_slow_modems(slow_pair: list[nets.Member]) -> None:
    nets.until_reached(*slow_pair, size=1232)


@pytest.mark.slow
def test_tcp_crosses_slow_modems_whole(
    slow_pair: list[nets.Member], tmp_path: Path
) -> None:
    nets.need("curl")
    first, second = slow_pair
    # More than the queue takes: TCP is told by losses, and repeats.
    content, got = os.urandom(6000), tmp_path / "got"
    (tmp_path / "file").write_bytes(content)
    server = ["python3", "-m", "http.server", "--bind", "::", "--directory"]
    with nets.running(second, *server, str(tmp_path), str(HTTP_PORT)):
        nets.until_listening(second, HTTP_PORT, "tcp")
        place = f"http://[{second['address']}]:{HTTP_PORT}/file"
        nets.run(first, "curl", "--silent", "--output", str(got), place, timeout_s=120)
    assert got.read_bytes() == content
    # Both are still there.
    nets.until_reached(first, second)


@pytest.mark.slow
def test_a_ping_crosses_software_defined_radio(tmp_path: Path) -> None:
    nets.need("ping")
    pytest.importorskip("gnuradio", reason="NOT TRIED: GNU Radio is not installed")
    lab = ("ip", "lab", "--json", "--link", "sdr", "--rate", "250e3")
    with Running(tmp_path, *lab) as process:
        while "nodes are up" not in (message := process.next_message()):
            assert message, process.ended()
        first, second = nets.members_of(process)
        # 1232 bytes are six bursts each way.
        nets.until_reached(first, second, size=1232)
        place = Path(first["directory"]).parent
        assert place.is_dir()
        pids = nets.children_of(process.pid)
        # Two nodes, the channel, and the watcher.
        assert len(pids) == 4
        process.send_signal(signal.SIGKILL)
        process.wait(TIMEOUT_S)
    assert all(nets.gone(pid) for pid in pids)
    assert nets.vanished(place)


@pytest.mark.slow
def test_modems_that_lose_all_carry_nothing(tmp_path: Path) -> None:
    nets.need("ping")
    with nets.lab(tmp_path, "--link", "rf-serial", "--loss", "1") as (first, second):
        options = f"-c 1 -W 3 {second['address']}".split()
        ping = nets.command(first, "ping", *options)
        assert subprocess.call(ping, stdout=subprocess.DEVNULL) == 1


def test_a_pair_is_two_nodes(tmp_path: Path) -> None:
    lab = ("ip", "lab", "--link", "rf-serial")
    assert_misuse(samara(*lab, "--nodes", "3", folder=tmp_path), "joins two nodes")
    assert_misuse(samara(*lab, "--pcap", "air.pcap", folder=tmp_path), "--pcap")
    assert_misuse(samara(*lab, "--level", "5", folder=tmp_path), "level")
    assert list(tmp_path.iterdir()) == []


def test_a_slow_link_has_a_short_queue() -> None:
    assert datagrams(120) == datagrams(960) == 4
    assert datagrams(11_520) == 16


def test_what_the_link_loses_is_counted() -> None:
    class Interface:
        statistics = Statistics()

    attached = Attached(Interface(), None)  # type: ignore[arg-type]
    assert not attached.take(Lost(3))
    assert not attached.take(Lost(2, "n2"))
    assert Interface.statistics.as_json()["payloads_lost"] == 5
