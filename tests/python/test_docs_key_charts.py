# SPDX-License-Identifier: Apache-2.0
"""The charts of docs/key-management.md are what nodes do.

Nodes join, change keys, introduce and forget each other. The messages between them
are compared with the sequence charts, and the states of neighbours and keys with the
state diagrams.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from charts import OUTSIDE, Message, changes, text_of, ways
from quiet_air import quiet_air, rounds

from samara.link.ieee802154.end import Ieee802154Link as End
from samara.link.ieee802154.keys import control, timers
from samara.link.ieee802154.keys.neighbours import described
from samara.link.node import networks
from samara.link.node.node import Node
from samara.link.node.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@dataclass
class Network:
    """Nodes that run, with what they say about keys and what their states become."""

    folder: Path
    nodes: dict[str, Node] = field(default_factory=dict)
    said: list[Message] = field(default_factory=list)
    states: set[tuple[str, str]] = field(default_factory=set)
    roles: set[tuple[str, str]] = field(default_factory=set)

    def open(self, name: str) -> Node:
        self.nodes[name] = Node(self.folder / name)
        return self.nodes[name]

    def first(self, name: str, *, group: bool) -> None:
        networks.make(self.folder / name, "ieee802154", None, {}, group=group)
        self.open(name)

    def join(self, name: str, inviter: str, *, folder: str = "") -> None:
        text = self.nodes[inviter].invite(name, None).text
        self.newcomer(folder or name, text)

    def newcomer(self, folder: str, text: str) -> None:
        networks.join(self.folder / folder, text, {})
        self.open(folder)
        self.note_states({}, self.nodes[folder].state.records())
        self.run()

    def run(self) -> None:
        rounds(*self.nodes.values())

    def messages(self, **named: str) -> list[Message]:
        """Return what was said since the last call, by the names of a chart."""
        as_in_chart = {name: short for short, name in named.items()}
        said = [
            Message(as_in_chart[each.sender], as_in_chart[each.receiver], each.code)
            for each in self.said
        ]
        self.said.clear()
        return said

    def note_sent(self, end: End, said: control.Control, to: str | None) -> None:
        (sender,) = (name for name, node in self.nodes.items() if node.link is end)
        code = control.build(said)[len(control.PREFIX)]
        self.said.append(Message(sender, str(to), code))

    def note_states(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        olds, news = described(before), described(after)
        for name in olds.keys() | news.keys():
            old, new = (
                each[name]["state"] if name in each else OUTSIDE
                for each in (olds, news)
            )
            if old != new:
                self.states.add((old, new))
            self._note_roles(before, after, name)

    def _note_roles(
        self, before: Mapping[str, Any], after: Mapping[str, Any], name: str
    ) -> None:
        """Note what becomes of each key of a neighbour that stays."""
        if f"neighbour {name}" not in after:
            return
        old, new = (
            {
                key["generation"]: key["role"]
                for key in records.get(f"neighbour {name}", {"keys": []})["keys"]
            }
            for records in (before, after)
        )
        for generation in old.keys() | new.keys():
            change = old.get(generation, OUTSIDE), new.get(generation, OUTSIDE)
            if change[0] != change[1]:
                self.roles.add(change)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Network]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    # Old keys end at once. Questions are repeated after a second, which no test takes.
    monkeypatch.setattr(timers, "LATE_S", 0.0)
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 3600.0)
    quiet_air(monkeypatch)
    network = Network(tmp_path)
    transmit, answer = End._transmit, End._answer  # noqa: SLF001 - what it says
    store = State.store

    def transmitted(end: End, said: control.Control, to: str | None) -> None:
        network.note_sent(end, said, to)
        transmit(end, said, to)

    def answered(end: End, said: control.Control, name: str | None, *of: Any) -> None:  # noqa: ANN401
        network.note_sent(end, said, "second")
        answer(end, said, name, *of)

    def stored(state: State, *changes: Any, **others: Any) -> None:  # noqa: ANN401
        before = dict(state.records())
        store(state, *changes, **others)
        network.note_states(before, state.records())

    monkeypatch.setattr(End, "_transmit", transmitted)
    monkeypatch.setattr(End, "_answer", answered)
    monkeypatch.setattr(State, "store", stored)
    yield network
    for node in network.nodes.values():
        node.close()


@pytest.mark.parametrize("group", [False, True])
def test_joining(network: Network, group: bool) -> None:  # noqa: FBT001
    welcome, to_group, refused = ways("keys-joining")
    network.first("hub", group=group)
    invited = network.nodes["hub"].invite("bob", None).text
    network.newcomer("bob", invited)
    assert network.messages(N="bob", H="hub") == (to_group if group else welcome)
    # A second node, on another machine, has a copy of the invitation.
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setenv("XDG_STATE_HOME", str(network.folder / "elsewhere"))
        network.newcomer("second", invited)
    assert network.messages(N="second", H="hub") == refused


def test_renewing(network: Network) -> None:
    (chart,) = ways("keys-renewing")
    network.first("hub", group=False)
    network.join("bob", "hub")
    network.said.clear()
    network.nodes["bob"].renew("hub")
    network.run()
    assert network.messages(A="bob", B="hub") == chart


def test_introducing(network: Network) -> None:
    accepted, refused = ways("keys-introducing")
    network.first("hub", group=False)
    for name in ("bob", "carol", "dave"):
        network.join(name, "hub")
    network.said.clear()
    network.nodes["hub"].introduce("bob", "carol")
    network.run()
    assert network.messages(B="bob", H="hub", C="carol") == accepted
    # Carol has another neighbour of this name.
    network.join("dave", "carol", folder="other")
    network.said.clear()
    network.nodes["hub"].introduce("dave", "carol")
    network.run()
    assert network.messages(B="dave", H="hub", C="carol") == refused


def test_a_new_key_for_a_group(network: Network) -> None:
    (chart,) = ways("keys-regrouping")
    network.first("hub", group=True)
    network.join("bob", "hub")
    network.join("dave", "bob")
    network.said.clear()
    network.nodes["hub"].renew("*")
    network.run()
    assert network.messages(F="hub", M="bob", L="dave") == chart


def test_forgetting(network: Network) -> None:
    (chart,) = ways("keys-forgetting")
    network.first("hub", group=True)
    for name in ("bob", "carol"):
        network.join(name, "hub")
    network.said.clear()
    network.nodes["hub"].forget("bob")
    network.run()
    assert network.messages(F="hub", M="carol", B="bob") == chart


def test_states(network: Network) -> None:
    """Neighbours and keys go through all states of the diagrams, and no others."""
    network.first("hub", group=False)
    for name in ("bob", "carol", "dave"):
        network.join(name, "hub")
    network.nodes["hub"].introduce("bob", "carol")
    network.run()
    network.join("dave", "carol", folder="other")
    network.nodes["hub"].introduce("dave", "carol")
    network.run()
    network.nodes["bob"].renew("hub")
    network.run()
    assert network.states == changes("keys-states")
    assert network.roles == changes("keys-roles")


def test_a_chart_is_read_as_it_is_drawn() -> None:
    join, welcome = Message("N", "H", 1), Message("H", "N", 2)
    first, second, third = ways("keys-joining")
    assert first == [join, welcome]
    assert [way[0] for way in (second, third)] == [join, join]
    assert [way[1].code for way in (second, third)] == [7, 0x10]
    assert text_of("keys-joining").count("->>") == 4
    assert (OUTSIDE, "joining") in changes("keys-states")
