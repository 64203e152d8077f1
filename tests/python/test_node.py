# SPDX-License-Identifier: Apache-2.0
"""Nodes: what is durable, what is refused, and what messages become of it."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import link_toys
import pytest
from hypothesis import given
from hypothesis import strategies as st
from link_toys import PAYLOAD_SIZE, Wire
from node_numbers import EXPECTED, LOST, SENT, counts_in

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node import kinds, messages, state
from samara.link.node.events import Alarm
from samara.link.node.messages import (
    Ack,
    Assembly,
    DeliveryStatus,
    Part,
    Restarted,
    WholeMessage,
)
from samara.link.node.node import (
    Event,
    Incomplete,
    Lost,
    Node,
    NotAcknowledgedError,
    Received,
    Refused,
)
from samara.link.node.quantities import COUNTER_LIMIT
from samara.link.node.state import CounterEndError, State, StateError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


# State


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with the state of a new node."""
    folder = tmp_path / "node"
    folder.mkdir()
    State.make(folder)
    return folder


def abandon(opened: State) -> None:
    """Leave a state as a killed process does: nothing is given back."""
    opened._database.close()  # noqa: SLF001 - what the kernel does
    opened._witness.close()  # noqa: SLF001
    os.close(opened._lock)  # noqa: SLF001


def test_counters_are_reserved_with_one_write_a_thousand(place: Path) -> None:
    with State(place) as opened:
        counter = opened.counter(SENT)
        assert [counter.take() for _ in range(2500)] == list(range(2500))
        assert opened.durable_writes == 3
    with State(place) as opened:  # given back: goes on where it ended
        assert not opened.was_interrupted
        assert opened.counter(SENT).take() == 2500


def test_a_killed_node_goes_on_behind_its_reservation(place: Path) -> None:
    opened = State(place)
    assert opened.counter(SENT).take() == 0
    abandon(opened)
    with State(place) as opened:
        assert opened.was_interrupted
        assert opened.counter(SENT).take() == 1000


def test_who_only_receives_leaves_the_mark_of_an_interruption(place: Path) -> None:
    opened = State(place)
    opened.counter(SENT).take()
    abandon(opened)
    with State(place) as opened:
        opened.store({EXPECTED: 3})
    with State(place) as opened:
        assert opened.was_interrupted
        assert opened.get(EXPECTED) == 3
        assert opened.counter(SENT).next == 1000


def test_a_counter_ends_and_does_not_wrap(place: Path) -> None:
    with State(place) as opened:
        opened.store({SENT: COUNTER_LIMIT - 2})
        counter = opened.counter(SENT)
        assert [counter.take(), counter.take()] == [
            COUNTER_LIMIT - 2,
            COUNTER_LIMIT - 1,
        ]
        for _ in range(2):
            with pytest.raises(CounterEndError, match="new keys"):
                counter.take()


def test_who_is_killed_near_the_end_keeps_most_of_the_rest(place: Path) -> None:
    left = 256
    with State(place) as opened:
        opened.store({SENT: COUNTER_LIMIT - left})
    for expected in (224, 196, 171):
        opened = State(place)
        assert opened.counter(SENT).take() == COUNTER_LIMIT - left
        abandon(opened)
        with State(place) as after:
            left = COUNTER_LIMIT - after.counter(SENT).next
        assert left == expected
    # All of them are given out in the end, each once.
    with State(place) as opened:
        taken = [opened.counter(SENT).take() for _ in range(left)]
    assert taken == [*range(COUNTER_LIMIT - left, COUNTER_LIMIT)]


OPENING = """
import pathlib, sys
from samara.link.node.state import State
State(pathlib.Path(sys.argv[1]))
"""


def test_two_processes_are_refused(place: Path) -> None:
    with State(place):
        assert state.is_in_use(place)
        done = subprocess.run(
            [sys.executable, "-c", OPENING, place], capture_output=True, check=False
        )
        assert b"another process is using" in done.stderr
    assert not state.is_in_use(place)


def test_copies_are_refused_and_a_moved_folder_is_not(place: Path) -> None:
    copy = place.with_name("copy")
    shutil.copytree(place, copy, copy_function=shutil.copy2)
    with pytest.raises(StateError, match="copy"):
        State(copy)
    shutil.rmtree(copy)
    shutil.copytree(place, copy, copy_function=os.link)
    with pytest.raises(StateError, match="copy"):
        State(copy)
    shutil.rmtree(copy)
    State(place.rename(place.with_name("moved"))).close()


