# SPDX-License-Identifier: Apache-2.0
"""Networks of ieee802154: several neighbours, and newcomers who are invited."""

from __future__ import annotations

import contextlib
import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import quiet_air
from quiet_air import Air, abandon, rounds

from samara.errors import MisuseError
from samara.link.ieee802154 import parse
from samara.link.ieee802154.frames.template import FrameTemplate
from samara.link.ieee802154.keys import invitations, joining
from samara.link.ieee802154.keys.invitations import Invitation, InvitationError
from samara.link.node import folder as folders
from samara.link.node import networks, state_file
from samara.link.node.events import Alarm
from samara.link.node.link import BROADCAST, NeighbourError
from samara.link.node.messages import Ack, DeliveryStatus, Part, build
from samara.link.node.node import Node, Notice, Received, Refused
from samara.link.node.witness import WitnessError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINK = "ieee802154"


@pytest.fixture
def hub(air: Air, tmp_path: Path) -> Path:
    del air
    networks.make(tmp_path / "hub", LINK, None, {})
    return tmp_path / "hub"


def joined(hub: Path, *names: str) -> list[Path]:
    """Make newcomers and let the hub accept them."""
    return [quiet_air.joined(hub, name) for name in names]


def messages(events: list[object]) -> list[tuple[str | None, bytes]]:
    return [(e.source, e.message) for e in events if isinstance(e, Received)]


def refusals(events: list[object]) -> list[str]:
    return [event.reason for event in events if isinstance(event, Refused)]


def test_a_star_of_three(hub: Path, air: Air) -> None:
    bob, carol = joined(hub, "bob", "carol")
    with Node(hub) as h, Node(bob) as b, Node(carol) as c:
        b.send(b"from bob")
        c.send(b"from carol")
        h.send(b"to bob", to="bob")
        h.send(bytes(300), to="carol")
        events = rounds(h)
        assert messages(events) == [("bob", b"from bob"), ("carol", b"from carol")]
        assert not refusals(events)
        assert messages(rounds(b)) == [("hub", b"to bob")]
        assert messages(rounds(c)) == [("hub", bytes(300))]
    assert air.nonces_repeated() == 0


def test_acknowledged_messages_of_a_star(hub: Path, air: Air) -> None:
    bob, carol = joined(hub, "bob", "carol")
    with Node(hub) as h, Node(bob) as b, Node(carol) as c:
        handed_on: list[object] = []

        def others() -> None:
            handed_on.extend(rounds(b, c, count=2))

        air.when_idle = others
        h.send(bytes(500), to="bob", acknowledged=True)
        h.send(b"next", to="carol", acknowledged=True)
        with pytest.raises(NeighbourError, match="not acknowledged"):
            h.send(b"all", to=BROADCAST, acknowledged=True)
        assert messages(handed_on) == [("hub", bytes(500)), ("hub", b"next")]


def test_neighbours_are_named(hub: Path) -> None:
    with Node(hub) as h, pytest.raises(NeighbourError, match="samara node invite"):
        h.send(b"hello")
    bob, _ = joined(hub, "bob", "carol")
    with Node(hub) as h:
        with pytest.raises(NeighbourError, match="name one of bob, carol"):
            h.send(b"hello")
        with pytest.raises(NeighbourError, match="no neighbour 'dave'"):
            h.send(b"hello", to="dave")
        with pytest.raises(NeighbourError, match="key for a group"):
            h.send(b"hello", to=BROADCAST)
    with Node(bob) as b:
        b.send(b"to the only one")
        b.send(b"by its name", to="hub")


def test_what_one_neighbour_sends_is_not_for_another(hub: Path, air: Air) -> None:
    """Neither by its address, nor under its key."""
    bob, carol = joined(hub, "bob", "carol")
    with Node(hub) as h, Node(bob) as b, Node(carol) as c:
        h.send(b"to bob", to="bob")
        assert rounds(c) == []
        assert messages(rounds(b)) == [("hub", b"to bob")]
    keys = [record["keys"][0]["key"] for record in _neighbours(hub).values()]
    assert len(set(keys)) == 2
    assert air.nonces_repeated() == 0


