# SPDX-License-Identifier: Apache-2.0
"""Neighbours and keys of a node that runs: invited, forgotten, changed."""

from __future__ import annotations

import contextlib
import itertools
import json
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from kept_up import PATIENCE_S, Up, line, medium, taking
from quiet_air import Air, abandon, rounds

from samara.errors import MisuseError
from samara.link.ieee802154.keys.renewing import RENEWED_BEFORE_END
from samara.link.node import local_requests, networks, state_file
from samara.link.node.events import Received, Refused
from samara.link.node.link import BROADCAST, NeighbourError
from samara.link.node.local_lines import LineError
from samara.link.node.local_socket import LocalError
from samara.link.node.node import Node
from samara.link.node.quantities import COUNTER_LIMIT, Number, Quantity
from samara.link.node.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.link.node.local_client import RemoteNode


@pytest.fixture(autouse=True)
def _witnesses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))


@pytest.fixture
def where() -> Iterator[dict[str, Any]]:
    with medium() as options:
        yield options


@pytest.fixture
def hub(tmp_path: Path, where: dict[str, Any]) -> Iterator[Up]:
    networks.make(tmp_path / "hub", "ieee802154", None, {})
    with Up(tmp_path / "hub", where) as up:
        yield up
    assert up.error is None


def joined(hub: Up, name: str, where: dict[str, Any], folder: str = "") -> Up:
    """Return a newcomer that the running hub has invited; it is not up yet."""
    with hub.client() as client:
        made = client.invite(name, None)
    assert made.name == name
    place = hub.folder.with_name(folder or name)
    networks.join(place, made.text, {"medium": where["medium"]})
    return Up(place, where)


def settled(up: Up) -> bool:
    with up.client() as client:
        return not client.wait_for_answers(PATIENCE_S)


# Through the socket


def test_a_running_node_invites_changes_keys_and_forgets(
    hub: Up, where: dict[str, Any]
) -> None:
    with joined(hub, "bob", where) as bob, hub.client() as client:
        assert settled(bob)
        with taking(bob):
            client.send(b"hello", acknowledged=True)
        client.renew("bob")
        assert client.wait_for_answers(PATIENCE_S, about=["bob"]) == []
        known = networks.known(hub.folder, "ieee802154").neighbours
        assert known["bob"]["key"] == 1
        assert client.forget("bob") == []
        with pytest.raises(NeighbourError, match="no neighbour yet"):
            _raised(client.send, b"hello")
        with bob.client() as newcomer, pytest.raises(MisuseError, match="no ackn"):
            newcomer.send(b"still there?", acknowledged=True, retries=0)
    assert networks.known(hub.folder, "ieee802154").neighbours == {}
    # In the same places of the tables, with counters of its own.
    with joined(hub, "bob", where, "another") as bob, bob.client() as newcomer:
        assert settled(bob)
        with taking(hub):
            newcomer.send(b"hello", acknowledged=True)


def test_a_successor_is_not_acknowledged_for_the_one_before(
    hub: Up, where: dict[str, Any]
) -> None:
    """Of a message that waits when its sender is forgotten, nobody is told."""
    with joined(hub, "bob", where) as bob, bob.client() as newcomer:
        assert settled(bob)
        with pytest.raises(MisuseError, match="keeps the message"):
            newcomer.send(b"waits", acknowledged=True)
    with hub.client() as client:
        client.forget("bob")
    hub.stop()
    with State(hub.folder) as state:
        asked = "SELECT source, asked FROM inbox"
        rows = state.use(lambda database: database.execute(asked).fetchall())
    assert rows == [("bob", None)]


def _raised(call: Any, *arguments: object) -> None:  # noqa: ANN401 - any method
    """Call; what a client raises is a MisuseError with the text of the node."""
    try:
        call(*arguments)
    except MisuseError as error:
        raise NeighbourError(str(error)) from None


def test_one_neighbour_does_not_wait_for_another(
    hub: Up, where: dict[str, Any]
) -> None:
    with joined(hub, "away", where) as away:
        assert settled(away)
    with joined(hub, "bob", where) as bob, hub.client() as client:
        assert settled(bob)
        client.renew("away")
        client.renew("bob")
        assert client.wait_for_answers(PATIENCE_S, about=["bob"]) == []
        assert client.wait_for_answers(0) == ["away has not answered about a new key"]