def test_the_database_synchronises_each_write(place: Path) -> None:
    with State(place) as opened:
        for pragma, value in (("synchronous", 2), ("journal_mode", "wal")):
            row = opened._database.execute(f"PRAGMA {pragma}").fetchone()  # noqa: SLF001
            assert row == (value,)


def test_a_read_only_state_is_refused(place: Path) -> None:
    for path, mode in ((place / "state.db", 0o400), (place, 0o500)):
        before = path.stat().st_mode
        path.chmod(mode)
        with pytest.raises(StateError, match="read-only"):
            State(place)
        path.chmod(before)
    State(place).close()


def test_a_state_that_others_can_read_is_refused(place: Path) -> None:
    (place / "state.db").chmod(0o640)
    with pytest.raises(StateError, match="chmod 600"):
        State(place)


def test_a_damaged_state_is_refused(place: Path) -> None:
    (place / "state.db").write_bytes(b"nonsense" * 1000)
    with pytest.raises(StateError, match="not a database"):
        State(place)


FULL_DISK = """
import resource, sys
from pathlib import Path
from samara.link.node.quantities import Number, Quantity
from samara.link.node.state import State, StateError

opened = State(Path(sys.argv[1]))
counter = opened.counter(Number(Quantity.SENT))
counter.take()
resource.setrlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
taken = []
try:
    for _ in range(2000):
        taken.append(counter.take())
except StateError as error:
    assert taken == list(range(1, 1000)), taken[-1]
    assert "cannot be" in str(error), error
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
assert counter.take() == 1000
opened.close()
"""


def test_when_nothing_can_be_written_no_counter_is_given(place: Path) -> None:
    # What a limit on files refuses, a full disk refuses, too; the writes are
    # the same. When there is room again, it goes on.
    subprocess.run([sys.executable, "-c", FULL_DISK, place], check=True)


def test_a_failed_store_changes_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with State(place) as opened:
        opened.store({EXPECTED: 1})

        class Full:
            in_transaction = False

            def execute(self, _: str) -> None:
                message = "database or disk is full"
                raise sqlite3.OperationalError(message)

        with monkeypatch.context() as patched:
            patched.setattr(opened, "_database", Full())
            with pytest.raises(StateError, match="disk is full"):
                opened.store({EXPECTED: 2})
        assert opened.get(EXPECTED) == 1


# Payloads


PAYLOADS = (
    st.builds(WholeMessage, st.binary(max_size=80))
    | st.just(Restarted())
    | st.builds(
        Part,
        st.integers(0, 2**32 - 1),
        st.integers(0, 2**16 - 1),
        st.binary(max_size=80),
        st.booleans(),
        st.booleans(),
        st.booleans(),
    )
    | st.builds(
        Ack,
        st.integers(0, 2**32 - 1),
        st.sampled_from(DeliveryStatus),
        st.lists(st.integers(1000, 1255), unique=True).map(sorted).map(tuple),
    )
)


@given(PAYLOADS)
def test_payloads_come_back(payload: messages.Payload) -> None:
    assert messages.parse(messages.build(payload)) == payload


@given(st.binary(max_size=40))
def test_other_payloads_are_refused_or_read(payload: bytes) -> None:
    for each in (payload, b"\xf5" + payload):
        with contextlib.suppress(messages.PayloadError):
            messages.parse(each)


def test_a_message_that_fits_travels_as_it_is() -> None:
    assert messages.build(WholeMessage(b"21.5 C")) == b"21.5 C"
    assert messages.build(WholeMessage(b"")) == b""


@given(st.binary(max_size=300), st.integers(10, 40), st.randoms())
def test_parts_join_in_any_order(message: bytes, size: int, order: object) -> None:
    pieces = messages.cut(message, size)
    parts = [
        Part(7, number, piece, number == len(pieces) - 1)
        for number, piece in enumerate(pieces)
    ]
    order.shuffle(parts)  # type: ignore[attr-defined] # Hypothesis' own Random
    assembly = Assembly(7)
    for part in parts:
        assert not assembly.is_complete
        assembly.add(part)
        assembly.add(part)
    assert assembly.is_complete
    assert assembly.missing() == ()
    assert assembly.message() == message


