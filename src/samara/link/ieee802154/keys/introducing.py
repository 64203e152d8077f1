# SPDX-License-Identifier: Apache-2.0
"""Introductions: how two neighbours of one node become neighbours of each other.

    H -> A: Introduce(id, B, key)     under the key of H and A
    A -> H: Introduced(id, TAKEN)     A has B as a neighbour, and waits for it
    H -> B: Introduce(id, A, key)     under the key of H and B
    B -> H: Introduced(id, TAKEN)     H removes the key
    B -> A: Confirm(0)                under the new key, until A answers Confirmed(0)

H draws the key, and so knows it: A and B trust H not to keep it, not to use it, and to
name the right nodes. A neighbour that is there already is never changed by this.

If B refuses, H has A remove B again (`Retract`), unless A has heard B meanwhile. Each
step is stored before it is acted upon and repeated until it is answered. A node takes
each introduction once: otherwise it could be made to begin the counters of a key anew
whose neighbour it has forgotten in between. It keeps the ids that it has taken as long
as it lives, in one number with a window for each node that introduces others.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from samara.link.ieee802154.frames.levels import ENCRYPTION_ONLY
from samara.link.ieee802154.frames.template import FrameTemplate
from samara.link.ieee802154.keys import invitations
from samara.link.ieee802154.keys.control import (
    Introduce,
    Introduced,
    IntroductionStatus,
    Retract,
    build,
)
from samara.link.ieee802154.keys.exchanges import Exchange, Question
from samara.link.ieee802154.keys.neighbours import (
    EXPECTED,
    INTRODUCED,
    NEIGHBOURS_MAX,
    Neighbour,
    SharedKey,
)
from samara.link.ieee802154.limits import NAME, SHORT_ADDRESSES
from samara.link.node.link import NeighbourError
from samara.link.node.members import Change
from samara.link.node.quantities import COUNTER_LIMIT, Number, Quantity, Value
from samara.link.node.state import StateError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.table import Table
    from samara.link.node.options import Settings
    from samara.link.node.state import State
    from samara.link.node.state_file import Record

OPEN_MAX = 32
"""Introductions under way; fewer than ids that a receiver tells apart."""
INTRODUCERS_MAX = 256
"""Nodes that have ever introduced others to a node."""

_RECORD = "introduction"
_COUNT, _INTRODUCERS = Number(Quantity.INTRODUCTIONS), Number(Quantity.INTRODUCERS)
# Bits of the window that are used: fewer than it has.
_WINDOW = 62


class Step(StrEnum):
    """Who has to answer an introduction."""

    FIRST = "first"
    SECOND = "second"
    BACK = "back"
    """The first, about `Retract`."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """An introduction that this node has begun."""

    id: int
    first: str
    second: str
    key: bytes
    step: Step = Step.FIRST
    reason: str = ""
    """Why it failed."""

    @property
    def name(self) -> str:
        """The names of both, in the same order whoever is first."""
        return " ".join(sorted((self.first, self.second)))

    @property
    def awaited(self) -> str:
        """The name of the node that has to answer."""
        return self.second if self.step == Step.SECOND else self.first

    @property
    def other(self) -> str:
        """The name of the other one."""
        return self.first if self.step == Step.SECOND else self.second

    @property
    def record_name(self) -> str:
        """The name of its record."""
        return f"{_RECORD} {self.id}"

    def as_record(self) -> Record:
        """Return what is stored of it."""
        return {
            "first": self.first,
            "second": self.second,
            "key": self.key.hex(),
            "step": self.step,
            "why": self.reason,
        }


def stored(records: Mapping[str, Record]) -> dict[int, Introduction]:
    """Return the introductions that a node has begun, by id.

    Raises
    ------
    StateError
        When a record of one is not valid.
    """
    found = {}
    for name, record in records.items():
        kind, _, digits = name.partition(" ")
        if kind != _RECORD:
            continue
        try:
            found[int(digits)] = _checked(int(digits), record)
        except (KeyError, TypeError, ValueError):
            message = f"the state of the node is damaged: its record {name!r}"
            raise StateError(message) from None
    return found


def _checked(number: int, record: Mapping[str, Any]) -> Introduction:
    texts = [record[each] for each in ("first", "second", "step", "why")]
    first, second, step, reason = texts
    if not all(isinstance(each, str) for each in texts):
        raise TypeError
    key = bytes.fromhex(record["key"])
    return Introduction(number, first, second, key, Step(step), reason)


def after_forgetting(records: Mapping[str, Record], name: str) -> Change:
    """Return what becomes of introductions when a neighbour is forgotten."""
    change: dict[str, Record | None] = {}
    for each in stored(records).values():
        if each.first == name:
            change[each.record_name] = None
        elif each.second == name:
            reason = f"{name} was forgotten"
            back = replace(each, step=Step.BACK, reason=reason)
            change[each.record_name] = back.as_record()
    return Change(change)


class Introducing(Exchange):
    """The introductions of a running node: those that it makes and those that it gets.

    Parameters
    ----------
    settings
        Of the node, checked.
    answer
        Sends to a neighbour, under the key that is shared with it.
    tell
        Takes a sentence for the user.
    """

    controls = (Introduce, Introduced, Retract)

    def __init__(
        self,
        table: Table,
        state: State,
        settings: Settings,
        answer: Callable[[Control, str | None], None],
        tell: Callable[[str], None],
    ) -> None:
        self._table, self._state, self._settings = table, state, settings
        self._answer, self._tell = answer, tell
        self._payload_size = FrameTemplate.of(settings).payload_size
        self._refused: dict[str, str] = {}
        # A damaged record is told when the node is opened.
        self._open()

    def _open(self) -> dict[int, Introduction]:
        return stored(self._state.records())

    # At the node that introduces.

    def begin(self, first: str, second: str) -> None:
        """Begin to introduce two neighbours to each other.

        Raises
        ------
        NeighbourError
            When there are no such neighbours, or this node cannot do it.
        """
        if self._settings["level"] < ENCRYPTION_ONLY:
            message = (
                f"security level {self._settings['level']} does not encrypt, and a key "
                "would be sent: introductions need level 5, 6 or 7"
            )
            raise NeighbourError(message)
        if first == second:
            message = f"{first!r:.60} is named twice: name two neighbours"
            raise NeighbourError(message)
        for name in (first, second):
            if self._table.neighbours[name].is_joining:
                message = f"{name} has not accepted this node yet: try again later"
                raise NeighbourError(message)
        both = " ".join(sorted((first, second)))
        opened = self._open().values()
        if any(each.name == both for each in opened):
            return
        if len(opened) >= OPEN_MAX:
            message = (
                f"{OPEN_MAX} introductions wait for neighbours: have them listen, or "
                "forget those that are gone"
            )
            raise NeighbourError(message)
        self._check_size(first, second)
        number = self._state.get(_COUNT) or 0
        key = secrets.token_bytes(len(self._table.neighbours[first].current.key))
        begun = Introduction(number, first, second, key)
        self._refused.pop(begun.name, None)
        self._state.store({_COUNT: number + 1}, {begun.record_name: begun.as_record()})

    def _check_size(self, first: str, second: str) -> None:
        """Refuse names that do not fit into a frame beside a key.

        Raises
        ------
        NeighbourError
            When one of them does not.
        """
        key = self._table.neighbours[first].current.key
        said = Introduce(0, 1, bytes(8), 0, 0, begins=False, name="", key=key)
        room = self._payload_size - len(build(said))
        for name in (first, second):
            if len(name) > room:
                message = (
                    f"with the settings of this network, a frame has room for a key and"
                    f" a name of {room} bytes, and {name!r:.60} is longer: forget it, "
                    "and invite it under a shorter name"
                )
                raise NeighbourError(message)

    def questions(self) -> Iterator[Question]:
        """Return what the one whose turn it is has still to answer."""
        for each in self._open().values():
            yield Question(
                each.awaited,
                ("introduction", each.id, each.step),
                each.name,
                f"{each.awaited} has not answered about {each.other}",
                partial(self._said, each),
            )

    def refused(self, about: Collection[str]) -> list[str]:
        """Return why introductions failed since this process was started."""
        return [text for name, text in self._refused.items() if name in about]

    def _said(self, each: Introduction) -> Introduce | Retract:
        if each.step == Step.BACK:
            return Retract(each.id)
        other = self._table.neighbours[each.other]
        group = self._table.group
        expected = generation = 0
        if group is not None:
            # What this node has heard of the other one is not to be played to it.
            number = group.current.number(EXPECTED, other.name)
            expected = self._state.get(number) or 0
            generation = group.current.generation
        return Introduce(
            each.id,
            other.short,
            other.extended,
            expected,
            generation,
            begins=each.step == Step.SECOND,
            name=each.other,
            key=each.key,
        )

    def _answered(self, answer: Introduced, name: str) -> None:
        each = self._open().get(answer.id)
        if each is None or each.awaited != name:
            return
        reason = _reason(each, answer.status)
        match each.step, answer.status:
            case Step.FIRST, IntroductionStatus.TAKEN:
                self._go_on(replace(each, step=Step.SECOND))
            case Step.FIRST, _:
                self._end(each, reason)
            case Step.SECOND, IntroductionStatus.TAKEN:
                self._end(each, "")
            case Step.SECOND, _:
                self._go_on(replace(each, step=Step.BACK, reason=reason))
            case Step.BACK, IntroductionStatus.RETRACTED:
                self._end(each, each.reason)
            # Else a late answer of the first to the introduction itself.

    def _go_on(self, after: Introduction) -> None:
        self._state.store({}, {after.record_name: after.as_record()})

    def _end(self, each: Introduction, reason: str) -> None:
        # Its key is theirs alone from now on.
        self._state.store({}, {each.record_name: None})
        if reason:
            text = f"{each.first} and {each.second} were not introduced: {reason}"
            self._refused[each.name] = text
            self._tell(text)
        else:
            self._tell(f"{each.first} and {each.second} have a key of their own now")

    # At those who are introduced.

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        """Act upon what a neighbour says about introductions."""
        del key
        if name is None:
            return
        match control:
            case Introduced():
                self._answered(control, name)
            case Introduce():
                status = self._introduced(control, name)
                self._answer(Introduced(control.id, status), name)
            case Retract():
                self._retracted(control, name)
                self._answer(Introduced(control.id, IntroductionStatus.RETRACTED), name)

    def _introduced(self, said: Introduce, by: str) -> IntroductionStatus:
        introducer = self._table.neighbours[by]
        if self._found(said.id, introducer) is not None:
            return IntroductionStatus.TAKEN
        taken = self._with_taken(said.id, introducer)
        status = self._judged(said, introducer) if taken else IntroductionStatus.REFUSED
        if status != IntroductionStatus.TAKEN or taken is None:
            return status
        neighbour = Neighbour(
            said.name,
            said.short,
            said.extended,
            (SharedKey(said.key),),
            is_confirmed=False,
            kin=INTRODUCED,
            introduction=_reference(said.id, introducer),
            waits=not said.begins,
        )
        keys = self._table.group.keys if self._table.group is not None else ()
        expected: dict[Number, int | Value] = {
            key.number(EXPECTED, said.name): _expected_under(key, said) for key in keys
        }
        gone = invitations.displaced(self._state.records(), said.name, said.short)
        self._table.store(neighbour, numbers=taken | expected, change=gone)
        self._tell(f"{by} has introduced {said.name}, at {said.extended.hex()}")
        return IntroductionStatus.TAKEN

    def _judged(self, said: Introduce, introducer: Neighbour) -> IntroductionStatus:
        own = self._settings["own"]
        known = list(self._table.neighbours.values())
        names, shorts = invitations.reserved(self._state.records())
        names |= {self._settings["name"], *(str(each.name) for each in known)}
        shorts |= {int(own["short"], 16), *(each.short for each in known)}
        extended = {bytes.fromhex(own["extended"]), *(each.extended for each in known)}
        is_possible = (
            self._settings["level"] > ENCRYPTION_ONLY
            and len(said.key) == len(introducer.current.key)
            and NAME.fullmatch(said.name)
            and said.short in SHORT_ADDRESSES
        )
        if not is_possible:
            return IntroductionStatus.REFUSED
        if said.extended in extended:
            return IntroductionStatus.KNOWN
        if said.name in names or said.short in shorts:
            return IntroductionStatus.NAME_IN_USE
        reserved, _ = invitations.reserved(self._state.records())
        is_full = len(known) + len(reserved) >= NEIGHBOURS_MAX
        return IntroductionStatus.FULL if is_full else IntroductionStatus.TAKEN

    def _with_taken(self, id_: int, by: Neighbour) -> dict[Number, int | Value] | None:
        """Return the windows with an id that is taken now; None if it was before."""
        taken = Number(Quantity.INTRODUCED_BY, by.extended.hex())
        before, count = self._state.get(taken), self._state.get(_INTRODUCERS) or 0
        if before is None and count >= INTRODUCERS_MAX:
            return None
        after = with_id(id_, before or 0, self._state.window(taken) or 0)
        if after is None:
            return None
        numbers: dict[Number, int | Value] = {taken: Value(*after)}
        return {_INTRODUCERS: count + 1, **numbers} if before is None else numbers

    def _found(self, number: int, by: Neighbour) -> Neighbour | None:
        """Return the neighbour that an introduction has made, if it is still there."""
        reference = _reference(number, by)
        known = self._table.neighbours.values()
        return next((each for each in known if each.introduction == reference), None)

    def _retracted(self, said: Retract, by: str) -> None:
        found = self._found(said.id, self._table.neighbours[by])
        if found is None or found.is_confirmed or found.name is None:
            return
        keys = self._table.group.keys if self._table.group is not None else ()
        numbers = [each for key in found.keys for each in key.numbers(found.name)]
        numbers += [key.number(EXPECTED, found.name) for key in keys]
        self._state.store({}, {found.record_name: None}, forgotten=numbers)
        self._table.remove(found.name)
        self._tell(f"{by} has taken the introduction of {found.name} back")


def _expected_under(key: SharedKey, said: Introduce) -> int:
    """Return the lowest counter of the other one that is accepted under a key.

    While the key of the group changes, the two nodes may use different ones. Under an
    older one nothing is accepted: what was sent under it may be played again. Under a
    newer one its counters begin at 0.
    """
    if key.generation < said.generation:
        return COUNTER_LIMIT
    return said.expected if key.generation == said.generation else 0


def with_id(number: int, following: int, below: int) -> tuple[int, int] | None:
    """Return which ids were taken, with one more; None if it was, or is too old.

    Parameters
    ----------
    following
        The highest id that was taken, plus 1; 0: none was.
    below
        A bit for each id below the highest, the next one first.
    """
    ahead = number + 1 - following
    if ahead > 0:
        is_near = following and ahead <= _WINDOW
        bits = (below << 1 | 1) << (ahead - 1) if is_near else 0
        return number + 1, bits & ((1 << _WINDOW) - 1)
    place = -ahead - 1
    if place < 0 or place >= _WINDOW or below >> place & 1:
        return None
    return following, below | 1 << place


def _reference(number: int, by: Neighbour) -> str:
    return f"{by.extended.hex()} {number}"


def _reason(each: Introduction, status: int) -> str:
    by, of = each.awaited, each.other
    match status:
        case IntroductionStatus.KNOWN:
            return (
                f"{by} has {of} as a neighbour already; if they are to begin anew, let "
                "each forget the other first"
            )
        case IntroductionStatus.NAME_IN_USE:
            return f"{by} uses the name or the short address of {of} for another node"
        case IntroductionStatus.FULL:
            return f"{by} has no room for another neighbour"
    return f"{by} does not take it: it may have forgotten {of} meanwhile"
