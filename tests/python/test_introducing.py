# SPDX-License-Identifier: Apache-2.0
"""Neighbours who introduce others to each other: a mesh, killed at any point."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from killing import Killer, killed_during
from quiet_air import Air, joined, rounds

from samara.link.ieee802154.keys import control, introducing
from samara.link.ieee802154.keys.control import Introduce, Retract
from samara.link.ieee802154.keys.introducing import with_id
from samara.link.ieee802154.keys.table import Table
from samara.link.node import folder as folders
from samara.link.node import networks, state_file
from samara.link.node.link import BROADCAST, NeighbourError
from samara.link.node.node import Node, Notice, Received

if TYPE_CHECKING:
    from pathlib import Path

ALL = ("hub", "bob", "carol", "dave")


@pytest.fixture
def star(air: Air, tmp_path: Path) -> Path:
    """The hub has invited three, in a group."""
    del air
    networks.make(tmp_path / "hub", "ieee802154", None, {}, group=True)
    for name in ALL[1:]:
        joined(tmp_path / "hub", name)
    return tmp_path


def opened(folder: Path, *names: str) -> dict[str, Node]:
    return {name: Node(folder / name) for name in names or ALL}


def close(nodes: dict[str, Node]) -> None:
    for node in nodes.values():
        node.close()


def known(folder: Path, name: str) -> dict[str, Any]:
    return dict(networks.known(folder / name, "ieee802154").neighbours)


def all_to_all(nodes: dict[str, Node], air: Air) -> None:
    """Let each send to each, and see all of it arrive, once."""
    got: list[tuple[str, str | None, bytes]] = []

    def run() -> None:
        for name, node in nodes.items():
            events = [e for e in node.receive(0) if isinstance(e, Received)]
            got.extend((name, e.source, e.message) for e in events)

    wanted = []
    for sender, receiver in itertools.permutations(nodes, 2):
        text = f"{sender} to {receiver}".encode()
        nodes[sender].send(text, to=receiver)
        wanted.append((receiver, sender, text))
    for _ in range(4):
        run()
    assert sorted(got) == sorted(wanted)
    assert air.nonces_repeated() == 0


def test_a_mesh_of_four(star: Path, air: Air) -> None:
    nodes = opened(star)
    for first, second in itertools.combinations(ALL[1:], 2):
        nodes["hub"].introduce(first, second)
    events = rounds(*nodes.values())
    assert not any(node.wait_for_answers(0) for node in nodes.values())
    sentences = [event.text for event in events if isinstance(event, Notice)]
    assert "bob and carol have a key of their own now" in sentences
    all_to_all(nodes, air)
    for name, node in nodes.items():
        node.send(b"to all", to=BROADCAST)
        others = [each for other, each in nodes.items() if other != name]
        heard = [e for e in rounds(*others, count=1) if isinstance(e, Received)]
        assert [e.source for e in heard] == [name] * 3
    # Who was introduced can change the key, and the introducer does not know it then.
    nodes["bob"].renew("carol")
    nodes["carol"].renew("dave")
    rounds(*nodes.values())
    all_to_all(nodes, air)
    close(nodes)
    assert {len(known(star, name)) for name in ALL} == {3}
    keys = key_of(star, "bob", "carol"), key_of(star, "carol", "bob")
    assert keys[0] == keys[1]
    again = opened(star)
    all_to_all(again, air)
    close(again)


def key_of(folder: Path, name: str, neighbour: str) -> str:
    record = state_file.records_in(folder / name)[f"neighbour {neighbour}"]
    (key,) = record["keys"]
    return str(key["key"])


def test_the_introducer_keeps_nothing(star: Path) -> None:
    nodes = opened(star)
    nodes["hub"].introduce("bob", "carol")
    rounds(*nodes.values())
    key = key_of(star, "bob", "carol")
    # While it runs, too: its log has nothing left of the key.
    for path in (star / "hub").iterdir():
        content = path.read_bytes()
        assert key.encode() not in content, path
        assert bytes.fromhex(key) not in content, path
    close(nodes)


def test_a_second_introduction_changes_nothing(star: Path, air: Air) -> None:
    nodes = opened(star)
    nodes["hub"].introduce("bob", "carol")
    rounds(*nodes.values())
    before = known(star, "bob"), known(star, "carol")
    nodes["hub"].introduce("carol", "bob")
    assert nodes["hub"].wait_for_answers(0, about=["bob carol"])
    rounds(*nodes.values())
    assert nodes["hub"].wait_for_answers(0) == []
    (why,) = nodes["hub"].refused(["bob carol"])
    assert "carol has bob as a neighbour already" in why
    assert (known(star, "bob"), known(star, "carol")) == before
    nodes["bob"].send(b"hello", to="carol")
    assert [e for e in rounds(nodes["carol"]) if isinstance(e, Received)]
    close(nodes)
    assert air.nonces_repeated() == 0


def test_what_the_second_refuses_is_taken_back(star: Path, air: Air) -> None:
    """Carol has used the name of bob for another node."""
    joined(star / "carol", "bob", "other")
    nodes = opened(star)
    nodes["hub"].introduce("bob", "carol")
    rounds(*nodes.values())
    (why,) = nodes["hub"].refused(["bob carol"])
    assert "carol uses the name or the short address of bob" in why
    with pytest.raises(NeighbourError, match="no neighbour 'carol'"):
        nodes["bob"].send(b"hello", to="carol")
    close(nodes)
    assert set(known(star, "bob")) == {"hub"}
    with Node(star / "carol") as carol, Node(star / "other") as other:
        carol.send(b"hello", to="bob")
        assert [e for e in rounds(other) if isinstance(e, Received)]
    assert air.nonces_repeated() == 0


def test_one_who_forgets_meanwhile_does_not_begin_anew(star: Path, air: Air) -> None:
    """The counters of a key are used once, whatever the introducer repeats."""
    nodes = opened(star, "hub", "bob")
    nodes["hub"].introduce("bob", "carol")
    said = air.sent[-1]
    nodes["bob"].receive(0)
    nodes["bob"].send(b"hello", to="carol")
    nodes["bob"].forget("carol")
    # The answer was lost.
    nodes["hub"].link._mac._radio.waiting.clear()  # type: ignore[attr-defined] # noqa: SLF001
    for _ in range(3):
        rounds(*nodes.values(), count=1)
        assert "carol" not in known(star, "bob")
    (why,) = nodes["hub"].refused(["bob carol"])
    assert "may have forgotten carol" in why
    assert said in air.sent
    close(nodes)
    assert air.nonces_repeated() == 0


@pytest.mark.parametrize("gone", ["bob", "carol"])
def test_one_who_is_forgotten_is_not_introduced(gone: str, star: Path) -> None:
    nodes = opened(star, "hub", "bob")
    nodes["hub"].introduce("bob", "carol")
    rounds(*nodes.values())
    nodes["hub"].forget(gone)
    rounds(*nodes.values())
    assert not [e for e in nodes["hub"].wait_for_answers(0) if "about" in e]
    close(nodes)
    if gone == "carol":
        assert set(known(star, "bob")) == {"hub"}


def test_what_cannot_be_introduced_is_reported(
    star: Path, air: Air, tmp_path: Path
) -> None:
    with Node(star / "hub") as hub:
        with pytest.raises(NeighbourError, match="named twice"):
            hub.introduce("bob", "bob")
        with pytest.raises(NeighbourError, match="no neighbour 'erin'"):
            hub.introduce("bob", "erin")
    networks.make(tmp_path / "one", "ieee802154", None, {"level": 1})
    for name in ("x", "y"):
        joined(tmp_path / "one", name)
    with Node(tmp_path / "one") as one, pytest.raises(NeighbourError, match="level 5"):
        one.introduce("x", "y")
    folders.make_pair(tmp_path / "pair", "ieee802154", {})
    with Node(tmp_path / "pair") as pair, pytest.raises(NeighbourError):
        pair.introduce("x", "y")
    assert air.sent


def test_a_table_that_is_full_stays_so(
    star: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(introducing, "NEIGHBOURS_MAX", 1)
    nodes = opened(star)
    nodes["hub"].introduce("bob", "carol")
    rounds(*nodes.values())
    (why,) = nodes["hub"].refused(["bob carol"])
    assert "bob has no room" in why
    close(nodes)


def test_a_neighbour_cannot_replace_a_key_or_take_others_back(
    star: Path, air: Air
) -> None:
    nodes = opened(star)
    nodes["hub"].introduce("bob", "carol")
    rounds(*nodes.values())
    key = key_of(star, "bob", "carol")
    own = folders.read(star / "carol").end.settings["own"]
    extended, short = bytes.fromhex(own["extended"]), int(own["short"], 16)
    bad: list[Any] = [
        Introduce(
            7, short, extended, 0, 0, begins=False, name="mallory", key=bytes(16)
        ),
        Introduce(
            8, 7, bytes(7) + b"\7", 0, 0, begins=False, name="carol", key=bytes(16)
        ),
        Introduce(
            9, 7, bytes(7) + b"\7", 0, 0, begins=False, name="x y", key=bytes(16)
        ),
        Introduce(10, 7, bytes(7) + b"\7", 0, 0, begins=True, name="x", key=bytes(15)),
        Introduce(11, 0xFFFF, bytes(8), 0, 0, begins=True, name="x", key=bytes(16)),
        Retract(0),
    ]
    for each in bad:
        nodes["hub"].link.send(control.build(each), "bob")
    nodes["dave"].link.send(control.build(Retract(0)), "hub")
    rounds(*nodes.values())
    assert set(known(star, "bob")) == {"hub", "carol"}
    assert key_of(star, "bob", "carol") == key
    close(nodes)
    assert air.sent


def test_nobody_answers_for_another(star: Path) -> None:
    nodes = opened(star, "hub", "dave")
    nodes["hub"].introduce("bob", "carol")
    for outcome in control.IntroductionStatus:
        said = control.build(control.Introduced(0, outcome))
        nodes["dave"].link.send(said, "hub")
    rounds(*nodes.values())
    assert nodes["hub"].wait_for_answers(0) == ["bob has not answered about carol"]
    close(nodes)


def test_a_late_answer_does_not_stand_for_that_about_taking_back(
    star: Path, air: Air
) -> None:
    """Bob was asked twice and answers twice; carol refuses in between."""
    joined(star / "carol", "bob", "other")
    nodes = opened(star, *ALL[:3])
    hub, bob, carol = nodes.values()
    taken = control.build(control.Introduced(0, control.IntroductionStatus.TAKEN))
    hub.introduce("bob", "carol")
    rounds(bob, hub, carol, count=1)
    # What takes it back is lost.
    air.arrives = lambda _: False
    rounds(hub, count=1)
    assert hub.wait_for_answers(0) == ["bob has not answered about carol"]
    air.arrives = lambda _: True
    bob.link.send(taken, "hub")
    rounds(hub, count=1)
    assert hub.wait_for_answers(0) == ["bob has not answered about carol"]
    rounds(*nodes.values())
    assert hub.wait_for_answers(0) == []
    (why,) = hub.refused(["bob carol"])
    assert "carol uses the name or the short address of bob" in why
    close(nodes)
    assert set(known(star, "bob")) == {"hub"}


@given(st.lists(st.integers(0, 200), max_size=60))
@example([62, 0])
@example([63, 0])
@example([0, 62, 0, 63, 0, 1])
def test_ids_are_taken_once(ids: list[int]) -> None:
    following, below = 0, 0
    taken: set[int] = set()
    for number in ids:
        after = with_id(number, following, below)
        is_old = following and number < following - 63
        assert (after is None) == bool(number in taken or is_old)
        if after is not None:
            following, below = after
            taken.add(number)
        assert below < 2**62


def test_an_id_far_ahead_costs_no_memory() -> None:
    # More than any id, so that bits up to it have no room.
    assert with_id(2**70, 5, 3) == (2**70 + 1, 0)


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["hub", "bob", "carol"])
@pytest.mark.parametrize("after", [False, True])
def test_killed_at_each_durable_write_it_converges(
    victim: str,
    after: bool,  # noqa: FBT001 - a parameter of the test
    star: Path,
    air: Air,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Introduced, killed, and forgotten again, each time at another write."""
    names, nonces = ALL[:3], nonces_of(monkeypatch)
    for at in range(50):
        nodes = opened(star, *names)
        with monkeypatch.context() as patched:
            killer = Killer(patched, at, after, victim=nodes[victim].state)
            was_killed = killed_during(introduced, nodes, victim)
        nodes = opened(star, *names)
        if "carol" not in known(star, "bob"):
            nodes["hub"].introduce("bob", "carol")
        rounds(*nodes.values(), count=10)
        assert not any(node.wait_for_answers(0) for node in nodes.values())
        # A new introduction has a new key with the same index.
        air.sent.clear()
        all_to_all(nodes, air)
        for name, other in (("bob", "carol"), ("carol", "bob")):
            nodes[name].forget(other)
        close(nodes)
        if not was_killed:
            break
    assert killer.writes > 1
    assert len(nonces) == len(set(nonces)) > 100


