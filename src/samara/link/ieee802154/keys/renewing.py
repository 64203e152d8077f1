# SPDX-License-Identifier: Apache-2.0
"""New keys for two neighbours, over the air, while both go on.

    A: Ask(generation, nonce)                      under the old key
    B: Answer(generation, both nonces)             under the old key; B opens new frames
    A: Confirm(generation)                         under the new key, as all from now on
    B: Confirmed(generation)                       under the new key, as all from now on

Both compute the new key from the old one and two nonces (`derived`), so that a key is
never sent and all levels that authenticate can do it, also those that do not encrypt.
The new key begins its counters at 0, under names of its own.

Each step is stored before it is acted upon, and A repeats what B has not answered. So a
node that was killed continues with the same nonces, and hence with the same key.

- B stores the new key as the next one, beside the old one, and answers. It answers the
  same question the same way.
- A stores the new key as the current one and the old one as previous, then sends.
- B does the same when the first frame under the new key arrives.
- Each removes the old key when it has seen that the other uses the new one.

If both ask at once, the one with the lower extended address asks, the other answers.

There is no forward secrecy: whoever has recorded the exchange and learns the old key
can compute the new one. Whoever learns the new key cannot compute the old one. A run of
EDHOC has it (`agreeing`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from samara import hkdf
from samara.link.ieee802154.frames.levels import authenticates
from samara.link.ieee802154.keys.control import (
    NONCE_SIZE,
    Answer,
    Ask,
    Confirm,
    Confirmed,
)
from samara.link.ieee802154.keys.exchanges import Exchange, Question
from samara.link.ieee802154.keys.neighbours import (
    CURRENT,
    NEXT,
    PREVIOUS,
    SENT,
    Neighbour,
    Renewal,
    SharedKey,
)
from samara.link.ieee802154.keys.timers import LateFrames
from samara.link.node.quantities import COUNTER_LIMIT
from samara.link.node.state import CounterEndError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.table import Table
    from samara.link.node.state import State

RENEWED_BEFORE_END = 1 << 20
"""Counter values left when a node asks for a new key by itself."""
KEPT_FOR_RENEWAL = 256
"""The last counter values, which messages do not get."""
_LABEL = b"samara ieee802154 renewal 1"


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a new key is made from, beside the old one."""

    generation: int
    asked_nonce: bytes
    answered_nonce: bytes
    asked_by: bytes
    """Extended address."""
    answered_by: bytes
    cipher: str


def derived(old: bytes, agreed: Agreed) -> bytes:
    """Return a new key: HKDF of the old one, with SHA-256 (RFC 5869)."""
    salt = agreed.asked_nonce + agreed.answered_nonce
    info = b"".join(
        (
            _LABEL,
            agreed.generation.to_bytes(4, "big"),
            agreed.asked_by,
            agreed.answered_by,
            agreed.cipher.encode(),
        )
    )
    return hkdf.derived(old, salt=salt, info=info, size=len(old))


