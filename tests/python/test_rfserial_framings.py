# SPDX-License-Identifier: Apache-2.0
"""A framing of serial links is one row of one table."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from shell import TIMEOUT_S, assert_done, assert_misuse, environment

from samara import crypto
from samara.link import rfserial
from samara.link.rfserial.framings import FRAMINGS

# A copy of a framing under another name, which nothing else in samara knows.
_TOY = """
import dataclasses, sys
from samara.link.rfserial.framings import FRAMINGS
FRAMINGS["toy"] = dataclasses.replace(FRAMINGS[sys.argv[1]], name="toy")
"""
_COMMAND = """
from samara.cli.running import run
sys.exit(run(sys.argv[2:]))
"""
_MESSAGE = """
from pathlib import Path
from links import Cable
from samara.link.node import folder
from samara.link.node.node import Node
folder.make_pair(Path("a"), "rf-serial", {"framing": "toy"})
folder.make_second(Path("b"), Path("a"), {})
with Cable() as cable:
    port, other = ({"port": port} for port in cable.ports)
    with Node(Path("a"), port) as a, Node(Path("b"), other) as b:
        a.send(b"hello")
        events = []
        while not events:
            events = b.receive(1)
        print(events[0].message.decode())
"""


def with_toy(
    folder: Path, program: str, *arguments: str, like: str = "sealed"
) -> subprocess.CompletedProcess[bytes]:
    """Run a program with one more row in the table."""
    here = str(Path(__file__).parent)
    return subprocess.run(
        [sys.executable, "-c", _TOY + program, like, *arguments],
        cwd=folder,
        env=environment() | {"PYTHONPATH": here},
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.mark.parametrize("command", ["node init", "receipt explain"])
def test_a_new_row_is_in_the_help(command: str, tmp_path: Path) -> None:
    answer = with_toy(tmp_path, _COMMAND, *command.split(), "--help")
    assert "toy" in assert_done(answer).decode()


def test_a_new_row_carries_messages_of_nodes(tmp_path: Path) -> None:
    assert assert_done(with_toy(tmp_path, _MESSAGE)) == b"hello\n"


@pytest.mark.parametrize(
    ("like", "suite"), [("plain", None), ("cbc-hex", "aes256-cbc")]
)
def test_a_new_row_is_warned_of_and_in_receipts(
    like: str, suite: str | None, tmp_path: Path
) -> None:
    init = ("node", "init", "first", "--link", "rf-serial", "--framing", "toy")
    assert_misuse(
        with_toy(tmp_path, _COMMAND, *init, like=like),
        "the framing toy does not authenticate",
    )
    explain = ("receipt", "explain", "--link", "rf-serial", "--framing", "toy")
    answer = with_toy(
        tmp_path, _COMMAND, *explain, "--bytes", "14", "--json", like=like
    )
    receipt = json.loads(assert_done(answer))
    assert (receipt["protection"], receipt["suite"]) == ("toy", suite)


def test_rows_say_what_they_need() -> None:
    """The key of `sealed` is that of the suite; the others ignore the suite."""
    for suite in crypto.suites():
        sizes = {name: row.key_size(suite.slug) for name, row in FRAMINGS.items()}
        assert sizes == {
            "sealed": suite.key_size,
            "plain": 0,
            "cbc-hex": 32,
            "cbc-hex-padded": 32,
        }
    assert [row.name for row in FRAMINGS.values() if row.authenticates] == ["sealed"]


def test_a_new_row_is_used_by_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = dataclasses.replace(FRAMINGS["plain"], name="toy", needs_pauses=False)
    monkeypatch.setitem(FRAMINGS, "toy", toy)
    sender, receiver = rfserial.Sender("toy"), rfserial.Receiver("toy")
    assert not receiver.needs_pauses
    encoded = sender.encode(b"21.5 C")
    assert receiver.feed(encoded) + receiver.pause() == [
        rfserial.Message(0, b"21.5 C", b"21.5 C")
    ]
