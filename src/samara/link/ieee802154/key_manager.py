# SPDX-License-Identifier: Apache-2.0
"""Neighbours and keys of a running end: joining, renewing, introducing, groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.link import ieee802154
from samara.link.ieee802154.keys import group, neighbours
from samara.link.ieee802154.keys.agreeing import Agreeing
from samara.link.ieee802154.keys.exchanges import Exchanges
from samara.link.ieee802154.keys.introducing import Introducing
from samara.link.ieee802154.keys.joining import Accepting, Joining
from samara.link.ieee802154.keys.newcomer_runs import NewcomerRuns
from samara.link.ieee802154.keys.regrouping import Regrouping
from samara.link.ieee802154.keys.renewing import Renewing
from samara.link.ieee802154.keys.timers import RetryTimers
from samara.link.node.events import Alarm, Refused
from samara.link.node.key_management import KeyManagement
from samara.link.node.link import BROADCAST, NeighbourError, other_end

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from samara.link.ieee802154.frames.template import FrameTemplate
    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.neighbours import Neighbour, SharedKey
    from samara.link.ieee802154.keys.table import Table
    from samara.link.node.options import Settings
    from samara.link.node.state import State


class KeyManager(KeyManagement):
    """All that an end does about keys besides opening frames with them.

    Parameters
    ----------
    transmit
        Sends to a neighbour.
    answer
        Sends to an address that is no neighbour's, under the key of a name.
    forget
        Called with the name of a neighbour that was removed.
    """

    def __init__(  # noqa: PLR0913 - what an end consists of
        self,
        settings: Settings,
        template: FrameTemplate,
        *,
        table: Table,
        state: State,
        transmit: Callable[[Control, str | None], None],
        answer: Callable[[Control, str | None, SharedKey, bytes], None],
        forget: Callable[[str], None],
    ) -> None:
        self._table, self._state, self._forget = table, state, forget
        self._is_pair = settings["peer"] is not None
        self._key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        self.notices: list[str] = []
        """What happened, in sentences, until somebody takes them."""
        self.alarms: list[Refused] = []
        """The same of what was refused."""
        own = bytes.fromhex(settings["own"]["extended"])
        timers = RetryTimers()
        suite = settings["suite"]
        agreeing = Agreeing(table, own, suite, transmit, self.notices.append)
        joining = Joining(
            table, timers, transmit, agreeing.first_message, self._note_refused
        )
        self._renewing = Renewing(table, state, own, suite, transmit)
        self._regrouping = Regrouping(table, transmit)
        self._introducing = Introducing(
            table, state, settings, transmit, self.notices.append
        )
        self._exchanges = Exchanges(
            (joining, self._renewing, agreeing, self._regrouping, self._introducing),
            timers,
            transmit,
        )
        runs = NewcomerRuns(own, suite)
        self._accepting = Accepting(table, state, runs, transmit, answer)
        self._why_not = self._renewing.why_not(template.level, template.key_id.mode)

    def _note_refused(self, text: str) -> None:
        self.alarms.append(Refused(text, Alarm.REFUSED_JOIN))

    def named(self, to: str | None) -> str | None:
        """Return the neighbour that a name stands for; None for the end of a pair.

        Raises
        ------
        NeighbourError
            When there is no such neighbour, or None could be several.
        """
        if self._is_pair:
            other_end("ieee802154", to)
            return None
        names = sorted(name for name in self._table.neighbours if name is not None)
        if to is None and len(names) == 1:
            return names[0]
        if to in names or (to == BROADCAST and self._table.group is not None):
            return to
        raise NeighbourError(_no_neighbour(to, names))

    def check_left(self, to: str | None) -> None:
        """Refuse to send under a key whose last counter values are kept for a new one.

        Raises
        ------
        CounterEndError
            When only those are left.
        """
        if self._why_not is None and to != BROADCAST:
            self._renewing.check_left(to)

    def is_newcomer(self, source: bytes | None) -> bool:
        """Tell whether a sender, by its extended address, is none of the neighbours."""
        return (
            source is not None
            and not self._is_pair
            and not self._table.is_known(source)
        )

    def accept(self, frame: bytes, source: bytes) -> None:
        """Open a frame of a newcomer; note who has joined. As `Accepting.take`."""
        newcomer = self._accepting.take(frame, source)
        if newcomer is not None:
            self.notices.append(f"{newcomer} has joined, at {source.hex()}")
            self._exchanges.go_on()

    def is_repeated(self, frame: bytes, source: bytes | None) -> bool:
        """Return whether a newcomer repeats itself; as `Accepting.is_repeated`."""
        return source is not None and self._accepting.is_repeated(frame, source)

    def seen(self, neighbour: Neighbour, key: SharedKey) -> None:
        """Note that a genuine frame of a neighbour came under a key."""
        self._exchanges.seen(neighbour, key)

    def take(self, said: Control, name: str | None, key: SharedKey) -> None:
        """Act upon what a neighbour says about keys."""
        self._exchanges.take(said, name, key)

    def go_on(self) -> None:
        """Ask what is due, and take the steps that are."""
        if self._why_not is None:
            self._renewing.ask_if_due()
        self._exchanges.go_on()

    def renew(self, to: str | None, *, edhoc: bool = False) -> None:
        """Begin to agree on a new key with a neighbour; `unsettled` tells how far.

        Parameters
        ----------
        edhoc
            Whether by EDHOC, as with neighbours that have joined so.

        Raises
        ------
        NeighbourError
            When there is no such neighbour, or the frames of this node cannot do it.
        """
        if to == BROADCAST:
            self._regrouping.begin()
            self._exchanges.go_on()
            return
        to = self.named(to)
        if self._why_not is not None:
            message = f"no new key can be agreed on over the air: {self._why_not}"
            raise NeighbourError(message)
        self._renewing.ask(to, by_edhoc=edhoc)
        self._exchanges.ask(to)

    def introduce(self, first: str, second: str) -> None:
        """Begin to introduce two neighbours to each other; `unsettled` tells how far.

        Raises
        ------
        NeighbourError
            When there are no such neighbours, or keys cannot be sent.
        """
        for name in (first, second):
            if self._is_pair or name not in self._table.neighbours:
                known = sorted(str(each) for each in self._table.neighbours if each)
                raise NeighbourError(_no_neighbour(name, known))
        self._introducing.begin(first, second)
        self._exchanges.go_on()

    def refused(self, about: Collection[str]) -> list[str]:
        """Return why introductions and requests to join failed, in words."""
        return self._exchanges.refused(about)

    def renewal_is_due(self, to: str | None) -> bool:
        """Return whether so few counter values are left that a new key is needed."""
        if to == BROADCAST:
            return self._regrouping.is_due()
        return self._why_not is None and self._renewing.is_due(self.named(to))

    def unsettled(self, about: Collection[str] | None = None) -> list[str]:
        """Return what neighbours have not answered about keys, in words."""
        return self._exchanges.unsettled(about)

    def reload(self) -> None:
        """Do as the records say, from which neighbours were removed."""
        known = self._state.records()
        for name in list(self._table.neighbours):
            if name is not None and neighbours.record_name(name) not in known:
                self._table.remove(name)
                self._forget(name)
        found = group.stored(known, self._key_size)
        if found is not None:
            self._table.put_group(found)

    def close(self) -> None:
        """Remove the keys that nobody uses any more."""
        self._exchanges.close()


def _no_neighbour(to: str | None, names: Sequence[str]) -> str:
    if to == BROADCAST:
        return (
            "this node has no key for a group, which a message to all needs: name one"
        )
    if not names:
        return "this node has no neighbour yet: `samara node invite` invites one"
    known = ", ".join(names)
    if to is None:
        return f"this node has {len(names)} neighbours: name one of {known}"
    return f"this node has no neighbour {to!r:.60}: it has {known}"
