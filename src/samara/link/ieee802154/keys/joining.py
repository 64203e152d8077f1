# SPDX-License-Identifier: Apache-2.0
"""How a newcomer with an invitation joins: both sides, while they run.

    newcomer: Join(id of the invitation)     under the key of the invitation
    inviter:  Welcome or WelcomeToGroup      it has the newcomer as a neighbour
              JoinRefused(reason)            used already, or expired

With an invitation that has a credential, a run of EDHOC comes before, under the key of
the invitation. No message and no other key is ever sent under that one:

    newcomer: EdhocJoin(id, message_1)
    inviter:  EdhocAnswer(message_2)
    newcomer: EdhocProof(message_3)          it has a next key
    inviter:  Confirm                        under the new key, as all from now on;
                                             it has the newcomer as a neighbour
    newcomer: Confirmed, then Join as above

The newcomer proves the static key that follows from the key of the invitation, the
inviter the one whose public key is in the invitation, and whose private key is nowhere
else. So a copy of the invitation lets its owner come first, and not stand in between;
and who finds it later reads nothing of what was recorded.

The newcomer is made with the inviter as its neighbour (`invitations.Invitation`), and
asks until it is welcome. The inviter uses the invitation up and stores the newcomer,
with its address and the counter of its request, in one durable write. A request that
comes again has the same answer.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from samara.extras import MissingPackageError
from samara.link.ieee802154.frames.frame import FrameError
from samara.link.ieee802154.keys import agreeing, invitations
from samara.link.ieee802154.keys import control as controls
from samara.link.ieee802154.keys import group as groups
from samara.link.ieee802154.keys.control import (
    ControlError,
    EdhocAgain,
    EdhocAnswer,
    EdhocJoin,
    EdhocProof,
    Join,
    JoinRefused,
    Refusal,
    Welcome,
    WelcomeToGroup,
)
from samara.link.ieee802154.keys.exchanges import Exchange, Question
from samara.link.ieee802154.keys.invitations import InvitationError
from samara.link.ieee802154.keys.neighbours import EXPECTED, Neighbour, SharedKey
from samara.link.ieee802154.keys.timers import QuestionId
from samara.link.node.events import Alarm
from samara.link.node.members import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.group import Group
    from samara.link.ieee802154.keys.newcomer_runs import NewcomerRuns
    from samara.link.ieee802154.keys.table import Table
    from samara.link.ieee802154.keys.timers import RetryTimers
    from samara.link.node.quantities import Number, Value
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
    begun
        Returns the first message of the run of EDHOC with a neighbour.
    tell_refused
        Takes a sentence: why this node was not accepted.
    """

    controls = (Join, EdhocJoin, Welcome, WelcomeToGroup, JoinRefused)

    def __init__(
        self,
        table: Table,
        timers: RetryTimers,
        answer: Callable[[Control, str | None], None],
        begun: Callable[[Neighbour], bytes | None],
        tell_refused: Callable[[str], None],
    ) -> None:
        self._table, self._timers, self._begun = table, timers, begun
        self._answer, self._tell_refused = answer, tell_refused
        self._refused: dict[str | None, str] = {}

    def questions(self) -> Iterator[Question]:
        """Return the requests to join; in words those that were not refused."""
        for each in self._open():
            said: Control = Join(bytes.fromhex(each.invitation))
            if (run := each.first_run) is not None:
                message_1 = None if run.proof else self._begun(each)
                if message_1 is None:
                    # `agreeing` asks, or has said why that is not possible.
                    continue
                said = agreeing.join_request(each, message_1)
            yield _question(each, self._refused.get(each.name), said)

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
        is_joining = neighbour.is_joining and neighbour.first_run is None
        match control:
            case Join():
                # Accepted before: the welcome did not arrive.
                self._answer(welcome(self._table), name)
            case Welcome() if is_joining:
                self._table.store(replace(neighbour, invitation=""))
            case WelcomeToGroup() if is_joining:
                self._join_group(neighbour, control)
            case JoinRefused(reason) if neighbour.is_joining:
                self._not_accepted(neighbour, reason)

    def _join_group(self, neighbour: Neighbour, welcome: WelcomeToGroup) -> None:
        after = replace(neighbour, invitation="")
        key = welcome.key
        if len(key) != len(neighbour.current.key):
            return
        group = groups.first(key, neighbour.name, welcome.generation)
        expected = group.current.number(EXPECTED, neighbour.name)
        # Broadcasts of before cannot be played to a newcomer.
        self._table.store(after, group, numbers={expected: welcome.expected})

    def _not_accepted(self, neighbour: Neighbour, reason: int) -> None:
        text = f"{neighbour.name} has not accepted this node: {_in_words(reason)}"
        # It was heard just now, and would be asked again soon.
        self._timers.put_off(_asked(neighbour), REFUSED_AGAIN_S)
        if self._refused.get(neighbour.name) != text:
            self._refused[neighbour.name] = text
            self._tell_refused(text)


