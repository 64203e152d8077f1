# SPDX-License-Identifier: Apache-2.0
"""New keys for a group: handed down, used side by side, killed at any point."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from killing import Killer, killed_during
from quiet_air import Air, rounds

from samara.link import ieee802154
from samara.link.ieee802154.frames.frame import KeyId
from samara.link.ieee802154.frames.security import Security
from samara.link.ieee802154.keys import control, timers
from samara.link.ieee802154.keys.control import NextGroupKey, OnlyGroupKey
from samara.link.ieee802154.keys.renewing import RENEWED_BEFORE_END
from samara.link.node import folder as folders
from samara.link.node import networks, state_file
from samara.link.node.link import BROADCAST, NeighbourError
from samara.link.node.node import Node, Received, Refused
from samara.link.node.quantities import COUNTER_LIMIT, Number, Quantity
from samara.link.node.state import State, StateError
from samara.link.node.witness import Witness, WitnessError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Tree:
    """The hub has invited bob and carol, and bob has invited dave."""

    folder: Path
    air: Air

    def open(self, *names: str) -> list[Node]:
        return [Node(self.folder / name) for name in names]

    def group(self, name: str) -> dict[str, Any]:
        return state_file.records_in(self.folder / name)["group"]

    def key(self, name: str) -> bytes:
        """Return the only key of the group at a node."""
        (key,) = self.group(name)["keys"]
        return bytes.fromhex(key["key"])

    def add(self, inviter: str, name: str) -> None:
        at = self.folder / inviter
        networks.join(self.folder / name, networks.invite(at, name, None).text, {})
        with Node(at) as one, Node(self.folder / name) as other:
            rounds(other, one, count=3)
            assert other.wait_for_answers(0) == []


ALL = ("hub", "bob", "carol", "dave")


@pytest.fixture
def tree(air: Air, tmp_path: Path) -> Tree:
    return made(tmp_path, air)


def made(folder: Path, air: Air) -> Tree:
    networks.make(folder / "hub", "ieee802154", None, {}, group=True)
    tree = Tree(folder, air)
    tree.add("hub", "bob")
    tree.add("hub", "carol")
    tree.add("bob", "dave")
    return tree


def close(*nodes: Node) -> None:
    for node in nodes:
        node.close()


def heard(events: list[Any]) -> list[tuple[str | None, bytes]]:
    return [(e.source, e.message) for e in events if isinstance(e, Received)]


def test_a_new_key_reaches_all_and_the_old_one_is_gone(tree: Tree) -> None:
    old = tree.key("hub")
    hub, bob, carol, dave = nodes = tree.open(*ALL)
    hub.renew(BROADCAST)
    assert hub.wait_for_answers(0, about=[BROADCAST]) == [
        "bob has not taken the new key of the group yet",
        "carol has not taken the new key of the group yet",
    ]
    rounds(*nodes, count=8)
    assert hub.wait_for_answers(0) == []
    hub.send(b"to all", to=BROADCAST)
    bob.send(b"from bob", to=BROADCAST)
    dave.send(b"from dave", to=BROADCAST)
    assert heard(rounds(carol)) == [("hub", b"to all")]
    assert heard(rounds(dave)) == [("bob", b"from bob")]
    assert heard(rounds(bob)) == [("hub", b"to all"), ("dave", b"from dave")]
    close(*nodes)
    assert len({tree.key(name) for name in ALL}) == 1
    assert tree.key("hub") != old
    for path in (each for each in tree.folder.glob("*/*") if each.is_file()):
        content = path.read_bytes()
        assert old not in content, path
        assert old.hex().encode() not in content, path
    assert tree.air.nonces_repeated() == 0


def test_who_was_first_in_an_old_group_is_not_guessed(tree: Tree) -> None:
    """All of it would wait for each other: it is said at once what to do."""
    for name in ALL:
        with State(tree.folder / name) as state:
            key = state.records()["group"]["keys"][0]["key"]
            state.store({}, {"group": {"key": key}})
    hub, bob, carol, dave = tree.open(*ALL)
    for node in (hub, bob):
        with pytest.raises(NeighbourError, match=r"older samara.*network anew"):
            node.renew(BROADCAST)
    hub.send(b"still to all", to=BROADCAST)
    assert heard(rounds(bob)) == [("hub", b"still to all")]
    (sentences,) = hub.forget("bob")
    assert sentences.startswith(
        "bob still has the key of the group: it was made by an older"
    )
    # Those who stay hear each other as before.
    hub.send(b"without bob", to=BROADCAST)
    assert heard(rounds(carol))[-1] == ("hub", b"without bob")
    close(hub, bob, carol, dave)


def test_old_and_new_are_used_side_by_side(tree: Tree) -> None:
    """At each step of the change, messages to all arrive."""
    hub, bob, *_ = nodes = tree.open(*ALL)
    hub.renew(BROADCAST)
    sent = 0
    got: dict[str, list[bytes]] = {name: [] for name in ALL}
    for _ in range(8):
        for name, node in zip(ALL, nodes, strict=True):
            events = node.receive(0)
            # Of neighbours nothing is refused; carol and dave know few.
            assert all("source" in e.reason for e in events if isinstance(e, Refused))
            got[name] += [each[1] for each in heard(events)]
            hub.send(b"%d" % sent, to=BROADCAST)
            bob.send(b"b%d" % sent, to=BROADCAST)
            sent += 1
    assert hub.wait_for_answers(0) == []
    for name, node in zip(ALL, nodes, strict=True):
        got[name] += [each[1] for each in heard(rounds(node))]
    of_hub = [b"%d" % number for number in range(sent)]
    of_bob = [b"b%d" % number for number in range(sent)]
    assert got["carol"] == of_hub
    assert got["dave"] == of_bob
    assert [each for each in got["bob"] if each in of_hub] == of_hub
    assert got["hub"] == of_bob
    close(*nodes)
    assert tree.air.nonces_repeated() == 0


def test_who_has_others_below_answers_when_they_have_answered(tree: Tree) -> None:
    """Dave is away: bob has the key, but does not say so."""
    nodes = tree.open("hub", "bob", "carol")
    nodes[0].renew(BROADCAST)
    rounds(*nodes)
    assert nodes[0].wait_for_answers(0) == [
        "bob has not taken the new key of the group yet"
    ]
    assert nodes[1].wait_for_answers(0) == [
        "dave has not taken the new key of the group yet"
    ]
    nodes += tree.open("dave")
    rounds(*nodes, count=8)
    assert nodes[0].wait_for_answers(0) == []
    close(*nodes)


def test_who_was_forgotten_cannot_read_messages_to_all(tree: Tree) -> None:
    old = tree.key("carol")
    (sentences,) = networks.forget(tree.folder / "hub", "carol")
    assert (
        sentences == "the key of the group is changed: carol does not get the new one"
    )
    first = len(tree.air.sent)
    hub, bob, carol, dave = nodes = tree.open(*ALL)
    # Also before the others have the new key.
    hub.send(b"secret 1", to=BROADCAST)
    rounds(*nodes, count=8)
    assert hub.wait_for_answers(0) == []
    hub.send(b"secret 2", to=BROADCAST)
    assert heard(rounds(bob, dave)) == [("hub", b"secret 2")]
    assert heard(rounds(carol)) == []
    # Nor with what it knows, and tools of its own.
    own = folders.read(tree.folder / "hub").end.settings["own"]
    for psdu in tree.air.sent[first:]:
        assert not opens(psdu[:-2], old, own)
    carol.send(b"forged", to=BROADCAST)
    assert heard(rounds(hub, bob)) == []
    close(*nodes)
    assert tree.key("hub") == tree.key("dave") != old


def opens(frame: bytes, key: bytes, own: dict[str, str]) -> bool:
    """Tell whether a frame of the hub opens with a key."""
    security = ieee802154.parse(frame).security
    assert security is not None
    tables = Security(bytes(7) + b"\x01", keys=1, devices=1)
    pan = ieee802154.parse(frame).destination.pan or 0
    tables.add_key(key, KeyId(1, index=security.key_id.index))
    tables.add_device(
        bytes.fromhex(own["extended"]), pan=pan, short=int(own["short"], 16)
    )
    try:
        tables.open(frame)
    except ieee802154.FrameError:
        return False
    return True


def test_the_tools_of_the_test_open_what_they_should(tree: Tree) -> None:
    own = folders.read(tree.folder / "hub").end.settings["own"]
    with Node(tree.folder / "hub") as hub:
        hub.send(b"to all", to=BROADCAST)
    assert opens(tree.air.sent[-1][:-2], tree.key("carol"), own)


def test_a_running_node_forgets_as_one_at_rest(tree: Tree) -> None:
    old = tree.key("carol")
    hub, bob, carol, dave = nodes = tree.open(*ALL)
    hub.forget("carol")
    rounds(*nodes, count=8)
    hub.send(b"to all", to=BROADCAST)
    assert heard(rounds(bob, carol, dave)) == [("hub", b"to all")]
    close(*nodes)
    assert old not in {tree.key("hub"), tree.key("bob"), tree.key("dave")}
    assert len({tree.key("hub"), tree.key("bob"), tree.key("dave")}) == 1


def test_one_that_is_away_is_told_later_and_never_reads_old_things(tree: Tree) -> None:
    networks.forget(tree.folder / "hub", "bob")
    networks.forget(tree.folder / "hub", "carol")
    tree.add("hub", "erin")
    assert tree.group("hub")["keys"][0]["generation"] == 2
    with Node(tree.folder / "hub") as hub, Node(tree.folder / "erin") as erin:
        hub.send(b"to all", to=BROADCAST)
        assert heard(rounds(erin)) == [("hub", b"to all")]
        hub.renew(BROADCAST)
        rounds(hub, count=2)
    with Node(tree.folder / "erin") as erin, Node(tree.folder / "hub") as hub:
        rounds(hub, erin)
        assert hub.wait_for_answers(0) == []
    assert tree.key("hub") == tree.key("erin")


@pytest.mark.parametrize("inviter", ["hub", "bob"])
def test_a_newcomer_hears_all_while_the_key_changes(inviter: str, tree: Tree) -> None:
    """One that does not answer keeps the change from its end: here carol and dave."""
    hub, bob = tree.open("hub", "bob")
    hub.renew(BROADCAST)
    rounds(hub, bob, count=3)
    close(hub, bob)
    tree.add(inviter, "erin")
    with Node(tree.folder / inviter) as one, Node(tree.folder / "erin") as erin:
        one.send(b"to all", to=BROADCAST)
        erin.send(b"from erin", to=BROADCAST)
        assert heard(rounds(erin)) == [(inviter, b"to all")]
        assert heard(rounds(one)) == [("erin", b"from erin")]
    nodes = tree.open(*ALL, "erin")
    rounds(*nodes, count=12)
    assert nodes[0].wait_for_answers(0) == []
    nodes[ALL.index(inviter)].send(b"to all", to=BROADCAST)
    assert heard(rounds(nodes[-1])) == [(inviter, b"to all")]
    close(*nodes)
    assert tree.group("erin")["keys"][0]["generation"] == 1
    assert len({tree.key(name) for name in (*ALL, "erin")}) == 1
    assert tree.air.nonces_repeated() == 0


def test_only_the_inviter_is_believed(tree: Tree) -> None:
    hub, bob, _, dave = nodes = tree.open(*ALL)
    before = {name: tree.group(name) for name in ALL}
    for kind in (NextGroupKey, OnlyGroupKey):
        forged = control.build(kind.of(bytes(16), 7, 0))
        bob.link.send(forged, "hub")
        dave.link.send(forged, "bob")
        # A key of another size, from the right one.
        hub.link.send(control.build(kind.of(bytes(15), 7, 0)), "carol")
    bob.link.send(control.build(control.UseGroupKey(1)), "hub")
    bob.link.send(control.build(control.GroupKeyTaken(1)), "hub")
    rounds(*nodes)
    assert {name: tree.group(name) for name in ALL} == before
    with pytest.raises(NeighbourError, match="got the key of the group from hub"):
        bob.renew(BROADCAST)
    close(*nodes)


def test_others_are_told_what_is_left_to_do(tree: Tree) -> None:
    (sentences,) = networks.forget(tree.folder / "bob", "dave")
    assert "dave still has the key of the group: run `samara node rekey" in sentences
    hub, *_ = nodes = tree.open("hub", "bob", "carol")
    hub.renew(BROADCAST)
    rounds(*nodes, count=8)
    assert hub.wait_for_answers(0) == []
    close(*nodes)
    assert tree.key("bob") == tree.key("hub") != tree.key("dave")


def test_a_frame_of_before_is_not_taken_after_the_change(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LATE_S", "REPEATED_AFTER_S"):
        monkeypatch.setattr(timers, name, 60.0)
    hub, *_ = nodes = tree.open(*ALL)
    hub.send(b"old", to=BROADCAST)
    old = tree.air.sent[-1]
    hub.renew(BROADCAST)
    rounds(*nodes, count=4)
    hub.send(b"new", to=BROADCAST)
    new = tree.air.sent[-1]
    rounds(*nodes, count=4)
    for psdu in (old, new):
        tree.air.hear_again(psdu)
        assert heard(rounds(*nodes, count=1)) == []
    close(*nodes)
    reopened = tree.open(*ALL)
    for psdu in (old, new):
        tree.air.hear_again(psdu)
        assert heard(rounds(*reopened, count=1)) == []
    close(*reopened)


class FullDisk:
    """A database whose log cannot be written back."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def execute(self, statement: str, *values: Any) -> Any:  # noqa: ANN401
        if "wal_checkpoint" in statement:
            message = "database or disk is full"
            raise sqlite3.OperationalError(message)
        return self._database.execute(statement, *values)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._database, name)