class Renewing(Exchange):
    """Renewals of the keys that a running node shares with its neighbours.

    Parameters
    ----------
    own
        Our extended address.
    cipher
        Of all keys.
    answer
        Sends to a neighbour, under the key that is current then.
    """

    controls = (Ask, Answer, Confirm, Confirmed)

    def __init__(
        self,
        table: Table,
        state: State,
        own: bytes,
        cipher: str,
        answer: Callable[[Control, str | None], None],
    ) -> None:
        self._table, self._state, self._answer = table, state, answer
        self._own, self._cipher = own, cipher
        self._late = LateFrames()

    def why_not(self, level: int, mode: int) -> str | None:
        """Return why this node cannot change keys over the air; None when it can."""
        if not authenticates(level):
            return f"security level {level} does not authenticate"
        return "with key id mode 0 frames do not name their key" if mode == 0 else None

    def questions(self) -> Iterator[Question]:
        """Return what neighbours have still to answer, or to show."""
        for each in self._neighbours():
            if not each.is_joining and (question := _question(each)):
                yield question

    def ask(self, to: str | None, *, by_edhoc: bool = False) -> None:
        """Ask a neighbour for a new key, unless one is under way.

        Parameters
        ----------
        by_edhoc
            Whether by a run of EDHOC, as with neighbours that have joined so: then
            `agreeing` has the steps.
        """
        neighbour = self._table.neighbours[to]
        if neighbour.renewal is None and neighbour.is_confirmed:
            generation = neighbour.current.generation + 1
            by_edhoc = by_edhoc or neighbour.edhoc
            nonce = "" if by_edhoc else secrets.token_hex(NONCE_SIZE)
            renewal = Renewal(generation, nonce, by_edhoc=by_edhoc)
            self._table.store(replace(neighbour, renewal=renewal))

    def is_due(self, to: str | None) -> bool:
        """Return whether so few counter values are left that a new key is needed."""
        left = COUNTER_LIMIT - self._table.counter(to).next
        return left <= RENEWED_BEFORE_END

    def check_left(self, to: str | None) -> None:
        """Refuse to send a message with the last counter values.

        Raises
        ------
        CounterEndError
            When only those are left that new keys need.
        """
        if COUNTER_LIMIT - self._table.counter(to).next <= KEPT_FOR_RENEWAL:
            message = (
                "the frame counter is at its end, and the last values are kept to "
                "agree on a new key: run `samara node rekey` while the neighbour "
                "listens"
            )
            raise CounterEndError(message)

    def ask_if_due(self) -> None:
        """Ask for new keys instead of those whose counters are nearly used up.

        Also of nodes that only acknowledge what they receive.
        """
        for neighbour in self._neighbours():
            number = neighbour.current.number(SENT, neighbour.name)
            # Stored is where the reservation ends.
            left = COUNTER_LIMIT - (self._state.get(number) or 0)
            is_settled = neighbour.renewal is None and neighbour.is_confirmed
            if left <= RENEWED_BEFORE_END and is_settled and not neighbour.is_joining:
                self.ask(neighbour.name)

    def advance(self) -> None:
        """Remove previous keys under which no more frames can arrive."""
        for neighbour in self._neighbours():
            if self._late.are_over(neighbour.name):
                self._remove_previous(neighbour)

    def close(self) -> None:
        """Remove the keys that nobody uses any more."""
        for neighbour in self._neighbours():
            self._remove_previous(neighbour)

    def seen(self, neighbour: Neighbour, key: SharedKey) -> None:
        """Note that a genuine frame came under a key."""
        if key.role == NEXT:
            self._table.store(neighbour.rotated(is_confirmed=True))
        elif key.role == CURRENT and not neighbour.is_confirmed:
            self._table.store(replace(neighbour, is_confirmed=True, waits=False))
        else:
            return
        self._late.begin(neighbour.name)

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        """Act upon what a neighbour says about the key that is shared with it."""
        neighbour = self._table.neighbours[name]
        match control:
            case Ask() if key.role == CURRENT:
                self._asked(neighbour, control)
            case Answer() if key.role == CURRENT:
                self._answered(neighbour, control)
            case Confirm(generation) if generation == neighbour.current.generation:
                self._answer(Confirmed(generation), name)

    def _asked(self, neighbour: Neighbour, asked: Ask) -> None:
        if asked.generation != neighbour.current.generation + 1:
            return
        renewal = neighbour.renewal
        is_ours = renewal is not None and not renewal.other_nonce
        if is_ours and self._own < neighbour.extended:
            return
        if renewal is not None and renewal.proof:
            # The neighbour may have the key of that already.
            return
        if renewal is None or renewal.other_nonce != asked.nonce.hex():
            own = secrets.token_bytes(NONCE_SIZE)
            agreed = Agreed(
                asked.generation,
                asked.nonce,
                own,
                neighbour.extended,
                self._own,
                self._cipher,
            )
            renewal = Renewal(asked.generation, own.hex(), asked.nonce.hex())
            key = derived(neighbour.current.key, agreed)
            self._table.store(neighbour.with_next(key, renewal))
        answer = Answer(asked.generation, asked.nonce, bytes.fromhex(renewal.own_nonce))
        self._answer(answer, neighbour.name)

    def _answered(self, neighbour: Neighbour, answer: Answer) -> None:
        renewal = neighbour.renewal
        if renewal is None or renewal.other_nonce:
            return
        asked = (renewal.generation, renewal.own_nonce)
        if (answer.generation, answer.asked_nonce.hex()) != asked:
            return
        agreed = Agreed(
            answer.generation,
            answer.asked_nonce,
            answer.nonce,
            self._own,
            neighbour.extended,
            self._cipher,
        )
        key = derived(neighbour.current.key, agreed)
        beside = neighbour.with_next(key, renewal)
        self._table.store(beside, beside.rotated(is_confirmed=False))

    def _remove_previous(self, neighbour: Neighbour) -> None:
        if neighbour.with_role(PREVIOUS) is not None and neighbour.is_confirmed:
            self._table.store(neighbour.without_previous())

    def _neighbours(self) -> Iterator[Neighbour]:
        return iter(list(self._table.neighbours.values()))


def _question(neighbour: Neighbour) -> Question | None:
    """Return what a neighbour has still to answer, or to show; None when nothing."""
    name = neighbour.name or "the other node"
    renewal, generation = neighbour.renewal, neighbour.current.generation
    said: Callable[[], Control] | None
    if renewal is not None and renewal.by_edhoc:
        return None
    if renewal is not None:
        step, words = "ask", f"{name} has not answered about a new key"
        said = partial(Ask, renewal.generation, bytes.fromhex(renewal.own_nonce))
        if renewal.other_nonce:
            # It has asked, was answered, and speaks next.
            said = None
    elif not neighbour.is_confirmed and not neighbour.waits:
        step, words = "confirm", f"{name} has not used the new key yet"
        said = partial(Confirm, generation)
    else:
        return None
    return Question(neighbour.name, (step, generation), neighbour.name, words, said)