def nonces_of(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bytes, bytes, int]]:
    """Return a list that will have key, sender and counter of all frames to one."""
    found, protect = [], Table.protect

    def recording(table: Table, payload: bytes, to: str | None) -> tuple[int, bytes]:
        key = table.neighbours[to].current.key
        counter, frame = protect(table, payload, to)
        found.append((key, table._own, counter))  # noqa: SLF001
        return counter, frame

    monkeypatch.setattr(Table, "protect", recording)
    return found


def introduced(nodes: dict[str, Node]) -> None:
    """Introduce two neighbours of the hub."""
    nodes["hub"].introduce("bob", "carol")
    rounds(*nodes.values(), count=4)


@pytest.mark.parametrize("is_forgotten", [False, True])
def test_who_is_introduced_while_the_key_changes_hears_the_group(
    star: Path, *, is_forgotten: bool
) -> None:
    """Counters under the old key are not taken for those under the new one."""
    nodes = opened(star)
    for _ in range(30):
        nodes["carol"].send(b"before", to=BROADCAST)
        rounds(nodes["hub"], count=1)
    nodes.pop("carol").close()
    if is_forgotten:
        nodes["hub"].forget("dave")
        rounds(nodes["bob"], nodes["hub"])
    else:
        nodes["hub"].renew(BROADCAST)
        rounds(nodes["bob"], nodes["hub"])
    nodes["hub"].introduce("bob", "carol")
    rounds(nodes["bob"], nodes["hub"])
    nodes |= opened(star, "carol")
    rounds(*nodes.values(), count=12)
    nodes["carol"].send(b"after", to=BROADCAST)
    heard = [e for e in rounds(nodes["bob"], count=1) if isinstance(e, Received)]
    assert [(e.source, e.message) for e in heard] == [("carol", b"after")]
    close(nodes)


