# SPDX-License-Identifier: Apache-2.0
"""The tables of a node's numbers: what they refuse, and how format 1 becomes theirs.

`states_of_format_1.json` has the numbers of three nodes as samara stored them by name:
two of a network that were killed, one of them called "2", and one of a pair.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from node_numbers import IDS, INTERRUPTED, RECEIVED, to_format_1
from toy_pair import Machine, kill

from samara.link.node import format_1, quantities, state_file, unsynced
from samara.link.node.quantities import (
    COUNTER_LIMIT,
    DamagedError,
    Number,
    Quantity,
    Value,
)
from samara.link.node.state import RECEIVED_AHEAD, State, StateError
from samara.link.node.state_file import CHANGES, FILE, FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

STORED: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("states_of_format_1.json").read_text()
)
INTRODUCER = "02d5d60a982ca288"
RECEIVED_OF_2 = Number(Quantity.EXPECTED, "2")
TAKEN_OF_2 = Number(Quantity.TAKEN, "2")


# What a table takes.


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(":memory:")) as opened:
        quantities.make_table(opened, "number")
        quantities.make_table(opened, "note")
        yield opened


_SENT, _EXPECTED = "transmit counter", "receive counter"
_WINDOW = bytes(8)
GOOD = [
    (_SENT, "", 0, 0, 0, None, 0),
    (_SENT, "", 7, 1, COUNTER_LIMIT, None, 0),
    (_SENT, "bob", 2**32 - 1, 0, 5, None, 0),
    (_EXPECTED, "bob", 1, 1, 2**63 - 1, _WINDOW, 1),
    ("message id", "", 0, 0, COUNTER_LIMIT, None, 0),
    ("message taken", "bob", 0, 1, 5, None, 1),
    ("message handed on", "", 0, 0, 5, None, 0),
    ("introduced by", INTRODUCER, 0, 0, 5, _WINDOW, 0),
    ("changes", "", 0, 0, 5, None, 0),
]
BAD = {
    "an unknown quantity": ("transmit counter bob", "", 0, 0, 0, None, 0),
    "nothing that is counted": (None, "", 0, 0, 0, None, 0),
    "no neighbour": (_SENT, None, 0, 0, 0, None, 0),
    "no value": (_SENT, "", 0, 0, None, None, 0),
    "a negative value": (_SENT, "", 0, 0, -1, None, 0),
    "a value that is a text": (_SENT, "", 0, 0, "many", None, 0),
    "a value that is a fraction": (_SENT, "", 0, 0, 1.5, None, 0),
    "a counter beyond its limit": (_SENT, "", 0, 0, COUNTER_LIMIT + 1, None, 0),
    "an id beyond its limit": ("message id", "", 0, 0, COUNTER_LIMIT + 1, None, 0),
    "a negative generation": (_SENT, "", -1, 0, 0, None, 0),
    "a generation beyond its limit": (_SENT, "", 2**32, 0, 0, None, 0),
    "a generation without a key": ("message id", "", 1, 0, 0, None, 0),
    "a total of a group": ("received", "", 0, 1, 0, None, 0),
    "a total of a neighbour": ("received", "bob", 0, 0, 0, None, 0),
    "a third kind of key": (_SENT, "", 0, 2, 0, None, 0),
    "a counter for one of a group": (_SENT, "bob", 0, 1, 0, None, 0),
    "a member without a name": (_EXPECTED, "", 0, 1, 0, None, 0),
    "a short window": (_EXPECTED, "", 0, 0, 0, bytes(7), 0),
    "a long window": (_EXPECTED, "", 0, 0, 0, bytes(9), 0),
    "a window that is a text": (_EXPECTED, "", 0, 0, 0, "12345678", 0),
    "a window of what is sent": (_SENT, "", 0, 0, 0, _WINDOW, 0),
    "a bound of what is sent": (_SENT, "", 0, 0, 0, None, 1),
    "half a bound": (_EXPECTED, "", 0, 0, 0, None, 2),
    "an introducer by its name": ("introduced by", "bob", 0, 0, 0, None, 0),
    "an introducer in capitals": ("introduced by", "A" * 16, 0, 0, 0, None, 0),
    "a number of the notes": ("note", "", 0, 0, 0, None, 0),
}
_INSERT = "INSERT INTO number VALUES (?, ?, ?, ?, ?, ?, ?)"


def test_the_table_takes_what_can_be(database: sqlite3.Connection) -> None:
    database.executemany(_INSERT, GOOD)
    found = quantities.read(database, "number")
    assert len(found) == len(GOOD)
    assert found[Number(Quantity.SENT, "bob", 2**32 - 1)] == Value(5)
    in_group = Number(Quantity.EXPECTED, "bob", 1, of_group=True)
    assert found[in_group] == Value(2**63 - 1, 0, is_bound=True)


@pytest.mark.parametrize("row", BAD.values(), ids=BAD)
def test_the_table_refuses_what_cannot_be(
    row: tuple[object, ...], database: sqlite3.Connection
) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        database.execute(_INSERT, row)


def test_there_is_one_row_of_a_number(database: sqlite3.Connection) -> None:
    database.executemany(_INSERT, GOOD)
    for row in GOOD:
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            database.execute(_INSERT, row)


_UNREADABLE = [
    *(name for name in BAD if name.startswith(("an unknown", "no", "a value"))),
    *("a negative value", "a negative generation", "a generation beyond its limit"),
    *("a third kind of key", "a short window", "a long window", "half a bound"),
    "a window that is a text",
]


@pytest.mark.parametrize("name", _UNREADABLE)
def test_a_row_that_cannot_be_is_not_read(
    name: str, database: sqlite3.Connection
) -> None:
    """A disk can put it there, without the constraints."""
    database.execute("DROP TABLE number")
    columns = "quantity, peer, generation, of_group, value, window, is_bound"
    database.execute(f"CREATE TABLE number ({columns})")
    database.execute(_INSERT, BAD[name])
    with pytest.raises(DamagedError):
        quantities.read(database, "number")


_PEERS = st.one_of(st.just(""), st.from_regex(r"[A-Za-z0-9._-]{1,20}", fullmatch=True))
_ROWS = st.dictionaries(
    st.builds(
        Number,
        st.sampled_from([Quantity.EXPECTED, Quantity.SENT]),
        _PEERS,
        st.integers(0, 2**32 - 1),
        st.just(value=False),
    ),
    st.integers(0, COUNTER_LIMIT).map(Value),
    min_size=2,
)


@given(_ROWS, st.integers(0, 2**64 - 1))
def test_what_was_written_is_read(rows: dict[Number, Value], window: int) -> None:
    rows |= {n: Value(5, window) for n in rows if n.quantity is Quantity.EXPECTED}
    kept = Number(Quantity.EXPECTED, "kept", 3)
    with contextlib.closing(sqlite3.connect(":memory:")) as opened:
        quantities.make_table(opened, "number")
        quantities.write(opened, "number", {kept: Value(1), **rows})
        quantities.write(opened, "number", rows)
        assert quantities.read(opened, "number") == {kept: Value(1), **rows}
        quantities.remove(opened, "number", rows)
        expected = {} if kept in rows else {kept: Value(1)}
        assert quantities.read(opened, "number") == expected


# Names of format 1.


def typed(name: str, table: str = "number") -> dict[Number, Value]:
    stored = STORED[name]
    rows = {n: v for n, v in stored[table].items() if not n.startswith("#")}
    return format_1.typed(rows, is_pair=stored["is_pair"])


def test_names_of_a_network() -> None:
    found = typed("hub")
    # Each window was three numbers.
    assert len(found) == len(STORED["hub"]["number"]) - 4 * 3
    assert found[RECEIVED_OF_2] == Value(273)
    assert found[Number(Quantity.EXPECTED, "carol")] == Value(14, 5)
    assert found[Number(Quantity.EXPECTED, "bob", 3)] == Value(300)
    assert found[Number(Quantity.SENT, "bob", 3)] == Value(1000)
    assert found[Number(Quantity.SENT, generation=1, of_group=True)] == Value(1000)
    of_group = Number(Quantity.EXPECTED, "2", 1, of_group=True)
    assert found[of_group] == Value(40, 0)
    assert found[Number(Quantity.INTRODUCTIONS)] == Value(2)
    assert typed("hub", "note")[RECEIVED_OF_2] == Value(17, 1 | 1 << 63)


def test_names_of_a_node_that_was_introduced() -> None:
    found = typed("2")
    assert found[Number(Quantity.INTRODUCED_BY, INTRODUCER)] == Value(2, 1)
    assert found[Number(Quantity.INTRODUCERS)] == Value(1)
    assert found[Number(Quantity.TAKEN, "hub", of_group=True)] == Value(79)
    carol = Number(Quantity.EXPECTED, "carol")
    assert found[carol] == Value(3, is_bound=True)


def test_names_of_a_pair() -> None:
    found = typed("a")
    assert found[Number(Quantity.SENT, generation=2)] == Value(4)
    assert found[Number(Quantity.EXPECTED, generation=2)] == Value(2)


@pytest.mark.parametrize("name", STORED)
def test_every_name_is_a_row_of_its_own(
    name: str, database: sqlite3.Connection
) -> None:
    for table in ("number", "note"):
        rows = typed(name, table)
        quantities.write(database, table, rows)
        assert quantities.read(database, table) == rows
        words = {str(number) for number in rows}
        assert words <= STORED[name][table].keys() | {"group message taken hub"}


@pytest.mark.parametrize(
    "name",
    [
        "transmit counter bob two",
        "transmit counter bob 1 2",
        "group transmit counter bob",
        "message taken bob 1",
        "message taken bob * *",
        "introduced by bob",
        "transmit  counter",
        "",
    ],
)
def test_a_name_without_a_meaning_is_refused(name: str) -> None:
    """A counter that was passed over would begin anew."""
    with pytest.raises(DamagedError):
        format_1.typed({name: 1}, is_pair=False)


def test_a_window_that_is_too_large_is_refused() -> None:
    rows = {"receive counter": 3, "receive counter, missing below": 3}
    rows["receive counter, missing 33 to 64"] = 2**32
    with pytest.raises(DamagedError):
        format_1.typed(rows, is_pair=True)


# A state of format 1.


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def old_state(folder: Path, of: str = "hub") -> Path:
    """Make a state as samara of format 1 has left it when it was killed."""
    folder.mkdir()
    State.make(folder)
    stored = STORED[of]
    if stored["is_pair"]:
        with State(folder) as state:
            state.store({}, {"neighbour": {}})
    notes = stored["note"]
    to_format_1(folder, stored["number"], notes and {**notes, "#boot": unsynced.boot()})
    return folder


def format_of(folder: Path) -> int:
    with contextlib.closing(sqlite3.connect(folder / FILE)) as opened:
        (found,) = opened.execute("PRAGMA user_version").fetchone()
        return int(found)


@pytest.mark.usefixtures("machine")
def test_a_killed_node_continues_where_it_was(tmp_path: Path) -> None:
    folder = old_state(tmp_path / "node")
    before = typed("hub") | typed("hub", "note")
    assert state_file.numbers_in(folder) == before
    state = State(folder)
    assert format_of(folder) == FORMAT == 2
    assert state.was_interrupted
    assert state_file.numbers_in(folder) == {**before, CHANGES: Value(106)}
    assert state.window(RECEIVED_OF_2) == 1 | 1 << 63
    assert state.skipped(TAKEN_OF_2) is None
    assert state.counter(Number(Quantity.SENT, "bob", 3)).take() == 1000
    kill(state)
    with State(folder) as again:
        assert again.get(RECEIVED_OF_2) == 17
        assert again.get(IDS) == 1000
        assert again.durable_writes == 0


def test_after_a_power_failure_it_continues_at_its_bounds(
    tmp_path: Path, machine: Machine
) -> None:
    folder = old_state(tmp_path / "node")
    machine.restart()
    with State(folder) as state:
        assert state.skipped(RECEIVED_OF_2) == state.get(RECEIVED_OF_2) == 273
        assert state.window(RECEIVED_OF_2) is None
        assert state.skipped(TAKEN_OF_2) == 1024
        carol = Number(Quantity.EXPECTED, "carol")
        assert (state.get(carol), state.window(carol)) == (14, 5)
        assert state.skipped(carol) is None
        sent = state.counter(Number(Quantity.SENT, "bob", 3))
        assert sent.next == 1000 + RECEIVED_AHEAD


def test_a_pair_keeps_the_generations_of_its_keys(tmp_path: Path) -> None:
    with State(old_state(tmp_path / "node", "a")) as state:
        assert state.counter(Number(Quantity.SENT, generation=2)).take() == 4
        assert state.get(RECEIVED) == STORED["a"]["number"].get("received")
        assert state.records() == {"neighbour": {}}


def restored(backup: Path, folder: Path) -> None:
    """Put a backup into the very same file: its place does not tell."""
    for name in state_file.FILES[1:]:
        (folder / name).unlink(missing_ok=True)
    (folder / FILE).write_bytes((backup / FILE).read_bytes())


def test_a_backup_of_the_old_format_is_refused(tmp_path: Path) -> None:
    folder = old_state(tmp_path / "node")
    backup = Path(shutil.copytree(folder, tmp_path / "backup"))
    State(folder).close()
    restored(backup, folder)
    with pytest.raises(StateError, match=r"backup \(change 105 of 106\)"):
        State(folder)
    assert format_of(folder) == 1


def test_a_copy_or_a_backup_is_not_changed(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(old_state(tmp_path / "node"), tmp_path / "copy"))
    with pytest.raises(StateError, match="is a copy"):
        State(copy)
    assert format_of(copy) == 1


def test_a_name_that_is_not_known_stops_the_node(tmp_path: Path) -> None:
    folder = old_state(tmp_path / "node")
    with contextlib.closing(sqlite3.connect(folder / FILE)) as opened:
        opened.execute("INSERT INTO number VALUES ('transmit counters', 3)")
        opened.commit()
    with pytest.raises(StateError, match=r"a number that is invalid.*node rekey"):
        State(folder)
    assert format_of(folder) == 1


OPENING = """
import os, sys
from pathlib import Path
from samara.link.node.state import State
State(Path(sys.argv[1]))
os._exit(0)
"""
_STEPS_MOST = 100


def opened_until(folder: Path, call: str, number: int) -> bool:
    """Open a state in a process that is killed at a system call; tell if it was."""
    inject = f"inject={call}:signal=SIGKILL:when={number}"
    trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e"]
    done = subprocess.run(
        [*trace, inject, sys.executable, "-c", OPENING, str(folder)],
        check=False,
        capture_output=True,
    )
    assert done.returncode in (0, -9, 137), done.stderr
    return done.returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync", "ftruncate", "unlink"])
def test_a_kill_at_any_step_leaves_one_format_or_the_other(
    call: str, tmp_path: Path
) -> None:
    steps, formats = 0, set()
    while True:
        folder = old_state(tmp_path / str(steps))
        backup = Path(shutil.copytree(folder, tmp_path / f"backup of {steps}"))
        before = state_file.numbers_in(folder)
        if not opened_until(folder, call, steps + 1):
            break
        steps += 1
        assert steps < _STEPS_MOST
        formats.add(format_of(folder))
        found = state_file.numbers_in(folder)
        assert {**found, CHANGES: Value(0)} == {**before, CHANGES: Value(0)}
        with State(folder) as state:
            assert state.get(CHANGES) == 106
            assert state.get(INTERRUPTED) == 1
            assert state.get(RECEIVED_OF_2) == 17
            assert state.counter(Number(Quantity.SENT, "bob", 3)).take() == 1000
        restored(backup, folder)
        with pytest.raises(StateError, match="restored from a backup"):
            State(folder)
    assert formats <= {1, FORMAT}
    if call == "pwrite64":
        # Before the new format is whole, and between it and its witness.
        assert formats == {1, FORMAT}
        assert steps > 4
