# SPDX-License-Identifier: Apache-2.0
"""New keys for two neighbours, over the air, while both go on.

    A: Ask(generation, nonce)                      under the old key
    B: Answer(generation, both nonces)             under the old key; B opens new frames
    A: Confirm(generation)                         under the new key, as all from now on
    B: Confirmed(generation)                       under the new key, as all from now on

Both compute the new key from the old one and two nonces (`derived`), so that a key is
never sent and all levels that authenticate can do it, also those that do not encrypt.
The new key begins its counters at 0, under names of its own.

Each step is stored before it is acted upon, and A repeats what B has not answered: who
is killed goes on where it was, with the same nonces, and hence the same key.

- B stores the new key as the next one, beside the old one, and answers. It answers the
  same question the same way.
- A stores the new key as the current one and the old one as previous, then sends.
- B does the same when the first frame under the new key arrives.
- Each removes the old key when it has seen that the other uses the new one.

If both ask at once, the one with the lower extended address asks, the other answers.

There is no forward secrecy: who has recorded the exchange and learns the old key can
compute the new one. Who learns the new key cannot compute the old one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from samara.link.ieee802154.frames.levels import authenticates
from samara.link.ieee802154.keys import group as groups
from samara.link.ieee802154.keys.control import (
    NONCE_SIZE,
    Answer,
    Ask,
    Confirm,
    Confirmed,
    Join,
    JoinRefused,
    Refusal,
    Welcome,
    WelcomeToGroup,
)
from samara.link.ieee802154.keys.neighbours import (
    CURRENT,
    EXPECTED,
    NEXT,
    PREVIOUS,
    SENT,
    Neighbour,
    Renewal,
    SharedKey,
)
from samara.link.ieee802154.keys.retry_timers import RetryTimers
from samara.link.node.quantities import COUNTER_LIMIT
from samara.link.node.state import CounterEndError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.table import Table
    from samara.link.node.state import State

REPEATED_AFTER_S = 1.0
"""When a question that nobody answers is asked again; then after twice as long, and so
on: a neighbour that is away must not use up the counter."""
RENEWED_BEFORE_END = 1 << 20
"""Counter values left when a node asks for a new key by itself."""
KEPT_FOR_RENEWAL = 256
"""The last counter values, which messages do not get."""
REFUSED_AGAIN_S = 3600.0
"""When a node that was not accepted asks again."""
LATE_S = 2.0
"""How long frames that were sent under the old key may still arrive."""
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
    # The size of a key is at most that of one block of output.
    secret = hmac.digest(salt, old, hashlib.sha256)
    return hmac.digest(secret, info + b"\x01", hashlib.sha256)[: len(old)]


class Renewing:
    """The keys of a running node, and what is under way about them.

    Parameters
    ----------
    own
        Our extended address.
    cipher
        Of all keys.
    transmit
        Sends to a neighbour, under the key that is current then.
    tell_refused
        Takes a sentence: why this node was not accepted.
    """

    def __init__(
        self,
        table: Table,
        state: State,
        own: bytes,
        cipher: str,
        transmit: Callable[[Control, str | None], None],
        tell_refused: Callable[[str], None],
    ) -> None:
        self._table, self._state = table, state
        self._own, self._cipher = own, cipher
        self._transmit, self._tell_refused = transmit, tell_refused
        self._refused: dict[str | None, str] = {}
        self._timers = RetryTimers()
        self._rotated_s: dict[str | None, float] = {}

    def why_not(self, level: int, mode: int) -> str | None:
        """Return why this node cannot change keys over the air; None when it can."""
        if not authenticates(level):
            return f"security level {level} does not authenticate"
        return "with key id mode 0 frames do not name their key" if mode == 0 else None

    def unsettled(self, about: Collection[str] | None = None) -> list[str]:
        """Return what has been begun and not ended, in words."""
        return [
            text
            for each in self._neighbours()
            if (about is None or each.name in about)
            and not (each.is_joining and each.name in self._refused)
            and (text := _under_way(each))
        ]

    def refused(self, about: Collection[str]) -> list[str]:
        """Return why this node was not accepted by those that have invited it.

        It goes on asking, rarely: they may change their mind, or their clock.
        """
        return [
            self._refused[each.name]
            for each in self._neighbours()
            if each.is_joining
            and each.name in self._refused
            and (not about or each.name in about)
        ]

    def forget(self, name: str | None) -> None:
        """Note that there is no such neighbour any more."""
        self._timers.forget(name)
        self._rotated_s.pop(name, None)

    def ask(self, to: str | None) -> None:
        """Ask a neighbour for a new key, unless one is under way."""
        neighbour = self._table.neighbours[to]
        if neighbour.renewal is None and neighbour.is_confirmed:
            generation = neighbour.current.generation + 1
            renewal = Renewal(generation, secrets.token_hex(NONCE_SIZE))
            self._table.store(replace(neighbour, renewal=renewal))
        self._say(to)

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

    def go_on(self) -> None:
        """Repeat what was not answered, and remove keys whose time is over."""
        now_s = time.monotonic()
        for neighbour in self._neighbours():
            if self._timers.is_due(neighbour.name):
                self._say(neighbour.name)
            if now_s - self._rotated_s.get(neighbour.name, -1e9) >= LATE_S:
                self._remove_previous(neighbour)

    def close(self) -> None:
        """Remove the keys that nobody uses any more."""
        for neighbour in self._neighbours():
            self._remove_previous(neighbour)

    def seen(self, neighbour: Neighbour, key: SharedKey) -> None:
        """Note that a genuine frame came under a key."""
        self._timers.heard(neighbour.name, REPEATED_AFTER_S)
        if key.role == NEXT:
            self._table.store(neighbour.rotated(is_confirmed=True))
        elif key.role == CURRENT and not neighbour.is_confirmed:
            self._table.store(replace(neighbour, is_confirmed=True, waits=False))
        else:
            return
        self._rotated_s[neighbour.name] = time.monotonic()

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        """Act upon what a neighbour says about keys.

        Parameters
        ----------
        key
            The key that it came under, in the role that it had then.
        """
        neighbour = self._table.neighbours[name]
        match control:
            case Ask() if key.role == CURRENT:
                self._asked(neighbour, control)
            case Answer() if key.role == CURRENT:
                self._answered(neighbour, control)
            case Confirm(generation) if generation == neighbour.current.generation:
                self._transmit(Confirmed(generation), name)
            case Join():
                # Accepted before: the welcome did not arrive.
                self._transmit(welcome(self._table), name)
            case Welcome() if neighbour.is_joining:
                self._table.store(replace(neighbour, invitation=""))
            case WelcomeToGroup() if neighbour.is_joining:
                self._join_group(neighbour, control)
            case JoinRefused(why) if neighbour.is_joining:
                self._not_accepted(neighbour, why)

    def _not_accepted(self, neighbour: Neighbour, why: int) -> None:
        # After `seen`, which would have it asked again soon.
        self._timers.asked(neighbour.name, REFUSED_AGAIN_S)
        text = f"{neighbour.name} has not accepted this node: {_reason_of(why)}"
        if self._refused.get(neighbour.name) != text:
            self._refused[neighbour.name] = text
            self._tell_refused(text)

    def _join_group(self, neighbour: Neighbour, welcome: WelcomeToGroup) -> None:
        after = replace(neighbour, invitation="")
        key = welcome.key
        if len(key) != len(neighbour.current.key):
            return
        group = groups.first(key, neighbour.name, welcome.generation)
        expected = group.current.number(EXPECTED, neighbour.name)
        # Broadcasts of before cannot be played to a newcomer.
        self._table.store(after, group, numbers={expected: welcome.expected})

    def _asked(self, neighbour: Neighbour, asked: Ask) -> None:
        if asked.generation != neighbour.current.generation + 1:
            return
        renewal = neighbour.renewal
        is_ours = renewal is not None and not renewal.other_nonce
        if is_ours and self._own < neighbour.extended:
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
        self._transmit(answer, neighbour.name)

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
        self._say(neighbour.name)

    def _say(self, to: str | None) -> None:
        """Send what a neighbour has still to answer, if anything."""
        neighbour = self._table.neighbours[to]
        if neighbour.is_joining:
            said: Control = Join(bytes.fromhex(neighbour.invitation))
        elif neighbour.renewal is not None and not neighbour.renewal.other_nonce:
            renewal = neighbour.renewal
            said = Ask(renewal.generation, bytes.fromhex(renewal.own_nonce))
        elif not neighbour.is_confirmed and not neighbour.waits:
            said = Confirm(neighbour.current.generation)
        else:
            return
        self._timers.asked(to, REPEATED_AFTER_S)
        self._transmit(said, to)

    def _remove_previous(self, neighbour: Neighbour) -> None:
        if neighbour.with_role(PREVIOUS) is not None and neighbour.is_confirmed:
            self._table.store(neighbour.without_previous())

    def _neighbours(self) -> Iterator[Neighbour]:
        return iter(list(self._table.neighbours.values()))


def welcome(table: Table) -> Welcome | WelcomeToGroup:
    """Return what a newcomer is told when it is accepted."""
    if table.group is None:
        return Welcome()
    # Not the next one: nobody sends under it yet. Regrouping hands it out.
    key = table.group.current
    expected = table.group_counter(key).next
    return WelcomeToGroup.of(key.key, key.generation, expected)


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


def _under_way(neighbour: Neighbour) -> str | None:
    name = neighbour.name or "the other node"
    if neighbour.is_joining:
        return f"{name} has not answered the request to join"
    if neighbour.renewal is not None:
        return f"{name} has not answered about a new key"
    if neighbour.is_confirmed or neighbour.waits:
        return None
    return f"{name} has not used the new key yet"
