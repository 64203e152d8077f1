# SPDX-License-Identifier: Apache-2.0
"""`samara node up` as a person runs it, and as an init system ends it."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kept_up import until
from links import Running, listening, medium
from node_numbers import INTERRUPTED, counts_in
from shell import (
    PROGRAM,
    TIMEOUT_S,
    assert_done,
    assert_misuse,
    environment,
    samara,
)

from samara.link.node.inbox import kept_in

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    assert "is up" in process.next_message()
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
            kept = samara("node", "send", "a", "on", "--ack", folder=nodes)
            assert kept.returncode == 1
            assert b"keeps the message until somebody listens" in kept.stderr
            again.send_signal(signal.SIGTERM)
            assert again.wait(TIMEOUT_S) == 0
        a.send_signal(signal.SIGINT)
        assert a.wait(TIMEOUT_S) == 0
    assert not (nodes / "a" / "socket").exists()
    assert counts_in(nodes / "a")[INTERRUPTED] == 0
    # Alone again; nobody answers.
    alone = samara("node", "send", "a", "x", "--ack", "--retries", "0", folder=nodes)
    assert alone.returncode == 1


@pytest.mark.slow
def test_what_nobody_took_is_there_when_all_were_killed(nodes: Path) -> None:
    """Neither a listener that cannot write, nor one that observes, has taken it."""
    with up(nodes, "b") as b:
        sent = samara("node", "send", "a", "21.5 C", "--ack", folder=nodes)
        assert sent.returncode == 1
        assert b"keeps the message until somebody listens" in sent.stderr
        with Path("/dev/full").open("wb") as full:
            failed = subprocess.run(
                [PROGRAM, "node", "listen", "b", "--count", "1"],
                cwd=nodes,
                env=environment(),
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
                timeout=TIMEOUT_S,
            )
        assert failed.returncode != 0
        with listening(nodes, "b", "--observe") as observer:
            (seen,) = observer.interrupted_after(1)
        b.kill()
        b.wait(TIMEOUT_S)
    shown = assert_done(samara("node", "status", "b", "--json", folder=nodes))
    assert json.loads(shown)["kept"] == 1
    alone = samara("node", "listen", "b", "--observe", folder=nodes)
    assert_misuse(alone, "--observe is for a node that `samara node up` keeps up")
    with up(nodes, "b") as b:
        with listening(nodes, "b", "--count", "1") as listener:
            (heard,) = listener.events()
        assert (heard["text"], heard["id"]) == ("21.5 C", seen["id"])
        assert heard["repeated"]
        until(lambda: kept_in(nodes / "b") == 0)
        assert_done(samara("node", "send", "a", "next", folder=nodes))
        with listening(nodes, "b", "--count", "1") as last:
            (heard,) = last.events()
        assert (heard["text"], heard["repeated"]) == ("next", False)
        b.send_signal(signal.SIGTERM)
        assert b.wait(TIMEOUT_S) == 0


@pytest.mark.slow
def test_what_is_left_is_printed_by_a_node_that_is_not_kept_up(nodes: Path) -> None:
    with up(nodes, "b"):
        sent = samara("node", "send", "a", "21.5 C", "--ack", folder=nodes)
        assert sent.returncode == 1
    left = samara("node", "listen", "b", "--count", "1", folder=nodes)
    assert left.returncode == 0
    assert left.stdout == b"21.5 C\n"
    assert b"repeated: the next message (id " in left.stderr
    nothing = samara("node", "listen", "b", "--timeout", "0.1", folder=nodes)
    assert (nothing.returncode, nothing.stdout) == (0, b"")
