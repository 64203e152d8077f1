# SPDX-License-Identifier: Apache-2.0
"""Running networks, and other programs above them."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from links import Running
from shell import PROGRAM, TIMEOUT_S

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Member = dict[str, Any]


def need(*programs: str) -> None:
    """Skip a test, and say so, where it cannot run."""
    if os.geteuid() != 0:
        pytest.skip("NOT TRIED: only root can make network namespaces")
    if not Path("/dev/net/tun").exists():
        pytest.skip("NOT TRIED: this kernel has no TUN interfaces")
    if absent := missing(*programs):
        pytest.skip(f"NOT TRIED: {', '.join(absent)} is not installed")


@contextlib.contextmanager
def lab(
    folder: Path,
    *arguments: str,
    nodes: int = 2,
    program: Sequence[str | Path] = (PROGRAM,),
) -> Iterator[list[Member]]:
    """Run `samara ip lab`; yield what it tells of its nodes."""
    count = ("--nodes", str(nodes))
    words = ("ip", "lab", "--json", *count, *arguments)
    with Running(folder, *words, program=program) as process:
        message = process.next_message()
        while message and "nodes are up" not in message:
            message = process.next_message()
        assert message, process.ended()
        yield members_of(process)
        process.send_signal(signal.SIGINT)
        process.wait(TIMEOUT_S)


def members_of(process: Running) -> list[Member]:
    """Return what a lab has told of its nodes."""
    lines = os.pread(process.output.fileno(), 1 << 20, 0).splitlines()
    return [json.loads(line) for line in lines]


def until_printed(process: Running) -> None:
    """Wait until a program has written a line."""
    end_s = time.monotonic() + TIMEOUT_S
    while not process.lines_so_far():
        assert process.poll() is None, process.ended()
        assert time.monotonic() < end_s
        time.sleep(0.05)


def command(member: Member, *words: str) -> list[str]:
    """Return a command that runs where a node is."""
    return [*shlex.split(member["enter"]), *words]


def run(member: Member, *words: str, timeout_s: float = 60) -> str:
    """Run a program where a node is, and return its output."""
    done = subprocess.run(
        command(member, *words),
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    assert done.returncode == 0, done
    return done.stdout


@contextlib.contextmanager
def running(member: Member, *words: str) -> Iterator[None]:
    """Run a server where a node is."""
    with server(*command(member, *words)):
        yield


def until_reached(one: Member, other: Member, *, size: int = 56) -> None:
    """Ping until an answer comes back: a busy machine may lose what is on the air."""
    end_s = time.monotonic() + 90
    options = f"-c 1 -W 15 -s {size} {other['address']}".split()
    while subprocess.call(command(one, "ping", *options), stdout=subprocess.DEVNULL):
        assert time.monotonic() < end_s, "no ping comes back"


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started, and that are there."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in listed.split()]


def until_listening(member: Member, port: int, kind: str = "udp") -> None:
    """Wait until a program listens on a port where a node is."""
    table = Path(f"/proc/{member['pid']}/net/{kind}6")
    end_s = time.monotonic() + 60
    while f":{port:04X} " not in table.read_text():
        assert time.monotonic() < end_s, f"nothing listens on {kind} port {port}"
        time.sleep(0.02)


def gone(pid: int, within_s: float = 60) -> bool:
    """Tell whether a process ends in time."""
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        if not Path(f"/proc/{pid}").exists():
            return True
        time.sleep(0.02)
    return False


def vanished(path: Path, within_s: float = 60) -> bool:
    """Tell whether a file is removed in time."""
    end_s = time.monotonic() + within_s
    while path.exists() and time.monotonic() < end_s:
        time.sleep(0.02)
    return not path.exists()


def missing(*programs: str) -> list[str]:
    """Return which programs are not installed."""
    return [program for program in programs if shutil.which(program) is None]


def free_ports(count: int) -> list[int]:
    """Return UDP ports that nobody has."""
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@contextlib.contextmanager
def server(*words: str) -> Iterator[None]:
    """Run a server."""
    with subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
