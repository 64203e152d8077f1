# SPDX-License-Identifier: Apache-2.0
"""How a newcomer with an invitation joins: both sides, while they run.

    newcomer: Join(id of the invitation)     under the key of the invitation
    inviter:  Welcome or WelcomeToGroup      it has the newcomer as a neighbour
              JoinRefused(why)               used already, or expired

The newcomer is made with the inviter as its neighbour (`invitations.Invitation`), and
asks until it is welcome. The inviter uses the invitation up and stores the newcomer,
with its address and the counter of its request, in one durable write. A request that
comes again has the same answer.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from samara.link.ieee802154.frames.frame import FrameError
from samara.link.ieee802154.keys import control as controls
from samara.link.ieee802154.keys import group as groups
from samara.link.ieee802154.keys import invitations
from samara.link.ieee802154.keys.control import (
    Join,
    JoinRefused,
    Refusal,
    Welcome,
    WelcomeToGroup,
)
from samara.link.ieee802154.keys.exchanges import Exchange, Question
from samara.link.ieee802154.keys.invitations import InvitationError
from samara.link.ieee802154.keys.neighbours import EXPECTED, Neighbour, SharedKey
from samara.link.node.events import Alarm
from samara.link.node.members import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.group import Group
    from samara.link.ieee802154.keys.table import Table
    from samara.link.ieee802154.keys.timers import RetryTimers
    from samara.link.node.quantities import Value
    from samara.link.node.state import State
    from samara.link.node.state_file import Record

ANSWERED_AGAIN_S = 1.0
"""Least time between two answers to newcomers of one name that are refused."""
REFUSED_AGAIN_S = 3600.0
"""When a node that was not accepted asks again."""


class JoinError(InvitationError):
    """A request to join that is refused."""

    def __init__(self, text: str, alarm: Alarm) -> None:
        super().__init__(text)
        self.alarm = alarm


class Joining(Exchange):
    """Asks those that have invited this node to accept it, and answers neighbours.

    Parameters
    ----------
    answer
        Sends to a neighbour.
    tell_refused
        Takes a sentence: why this node was not accepted.
    """

    controls = (Join, Welcome, WelcomeToGroup, JoinRefused)

    def __init__(
        self,
        table: Table,
        timers: RetryTimers,
        answer: Callable[[Control, str | None], None],
        tell_refused: Callable[[str], None],
    ) -> None:
        self._table, self._timers = table, timers
        self._answer, self._tell_refused = answer, tell_refused
        self._refused: dict[str | None, str] = {}

    def questions(self) -> Iterator[Question]:
        """Return the requests to join; in words those that were not refused."""
        return (_question(each, self._refused.get(each.name)) for each in self._open())

    def _open(self) -> list[Neighbour]:
        return [each for each in self._table.neighbours.values() if each.is_joining]

    def refused(self, about: Collection[str]) -> list[str]:
        """Return why this node was not accepted by those that have invited it.

        It goes on asking, rarely: they may change their mind, or their clock.
        """
        return [
            self._refused[each.name]
            for each in self._open()
            if each.name in self._refused and (not about or each.name in about)
        ]

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        """Act upon an answer, or upon the repeated request of an accepted newcomer."""
        del key
        neighbour = self._table.neighbours[name]
        match control:
            case Join():
                # Accepted before: the welcome did not arrive.
                self._answer(welcome(self._table), name)
            case Welcome() if neighbour.is_joining:
                self._table.store(replace(neighbour, invitation=""))
            case WelcomeToGroup() if neighbour.is_joining:
                self._join_group(neighbour, control)
            case JoinRefused(why) if neighbour.is_joining:
                self._not_accepted(neighbour, why)

    def _join_group(self, neighbour: Neighbour, welcome: WelcomeToGroup) -> None:
        after = replace(neighbour, invitation="")
        key = welcome.key
        if len(key) != len(neighbour.current.key):
            return
        group = groups.first(key, neighbour.name, welcome.generation)
        expected = group.current.number(EXPECTED, neighbour.name)
        # Broadcasts of before cannot be played to a newcomer.
        self._table.store(after, group, numbers={expected: welcome.expected})

    def _not_accepted(self, neighbour: Neighbour, why: int) -> None:
        text = f"{neighbour.name} has not accepted this node: {_reason_of(why)}"
        # It was heard just now, and would be asked again soon.
        self._timers.put_off(_question(neighbour, text).asked, REFUSED_AGAIN_S)
        if self._refused.get(neighbour.name) != text:
            self._refused[neighbour.name] = text
            self._tell_refused(text)


def _question(inviter: Neighbour, refused: str | None) -> Question:
    """Return the request to join that an inviter has not answered."""
    return Question(
        inviter.name,
        ("join", inviter.invitation),
        inviter.name,
        "" if refused else f"{inviter.name} has not answered the request to join",
        partial(Join, bytes.fromhex(inviter.invitation)),
    )


def _reason_of(why: int) -> str:
    """Return why a request to join was refused, and what to do."""
    match why:
        case Refusal.USED:
            return (
                "the invitation was used already, by another node: somebody has a copy "
                "of it; have that node removed, and ask for another invitation"
            )
        case Refusal.EXPIRED:
            return "the invitation has expired; ask for another one"
    return "it does not take the invitation; ask for another one"


def welcome(table: Table) -> Welcome | WelcomeToGroup:
    """Return what a newcomer is told when it is accepted."""
    if table.group is None:
        return Welcome()
    # Not the next one: nobody sends under it yet. Regrouping hands it out.
    key = table.group.current
    expected = table.group_counter(key).next
    return WelcomeToGroup.of(key.key, key.generation, expected)


class Accepting:
    """Accepts the newcomers that a running node has invited.

    It is no `Exchange`: the engine asks neighbours what they have not answered, and
    hands on what came under the key of one. A newcomer is no neighbour. Here its frame
    is opened first, by trying the keys of invitations, and nothing is asked: one write
    uses the invitation up and makes a neighbour, whom `Joining` answers from then on.

    Parameters
    ----------
    transmit
        Sends to a neighbour.
    answer
        Sends to an address that is no neighbour's, under the key of a name.
    """

    def __init__(
        self,
        table: Table,
        state: State,
        transmit: Callable[[Control, str | None], None],
        answer: Callable[[Control, str | None, SharedKey, bytes], None],
    ) -> None:
        self._table, self._state, self._transmit = table, state, transmit
        self._answer = answer
        self._answered_s: dict[str | None, float] = {}

    def take(self, frame: bytes, extended: bytes) -> str:
        """Open a frame from an unknown extended address; tell what became of it.

        Returns
        -------
        str
            The name of the new neighbour.

        Raises
        ------
        FrameError, JoinError
            When it is refused.
        """
        for record_name, record in invitations.open_in(self._state.records()).items():
            key = bytes.fromhex(record["key"])
            opened = self._table.opened_with(frame, extended, key)
            if opened is None:
                continue
            identity = bytes.fromhex(record_name.partition(" ")[2])
            if controls.parse(opened.payload) != Join(identity):
                message = "a frame of a newcomer that has not asked to join"
                raise JoinError(message, Alarm.OTHER)
            if invitations.has_expired(record):
                self._refuse(Refusal.EXPIRED, str(record["name"]), opened.key, extended)
                message = (
                    f"the invitation of {record['name']} has expired; make another one"
                )
                raise JoinError(message, Alarm.EXPIRED_INVITATION)
            (expected,) = opened.numbers.values()
            return self._accept(record_name, record, extended, expected)
        self._check_used(frame, extended)
        text = "the sender is not a neighbour, and has no invitation of this node"
        raise FrameError(text, "no-device")

    def _accept(
        self, record_name: str, record: Record, extended: bytes, expected: Value
    ) -> str:
        name = str(record["name"])
        if any(each.is_joining for each in self._table.neighbours.values()):
            # It would not get the key of a group that this node has not got yet.
            message = f"{name} has to wait: this node has not been accepted itself yet"
            raise JoinError(message, Alarm.OTHER)
        key = SharedKey(bytes.fromhex(record["key"]))
        after: list[Neighbour | Group] = [
            Neighbour(name, int(record["short"], 16), extended, (key,))
        ]
        group = self._table.group
        if group is not None and group.has_next:
            after.append(group.joined_by(name))
        # In one write: from now on the invitation is used, and its key is bound to
        # this address.
        self._table.store(
            *after,
            numbers={key.number(EXPECTED, name): expected},
            change=Change({record_name: None}),
        )
        self._transmit(welcome(self._table), name)
        return name

    def _check_used(self, frame: bytes, extended: bytes) -> None:
        """Refuse a node whose invitation was used by another node."""
        for neighbour in self._table.neighbours.values():
            key = neighbour.current
            if key.generation:
                continue
            if opened := self._table.opened_with(frame, extended, key.key):
                if isinstance(controls.parse(opened.payload), Join):
                    self._refuse(Refusal.USED, neighbour.name, key, extended)
                message = (
                    f"a second node uses the invitation of {neighbour.name}: somebody "
                    "has a copy of it, and so of the key; `samara node rekey` does not "
                    f"help: remove {neighbour.name} and invite it again"
                )
                raise JoinError(message, Alarm.COPIED_INVITATION)

    def _refuse(
        self, why: Refusal, name: str | None, key: SharedKey, extended: bytes
    ) -> None:
        """Tell a newcomer why it is not accepted: its request can be played again."""
        now_s = time.monotonic()
        if now_s < self._answered_s.get(name, -math.inf) + ANSWERED_AGAIN_S:
            return
        self._answered_s[name] = now_s
        self._answer(JoinRefused(why), name, key, extended)
