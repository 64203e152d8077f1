# SPDX-License-Identifier: Apache-2.0
"""The engine for durable exchanges about keys: joining, new keys, introductions.

An exchange goes step by step, and a node may be killed at any of them. So all that it
knows of one is in its state:

1. A step is stored with one durable write (`Table.store`, `State.store`).
2. What it still has to ask follows from what is stored (`Exchange.questions`).
3. The engine asks it: at once when it is new, then ever more rarely.
4. An answer, or the question of another node, makes the next step (`Exchange.take`).
   So does any frame under a new key (`Exchange.seen`), and so does time, when frames
   under an old key have arrived (`Exchange.advance`).

After a restart the questions are the same as before, and are asked at once. Nothing is
sent before the step is stored that it follows from, because nothing else makes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from samara.link.ieee802154.keys.timers import QuestionId

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.neighbours import Neighbour, SharedKey
    from samara.link.ieee802154.keys.timers import RetryTimers


@dataclass(frozen=True, slots=True)
class Question:
    """What a neighbour has still to answer."""

    to: str | None
    """Name of the neighbour."""
    step: Hashable
    """What tells it from other questions to the same neighbour."""
    about: str | None
    """What users ask for: a neighbour, BROADCAST, or both names of an introduction."""
    words: str
    """What is missing, for users; empty: they were told already."""
    said: Callable[[], Control] | None
    """Returns what is sent; None: the neighbour speaks next, without being asked."""

    @property
    def asked(self) -> QuestionId:
        """What its timer is found by."""
        return QuestionId(self.to, self.step)


class Exchange:
    """One kind of exchange, with all neighbours."""

    controls: ClassVar[Collection[type[Control]]] = ()
    """What neighbours say in it."""

    def questions(self) -> Iterable[Question]:
        """Return what neighbours have still to answer, as it follows from the state."""
        return ()

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        """Act upon what a neighbour says: store the next step, then answer.

        Parameters
        ----------
        key
            The key that it came under, in the role that it had then.
        """

    def seen(self, neighbour: Neighbour, key: SharedKey) -> None:
        """Note that a genuine frame of a neighbour came under a key."""

    def advance(self) -> None:
        """Take the steps that need no message: everybody has answered, time is over."""

    def refused(self, about: Collection[str]) -> Sequence[str]:
        """Return why what was asked since the start was refused, in words.

        Parameters
        ----------
        about
            As `Question.about`.
        """
        del about
        return ()

    def close(self) -> None:
        """Take those steps that would be taken after the next start anyway."""


class Exchanges:
    """All exchanges of a running node.

    Parameters
    ----------
    transmit
        Sends to a neighbour, under the key that is current then.
    """

    def __init__(
        self,
        exchanges: Sequence[Exchange],
        timers: RetryTimers,
        transmit: Callable[[Control, str | None], None],
    ) -> None:
        self._exchanges, self._timers = exchanges, timers
        self._transmit = transmit
        self._exchange_of = {said: each for each in exchanges for said in each.controls}

    def _questions(self) -> list[Question]:
        return [each for of in self._exchanges for each in of.questions()]

    def seen(self, neighbour: Neighbour, key: SharedKey) -> None:
        """Note that a genuine frame of a neighbour came under a key."""
        self._timers.note_heard(neighbour.name)
        for each in self._exchanges:
            each.seen(neighbour, key)

    def ask(self, name: str | None) -> None:
        """Go on, and ask a neighbour now: a user wants that."""
        self._timers.hurry(name)
        self.go_on()

    def go_on(self) -> None:
        """Take the steps that are due, and ask what is due."""
        for exchange in self._exchanges:
            exchange.advance()
        questions = self._questions()
        self._timers.keep({each.asked for each in questions})
        for each in questions:
            if each.said is not None and self._timers.is_due(each.asked):
                self._timers.note_asked(each.asked)
                self._transmit(each.said(), each.to)

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        """Hand what a neighbour says to the exchange that it belongs to, and go on."""
        self._exchange_of[type(control)].take(control, name, key)
        self.go_on()

    def unsettled(self, about: Collection[str] | None = None) -> list[str]:
        """Return what neighbours have not answered, in words.

        Parameters
        ----------
        about
            As `Question.about`. Default: all.
        """
        return [
            each.words
            for each in self._questions()
            if each.words and (about is None or each.about in about)
        ]

    def refused(self, about: Collection[str]) -> list[str]:
        """Return why what was asked since the start was refused, in words."""
        return [text for each in self._exchanges for text in each.refused(about)]

    def close(self) -> None:
        """Remove the keys that nobody uses any more."""
        for each in self._exchanges:
            each.close()