def test_counters_of_neighbours_go_on_after_a_restart(hub: Path, air: Air) -> None:
    bob, carol = joined(hub, "bob", "carol")
    for _ in range(3):
        with Node(hub) as h, Node(bob) as b, Node(carol) as c:
            for to in ("bob", "carol"):
                h.send(b"hello", to=to)
            assert len(messages(rounds(b, c))) == 2
            replayed = air.sent[-1]
            air.hear_again(replayed)
            assert messages(rounds(b, c)) == []
        killed = Node(hub)
        killed.send(b"before", to="bob")
        abandon(killed)
    assert air.nonces_repeated() == 0


# Invitations


def _neighbours(folder: Path) -> dict[str, dict[str, Any]]:
    records = state_file.records_in(folder)
    return {name: each for name, each in records.items() if "neighbour" in name}


def test_an_invitation_is_accepted_once(
    hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = networks.invite(hub, "bob", None).text
    networks.join(tmp_path / "bob", text, {})
    with pytest.raises(WitnessError, match="made before"):
        networks.join(tmp_path / "again", text, {})
    assert not (tmp_path / "again").exists()
    # On another machine nothing is known of the first.
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    networks.join(tmp_path / "mallory", text, {})
    with Node(hub) as h, Node(tmp_path / "bob") as bob:
        assert any(isinstance(event, Notice) for event in rounds(bob, h))
        assert bob.unsettled() == []
        with Node(tmp_path / "mallory") as mallory:
            reasons = refusals(rounds(mallory, h, count=2))
            assert any("second node uses the invitation of bob" in r for r in reasons)
            # It is told why, and waits no longer.
            (refusal,) = (reason for reason in reasons if "used already" in reason)
            assert mallory.unsettled() == []
            assert mallory.refused(()) == [refusal]
            mallory.send(b"let me in")
            assert messages(rounds(h)) == []
        bob.send(b"hello")
        assert messages(rounds(h)) == [("bob", b"hello")]


def test_two_who_use_one_invitation_have_two_nonces(
    hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = networks.invite(hub, "bob", None).text
    addresses = set()
    for name in ("one", "two"):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / f"xdg {name}"))
        networks.join(tmp_path / name, text, {})
        own = folders.read(tmp_path / name).end.settings["own"]
        addresses.add(own["extended"])
    assert len(addresses) == 2


@pytest.mark.parametrize("lost", [{0}, {1}, {0, 1, 2}])
def test_a_join_is_repeated_until_it_is_answered(
    lost: set[int], hub: Path, air: Air, tmp_path: Path
) -> None:
    networks.join(tmp_path / "bob", networks.invite(hub, "bob", None).text, {})
    air.arrives = lambda number: number not in lost
    with Node(hub) as h, Node(tmp_path / "bob") as bob:
        rounds(bob, h, count=8)
        assert bob.unsettled() == []
        h.send(b"welcome", to="bob")
        assert messages(rounds(bob)) == [("hub", b"welcome")]
    assert air.nonces_repeated() == 0


def test_a_killed_newcomer_and_a_killed_hub_go_on(
    hub: Path, air: Air, tmp_path: Path
) -> None:
    networks.join(tmp_path / "bob", networks.invite(hub, "bob", None).text, {})
    bob = Node(tmp_path / "bob")
    rounds(bob, count=2)
    abandon(bob)
    h = Node(hub)
    with Node(tmp_path / "bob") as bob:
        rounds(bob, h, count=1)
        abandon(h)
        with Node(hub) as h:
            rounds(bob, h)
            assert bob.unsettled() == []
    assert air.nonces_repeated() == 0


