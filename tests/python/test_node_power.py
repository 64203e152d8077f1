# SPDX-License-Identifier: Apache-2.0
"""Power failures at each moment: what was not synchronised is lost, or a part of it.

A process uses the state of a node under strace. Its writes are then carried out again
on files that remember what was synchronised: at each moment at which a number was used,
they are what a disk can have after a failure of power. The state has to open then, and
must neither take a number again that was used, nor skip more than it is allowed to.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from node_numbers import EXPECTED, SENT, to_format_1

from samara.link.node import unsynced
from samara.link.node.state import RECEIVED_AHEAD, State
from samara.link.node.state_file import FILES, FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

AHEAD, STEP_MOST = 3, 300
# Each number goes to a mark when it is used. The bound of a received one is crossed
# twice, and each third one sent needs a reservation: with notes in between.
USES = """
import os, sys
from pathlib import Path
from samara.link.node.quantities import Number, Quantity
from samara.link.node.state import RECEIVED_AHEAD, State
received, total = Number(Quantity.EXPECTED), Number(Quantity.RECEIVED)
state = State(Path(sys.argv[1]), reserved_ahead=3)
sent = state.counter(Number(Quantity.SENT))
for seen in (1, 2, 3, 300, 301, 302, 600, 601):
    state.advance({received: seen}, {received: RECEIVED_AHEAD}, {total: seen})
    os.path.exists(f"/used seen {seen}")
    if seen % 2 == 0:
        os.path.exists(f"/used sent {sent.take()}")
os._exit(0)
"""
_CALL = re.compile(r"(?P<name>\w+)\((?P<rest>.*)\) += (?P<result>-?\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FILE = re.compile(r"^\d+<((?:\\x[0-9a-f]{2})*)>")
_TRACED = "trace=pwrite64,ftruncate,fsync,fdatasync,unlink,newfstatat,stat,access"
_MARK = re.compile(rb"/used (\w+) (\d+)")
_SIZE_MAX = 1 << 16


@dataclass(frozen=True)
class Write:
    """A part of a file that was written; without data, the file was cut there."""

    at: int
    data: bytes | None

    def applied(self, content: bytes) -> bytes:
        if self.data is None:
            return content[: self.at].ljust(self.at, b"\0")
        end = self.at + len(self.data)
        return content[: self.at].ljust(self.at, b"\0") + self.data + content[end:]

    def torn(self) -> Write:
        """Return the first half of it."""
        return Write(self.at, self.data and self.data[: len(self.data) // 2])


@dataclass
class File:
    """A file on a disk with a cache."""

    durable: bytes = b""
    pending: list[Write] = field(default_factory=list)

    def sync(self) -> None:
        for write in self.pending:
            self.durable = write.applied(self.durable)
        self.pending.clear()

    def after_failures(self) -> list[bytes]:
        """Return what it can be: with nothing, all, or a part of what is pending."""
        *earlier, last = self.pending or [Write(len(self.durable), b"")]
        choices: list[Sequence[Write]] = [
            (),
            self.pending,
            (*earlier, last.torn()),
            # A disk does not keep the order.
            (last,),
        ]
        found: dict[bytes, None] = {}
        for writes in choices:
            content = self.durable
            for write in writes:
                content = write.applied(content)
            found[content] = None
        return list(found)


@dataclass
class Moment:
    """What was used so far, and what the files can be after a failure of power."""

    used: Mapping[str, int]
    files: Mapping[Path, Sequence[bytes]]

    @classmethod
    def now(cls, used: Mapping[str, int], files: Mapping[Path, File]) -> Moment:
        return cls(used, {path: file.after_failures() for path, file in files.items()})

    def disks(self) -> Iterator[dict[Path, bytes]]:
        for contents in itertools.product(*self.files.values()):
            yield dict(zip(self.files, contents, strict=True))


def moments(trace: str, files: dict[Path, File]) -> Iterator[Moment]:
    """Yield the moment after each use, and those before something is synchronised."""
    used: dict[str, int] = {}
    for line in trace.splitlines():
        call = _CALL.search(line)
        if call is None:
            continue
        rest = call["rest"]
        texts = [of_hex(text) for text in _TEXT.findall(rest)]
        described = _FILE.match(rest)
        file = files.get(Path(os.fsdecode(of_hex(described[1])))) if described else None
        if texts and (mark := _MARK.fullmatch(texts[0])):
            used = {**used, mark[1].decode(): int(mark[2])}
            yield Moment.now(used, files)
        elif file is None or int(call["result"]) < 0:
            continue
        elif call["name"] == "pwrite64":
            (data,) = texts
            assert int(call["result"]) == len(data)
            file.pending.append(Write(int(rest.rsplit(", ", 1)[1]), data))
        elif call["name"] == "ftruncate":
            file.pending.append(Write(int(rest.rsplit(", ", 1)[1]), None))
        elif call["name"] in {"fsync", "fdatasync"}:
            yield Moment.now(used, files)
            file.sync()


def of_hex(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def put(contents: Mapping[Path, bytes]) -> None:
    """Give files these contents, in place: a copy of a state is refused."""
    for path, content in contents.items():
        path.write_bytes(content)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    folder = tmp_path / "node"
    folder.mkdir()
    State.make(folder)
    return folder


def traced(folder: Path) -> str:
    """Use the numbers of a state, and return the system calls."""
    trace = folder.parent / "trace"
    command = ["strace", "-y", "-xx", "-s", str(_SIZE_MAX), "-e", _TRACED]
    program = [sys.executable, "-c", USES, str(folder)]
    subprocess.run([*command, "-o", str(trace), *program], check=True)
    return trace.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("format_before", [FORMAT, 1])
def test_no_number_is_used_again_after_a_power_failure(
    format_before: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if format_before == 1:
        to_format_1(folder, {})
    (witness,) = (folder.parent / "xdg" / "samara").iterdir()
    places = [*(folder / name for name in FILES if name != "state.db-shm"), witness]
    files = {path: File(path.read_bytes() if path.exists() else b"") for path in places}
    trace = traced(folder)
    monkeypatch.setattr(unsynced, "boot", lambda: 0)
    failures = 0
    for moment in moments(trace, files):
        for disk in moment.disks():
            (folder / "state.db-shm").unlink(missing_ok=True)
            put(disk)
            with State(folder, AHEAD) as state:
                check(state, moment.used)
            failures += 1
    assert moment.used == {"seen": 601, "sent": 3}
    assert failures > 20


def check(state: State, used: Mapping[str, int]) -> None:
    """Look at what a node does with its state after a power failure."""
    seen = state.get(EXPECTED) or 0
    before = used.get("seen", 0)
    assert before <= seen <= before + STEP_MOST + RECEIVED_AHEAD
    # Read without taking it: that would be one more change.
    after = state.counter(SENT).next
    assert after > used.get("sent", -1)
    assert after <= used.get("sent", -1) + 1 + AHEAD + RECEIVED_AHEAD