def test_a_message_has_at_most_1_mib() -> None:
    messages.cut(bytes(1 << 20), 100)
    with pytest.raises(MisuseError, match="1048576"):
        messages.cut(bytes((1 << 20) + 1), 100)
    assembly = Assembly(0)
    for number in range(10):
        assembly.add(Part(0, number, bytes(300_000), is_last=False))
    assert len(assembly.message()) <= 1 << 20


def test_repeated_parts_count_once_towards_1_mib() -> None:
    assembly = Assembly(0)
    data = bytes(500_000)
    for _ in range(3):
        assembly.add(Part(0, 0, data, is_last=False))
    assembly.add(Part(0, 1, data, is_last=False))
    # What would be too much is not taken, and what fits afterwards is.
    assembly.add(Part(0, 2, data, is_last=True))
    assert not assembly.is_complete
    assert assembly.missing() == ()
    assembly.add(Part(0, 2, bytes((1 << 20) - 1_000_000), is_last=True))
    assert assembly.is_complete
    assert len(assembly.message()) == 1 << 20


def test_a_part_that_came_again_changes_nothing() -> None:
    assembly = Assembly(0)
    for data in (b"first", b"second"):
        assembly.add(Part(0, 0, data, is_last=True))
    assert assembly.message() == b"first"


def test_missing_parts_are_reported_as_far_as_they_are_known() -> None:
    assembly = Assembly(0)
    assert assembly.missing() == ()
    assembly.add(Part(0, 3, b"d", is_last=False))
    assert assembly.missing() == (0, 1, 2)
    assembly.add(Part(0, 5, b"f", is_last=True))
    assert assembly.missing() == (0, 1, 2, 4)


PAYLOAD_BYTES = {
    WholeMessage(b"\xf5x"): "f500f578",
    Restarted(): "f501",
    Part(0x01020304, 0x0506, b"ab", is_last=True): "f511010203040506" + "6162",
    Part(1, 2, b"", is_last=False, wants_ack=True): "f512000000010002",
    Part(1, 2, b"", is_last=False, is_acknowledged=True): "f514000000010002",
    Ack(0x01020304, DeliveryStatus.DELIVERED): "f5020102030400",
    Ack(1, DeliveryStatus.UNKNOWN): "f5020000000102",
    Ack(1, DeliveryStatus.INCOMPLETE, (3, 4, 12)): "f5020000000101" + "0003" + "0302",
}


@pytest.mark.parametrize("payload", PAYLOAD_BYTES, ids=repr)
def test_payloads_are_as_documented(payload: messages.Payload) -> None:
    """As docs/nodes.md has them: another program may speak with a node."""
    assert messages.build(payload).hex() == PAYLOAD_BYTES[payload]
    assert messages.parse(bytes.fromhex(PAYLOAD_BYTES[payload])) == payload


def test_an_acknowledgement_is_shortened_to_what_fits() -> None:
    ack = Ack(0, DeliveryStatus.INCOMPLETE, tuple(range(2, 100)))
    shortened = messages.shortened(ack, 11)
    assert shortened.missing == tuple(range(2, 18))
    assert len(messages.build(shortened)) == 11


# Nodes, over a link that is a list


@pytest.fixture
def wire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    """Make nodes `a` and `b` in a folder, and return what joins them."""
    monkeypatch.setattr(kinds, "kinds", link_toys.registered)
    folders.make_pair(tmp_path / "a", "toy", {"wire": "only"})
    folders.make_second(tmp_path / "b", tmp_path / "a", {})
    link_toys.WIRES["only"] = made = Wire()
    yield made
    del link_toys.WIRES["only"]


def received(events: list[Event]) -> list[bytes]:
    return [event.message for event in events if isinstance(event, Received)]


