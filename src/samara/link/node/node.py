# SPDX-License-Identifier: Apache-2.0
"""A node: one end of a link, with its keys and counters.

What arrived is stored as taken before it is handed on: a message is handed on at
most once, whenever this process is killed. `samara.link.node.sending` and
`samara.link.node.receiving` are the two sides of a node.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from samara.link.node import folder as folders
from samara.link.node import networks, rekeying
from samara.link.node.end import End
from samara.link.node.events import (
    TOTAL_OF,
    Event,
    Incomplete,
    Lost,
    Notice,
    Received,
    Refused,
)
from samara.link.node.kinds import kind, run_options
from samara.link.node.link import BROADCAST, CALL_AGAIN_S, NeighbourError
from samara.link.node.messages import fits_whole
from samara.link.node.options import check_known
from samara.link.node.quantities import Number, Quantity
from samara.link.node.receiving import Receiver
from samara.link.node.sending import RETRIES, NotAcknowledgedError, Sender, Sent
from samara.link.node.state import KEYS_REPLACED, RESERVED_AHEAD, State

if TYPE_CHECKING:
    from collections.abc import (
        Collection,
        Generator,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path

    from samara.link.node.inbox import Inbox
    from samara.link.node.key_management import KeyManagement
    from samara.link.node.link import Link, Transmission
    from samara.link.node.members import Invited, OscoreSecret
    from samara.link.node.state import Counter

__all__ = [
    "BROADCAST",
    "RETRIES",
    "TOTALS",
    "Event",
    "Incomplete",
    "Lost",
    "NeighbourError",
    "Node",
    "NotAcknowledgedError",
    "Notice",
    "Received",
    "Refused",
    "Sent",
]

# How long a neighbour that does not answer is left alone about a key that is nearly
# used up.
_RENEWAL_PAUSE_S = 60.0
_IDS, _FRAMES = Number(Quantity.IDS), Number(Quantity.SENT)

TOTALS = tuple(TOTAL_OF.values())
"""The numbers that tell how many of each event there were so far."""


class Node:
    """One end of a link.

    Parameters
    ----------
    folder
        A directory that `samara.link.node.folder` made.
    where
        Options of the kind of link that say where the link is, for this run; for
        others the settings of the node are taken.
    reserved_ahead
        How many counter values one durable write reserves.

    Raises
    ------
    MisuseError
        When the directory, its state, or what carries the link cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        where: Mapping[str, Any] | None = None,
        reserved_ahead: int = RESERVED_AHEAD,
    ) -> None:
        rekeying.finish(folder)
        described = folders.read(folder)
        chosen = kind(described.link)
        where = where or {}
        known = [option.name for option in run_options(chosen)]
        check_known(f"a node of {described.link}", known, where)
        end = End({**described.end.settings, **where}, described.end.keys)
        chosen.check(end.settings, end.keys)
        # The keys that were read are used only with the counters of the same
        # identity: the node may have been given new ones in between.
        self.state = State(folder, reserved_ahead, described.identity)
        try:
            self.link: Link = chosen.open(end, self.state)
        except BaseException:
            self.state.close()
            raise
        self._folder, self._described = folder, described
        self._drop_replaced_keys()
        self._renewal_asked_s = -_RENEWAL_PAUSE_S
        self.warning = folders.warning_of(described.link, end)
        """What a user of this link has to be warned of, if anything."""
        self.waits_for_line = True
        """Whether `send` returns after the line has carried everything."""
        self._events: list[Event] = []
        self._sender = Sender(
            self.link,
            self._ids(),
            was_interrupted=self.state.was_interrupted,
            receive=self._queue,
        )
        self._receiver = Receiver(self.link, self.state, self._sender)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self._close(confirms=error is None)

    def close(self) -> None:
        """Acknowledge what was handed on, and close link and state."""
        self._close(confirms=True)

    def _close(self, *, confirms: bool) -> None:
        # After an error it is not known what was handed on.
        try:
            if confirms:
                self.confirm()
        finally:
            try:
                self.link.close()
                self._drop_replaced_keys()
            finally:
                self.state.close()

    def _drop_replaced_keys(self) -> None:
        """Remove keys from keys.json that were replaced by those in the state."""
        if self._described.end.keys and KEYS_REPLACED in self.state.records():
            networks.drop_keys(self._folder, self._described)
            end = replace(self._described.end, keys={})
            self._described = replace(self._described, end=end)

    def send(
        self,
        message: bytes,
        *,
        to: str | None = None,
        acknowledged: bool = False,
        retries: int = RETRIES,
    ) -> Sent:
        """Send a message of at most 1 MiB; `receive` returns later what arrives then.

        Two nodes that wait for each other's acknowledgement would wait in vain: they
        use `sending`.

        Parameters
        ----------
        to
            The neighbour that it is for, or BROADCAST. Default: the only neighbour.
        acknowledged
            Wait until the other node says that it has handed the message on, and
            repeat the parts that it misses.
        retries
            How often to ask again when no acknowledgement arrives.

        Raises
        ------
        NotAcknowledgedError
            When no acknowledgement arrived, or the other node does not know whether
            it handed the message on.
        NeighbourError
            When there is no such neighbour, or several and none is named.
        MisuseError
            When it cannot be sent; `samara.link.node.state` tells why.
        """
        wanted = retries if acknowledged else None
        return _result_of(self._sending(message, to, wanted, hands_on=False))

    def sending(
        self,
        message: bytes,
        *,
        to: str | None = None,
        acknowledged: bool = False,
        retries: int = RETRIES,
    ) -> Generator[Event, None, Sent]:
        """Send a message as `send`, and yield what arrives meanwhile.

        What was yielded counts as handed on when the next event is asked for: messages
        are then acknowledged.
        """
        wanted = retries if acknowledged else None
        return (yield from self._sending(message, to, wanted, hands_on=True))

    def _sending(
        self, message: bytes, to: str | None, retries: int | None, *, hands_on: bool
    ) -> Generator[Event, None, Sent]:
        # A loop must not wait; until the answer the old key is good.
        if self._ask_if_due(to) and self.waits_for_line:
            yield from self._waiting_for_answers(
                self.link.answer_time_s, None, hands_on=hands_on
            )
        steps = self._sender.delivering(message, to, retries)
        sent = yield from self._all_steps(steps, hands_on=hands_on)
        if self.waits_for_line and retries is None:
            yield from map(Notice, self.link.delays())
            self.link.flush()
        return sent

    def _all_steps(
        self, steps: Generator[float, None, Sent], *, hands_on: bool
    ) -> Generator[Event, None, Sent]:
        """Send a message that is sent step by step, and wait between the steps."""
        while True:
            try:
                end_s = next(steps) + time.monotonic()
            except StopIteration as done:
                sent: Sent = done.value
                return sent
            while not self.has_answer and (left_s := end_s - time.monotonic()) > 0:
                self._queue(left_s)
                if hands_on:
                    yield from self._handing_on()

    def send_in_turn(
        self, messages: Sequence[tuple[bytes, str | None]]
    ) -> Iterator[Transmission | None]:
        """Send messages without acknowledgement in their order, one at each step.

        Each is secured while the one before is on the air, by links that can do it: the
        next one may have been sent already when a step returns.

        Yields
        ------
        What was sent; None for a message that was cut.

        Parameters
        ----------
        messages
            Each with the neighbour that it is for, as `send` takes them.

        Raises
        ------
        NeighbourError, MisuseError
            At the step of the message that cannot be sent, as `send`; it is the last.
        """
        size = self.link.payload_size
        if not all(fits_whole(message, size) for message, _ in messages):
            for message, to in messages:
                self.send(message, to=to)
                yield None
            return
        steps = self._sender.send_in_turn(messages)
        for _, to in messages:
            # A step of a loop must not wait; until the answer the old key is good.
            if self._ask_if_due(to) and self.waits_for_line:
                _result_of(
                    self._waiting_for_answers(
                        self.link.answer_time_s, None, hands_on=False
                    )
                )
            sent = next(steps)
            if self.waits_for_line:
                self.link.flush()
            yield sent

    def delivering(
        self,
        message: bytes,
        *,
        to: str | None = None,
        acknowledged: bool = False,
        retries: int = RETRIES,
    ) -> Generator[float, None, Sent]:
        """Send a message step by step, for a loop that does not wait in `send`.

        Yields how long to wait before the next step, in seconds: 0 between parts, more
        for an acknowledgement, which may arrive earlier: then `has_answer` is true.
        Raises what `send` does.
        """
        # Within the generator: what is raised is raised by its first step.
        self._ask_if_due(to)
        wanted = retries if acknowledged else None
        return (yield from self._sender.delivering(message, to, wanted))

    def stay_up(self) -> None:
        """Note that this process receives until it ends: neighbours may rely on it."""
        self._receiver.bounds.stays_up = True

    @property
    def has_answer(self) -> bool:
        """Whether the acknowledgement that is awaited has arrived."""
        return self._sender.has_ack

    def keep(self) -> Inbox:
        """Let messages wait in an inbox from now on, until `taken` is called.

        `receive` returns them all the same, but they do not count as handed on.
        """
        return self._receiver.keep()

    def taken(self, name: str) -> None:
        """Note that the message with this id was handed on; `confirm` tells of it."""
        self._receiver.taken(name)

    def confirm(self) -> list[Event]:
        """Acknowledge at once what was handed on: taken, or returned by `receive`."""
        is_waiting = self._events and not self._receiver.keeps
        return [] if is_waiting else self._receiver.confirm()

    def renew(self, to: str | None = None, *, edhoc: bool = False) -> None:
        """Begin to agree on a new key with a neighbour; see `waiting_for_answers`.

        Parameters
        ----------
        edhoc
            Whether by EDHOC, as with neighbours that have joined so.

        Raises
        ------
        NeighbourError
            When there is no such neighbour, or the link cannot do it.
        """
        networks.check_renewable(self._described.link)
        self._key_management().renew(to, edhoc=edhoc)

    def invite(
        self, name: str | None, ends_s: int | None, *, edhoc: bool = False
    ) -> Invited:
        """Draw an invitation; as `samara.link.node.networks.invite`."""
        return self._members.invite(name, ends_s, edhoc=edhoc)

    def withdraw(self, name: str) -> None:
        """Remove an open invitation; as `samara.link.node.networks.withdraw`."""
        self._members.withdraw(name)

    def take_oscore(self, name: str | None) -> OscoreSecret:
        """Return a secret for OSCORE; as `samara.link.node.networks.Members`."""
        secret = self._members.take_oscore(name)
        self._key_management().reload()
        return secret

    def forget(self, name: str) -> Sequence[str]:
        """Remove a neighbour; as `samara.link.node.networks.forget`."""
        notices = self._members.forget(name)
        self._key_management().reload()
        self._sender.forget(name)
        self._receiver.forget(name)
        return notices

    def introduce(self, first: str, second: str) -> None:
        """Begin to introduce two neighbours to each other; see `waiting_for_answers`.

        Raises
        ------
        NeighbourError
            When there are no such neighbours, or the link cannot do it.
        """
        self._key_management().introduce(first, second)

    def _key_management(self) -> KeyManagement:
        found = self.link.key_management
        if found is None:
            link = self._described.link
            message = f"a link of {link} joins two nodes, and its keys do not change"
            raise NeighbourError(message)
        return found

    def refused(self, about: Collection[str]) -> Sequence[str]:
        """Return why introductions failed, in words; see `KeyManagement.refused`."""
        found = self.link.key_management
        return () if found is None else found.refused(about)

    @property
    def _members(self) -> networks.Members:
        described = self._described
        return networks.Members(described.link, described.end.settings, self.state)

    def unsettled(self, about: Collection[str] | None = None) -> Sequence[str]:
        """Return what neighbours have not answered about keys and joining, in words.

        Parameters
        ----------
        about
            Names of neighbours; BROADCAST for the key of the group; both names, sorted
            and with a space in between, for an introduction. Default: all.
        """
        found = self.link.key_management
        return () if found is None else found.unsettled(about)

    def wait_for_answers(
        self, timeout_s: float, about: Collection[str] | None = None
    ) -> Sequence[str]:
        """Wait until neighbours have answered about keys and joining.

        `receive` returns later what arrives meanwhile.

        Parameters
        ----------
        about
            As for `unsettled`.

        Returns
        -------
        Sequence[str]
            What they have not answered, in words.
        """
        return _result_of(self._waiting_for_answers(timeout_s, about, hands_on=False))

    def waiting_for_answers(
        self, timeout_s: float, about: Collection[str] | None = None
    ) -> Generator[Event, None, Sequence[str]]:
        """Wait as `wait_for_answers`, and yield what arrives meanwhile.

        What was yielded counts as handed on when the next event is asked for.
        """
        return (yield from self._waiting_for_answers(timeout_s, about, hands_on=True))

    def _waiting_for_answers(
        self, timeout_s: float, about: Collection[str] | None, *, hands_on: bool
    ) -> Generator[Event, None, Sequence[str]]:
        end_s = time.monotonic() + timeout_s
        while unsettled := self.unsettled(about):
            left_s = end_s - time.monotonic()
            if left_s <= 0:
                break
            self._queue(min(left_s, CALL_AGAIN_S))
            if hands_on:
                yield from self._handing_on()
        return unsettled

    def _ask_if_due(self, to: str | None) -> bool:
        """Ask for a new key when the old one is nearly used up; tell whether it was."""
        now_s = time.monotonic()
        is_early = now_s - self._renewal_asked_s < _RENEWAL_PAUSE_S
        keys = self.link.key_management
        if keys is None or is_early or not keys.renewal_is_due(to):
            return False
        self._renewal_asked_s = now_s
        keys.renew(to)
        return True

    def receive(self, timeout_s: float) -> list[Event]:
        """Wait for something to arrive; return at once when it has.

        What was returned before counts as handed on, unless messages are kept: it is
        acknowledged first. The first call also returns what is left of messages that a
        process before this one has kept.

        Raises
        ------
        StateError
            When it could not be stored; it is then not handed on.
        LinkError
            When nothing will arrive.
        """
        if self._events:
            # They came during a wait, and are acknowledged at the next call.
            events, self._events = self._events, []
            return events
        events = [*self._receiver.confirm(), *self._receiver.left()]
        return events + self._receiver.receive(0 if events else timeout_s)

    def _ids(self) -> Counter:
        """Return what gives the ids of messages.

        They used to be frame counters: a node from then goes on above its own.
        """
        return self.state.counter(_IDS, first=self.state.get(_FRAMES) or 0)

    def _queue(self, timeout_s: float) -> None:
        self._events += self._receiver.receive(timeout_s)

    def _handing_on(self) -> Iterator[Event]:
        events, self._events = self._events, []
        yield from events
        self._events += self._receiver.confirm()


_Result = TypeVar("_Result")


def _result_of(waiting: Generator[Event, None, _Result]) -> _Result:
    """Return what a wait ends with that hands no event on."""
    try:
        event = next(waiting)
    except StopIteration as done:
        result: _Result = done.value
        return result
    message = f"{event} was handed to nobody"
    raise AssertionError(message)