def test_an_invitation_of_another_node_is_refused(hub: Path, tmp_path: Path) -> None:
    networks.make(tmp_path / "other", LINK, None, _like(hub))
    text = networks.invite(tmp_path / "other", "bob", None).text
    networks.join(tmp_path / "bob", text, {})
    networks.invite(hub, "bob", None)
    with Node(hub) as h, Node(tmp_path / "bob") as bob:
        # Neither the address nor the key is the hub's.
        assert rounds(bob, h) == []
        assert bob.unsettled()
    assert not _neighbours(hub)


def _like(hub: Path) -> dict[str, object]:
    return {"pan": folders.read(hub).end.settings["pan"]}


def test_a_key_that_was_guessed_is_refused(hub: Path, air: Air, tmp_path: Path) -> None:
    good = Invitation.of(networks.invite(hub, "bob", None).text)
    wrong = Invitation(
        good.settings,
        good.inviter,
        good.inviter_short,
        good.inviter_extended,
        good.name,
        good.short,
        bytes(16),
        good.id,
    )
    networks.join(tmp_path / "bob", wrong.text, {})
    with Node(hub) as h, Node(tmp_path / "bob") as bob:
        reasons = refusals(rounds(bob, h))
        assert reasons
        assert all("no invitation of this node" in reason for reason in reasons)
    assert not _neighbours(hub)
    assert air.sent


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return the clock of the node that invites; a test sets it."""
    now = SimpleNamespace(now_s=1_000_000.0)
    given = SimpleNamespace(time=lambda: now.now_s, monotonic=lambda: now.now_s)
    for module in (invitations, joining):
        monkeypatch.setattr(module, "time", given)
    monkeypatch.setattr(networks, "time", given)
    return now


@pytest.mark.parametrize("ends_s", [None, 1_000_007])
def test_an_invitation_expires_by_the_clock_of_the_hub(
    hub: Path, tmp_path: Path, clock: SimpleNamespace, ends_s: int | None
) -> None:
    end_s = ends_s or int(clock.now_s) + 24 * 3600
    names = ("bob", "carol")
    for name in names:
        networks.join(tmp_path / name, networks.invite(hub, name, ends_s).text, {})
    clock.now_s = end_s - 1
    with Node(hub) as h, Node(tmp_path / "bob") as bob:
        rounds(bob, h)
        assert bob.unsettled() == []
        assert bob.refused(()) == []
    clock.now_s = end_s
    with Node(hub) as h, Node(tmp_path / "carol") as carol:
        carol.receive(0)
        (alarm,) = (e for e in h.receive(0) if isinstance(e, Refused))
        assert alarm.kind is Alarm.EXPIRED_INVITATION
        (refusal,) = (e for e in carol.receive(0) if isinstance(e, Refused))
        assert refusal.kind is Alarm.REFUSED_JOIN
        assert "has expired" in refusal.reason
        assert carol.refused(()) == [refusal.reason]
    assert list(_neighbours(hub)) == ["neighbour bob"]
    # Its clock was wrong.
    clock.now_s = end_s - 1
    with Node(hub) as h, Node(tmp_path / "carol") as carol:
        rounds(carol, h)
        assert carol.unsettled() == []
        carol.send(b"hello")
        assert messages(rounds(h)) == [("carol", b"hello")]


def test_an_invitation_of_an_older_samara_has_no_end(
    hub: Path, tmp_path: Path, clock: SimpleNamespace
) -> None:
    text = networks.invite(hub, "bob", invitations.NO_END).text
    assert networks.known(hub, LINK).invitations == {"bob": None}
    clock.now_s += 1e9
    networks.join(tmp_path / "bob", text, {})
    with Node(hub) as h, Node(tmp_path / "bob") as bob:
        rounds(bob, h)
        assert bob.unsettled() == []


def test_expired_invitations_make_room(hub: Path, clock: SimpleNamespace) -> None:
    first_s = int(clock.now_s) + 1
    texts = {
        f"n{number}": networks.invite(hub, f"n{number}", first_s + number).text
        for number in range(invitations.OPEN_MAX)
    }
    with pytest.raises(InvitationError, match="at most"):
        networks.invite(hub, "more", None)
    clock.now_s = first_s + 1
    # Two have expired: the name of one is free, and the room of the other.
    assert "n1" in networks.known(hub, LINK).invitations
    networks.invite(hub, "n1", None)
    networks.invite(hub, "more", None)
    names = set(networks.known(hub, LINK).invitations)
    displaced = {
        Invitation.of(text).key.hex().encode() for text in (texts["n0"], texts["n1"])
    }
    for path in (each for each in hub.iterdir() if each.is_file()):
        assert not any(key in path.read_bytes() for key in displaced), path
    assert names == {"more", *(f"n{n}" for n in range(1, invitations.OPEN_MAX))}
    with pytest.raises(InvitationError, match="at most"):
        networks.invite(hub, "again", None)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"addresses": "extended", "frame_version": 2015},
        {"key_id_mode": 0, "level": 6},
        {"frame_version": 2015, "frame_retries": 1, "key_id_mode": 3},
        {"suite": "aes128", "level": 1},
    ],
    ids=lambda options: " ".join(options) or "default",
)
def test_the_rightful_node_is_told_that_a_thief_was_first(
    options: dict[str, Any],
    air: Air,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    clock: SimpleNamespace,
) -> None:
    hub = tmp_path / "net" / "hub"
    hub.parent.mkdir()
    networks.make(hub, LINK, None, options)
    text = networks.invite(hub, "bob", None).text
    networks.join(tmp_path / "bob", text, {})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    networks.join(tmp_path / "thief", text, {})
    with Node(hub) as h, Node(tmp_path / "thief") as thief:
        rounds(thief, h)
        assert thief.unsettled() == []
        with Node(tmp_path / "bob") as bob:
            bob.receive(0)
            asked = air.sent[-1]
            (alarm,) = (e for e in h.receive(0) if isinstance(e, Refused))
            assert alarm.kind is Alarm.COPIED_INVITATION
            (refusal,) = (e for e in bob.receive(0) if isinstance(e, Refused))
            assert refusal.kind is Alarm.REFUSED_JOIN
            assert "used already" in refusal.reason
            assert bob.unsettled() == []
            assert bob.refused(["hub"]) == bob.refused(()) == [refusal.reason]
            assert bob.refused(["carol"]) == []
            # It asks rarely from now on; who plays its request gets few answers.
            count = len(air.sent)
            rounds(bob, h)
            assert len(air.sent) == count
            for now_s, answers in ((0.999, 0), (1.0, 1), (1.5, 1), (2.0, 2)):
                clock.now_s = 1_000_000.0 + now_s
                air.hear_again(asked)
                kinds = [e.kind for e in h.receive(0) if isinstance(e, Refused)]
                assert kinds == [Alarm.COPIED_INVITATION]
                assert len(air.sent) == count + answers
        # To the thief nothing has changed.
        assert refusals(rounds(thief)) == []
        h.send(b"hello", to="bob")
        assert messages(rounds(thief)) == [("hub", b"hello")]
    own = folders.read(hub).end.settings["own"]
    of_hub = [
        frame.security.counter
        for frame in (parse(psdu[:-2]) for psdu in dict.fromkeys(air.sent))
        if frame.security is not None
        and (frame.source.long or frame.source.short)
        in (bytes.fromhex(own["extended"]), int(own["short"], 16))
    ]
    # Both share a key: no counter of it is used for both.
    assert len(of_hub) == len(set(of_hub)) >= 5


def test_an_invitation_can_be_withdrawn(hub: Path, tmp_path: Path) -> None:
    text = networks.invite(hub, "bob", None).text
    networks.withdraw(hub, "bob")
    with pytest.raises(InvitationError, match="no open invitation"):
        networks.withdraw(hub, "bob")
    key = Invitation.of(text).key
    for path in hub.iterdir():
        content = path.read_bytes()
        assert key not in content
        assert key.hex().encode() not in content
    networks.join(tmp_path / "bob", text, {})
    with Node(hub) as h, Node(tmp_path / "bob") as bob:
        assert refusals(rounds(bob, h))
    assert not _neighbours(hub)


def test_a_join_that_is_played_again_changes_nothing(
    hub: Path, air: Air, tmp_path: Path
) -> None:
    networks.join(tmp_path / "bob", networks.invite(hub, "bob", None).text, {})
    with Node(tmp_path / "bob") as bob:
        rounds(bob, count=1)
        join = air.sent[-1]
    # The newcomer is away: no later frame of it raises the counter.
    with Node(hub) as h:
        air.hear_again(join)
        assert not refusals(rounds(h))
        before = _neighbours(hub)
        air.hear_again(join)
        assert refusals(rounds(h))
        assert _neighbours(hub) == before
    with Node(hub) as h:
        air.hear_again(join)
        assert refusals(rounds(h))


def test_a_neighbour_that_was_forgotten_is_refused(hub: Path) -> None:
    (bob,) = joined(hub, "bob")
    key = str(next(iter(_neighbours(hub).values()))["keys"][0]["key"])
    networks.forget(hub, "bob")
    assert not _neighbours(hub)
    for path in hub.iterdir():
        assert key.encode() not in path.read_bytes(), path
    with Node(hub) as h, Node(bob) as b:
        b.send(b"hello")
        assert refusals(rounds(h))
        with pytest.raises(NeighbourError):
            h.send(b"hello", to="bob")
    with pytest.raises(NeighbourError, match="no neighbour 'bob'"):
        networks.forget(hub, "bob")


def _running(node: Node, handed_on: list[object]) -> Callable[[], None]:
    """Return what lets a node run."""
    return lambda: handed_on.extend(rounds(node, count=2))


def test_one_who_is_invited_again_begins_anew(hub: Path, air: Air) -> None:
    (bob,) = joined(hub, "bob")
    for _ in range(2):
        with Node(hub) as h, Node(bob) as b:
            handed_on: list[object] = []
            air.when_idle = _running(h, handed_on)
            for text in (b"one", b"two"):
                b.send(text, acknowledged=True)
            assert messages(handed_on) == [("bob", b"one"), ("bob", b"two")]
        networks.forget(hub, "bob")
        shutil.rmtree(bob)
        (bob,) = joined(hub, "bob")


# Groups


@pytest.fixture
def group(air: Air, tmp_path: Path) -> list[Path]:
    """Return a hub and two members of its group."""
    del air
    networks.make(tmp_path / "hub", LINK, None, {}, group=True)
    return [tmp_path / "hub", *joined(tmp_path / "hub", "bob", "carol")]


def to_all(events: list[object]) -> list[tuple[str | None, bytes, bool]]:
    return [(e.source, e.message, e.to_all) for e in events if isinstance(e, Received)]


def test_a_message_to_all_reaches_those_who_know_the_sender(
    group: list[Path], air: Air
) -> None:
    hub, bob, carol = group
    with Node(hub) as h, Node(bob) as b, Node(carol) as c:
        h.send(b"to all", to=BROADCAST)
        h.send(bytes(300), to=BROADCAST)
        h.send(b"to bob", to="bob")
        both = [("hub", b"to all", True), ("hub", bytes(300), True)]
        assert to_all(rounds(b)) == [*both, ("hub", b"to bob", False)]
        assert to_all(rounds(c)) == both
        b.send(b"from bob", to=BROADCAST)
        assert to_all(rounds(h)) == [("bob", b"from bob", True)]
        # carol does not know bob.
        assert to_all(rounds(c)) == []
    assert air.nonces_repeated() == 0


def test_a_message_to_all_is_taken_once(group: list[Path], air: Air) -> None:
    hub, bob, _ = group
    with Node(hub) as h, Node(bob) as b:
        h.send(b"to all", to=BROADCAST)
        frame = air.sent[-1]
        assert len(to_all(rounds(b))) == 1
        air.hear_again(frame)
        assert to_all(rounds(b)) == []
    killed = Node(hub)
    killed.send(b"before", to=BROADCAST)
    abandon(killed)
    with Node(hub) as h, Node(bob) as b:
        air.hear_again(frame)
        assert to_all(rounds(b)) == []
        h.send(b"after", to=BROADCAST)
        assert to_all(rounds(b)) == [("hub", b"after", True)]
    assert air.nonces_repeated() == 0


def test_messages_to_all_of_before_are_not_for_newcomers(
    group: list[Path], air: Air
) -> None:
    hub, *_ = group
    with Node(hub) as h:
        h.send(b"old", to=BROADCAST)
        old = air.sent[-1]
    (dave,) = joined(hub, "dave")
    with Node(hub) as h, Node(dave) as d:
        air.hear_again(old)
        assert to_all(rounds(d)) == []
        h.send(b"new", to=BROADCAST)
        assert to_all(rounds(d)) == [("hub", b"new", True)]


def test_a_member_cannot_use_the_key_of_the_group_for_one(
    group: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would speak to one in the name of another."""
    hub, bob, _ = group
    monkeypatch.setattr(
        FrameTemplate, "to_all", lambda template: _to_bob(template, bob)
    )
    with Node(hub) as h, Node(bob) as b:
        h.send(b"to bob alone", to=BROADCAST)
        events = rounds(b)
        assert to_all(events) == []
        assert any("key of the group" in reason for reason in refusals(events))