def handing_on(node: Node, wire: Wire) -> list[Event]:
    """Let `node` run whenever the other waits; return what it hands on."""
    handed_on: list[Event] = []

    def run() -> None:
        handed_on.extend(node.receive(0))
        node.receive(0)

    wire.when_idle = run
    return handed_on


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1, PAYLOAD_SIZE, PAYLOAD_SIZE + 1, 65_536])
@pytest.mark.parametrize("first", [b"x", b"\xf5"])
def test_messages_arrive_once(
    size: int, first: bytes, wire: Wire, tmp_path: Path
) -> None:
    message = (first + bytes(range(256)) * 256)[:size]
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        sent = a.send(message)
        (event,) = b.receive(0)
        assert isinstance(event, Received)
        assert event.message == message
        assert event.receipt.packets == sent.receipt.packets == len(wire.sent)
        wire.waiting["b"] += wire.sent  # the same again
        assert set(b.receive(0)) == {Refused("a replay", Alarm.REPLAY)}


def test_losses_are_counted_and_an_interruption_is_none(
    wire: Wire, tmp_path: Path
) -> None:
    wire.arrives = lambda number: number not in (0, 1, 3)
    with Node(tmp_path / "b") as b:
        a = Node(tmp_path / "a")
        for number in range(5):
            a.send(b"%d" % number)
        assert received(b.receive(0)) == [b"2", b"4"]
        abandon(a.state)
        with Node(tmp_path / "a") as a:
            a.send(b"after")
        events = b.receive(0)
        assert received(events) == [b"after"]
        assert not any(isinstance(event, Lost) for event in events)
        assert counts_in(tmp_path / "b")[LOST] == 3


def test_a_message_in_parts_is_reported_when_some_are_missing(
    wire: Wire, tmp_path: Path
) -> None:
    wire.arrives = lambda number: number != 1
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        a.send(bytes(50))
        a.send(bytes(51))
        events = b.receive(0)
    assert Lost(1) in events
    assert Incomplete(1) in events
    assert received(events) == [bytes(51)]


def test_whole_messages_in_parts_leave_nothing_behind(
    wire: Wire, tmp_path: Path
) -> None:
    del wire
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        for size in (50, 51, 52):
            a.send(bytes(size))
            (event,) = b.receive(0)
            assert isinstance(event, Received)
            assert event.message == bytes(size)


@pytest.mark.parametrize("size", [0, 5, 200, 2000])
def test_acknowledged_messages_arrive_whatever_is_lost(
    size: int, wire: Wire, tmp_path: Path
) -> None:
    # Half of all are lost, acknowledgements, too.
    chance = random.Random(size)  # noqa: S311 - not for secrets
    wire.arrives = lambda _: chance.random() < 0.5
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        handed_on = handing_on(b, wire)
        a.send(bytes(size), acknowledged=True, retries=20)
        a.send(b"next", acknowledged=True, retries=20)
    assert received(handed_on) == [bytes(size), b"next"]


def test_an_acknowledgement_is_on_the_receipts_of_both_ends(
    wire: Wire, tmp_path: Path
) -> None:
    """Of 7 bytes: two that tell what it is, the message's id, the status."""
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        handed_on = handing_on(b, wire)
        asked = a.send(b"hello", acknowledged=True)
        sent = [event for event in handed_on if isinstance(event, Received)]
        assert asked.receipt.parts["acknowledgement"] == 7
        assert sent[0].receipt.parts["acknowledgement"] == 7
        # What was heard then is not on the next one.
        assert a.send(b"plain").receipt.parts["acknowledgement"] == 0


def test_without_an_acknowledgement_the_sender_says_so(
    wire: Wire, tmp_path: Path
) -> None:
    wire.arrives = lambda _: False
    with (
        Node(tmp_path / "a") as a,
        pytest.raises(NotAcknowledgedError, match="3 times"),
    ):
        a.send(b"hello", acknowledged=True, retries=2)
    assert len(wire.sent) == 3


def test_a_message_that_was_taken_and_not_handed_on_is_not_confirmed(
    wire: Wire, tmp_path: Path
) -> None:
    with Node(tmp_path / "a") as a:
        wire.when_idle = lambda: None
        with pytest.raises(NotAcknowledgedError):
            a.send(b"hello", acknowledged=True, retries=0)
        b = Node(tmp_path / "b")
        assert received(b.receive(0)) == [b"hello"]
        abandon(b.state)  # before it was printed, for all that anybody knows
        repeated = Part(
            0, 0, b"hello", is_last=True, wants_ack=True, is_acknowledged=True
        )
        with Node(tmp_path / "b") as b:
            a.link.send(messages.build(repeated))
            assert b.receive(0) == []
            handing_on(b, wire)
            a.receive(1)
            _, answer = json.loads(wire.sent[-1])
            assert messages.parse(bytes.fromhex(answer)) == Ack(
                0, DeliveryStatus.UNKNOWN
            )