@pytest.mark.parametrize("failing", ["log", "witness"])
def test_after_a_change_that_failed_halfway_no_counter_is_used_again(
    failing: str, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key of before is still in the tables, and its counter is forgotten."""

    def fail(*_: object, **__: object) -> None:
        message = "the witness cannot be written"
        raise WitnessError(message)

    hub, _ = nodes = tree.open("hub", "carol")
    hub.send(b"before", to=BROADCAST)
    with monkeypatch.context() as patched:
        if failing == "log":
            patched.setattr(hub.state, "_database", FullDisk(hub.state._database))  # noqa: SLF001
        else:
            patched.setattr(Witness, "record", fail)
        with pytest.raises(StateError, match="cannot"):
            hub.forget("bob")
    for to in (BROADCAST, "carol"):
        with pytest.raises(StateError, match="start it again"):
            hub.send(b"after", to=to, acknowledged=to != BROADCAST)
    close(*nodes)
    # What was stored is done then.
    hub, carol = nodes = tree.open("hub", "carol")
    rounds(*nodes)
    assert hub.wait_for_answers(0) == []
    hub.send(b"again", to=BROADCAST)
    assert heard(rounds(carol)) == [("hub", b"again")]
    close(*nodes)
    assert tree.air.nonces_repeated() == 0
    assert tree.key("hub") == tree.key("carol") != tree.key("bob")


def test_a_counter_that_ends_asks_for_a_new_key(tree: Tree) -> None:
    with State(tree.folder / "hub") as state:
        state.store(
            {Number(Quantity.SENT, of_group=True): COUNTER_LIMIT - RENEWED_BEFORE_END}
        )
    hub, *others = nodes = tree.open(*ALL)
    tree.air.when_idle = lambda: rounds(*others, count=2).clear()
    hub.send(b"to all", to=BROADCAST)
    rounds(*nodes)
    assert hub.wait_for_answers(0) == []
    close(*nodes)
    assert tree.group("hub")["keys"][0]["generation"] == 1


@pytest.mark.parametrize("loss", [0.3, 0.6])
def test_it_converges_whatever_is_lost(loss: float, tree: Tree) -> None:
    chance = random.Random(1)  # noqa: S311 - not for secrets
    tree.air.arrives = lambda _: chance.random() >= loss
    nodes = tree.open(*ALL)
    for number in range(2):
        nodes[0].renew(BROADCAST)
        for _ in range(200):
            rounds(*nodes, count=1)
            if not any(node.wait_for_answers(0) for node in nodes):
                break
        rounds(*nodes, count=2)
        generations = {
            node.link._table.group.current.generation  # type: ignore[attr-defined] # noqa: SLF001
            for node in nodes
        }
        assert generations == {number + 1}
    close(*nodes)
    assert len({tree.key(name) for name in ALL}) == 1
    assert tree.air.nonces_repeated() == 0


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["hub", "bob"])
@pytest.mark.parametrize("after", [False, True])
def test_killed_at_each_durable_write_it_converges(
    victim: str,
    after: bool,  # noqa: FBT001 - a parameter of the test
    tree: Tree,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Change after change in one network, each killed at another write."""
    for at in range(100):
        nodes = dict(zip(ALL, tree.open(*ALL), strict=True))
        with monkeypatch.context() as patched:
            killer = Killer(patched, at, after, victim=nodes[victim].state)
            was_killed = killed_during(changed, nodes, victim)
            assert was_killed == (killer.writes > at)
        nodes = dict(zip(ALL, tree.open(*ALL), strict=True))
        changed(nodes)
        assert not any(node.wait_for_answers(0) for node in nodes.values())
        close(*nodes.values())
        assert len({tree.key(name) for name in ALL}) == 1
        assert tree.air.nonces_repeated() == 0
        if not was_killed:
            break
    assert at > 3


def changed(nodes: dict[str, Node]) -> None:
    """Let the key change while messages to all are sent."""
    nodes["hub"].renew(BROADCAST)
    for _ in range(6):
        rounds(*nodes.values(), count=1)
        for name in ("hub", "bob"):
            nodes[name].send(b"to all", to=BROADCAST)


def test_who_joins_one_that_joins_itself_gets_the_key_of_the_group(tree: Tree) -> None:
    """Erin has not been welcomed when frank asks her: he asks again."""
    text = networks.invite(tree.folder / "hub", "erin", None).text
    networks.join(tree.folder / "erin", text, {})
    text = networks.invite(tree.folder / "erin", "frank", None).text
    networks.join(tree.folder / "frank", text, {})
    erin, frank = tree.open("erin", "frank")
    rounds(erin, frank)
    assert frank.wait_for_answers(0) == ["erin has not answered the request to join"]
    (hub,) = tree.open("hub")
    rounds(hub, erin, frank)
    assert frank.wait_for_answers(0) == erin.wait_for_answers(0) == []
    erin.send(b"to all", to=BROADCAST)
    assert heard(rounds(frank, count=1)) == [("erin", b"to all")]
    close(hub, erin, frank)


def test_forgetting_while_a_key_is_handed_out_takes_the_next_generation(
    tree: Tree,
) -> None:
    """A generation names one key: bob has the next one already."""
    nodes = hub, bob, *_ = tree.open(*ALL)
    hub.renew(BROADCAST)
    rounds(hub, bob, count=1)
    before = {each["generation"]: each["key"] for each in tree.group("bob")["keys"]}
    assert len(before) == 2
    hub.forget("carol")
    (key,) = tree.group("hub")["keys"]
    assert key["generation"] == max(before) + 1
    rounds(*nodes, count=8)
    assert hub.wait_for_answers(0) == []
    assert tree.key("hub") == tree.key("bob") == tree.key("dave")
    hub.send(b"without carol", to=BROADCAST)
    assert heard(rounds(bob, count=1)) == [("hub", b"without carol")]
    close(*nodes)
