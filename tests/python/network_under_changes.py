# SPDX-License-Identifier: Apache-2.0
"""A network whose nodes are changed, killed and restored in any order, in one process.

What must hold all the time, whatever happens:

- no nonce is used twice: a key, the sender's address and a frame counter;
- a generation names one key: of the group, and of two neighbours as long as they are;
- a message is handed on once at most, and one that was acknowledged was handed on.

And when all have answered each other (`World.settle`):

- two neighbours that know each other hear each other, also in the group;
- no invitation that was used and no introduction that was answered is left;
- no key that a node does not use any more is in any file of its directory.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import quiet_air
from quiet_air import Air, abandon

from samara.link import ieee802154
from samara.link.ieee802154.keys.invitations import InvitationError
from samara.link.ieee802154.keys.neighbours import INVITED, NEXT
from samara.link.ieee802154.keys.table import Table
from samara.link.node import networks, state_file
from samara.link.node.link import BROADCAST, NeighbourError
from samara.link.node.node import Node, NotAcknowledgedError, Received
from samara.link.node.state import State, StateError
from samara.link.node.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    import pytest

    from samara.link.ieee802154.keys.group import Group
    from samara.link.ieee802154.keys.neighbours import Neighbour, SharedKey

FIRST = "hub"
START = ((FIRST, "bob"), (FIRST, "carol"), ("bob", "dave"))
"""Who has invited whom, at the beginning."""
_QUIET_ROUNDS = 4
_ANSWER_S = 0.02
_DENIED = (NeighbourError, InvitationError, NotAcknowledgedError)


class KilledError(BaseException):
    """What stands for SIGKILL: nothing but the tests catches it."""


@dataclass
class Reaper:
    """Kills a node at one of the steps that change its files."""

    victim: Path | None = None
    steps: int = 0
    dead: set[int] = field(default_factory=set)
    """States of nodes that were killed: they change nothing any more."""

    def step(self, state: State) -> None:
        if id(state) in self.dead:
            raise KilledError
        if state._path.parent != self.victim:  # noqa: SLF001 - whose it is
            return
        self.steps -= 1
        if self.steps < 0:
            self.victim = None
            self.dead.add(id(state))
            raise KilledError

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("_change", "_store_unsynced", "_scrub"):
            self._watch(monkeypatch, name)
        record, owners = Witness.record, self._owners

        def recorded(witness: Witness, number: int, *, durably: bool) -> None:
            # Between a change of the state and its witness.
            if (state := owners.get(id(witness))) is not None:
                self.step(state)
            record(witness, number, durably=durably)

        monkeypatch.setattr(Witness, "record", recorded)

    def _watch(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        before = getattr(State, name)

        def watched(state: State, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
            self._owners[id(state._witness)] = state  # noqa: SLF001
            self.step(state)
            before(state, *arguments, **options)
            self.step(state)

        monkeypatch.setattr(State, name, watched)

    def __post_init__(self) -> None:
        self._owners: dict[int, State] = {}


@dataclass
class Ledger:
    """What was used and known in the whole run."""

    frames: dict[tuple[bytes, bytes, int], bytes] = field(default_factory=dict)
    group: dict[int, bytes] = field(default_factory=dict)
    """Keys of the group by generation."""
    pairs: dict[tuple[bytes, bytes], dict[int, bytes]] = field(default_factory=dict)
    """Keys by own address, address of the neighbour, and generation."""
    known: dict[Path, set[str]] = field(default_factory=lambda: defaultdict(set))
    """All keys that a node ever had, as hex digits."""

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._watch_what_is_sent(monkeypatch)
        self._watch_generations(monkeypatch)
        change = State._change  # noqa: SLF001 - where keys are stored

        def changed(state: State, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
            folder = state._path.parent  # noqa: SLF001
            for record in (options.get("records") or {}).values():
                self.known[folder] |= keys_of(record)
            change(state, *arguments, **options)

        monkeypatch.setattr(State, "_change", changed)

    def _watch_what_is_sent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        protect, to_all = Table.protect, Table.protect_for_all
        answer, to_stranger = Table.protect_answer, Table.protect_for_stranger

        def protected(table: Table, payload: bytes, to: str | None) -> Any:  # noqa: ANN401
            key = table.neighbours[to].current.key
            counter, frame = protect(table, payload, to)
            self.use(key, table, frame)
            return counter, frame

        def protected_for_all(table: Table, payload: bytes) -> Any:  # noqa: ANN401
            assert table.group is not None
            key = table.group.current.key
            counter, frame = to_all(table, payload)
            self.use(key, table, frame)
            return counter, frame

        def answered(table: Table, frame: Any, to: str | None) -> bytes:  # noqa: ANN401
            key = table.neighbours[to].current.key
            secured = answer(table, frame, to)
            self.use(key, table, secured)
            return secured

        def protected_for_stranger(
            table: Table,
            payload: bytes,
            name: str | None,
            key: SharedKey,
            extended: bytes,
        ) -> bytes:
            frame = to_stranger(table, payload, name, key, extended)
            self.use(key.key, table, frame)
            return frame

        monkeypatch.setattr(Table, "protect_for_stranger", protected_for_stranger)
        monkeypatch.setattr(Table, "protect", protected)
        monkeypatch.setattr(Table, "protect_for_all", protected_for_all)
        monkeypatch.setattr(Table, "protect_answer", answered)

    def _watch_generations(self, monkeypatch: pytest.MonkeyPatch) -> None:
        put, put_group, remove = Table.put, Table.put_group, Table.remove

        def put_one(table: Table, neighbour: Neighbour) -> None:
            own = table._own  # noqa: SLF001
            named = self.pairs.setdefault((own, neighbour.extended), {})
            # A next key of EDHOC that the neighbour cannot have gives way to another.
            for key in (each for each in neighbour.keys if each.role != NEXT):
                assert named.setdefault(key.generation, key.key) == key.key, neighbour
            put(table, neighbour)

        def put_all(table: Table, group: Group) -> None:
            for key in group.keys:
                assert self.group.setdefault(key.generation, key.key) == key.key, (
                    f"two keys have the generation {key.generation}"
                )
            put_group(table, group)

        def removed(table: Table, name: str | None) -> None:
            extended = table.neighbours[name].extended
            self.pairs.pop((table._own, extended), None)  # noqa: SLF001
            remove(table, name)

        monkeypatch.setattr(Table, "put", put_one)
        monkeypatch.setattr(Table, "put_group", put_all)
        monkeypatch.setattr(Table, "remove", removed)

    def use(self, key: bytes, table: Table, frame: bytes) -> None:
        """Note that a frame was secured; no other one has its nonce."""
        security = ieee802154.parse(frame).security
        assert security is not None
        assert security.counter is not None
        nonce = (key, table._own, security.counter)  # noqa: SLF001
        assert self.frames.setdefault(nonce, frame) == frame, "a nonce came twice"


def keys_of(record: Any) -> set[str]:  # noqa: ANN401 - what JSON can hold
    """Return all keys in a record, as hex digits."""
    match record:
        case dict():
            inner = [keys_of(each) for each in record.values()]
            # Also that of an invitation by which copies are recognised.
            kept = (record.get(name) for name in ("key", "spent"))
            own = {each for each in kept if isinstance(each, str)}
            return own.union(*inner)
        case list():
            return set().union(*map(keys_of, record))
    return set()


class World:
    """The network, its air, and what all of them have said and heard."""

    given: Mapping[str, Any] = MappingProxyType({})
    """Options of all nodes."""
    at_each_run: Mapping[str, Any] = MappingProxyType({})
    """Those of them that no invitation tells."""
    rounds_most = 60
    """Until all have answered each other."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, air: Air | None = None
    ) -> None:
        monkeypatch.setenv("XDG_STATE_HOME", str(folder / "xdg"))
        if air is None:
            quiet_air.hurried(monkeypatch)
        self.air: Air = quiet_air.quiet_air(monkeypatch, air)
        self.air.arrives = self._arrives
        self.air.when_idle = self._run_others
        self.reaper, self.ledger = Reaper(), Ledger()
        self.ledger.watch(monkeypatch)
        self.reaper.watch(monkeypatch)
        self._folder = folder
        self.folders: dict[str, Path] = {}
        self.nodes: dict[str, Node] = {}
        self.heard: Counter[tuple[str, str | None, bytes]] = Counter()
        self.lost = 0
        """How many of the next frames nobody hears."""
        self._said = self._made = 0
        self._running: set[str] = set()
        self._backups: dict[str, dict[Path, bytes]] = {}
        given = {**self.given, **self.at_each_run}
        networks.make(self._new_folder(FIRST), "ieee802154", FIRST, given, group=True)
        self.open(FIRST)
        for inviter, name in START:
            self.join(inviter, name)
            self.settle()

    def _new_folder(self, name: str) -> Path:
        self._made += 1
        self.folders[name] = self._folder / f"{self._made}-{name}"
        return self.folders[name]

    # What carries frames, and lets nodes run.

    def _arrives(self, _: int) -> bool:
        self.lost -= self.lost > 0
        return self.lost == 0

    def _run_others(self) -> None:
        for name in list(self.nodes):
            if name not in self._running:
                self._receive(name)

    def run(self, rounds: int = 1) -> None:
        for _ in range(rounds):
            for name in list(self.nodes):
                self._receive(name)

    def _receive(self, name: str) -> None:
        with self._alive(name) as node:
            for event in node.receive(0) if node else ():
                if isinstance(event, Received):
                    self._note(name, event)

    def _note(self, name: str, event: Received) -> None:
        heard = name, event.source, event.message
        self.heard[heard] += 1
        assert self.heard[heard] == 1, f"handed on twice: {heard}"

    @contextlib.contextmanager
    def _alive(self, name: str) -> Iterator[Node | None]:
        """Let a node do something; it may be killed at it."""
        node = self.nodes.get(name)
        is_outermost = name not in self._running
        self._running.add(name)
        try:
            yield node
        except KilledError:
            if not is_outermost:
                raise
            self._end(name)
        finally:
            if is_outermost:
                self._running.discard(name)

    def _end(self, name: str) -> None:
        """Leave the files of a node as a kill does: SQLite tidies up at its end."""
        node = self.nodes.pop(name, None)
        if node is not None:
            contents = self._files(name)
            abandon(node)
            self._put(name, contents)

    def _files(self, name: str) -> dict[Path, bytes]:
        paths = [self.folders[name] / each for each in state_file.FILES[:2]]
        return {path: path.read_bytes() for path in paths if path.exists()}

    def _put(self, name: str, contents: dict[Path, bytes]) -> None:
        for each in state_file.FILES[1:]:
            (self.folders[name] / each).unlink(missing_ok=True)
        for path, content in contents.items():
            # In place: a copy of a state is refused.
            path.write_bytes(content)

    # What can happen.

    def open(self, name: str) -> None:
        """Start a node that does not run."""
        if name in self.nodes:
            return
        with self._alive(name):
            node = Node(self.folders[name])
            node.link.answer_time_s = _ANSWER_S  # type: ignore[misc]
            node.stay_up()
            self.nodes[name] = node

    def close(self, name: str) -> None:
        """End a node in good order."""
        with self._alive(name) as node:
            if node is None:
                return
            try:
                node.close()
            except KilledError:
                contents = self._files(name)
                self._put(name, contents)
            self.nodes.pop(name, None)

    def kill(self, name: str) -> None:
        """Kill a node between two steps."""
        with self._alive(name) as node:
            if node is not None:
                raise KilledError

    def kill_at(self, name: str, steps: int) -> None:
        """Kill a node after so many steps that change its files."""
        self.reaper.victim, self.reaper.steps = self.folders[name], steps

    def act(self, name: str, what: Callable[[Node], object]) -> None:
        """Let a running node do something that it may refuse."""
        with self._alive(name) as node, contextlib.suppress(*_DENIED):
            if node is not None:
                what(node)

    def send(self, name: str, to: str) -> bytes:
        message = self._message()
        self.act(name, lambda node: node.send(message, to=to))
        return message

    def send_acknowledged(self, name: str, to: str) -> None:
        """Send a message until it is acknowledged: then it was handed on."""
        message = self._message()

        def ask(node: Node) -> None:
            node.send(message, to=to, acknowledged=True, retries=1)
            receiver = self._at(name, to)
            assert self.heard[receiver, self._name_at(receiver, name), message] == 1

        self.act(name, ask)

    def _message(self) -> bytes:
        self._said += 1
        return b"message %d" % self._said

    def _at(self, name: str, to: str) -> str:
        """Return the node that a neighbour of a node is, by its address."""
        return self._named(self.neighbours(name)[to]["extended"])

    def _named(self, extended: str) -> str:
        return next(n for n in self.folders if self.extended(n) == extended)

    def _name_at(self, receiver: str, name: str) -> str | None:
        mine = self.extended(name)
        known = self.neighbours(receiver).items()
        return next((n for n, each in known if each["extended"] == mine), None)

    def extended(self, name: str) -> str:
        text = (self.folders[name] / "node.json").read_text()
        return str(json.loads(text)["settings"]["own"]["extended"])

    def neighbours(self, name: str) -> dict[str, Mapping[str, Any]]:
        return dict(networks.known(self.folders[name], "ieee802154").neighbours)

    def forget(self, name: str, neighbour: str) -> None:
        known = self.neighbours(name).get(neighbour)
        if known is None:
            return
        if name in self.nodes:
            self.act(name, lambda node: node.forget(neighbour))
        else:
            with self._alive(name):
                networks.forget(self.folders[name], neighbour)
        if neighbour not in self.neighbours(name):
            own = bytes.fromhex(self.extended(name))
            self.ledger.pairs.pop((own, bytes.fromhex(known["extended"])), None)

    def join(self, inviter: str, name: str, *, edhoc: bool = False) -> None:
        """Invite a newcomer, which takes the place of another node of this name."""
        made: list[str] = []
        self.act(
            inviter,
            lambda node: made.append(node.invite(name, None, edhoc=edhoc).text),
        )
        if not made:
            return
        self.close(name)
        self._backups.pop(name, None)
        with self._alive(name):
            networks.join(self._new_folder(name), made[0], dict(self.at_each_run))
        self.open(name)

    def back_up(self, name: str) -> None:
        """Keep the files of a node as they are now."""
        self._backups[name] = self._files(name)

    def restore(self, name: str) -> None:
        """Put a backup into the files of a node; it is refused, or the last state."""
        if name not in self._backups:
            return
        self.kill(name)
        now = self._files(name)
        self._put(name, self._backups[name])
        with contextlib.suppress(StateError), self._alive(name):
            with State(self.folders[name]):
                pass
            # It had all that is durable: it is what goes on.
            return
        self._put(name, now)

    # What must hold when all have answered.

    def settle(self) -> None:
        """Let all nodes hear each other until nobody waits for an answer."""
        self.reaper.victim, self.lost = None, 0
        for name in self.folders:
            self.open(name)
        quiet = 0
        for _ in range(self.rounds_most):
            self.run()
            # Who has just been accepted may be asked next.
            waits = any(self._waits(name) for name in self.nodes)
            quiet = 0 if waits else quiet + 1
            if quiet == _QUIET_ROUNDS:
                break
        assert self.nodes.keys() == self.folders.keys()
        for name in self.nodes:
            assert not self._waits(name), (name, self._waits(name))
            self._check_files(name)
            self._check_ended(name)
        self._check_pairs()
        self._check_group()

    def _mutual(self, name: str) -> Iterator[tuple[str, str, str]]:
        """Yield who knows a node and is known by it: its name, and both as called."""
        for called, known in self.neighbours(name).items():
            for other in self.folders:
                if self.extended(other) == known["extended"]:
                    back = self._name_at(other, name)
                    if back is not None:
                        yield other, called, back

    def _waits(self, name: str) -> list[str]:
        """Return what a node waits for that its neighbours can answer."""
        node = self.nodes[name]
        names = [called for _, called, _ in self._mutual(name)]
        pairs = [" ".join(sorted((a, b))) for a in names for b in names if a != b]
        waits = list(node.unsettled([*names, *pairs]))
        return waits + [f"{each}: the group" for each in self._awaited(name)]

    def _awaited(self, name: str) -> list[str]:
        """Return who can answer a node about the key of the group.

        One that waits for a node which has left the tree does not answer either.
        """
        group = self._group(name)
        waiting = group.waiting if group else frozenset()
        mutual = {called: other for other, called, _ in self._mutual(name)}
        return [
            each
            for each in waiting & mutual.keys()
            if not self._waits_in_vain(mutual[each])
        ]

    def _waits_in_vain(self, name: str) -> bool:
        group = self._group(name)
        waiting = group.waiting if group else frozenset()
        mutual = {called: other for other, called, _ in self._mutual(name)}
        return any(
            each not in mutual or self._waits_in_vain(mutual[each]) for each in waiting
        )

    def _table(self, name: str) -> Table:
        table: Table = self.nodes[name].link._table  # type: ignore[attr-defined] # noqa: SLF001
        return table

    def _group(self, name: str) -> Group | None:
        return self._table(name).group

    def _check_pairs(self) -> None:
        for name in list(self.nodes):
            for other, called, back in list(self._mutual(name)):
                message = self.send(name, called)
                self.run()
                assert self.heard[other, back, message] == 1, (name, other)

    def _check_group(self) -> None:
        """Who is in the tree of invitations hears all others that it knows."""
        members = self._members()
        groups = {name: self._group(name) for name in members}
        if any(self._waits_in_vain(name) for name in members):
            return
        assert all(group and group.is_settled for group in groups.values()), groups
        keys = {group.current.key for group in groups.values() if group}
        assert len(keys) == 1, members
        for name in members:
            message = self.send(name, BROADCAST)
            self.run()
            for other, _, back in self._mutual(name):
                if other in members:
                    assert self.heard[other, back, message] == 1, (name, other)

    def _members(self) -> list[str]:
        """Return the first node, and whoever has the key of the group from it."""
        members, waiting = [FIRST], [FIRST]
        while waiting:
            name = waiting.pop()
            neighbours = self._table(name).neighbours
            for other, called, back in self._mutual(name):
                group = self._group(other)
                is_below = neighbours[called].kin == INVITED
                if is_below and group is not None and group.source == back:
                    members.append(other)
                    waiting.append(other)
        return members

    def _check_files(self, name: str) -> None:
        """Look for keys that a node does not use any more in its files."""
        folder = self.folders[name]
        used = keys_of(dict(state_file.records_in(folder)))
        gone = self.ledger.known[folder] - used
        for path in folder.iterdir():
            if not path.is_file():
                continue
            content = path.read_bytes()
            for key in gone:
                is_there = key.encode() in content or bytes.fromhex(key) in content
                assert not is_there, f"a key of before is in {path}"

    def _check_ended(self, name: str) -> None:
        """Look for what is done and was not removed: it could be done again."""
        known = networks.known(self.folders[name], "ieee802154")
        assert not set(known.invitations) & set(known.neighbours), name
        mutual = {called for _, called, _ in self._mutual(name)}
        records = state_file.records_in(self.folders[name])
        for record in (r for n, r in records.items() if n.startswith("introduction")):
            assert not {record["first"], record["second"]} <= mutual, name

    def end(self) -> None:
        self.reaper.victim = None
        for name in list(self.nodes):
            self.close(name)