def test_an_answer_about_another_message_is_none(wire: Wire, tmp_path: Path) -> None:
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        wire.when_idle = lambda: None
        b.link.send(messages.build(Ack(99, DeliveryStatus.DELIVERED)))
        with pytest.raises(NotAcknowledgedError):
            a.send(b"hello", acknowledged=True, retries=0)


CROSSING = messages.build(
    Part(0, 0, b"crossing", is_last=True, wants_ack=True, is_acknowledged=True)
)


def test_who_waits_for_an_answer_answers(wire: Wire, tmp_path: Path) -> None:
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        crossing: list[Event] = []
        # b sends while a waits for b's answer, and waits for a's.
        wire.when_idle = lambda: None
        handed_on = handing_on(b, wire)
        b.link.send(
            messages.build(
                Part(
                    0,
                    0,
                    b"crossing",
                    is_last=True,
                    wants_ack=True,
                    is_acknowledged=True,
                )
            )
        )
        crossing += a.sending(b"hello", acknowledged=True)
    assert received(handed_on) == [b"hello"]
    assert received(crossing) == [b"crossing"]
    assert (
        messages.build(Ack(0, DeliveryStatus.DELIVERED)).hex() in wire.sent[-1].decode()
    )


def test_what_was_not_handed_on_is_not_confirmed(wire: Wire, tmp_path: Path) -> None:
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        handing_on(b, wire)
        b.link.send(
            messages.build(
                Part(
                    0,
                    0,
                    b"crossing",
                    is_last=True,
                    wants_ack=True,
                    is_acknowledged=True,
                )
            )
        )
        a.send(b"hello", acknowledged=True)
        count = len(wire.sent)
    # a was closed without anybody having asked for what it had taken.
    assert len(wire.sent) == count


def test_what_cannot_be_stored_is_not_handed_on(
    wire: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del wire
    with Node(tmp_path / "a") as a, Node(tmp_path / "b") as b:
        a.send(b"hello")

        def full(*_: object, **__: object) -> None:
            raise StateError

        with monkeypatch.context() as patched:
            patched.setattr(b.state, "advance", full)
            with pytest.raises(StateError):
                b.receive(0)


# Folders


def test_a_second_node_is_made_once(wire: Wire, tmp_path: Path) -> None:
    del wire
    with pytest.raises(MisuseError, match="has been made"):
        folders.make_second(tmp_path / "c", tmp_path / "a", {})
    assert not (tmp_path / "c").exists()


def test_secrets_are_for_their_owner(wire: Wire, tmp_path: Path) -> None:
    del wire
    for path in (tmp_path / "a").iterdir():
        assert path.stat().st_mode & 0o077 == 0, path
    assert (tmp_path / "a").stat().st_mode & 0o077 == 0
    (tmp_path / "a" / "keys.json").chmod(0o644)
    with pytest.raises(MisuseError, match="chmod 600"):
        Node(tmp_path / "a")


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"keys": 1}', '{"keys": {"key": "xy"}}']
)
def test_damaged_folders_are_reported_without_their_keys(
    content: str, wire: Wire, tmp_path: Path
) -> None:
    del wire
    (tmp_path / "a" / "keys.json").write_text(content)
    with pytest.raises(MisuseError) as caught:
        Node(tmp_path / "a")
    assert "xy" not in str(caught.value)
    assert not state.is_in_use(tmp_path / "a")


def test_a_folder_that_is_no_node_is_reported(wire: Wire, tmp_path: Path) -> None:
    del wire
    with pytest.raises(MisuseError, match="samara node init"):
        Node(tmp_path)
    folders.make_pair(tmp_path / "c", "toy", {"wire": "only"})
    (tmp_path / "c" / "pair.json").rename(tmp_path / "file")
    with pytest.raises(MisuseError, match="not empty"):
        folders.make_second(tmp_path, tmp_path / "file", {})
    assert (tmp_path / "file").exists()