def _question(inviter: Neighbour, refused: str | None, said: Control) -> Question:
    """Return the request to join that an inviter has not answered."""
    return Question(
        *_asked(inviter),
        inviter.name,
        "" if refused else f"{inviter.name} has not answered the request to join",
        lambda: said,
    )


def _asked(inviter: Neighbour) -> QuestionId:
    return QuestionId(inviter.name, ("join", inviter.invitation))


def _in_words(reason: int) -> str:
    """Return why a request to join was refused, and what to do."""
    match reason:
        case Refusal.USED:
            return (
                "the invitation was used already, by another node: somebody has a copy "
                "of it; have that node removed, and ask for another invitation"
            )
        case Refusal.EXPIRED:
            return "the invitation has expired; ask for another one"
    return "it does not take the invitation; ask for another one"


def _newcomer(record: Record, extended: bytes, key: SharedKey) -> Neighbour:
    """Return who has used an invitation, with its first key of messages."""
    return Neighbour(str(record["name"]), int(record["short"], 16), extended, (key,))


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
    runs
        Those of EDHOC with newcomers.
    transmit
        Sends to a neighbour.
    answer
        Sends to an address that is no neighbour's, under the key of a name.
    """

    def __init__(
        self,
        table: Table,
        state: State,
        runs: NewcomerRuns,
        transmit: Callable[[Control, str | None], None],
        answer: Callable[[Control, str | None, SharedKey, bytes], None],
    ) -> None:
        self._table, self._state, self._transmit = table, state, transmit
        self._runs, self._answer = runs, answer
        self._answered_s: dict[str | None, float] = {}

    def take(self, frame: bytes, extended: bytes) -> str | None:
        """Open a frame from an unknown extended address; tell what became of it.

        Returns
        -------
        str | None
            The name of the new neighbour. None: it was answered, and has to go on.

        Raises
        ------
        FrameError, JoinError
            When it is refused.
        """
        for record_name, record in invitations.open_in(self._state.records()).items():
            key = bytes.fromhex(record["key"])
            lowest = self._runs.expected(record_name, extended)
            opened = self._table.opened_with(frame, extended, key, lowest)
            if opened is None:
                continue
            (expected,) = opened.numbers.values()
            said = controls.parse(opened.payload)
            self._check(record_name, record, said, extended)
            if isinstance(said, EdhocJoin | EdhocProof):
                self._runs.note(record_name, extended, expected.value)
                return self._agree(record_name, record, said, extended)
            first = SharedKey(key)
            newcomer = _newcomer(record, extended, first)
            number = first.number(EXPECTED, newcomer.name)
            name = self._accept(record_name, newcomer, {number: expected})
            self._transmit(welcome(self._table), name)
            return name
        self._check_used(frame, extended)
        text = "the sender is not a neighbour, and has no invitation of this node"
        raise FrameError(text, "no-device")

    def _check(
        self, record_name: str, record: Record, said: object, extended: bytes
    ) -> None:
        """Refuse what is no request with this invitation, or not now."""
        identity = bytes.fromhex(record_name.partition(" ")[2])
        if invitations.has_credential(record):
            is_first = isinstance(said, EdhocJoin) and said.invitation == identity
            is_request = is_first or isinstance(said, EdhocProof)
        else:
            is_request = said == Join(identity)
        if not is_request:
            message = "a frame of a newcomer that has not asked to join"
            raise JoinError(message, Alarm.OTHER)
        name = str(record["name"])
        if invitations.has_expired(record):
            key = SharedKey(bytes.fromhex(record["key"]))
            self._refuse(Refusal.EXPIRED, name, key, extended)
            message = f"the invitation of {name} has expired; make another one"
            raise JoinError(message, Alarm.EXPIRED_INVITATION)
        if any(each.is_joining for each in self._table.neighbours.values()):
            # It would not get the key of a group that this node has not got yet.
            message = f"{name} has to wait: this node has not been accepted itself yet"
            raise JoinError(message, Alarm.OTHER)

    def _agree(
        self,
        record_name: str,
        record: Record,
        said: EdhocJoin | EdhocProof,
        extended: bytes,
    ) -> str | None:
        """Go on with a run of EDHOC, under the key of the invitation."""
        name, key = str(record["name"]), SharedKey(bytes.fromhex(record["key"]))
        if isinstance(said, EdhocJoin):
            answer = self._run_of(record_name, record, extended, said)
            if answer is not None:
                self._answer(answer, name, key, extended)
            return None
        agreed = self._runs.agreed(record_name, record, extended, said)
        if agreed is None:
            again = EdhocAgain(said.generation, controls.tag_of(said.message_3))
            self._answer(again, name, key, extended)
            return None
        newcomer = replace(
            _newcomer(record, extended, agreed.key),
            is_confirmed=False,
            edhoc=True,
            spent=str(record["key"]),
            oscore=agreed.oscore,
        )
        return self._accept(record_name, newcomer)

    def _run_of(
        self, record_name: str, record: Record, extended: bytes, said: EdhocJoin
    ) -> EdhocAnswer | None:
        try:
            return self._runs.answer(record_name, record, extended, said)
        except (ControlError, MissingPackageError) as error:
            message = f"{record['name']} cannot join by EDHOC: {error}"
            raise JoinError(message, Alarm.OTHER) from None

    def _accept(
        self,
        record_name: str,
        newcomer: Neighbour,
        numbers: Mapping[Number, Value] = MappingProxyType({}),
    ) -> str | None:
        """Make a newcomer a neighbour; return its name.

        Parameters
        ----------
        numbers
            Receive counter of its key, if that is the key of the invitation.
        """
        after: list[Neighbour | Group] = [newcomer]
        group = self._table.group
        if group is not None and newcomer.name and group.has_next:
            after.append(group.joined_by(newcomer.name))
        # In one write: from now on the invitation is used, and its key is bound to
        # this address.
        change = Change({record_name: None})
        self._table.store(*after, numbers=numbers, change=change)
        self._runs.forget(record_name)
        return newcomer.name

    def is_repeated(self, frame: bytes, extended: bytes) -> bool:
        """Return whether a newcomer repeats what it has said before it was accepted.

        It does so until it has heard that it was, under the key of its invitation.
        """
        return any(
            self._table.opened_with(frame, extended, bytes.fromhex(each.spent))
            for each in self._table.neighbours.values()
            if each.extended == extended and each.spent and not each.is_confirmed
        )

    def _check_used(self, frame: bytes, extended: bytes) -> None:
        """Refuse a node whose invitation was used by another node."""
        for neighbour in self._table.neighbours.values():
            key = neighbour.current
            if neighbour.spent:
                key = SharedKey(bytes.fromhex(neighbour.spent))
            if key.generation:
                continue
            if opened := self._table.opened_with(frame, extended, key.key):
                if isinstance(controls.parse(opened.payload), Join | EdhocJoin):
                    self._refuse(Refusal.USED, neighbour.name, key, extended)
                message = (
                    f"a second node uses the invitation of {neighbour.name}: somebody "
                    "has a copy of it, and so of the key; `samara node rekey` does not "
                    f"help: remove {neighbour.name} and invite it again"
                )
                raise JoinError(message, Alarm.COPIED_INVITATION)

    def _refuse(
        self, reason: Refusal, name: str | None, key: SharedKey, extended: bytes
    ) -> None:
        """Tell a newcomer why it is not accepted: its request can be played again."""
        now_s = time.monotonic()
        if now_s < self._answered_s.get(name, -math.inf) + ANSWERED_AGAIN_S:
            return
        self._answered_s[name] = now_s
        self._answer(JoinRefused(reason), name, key, extended)