def test_what_was_said_under_an_older_key_is_not_played_to_one_that_comes_late(
    star: Path, air: Air
) -> None:
    """The hub uses the new key already, and bob knows the old one, too."""
    nodes = opened(star)
    nodes["carol"].send(b"before", to=BROADCAST)
    old = air.sent[-1]
    rounds(nodes["hub"], count=1)
    key = state_file.records_in(star / "hub")["group"]["keys"][0]
    extended = bytes.fromhex(
        folders.read(star / "carol").end.settings["own"]["extended"]
    )
    short = int(folders.read(star / "carol").end.settings["own"]["short"], 16)
    said = Introduce(
        0,
        short,
        extended,
        0,
        key["generation"] + 1,
        begins=False,
        name="carol",
        key=bytes(16),
    )
    nodes["hub"].link.send(control.build(said), "bob")
    rounds(nodes["bob"], count=1)
    assert "carol" in known(star, "bob")
    air.hear_again(old)
    heard = rounds(nodes["bob"], count=1)
    assert not [e for e in heard if isinstance(e, Received)]
    close(nodes)


@pytest.mark.parametrize("suite", ["aes128", "aes256"])
def test_a_name_that_does_not_fit_beside_a_key_is_refused(
    suite: str, tmp_path: Path, air: Air
) -> None:
    longest = {
        "level": 7,
        "frame_version": 2015,
        "addresses": "extended",
        "key_id_mode": 3,
        "suite": suite,
    }
    networks.make(tmp_path / "hub", "ieee802154", None, longest)
    names = ["b" * 16, "c" * 17, "d" * 20]
    for name in names:
        joined(tmp_path / "hub", name)
    with Node(tmp_path / "hub") as hub, Node(tmp_path / names[0]) as one:
        for name in names[1:]:
            if suite == "aes256":
                with pytest.raises(NeighbourError, match="a name of 16 bytes"):
                    hub.introduce(names[0], name)
            else:
                hub.introduce(names[0], name)
        rounds(hub, one)
        known_now = networks.known(tmp_path / names[0], "ieee802154").neighbours
        assert len(dict(known_now)) == (1 if suite == "aes256" else 3)
    assert air.sent
