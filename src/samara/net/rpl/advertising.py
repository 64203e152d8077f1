# SPDX-License-Identifier: Apache-2.0
"""Telling the parent which addresses are here and behind: DAOs upwards."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from samara.net.rpl.counters import FIRST, following, number_of_time
from samara.net.rpl.messages import ADVERTISED_MAX, Advertised, Dao

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from samara.net.rpl.children import Routes
    from samara.net.rpl.messages import Configuration, Message

DELAY_S = 0.5
"""So long a DAO waits for others, to be sent as one."""
REPEATED_S, TRIES = 3.0, 4


@dataclass(slots=True)
class _Asked:
    """A DAO that is to be acknowledged."""

    dao: Dao
    tries: int
    again_s: float


class Advertising:
    """What a node tells its parent.

    Parameters
    ----------
    own
        Its address.
    instance
        Of RPL.
    clock, send, chance, starts_s
        As `samara.net.rpl.router.Router` has them.
    """

    def __init__(
        self,
        own: bytes,
        instance: int,
        clock: Callable[[], float],
        send: Callable[[bytes | None, Message], None],
        chance: random.Random,
        starts_s: float,
    ) -> None:
        self._own, self._instance, self._clock = own, instance, clock
        self._send, self._chance = send, chance
        self._sequence = FIRST
        self._path_sequence = number_of_time(starts_s + clock())
        self._planned_s = self._refresh_s = math.inf
        self._unanswered: dict[int, _Asked] = {}

    @property
    def due_s(self) -> float:
        """When `work` is to be called."""
        again_s = [each.again_s for each in self._unanswered.values()]
        return min([self._planned_s, self._refresh_s, *again_s])

    def plan(self) -> None:
        """Send a DAO soon: something has changed."""
        self._planned_s = min(self._planned_s, self._clock() + DELAY_S)

    def stop(self) -> None:
        """Send nothing: there is no parent."""
        self._planned_s = self._refresh_s = math.inf
        self._unanswered.clear()

    def work(
        self,
        to: bytes,
        routes: Routes,
        parts: Configuration,
        parent: bytes = b"",
    ) -> bool:
        """Do what is due; return false when nobody answers.

        Parameters
        ----------
        to
            The parent's link-local address; that of the root, where it alone keeps
            routes.
        parent
            The parent's address in the network, for such a root.
        """
        now_s = self._clock()
        if now_s >= min(self._planned_s, self._refresh_s):
            self._advertise_all(to, routes, parts, parent)
        for asked in list(self._unanswered.values()):
            if now_s < asked.again_s:
                continue
            if asked.tries >= TRIES:
                self.stop()
                return False
            asked.tries += 1
            asked.again_s = now_s + REPEATED_S
            self._send(to, asked.dao)
        return True

    def is_answered(self, sequence: int) -> bool:
        """Take an acknowledgement; tell whether it belongs to a DAO of this node."""
        return self._unanswered.pop(sequence, None) is not None

    def withdraw(self, before: bytes, routes: Routes) -> None:
        """Tell a parent of before that nothing is behind this node for it any more."""
        behind = routes.advertised(self._clock(), 1)
        own = Advertised(self._own, self._next_path(), 0)
        gone = [own, *(replace(each, lifetime=0) for each in behind)]
        self._advertise(before, gone, wants_ack=False)

    def _advertise_all(
        self, to: bytes, routes: Routes, parts: Configuration, parent: bytes
    ) -> None:
        now_s = self._clock()
        self.stop()
        own = Advertised(self._own, self._next_path(), parts.lifetime, parent)
        behind = routes.advertised(now_s, parts.lifetime_unit_s)
        self._advertise(to, [own, *behind], wants_ack=True)
        lifetime_s = parts.lifetime * parts.lifetime_unit_s
        self._refresh_s = now_s + lifetime_s * self._chance.uniform(0.4, 0.5)

    def _advertise(
        self, to: bytes, advertised: Sequence[Advertised], *, wants_ack: bool
    ) -> None:
        for at in range(0, len(advertised), ADVERTISED_MAX):
            part = tuple(advertised[at : at + ADVERTISED_MAX])
            self._sequence = following(self._sequence)
            dao = Dao(self._instance, self._sequence, part, wants_ack=wants_ack)
            if wants_ack:
                again_s = self._clock() + REPEATED_S
                self._unanswered[self._sequence] = _Asked(dao, 1, again_s)
            self._send(to, dao)

    def _next_path(self) -> int:
        """Return a sequence number that is newer than all of before.

        It grows by one, not with the time: routers compare it over 16 numbers alone.
        """
        self._path_sequence = following(self._path_sequence)
        return self._path_sequence