def test_a_mesh_of_four_on_one_medium(hub: Up, where: dict[str, Any]) -> None:
    """Each sends to each, after the hub has introduced the others by its socket."""
    names = ("bob", "carol", "dave")
    with contextlib.ExitStack() as stack:
        ups = {"hub": hub}
        for name in names:
            ups[name] = stack.enter_context(joined(hub, name, where))
            assert settled(ups[name])
        with hub.client() as client:
            for first, second in itertools.combinations(names, 2):
                client.introduce(first, second)
                about = [f"{first} {second}"]
                assert client.wait_for_answers(PATIENCE_S, about=about) == []
                assert client.refused(about) == []
            client.introduce("bob", "carol")
            assert client.wait_for_answers(PATIENCE_S, about=["bob carol"]) == []
            (why,) = client.refused(["bob carol"])
            assert "bob has carol as a neighbour already" in why
        for sender, receiver in itertools.permutations(ups, 2):
            with ups[sender].client() as one, taking(ups[receiver]) as taken:
                text = f"{sender} to {receiver}".encode()
                one.send(text, to=receiver, acknowledged=True)
                assert [(e.source, e.message) for e in taken] == [(sender, text)]


def test_keys_change_by_themselves_while_a_node_is_up(
    hub: Up, where: dict[str, Any]
) -> None:
    """Without a command, before the frame counter ends."""
    with joined(hub, "bob", where) as bob:
        assert settled(bob)
    with State(bob.folder) as state:
        state.store({Number(Quantity.SENT, "hub"): COUNTER_LIMIT - RENEWED_BEFORE_END})
    again = Up(bob.folder, where)
    with again, again.client() as newcomer, taking(hub):
        newcomer.send(b"hello", acknowledged=True)
        assert newcomer.wait_for_answers(PATIENCE_S) == []
        assert networks.known(bob.folder, "ieee802154").neighbours["hub"]["key"] == 1
        newcomer.send(b"again", acknowledged=True)


def test_the_key_of_a_group_changes_by_itself_while_its_owner_is_up(
    where: dict[str, Any], tmp_path: Path
) -> None:
    """A message to all is what finds that the counter of the group ends."""
    networks.make(tmp_path / "owner", "ieee802154", None, {}, group=True)
    with State(tmp_path / "owner") as state:
        last_counter = Number(Quantity.SENT, of_group=True)
        state.store({last_counter: COUNTER_LIMIT - RENEWED_BEFORE_END})
    with contextlib.ExitStack() as stack:
        owner = stack.enter_context(Up(tmp_path / "owner", where))
        bob = stack.enter_context(joined(owner, "bob", where))
        assert settled(bob)
        client = stack.enter_context(owner.client())
        client.send(b"to all", to=BROADCAST)
        assert client.wait_for_answers(PATIENCE_S) == []
    (key,) = state_file.records_in(owner.folder)["group"]["keys"]
    assert key["generation"] == 1


def test_what_is_wrong_is_reported_as_when_the_node_is_at_rest(
    hub: Up, where: dict[str, Any]
) -> None:
    del where
    with hub.client() as client:
        client.invite("bob", None)
        running = _texts(client)
    hub.stop()
    with networks.members(hub.folder) as resting:
        assert running == _texts(resting)
    assert "cannot be the name" in running[0]
    assert "no open invitation of 'carol'" in running[1]
    assert "no neighbour 'carol'" in running[2]


def _texts(of: RemoteNode | networks.Members) -> list[str]:
    calls = (
        lambda: of.invite("bob", None),
        lambda: of.withdraw("carol"),
        lambda: of.forget("carol"),
    )
    texts = []
    for call in calls:
        with pytest.raises(MisuseError) as caught:
            call()
        texts.append(str(caught.value))
    return texts


def test_an_invitation_of_a_running_node_can_be_withdrawn(
    hub: Up, where: dict[str, Any]
) -> None:
    with hub.client() as client:
        made = client.invite("bob", None)
        assert "bob" in networks.known(hub.folder, "ieee802154").invitations
        client.withdraw("bob")
    networks.join(hub.folder.with_name("bob"), made.text, {"medium": where["medium"]})
    with Up(hub.folder.with_name("bob"), where) as bob, bob.client() as newcomer:
        assert newcomer.wait_for_answers(0.3) == [
            "hub has not answered the request to join"
        ]


def test_who_ends_meanwhile_is_told_of(hub: Up) -> None:
    with hub.client() as client:
        hub.stop()
        with pytest.raises(LocalError, match="samara node status"):
            client.forget("bob")