def _to_bob(template: FrameTemplate, bob: Path) -> FrameTemplate:
    own = folders.read(bob).end.settings["own"]
    return template.to(int(own["short"], 16), bytes.fromhex(own["extended"]))


def test_nothing_is_confirmed_under_the_key_of_the_group(group: list[Path]) -> None:
    hub, bob, _ = group
    asked = Part(5, 0, b"x", is_last=True, wants_ack=True, is_acknowledged=True)
    with Node(hub) as h, Node(bob) as b:
        for each in (Ack(0, DeliveryStatus.DELIVERED), asked):
            h.link.send(build(each), BROADCAST)
        events = rounds(b)
        assert len(refusals(events)) == 2
        assert to_all(events) == []
        # And its marks are others than those of messages to bob alone.
        high = Part(9000, 0, b"high", is_last=True)
        h.link.send(build(high), BROADCAST)
        h.link.send(build(Part(7, 0, b"low", is_last=True)), "bob")
        assert [each[1] for each in to_all(rounds(b))] == [b"high", b"low"]


@pytest.mark.parametrize("given", [{"level": 3}, {"key_id_mode": 0}])
def test_a_group_needs_encryption_and_named_keys(
    given: dict[str, object], air: Air, tmp_path: Path
) -> None:
    del air
    with pytest.raises(MisuseError, match="--group needs"):
        networks.make(tmp_path / "hub", LINK, None, given, group=True)


