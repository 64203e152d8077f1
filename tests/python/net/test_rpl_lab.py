# SPDX-License-Identifier: Apache-2.0
"""RPL between nodes that run: packets cross routers without routes set by hand."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING, Any

import nets
import pytest
from shell import TIMEOUT_S, samara

if TYPE_CHECKING:
    from pathlib import Path


def pinged(member: dict[str, Any], address: str) -> str:
    """Ping until an answer comes; return what ping has printed."""
    command = nets.command(member, "ping", "-c", "1", "-W", "2", address)
    end_s = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end_s:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout
        time.sleep(0.2)
    raise AssertionError(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["storing", "non-storing"])
def test_packets_cross_a_chain_that_finds_its_way(tmp_path: Path, mode: str) -> None:
    nets.need("ping", "ip")
    with nets.lab(tmp_path, "--rpl", "--rpl-mode", mode, nodes=4) as members:
        first, last = members[0], members[3]
        # Sent with 64, forwarded twice.
        assert "ttl=62" in pinged(last, first["address"])
        assert "ttl=62" in pinged(first, last["address"])
        routes = nets.run(last, "ip", "-6", "route")
        assert " via " not in routes


def test_options_of_rpl_that_cannot_be_are_refused(tmp_path: Path) -> None:
    for words, text in (
        (("--rpl", "router", "--objective", "of0"), "--objective is set by the root"),
        (("--rpl", "leaf", "--rpl-mode", "non-storing"), "--rpl-mode is set by the"),
        (("--rpl", "root", "--rpl-mode", "both"), "unknown mode 'both'"),
        (("--rpl", "leaf", "--userspace", "--listen", "5683"), "leave out --rpl"),
        (("--rpl", "tree"), "unknown role 'tree': give root, router or leaf"),
    ):
        done = samara("ip", "up", "alice", *words, folder=tmp_path)
        assert done.returncode == 2
        assert text in done.stderr.decode()
