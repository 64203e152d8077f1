# SPDX-License-Identifier: Apache-2.0
"""`samara node up` as a person runs it, and as an init system ends it."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest
from links import Running, listening, medium
from shell import TIMEOUT_S, assert_done, assert_misuse, samara

from samara.link.node.state_file import numbers_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Path]:
    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}")
        init = ("node", "init", "a", "--link", "ieee802154", *where)
        assert_done(samara(*init, folder=tmp_path))
        assert_done(samara("node", "init", "b", "--pair-with", "a", folder=tmp_path))
        yield tmp_path


def up(folder: Path, node: str) -> Running:
    process = Running(folder, "node", "up", node)
    assert "is up" in process.told()
    return process


@pytest.mark.slow
def test_commands_use_the_process_that_keeps_a_node_up(nodes: Path) -> None:
    with up(nodes, "a") as a, up(nodes, "b") as b:
        with listening(nodes, "b", "--count", "1") as listener:
            sent = samara("node", "send", "a", "21.5 C", "--ack", folder=nodes)
            assert assert_done(sent).startswith(b"sent: 6 bytes in 1 packet")
            (heard,) = listener.events()
        assert heard["text"] == "21.5 C"
        shown = assert_done(samara("node", "status", "b", "--json", folder=nodes))
        status = json.loads(shown)
        assert status["in_use"]
        assert status["service"]["pid"] == b.pid
        second = samara("node", "up", "b", folder=nodes)
        assert_misuse(second, "another process is using the node b")
        elsewhere = ("--medium", "127.0.0.1:1")
        moved = samara("node", "send", "a", "x", *elsewhere, folder=nodes)
        assert_misuse(moved, "give --medium there")
        b.kill()
        b.wait(TIMEOUT_S)
        assert (nodes / "b" / "socket").exists()
        with up(nodes, "b") as again:
            assert_done(samara("node", "send", "a", "on", "--ack", folder=nodes))
            again.send_signal(signal.SIGTERM)
            assert again.wait(TIMEOUT_S) == 0
        a.send_signal(signal.SIGINT)
        assert a.wait(TIMEOUT_S) == 0
    assert not (nodes / "a" / "socket").exists()
    assert numbers_in(nodes / "a")["interrupted"] == 0
    # Alone again; nobody answers.
    alone = samara("node", "send", "a", "x", "--ack", "--retries", "0", folder=nodes)
    assert alone.returncode == 1