@pytest.mark.parametrize("name", ["", "a b", "x" * 21, "-x", "bob", "hub", "ä", "*"])
def test_names_are_checked(name: str, hub: Path) -> None:
    if name == "bob":
        networks.invite(hub, "bob", None)
    if name:
        with pytest.raises(InvitationError, match="cannot be the name"):
            networks.invite(hub, name, None)
    else:
        assert networks.invite(hub, None, None).name.startswith("node-")


def test_a_pair_invites_nobody(air: Air, tmp_path: Path) -> None:
    del air
    folders.make_pair(tmp_path / "alice", LINK, {})
    with pytest.raises(MisuseError, match="one of a pair"):
        networks.invite(tmp_path / "alice", None, None)
    with pytest.raises(MisuseError, match="joins two nodes"):
        networks.make(tmp_path / "left", "rf-serial", None, {})
    with pytest.raises(MisuseError, match="does not authenticate"):
        networks.make(tmp_path / "open", LINK, None, {"level": 4})


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text[:-1],
        lambda text: text.lower(),
        lambda text: text[:30] + ("A" if text[30] != "A" else "B") + text[31:],
        lambda text: "SAMARA2:" + text[8:],
        lambda _: "SAMARA1:",
        lambda _: "",
        lambda text: text * 20,
    ],
)
def test_an_invitation_that_was_miscopied_is_reported(
    spoilt: object, hub: Path, tmp_path: Path
) -> None:
    text = networks.invite(hub, "bob", None).text
    assert callable(spoilt)
    with pytest.raises(InvitationError) as caught:
        networks.join(tmp_path / "bob", spoilt(text), {})
    assert text[20:40] not in str(caught.value)
    assert not (tmp_path / "bob").exists()