REQUESTS = (
    *("introduce", "invite", "withdraw", "forget", "renew", "keys"),
    "take_oscore",
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=30),
    st.lists(st.one_of(st.text(max_size=5), st.integers()), max_size=70),
)


class Forgetting:
    """A node that has something to say of a neighbour that it forgets."""

    def forget(self, name: str) -> list[str]:
        return [f"{name} is gone", "make the network anew"]


def test_a_forgotten_neighbour_is_answered_as_documented() -> None:
    """Programs of others read it: docs/nodes.md, the local socket."""
    asked = {"type": "forget", "name": "bob"}
    answer = local_requests.answer_to(asked, cast("Node", Forgetting()))
    left = ["bob is gone", "make the network anew"]
    assert answer == {"type": "done", "left_to_do": left}


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    kind=st.sampled_from(REQUESTS),
    fields=st.dictionaries(
        st.sampled_from(
            ("name", "neighbour", "ends_s", "edhoc", "about", "first", "second")
        ),
        VALUES,
    ),
)
@example(kind="invite", fields={"ends_s": 2**32})
@example(kind="invite", fields={"ends_s": -1})
@example(kind="invite", fields={"edhoc": "yes"})
@example(kind="renew", fields={"edhoc": 1})
def test_any_request_is_answered_or_refused(
    kind: str, fields: dict[str, Any], resting: Node
) -> None:
    try:
        answer = local_requests.answer_to({**fields, "type": kind}, resting)
    except (LineError, MisuseError):
        return
    assert answer is not None
    assert json.loads(json.dumps(answer)) == answer
    if answer["type"] == "invited":
        resting.withdraw(answer["name"])


@pytest.fixture
def resting(air: Air, tmp_path: Path) -> Iterator[Node]:
    """A node of a network that is open, and does nothing."""
    del air
    networks.make(tmp_path / "node", "ieee802154", None, {})
    with Node(tmp_path / "node") as node:
        yield node


def test_a_line_that_is_no_request_ends_nothing(hub: Up) -> None:
    with hub.raw() as connection:
        for text in (b'{"type": "forget"}', b'{"type": "forget", "name": 1}', b"[]"):
            connection.sendall(text + b"\n")
            assert json.loads(line(connection))["type"] == "failed"
    assert hub.status()["pid"]


# Killed


def test_what_a_killed_node_has_done_holds(air: Air, tmp_path: Path) -> None:
    networks.make(tmp_path / "hub", "ieee802154", None, {})
    hub = Node(tmp_path / "hub")
    text = hub.invite("bob", None).text
    abandon(hub)
    networks.join(tmp_path / "bob", text, {})
    hub = Node(tmp_path / "hub")
    with Node(tmp_path / "bob") as bob:
        rounds(bob, hub)
        assert bob.wait_for_answers(0) == []
        hub.send(b"before")
        hub.forget("bob")
        bob.send(b"hello")
        events = rounds(hub)
        assert any(isinstance(each, Refused) for each in events)
        assert not any(isinstance(each, Received) for each in events)
        abandon(hub)
        with Node(tmp_path / "hub") as again:
            with pytest.raises(NeighbourError):
                again.send(b"hello")
            bob.send(b"hello")
            assert not any(isinstance(each, Received) for each in rounds(again))
    assert air.nonces_repeated() == 0


def test_what_was_begun_with_one_who_is_forgotten_ends(
    air: Air, tmp_path: Path
) -> None:
    """Parts of a message, acknowledgements that are due, and keys."""
    networks.make(tmp_path / "hub", "ieee802154", None, {})
    networks.join(
        tmp_path / "bob", networks.invite(tmp_path / "hub", "bob", None).text, {}
    )
    with Node(tmp_path / "hub") as hub, Node(tmp_path / "bob") as bob:
        rounds(bob, hub)
        steps = bob.delivering(bytes(300), acknowledged=True)
        for _ in range(4):
            next(steps)
        assert [e for e in hub.receive(0) if isinstance(e, Received)]
        hub.renew("bob")
        sending = hub.delivering(bytes(300), to="bob", acknowledged=True)
        next(sending)
        hub.forget("bob")
        # An acknowledgement to bob was due.
        rounds(hub)
        assert hub.wait_for_answers(0) == []
        with pytest.raises(NeighbourError):
            next(sending)
        steps.close()
    assert air.nonces_repeated() == 0