@pytest.mark.parametrize(
    "given",
    [
        {"level": 7, "suite": "aes256", "key_id_mode": 3, "addresses": "extended"},
        {"level": 1, "frame_version": 2015, "key_id_mode": 0},
        {"level": 6, "suite": "grain128aead", "frame_version": 2015, "key_id_mode": 2},
        {"suite": "ascon-aead128", "frame_version": 2015, "addresses": "extended"},
    ],
)
def test_networks_of_all_forms(
    given: dict[str, object], air: Air, tmp_path: Path
) -> None:
    networks.make(tmp_path / "hub", LINK, None, given)
    bob, carol = joined(tmp_path / "hub", "bob", "carol")
    with Node(tmp_path / "hub") as h, Node(bob) as b, Node(carol) as c:
        for to in ("bob", "carol"):
            h.send(bytes(200), to=to)
        assert messages(rounds(b, c, count=1)) == [("hub", bytes(200))] * 2
        b.send(b"from bob")
        c.send(b"from carol")
        assert messages(rounds(h)) == [("bob", b"from bob"), ("carol", b"from carol")]
    assert air.nonces_repeated() == 0


def test_settings_of_the_network_are_not_the_newcomer_s(
    hub: Path, tmp_path: Path
) -> None:
    text = networks.invite(hub, "bob", None).text
    with pytest.raises(MisuseError, match="--level cannot be given"):
        networks.join(tmp_path / "bob", text, {"level": 1})
    networks.join(tmp_path / "bob", text, {"medium": "localhost:5"})
    assert folders.read(tmp_path / "bob").end.settings["medium"] == "localhost:5"


def test_an_invitation_has_the_settings_of_the_network(
    air: Air, tmp_path: Path
) -> None:
    del air
    given = {"mac": "box-mac-2", "wake_up": "250ms", "level": 6, "medium": "host:1"}
    networks.make(tmp_path / "hub", LINK, "center", given)
    own = folders.read(tmp_path / "hub").end.settings
    invitation = Invitation.of(networks.invite(tmp_path / "hub", "bob", None).text)
    networks.join(tmp_path / "bob", invitation.text, {})
    new = folders.read(tmp_path / "bob").end.settings
    differ = {"own", "name", "radio", "frame_retries", "late_frames"}
    assert {k: v for k, v in new.items() if k not in differ} == {
        k: v for k, v in own.items() if k not in differ
    }
    assert (invitation.inviter, new["name"]) == ("center", "bob")


def test_a_restored_hub_is_refused(hub: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(hub, backup)
    joined(hub, "bob")
    shutil.rmtree(hub)
    shutil.copytree(backup, hub)
    with pytest.raises(MisuseError, match="rekey --offline"), Node(hub):
        pass
    with contextlib.suppress(MisuseError):
        networks.invite(hub, "bob", None)
        pytest.fail("a node that was restored has invited")
