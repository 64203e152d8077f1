# SPDX-License-Identifier: Apache-2.0
"""New keys for two neighbours by EDHOC, which a key that is stolen later does not open.

    A: EdhocAsk(generation, message_1)             under the old key
    B: EdhocAnswer(generation, tag, message_2)     under the old key
    A: EdhocProof(generation, message_3)           under the old key; A opens new frames
    B: Confirm(generation)                         under the new key, as all from now on
    A: Confirmed(generation)                       under the new key, as all from now on

The new key is computed from what the run exports and from the old key: an attacker must
have both. The static keys that EDHOC proves follow from the old key, one for each role,
so that nothing more is stored; a newcomer knows that of its inviter from the invitation
(`joining`).

Ephemeral keys are in memory alone. A node that was killed begins another run, up to the
step that A stores the new key together with message_3. From then on A repeats that. B
takes it, storing the new key as current and the old one as previous in one write, or
says that it knows nothing of that run (EdhocAgain), and then never takes it: A drops
the key, under which nothing was sent, and begins another run. So no generation has two
keys at both ends. From Confirm on, `renewing` has the steps.

If both ask at once, the one with the lower extended address asks, the other answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from samara import hkdf
from samara.extras import MissingPackageError
from samara.link.ieee802154.keys import oscore
from samara.link.ieee802154.keys.control import (
    Confirm,
    ControlError,
    EdhocAgain,
    EdhocAnswer,
    EdhocAsk,
    EdhocJoin,
    EdhocProof,
    tag_of,
)
from samara.link.ieee802154.keys.exchanges import Exchange, Question
from samara.link.ieee802154.keys.neighbours import CURRENT, Renewal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.edhoc.exporting import Exporter
    from samara.edhoc.runs import Initiator, Responder
    from samara.link.ieee802154.keys.control import Control
    from samara.link.ieee802154.keys.neighbours import Neighbour, SharedKey
    from samara.link.ieee802154.keys.table import Table

FIRST_GENERATION = 1
"""Of the first key of a newcomer. Generation 0 is the key of its invitation."""

# For private use (RFC 9528, section 10.1).
_EXPORTER_LABEL = 0x8000
_LABEL = b"samara ieee802154 edhoc 1"
_SECRET_SIZE = 32
_ASKS, _ANSWERS, _NEWCOMER = b"asks", b"answers", b"newcomer"


@dataclass(frozen=True, slots=True)
class Ends:
    """Whom a new key is for."""

    generation: int
    asked_by: bytes
    """Extended address."""
    answered_by: bytes
    cipher: str


def derived(old: bytes, exporter: Exporter, ends: Ends) -> bytes:
    """Return a new key: HKDF of what a run exports, with the old key as the salt."""
    exported = exporter.export(_EXPORTER_LABEL, _LABEL, _SECRET_SIZE)
    info = b"".join(
        (
            _LABEL,
            ends.generation.to_bytes(4),
            ends.asked_by,
            ends.answered_by,
            ends.cipher.encode(),
        )
    )
    return hkdf.derived(exported, salt=old, info=info, size=len(old))


def initiator_of(neighbour: Neighbour, renewal: Renewal) -> Initiator:
    """Begin a run with a neighbour.

    Raises
    ------
    MissingPackageError
        When the packages for EDHOC are not installed.
    """
    from samara.edhoc.credentials import StaticKey  # noqa: PLC0415 - of an extra
    from samara.edhoc.runs import Initiator  # noqa: PLC0415

    shared = neighbour.current.key
    if renewal.peer:
        own = StaticKey.derived(shared, _NEWCOMER)
        return Initiator(own, bytes.fromhex(renewal.peer))
    answers = StaticKey.derived(shared, _ANSWERS)
    return Initiator(StaticKey.derived(shared, _ASKS), answers.public)


def responder_to(shared: bytes, message_1: bytes, static: bytes = b"") -> Responder:
    """Answer who has begun a run.

    Parameters
    ----------
    shared
        The key that both have.
    static
        The private key whose public one is in an invitation. Default: a neighbour.

    Raises
    ------
    ControlError
        When that is no first message of a run.
    MissingPackageError
        When the packages for EDHOC are not installed.
    """
    from samara.edhoc.credentials import StaticKey  # noqa: PLC0415 - of an extra
    from samara.edhoc.runs import EdhocError, Responder  # noqa: PLC0415

    own = StaticKey(static) if static else StaticKey.derived(shared, _ANSWERS)
    other = StaticKey.derived(shared, _NEWCOMER if static else _ASKS)
    try:
        return Responder(own, other.public, message_1)
    except EdhocError as error:
        raise ControlError(str(error)) from None


def proved(responder: Responder | None, message_3: bytes) -> Exporter | None:
    """Return what a run exports; None if its last message belongs to another one."""
    if responder is None:
        return None
    from samara.edhoc.runs import EdhocError  # noqa: PLC0415 - of an extra

    try:
        return responder.accept(message_3)
    except EdhocError:
        return None


class _Begun(NamedTuple):
    generation: int
    run: Initiator


class _Answered(NamedTuple):
    generation: int
    message_1: bytes
    run: Responder


class Agreeing(Exchange):
    """Runs of EDHOC of a running node with its neighbours.

    Parameters
    ----------
    own
        Our extended address.
    cipher
        Of all keys.
    answer
        Sends to a neighbour, under the key that is current then.
    tell
        Takes a sentence for the user.
    """

    controls = (EdhocAsk, EdhocAnswer, EdhocProof, EdhocAgain)

    def __init__(
        self,
        table: Table,
        own: bytes,
        cipher: str,
        answer: Callable[[Control, str | None], None],
        tell: Callable[[str], None],
    ) -> None:
        self._table, self._own, self._cipher = table, own, cipher
        self._answer, self._tell = answer, tell
        self._begun: dict[str | None, _Begun] = {}
        self._answered_runs: dict[str | None, _Answered] = {}
        self._has_warned = False

    def questions(self) -> Iterator[Question]:
        """Return what neighbours have still to answer."""
        for each in list(self._table.neighbours.values()):
            renewal = each.renewal
            if renewal is None or not renewal.by_edhoc:
                continue
            if renewal.proof:
                yield _proof(each, renewal)
            elif not each.is_joining and self.first_message(each) is not None:
                yield self._question(each, renewal)

    def _question(self, neighbour: Neighbour, renewal: Renewal) -> Question:
        return Question(
            neighbour.name,
            ("edhoc", renewal.generation),
            neighbour.name,
            f"{_named(neighbour)} has not answered about a new key by EDHOC",
            lambda: EdhocAsk(renewal.generation, self.first_message(neighbour) or b""),
        )

    def first_message(self, neighbour: Neighbour) -> bytes | None:
        """Return the first message of the run with a neighbour; None when impossible.

        It is the same until an answer was taken, or was not genuine.
        """
        renewal = neighbour.renewal
        if renewal is None:
            return None
        begun = self._begun.get(neighbour.name)
        if begun is None or begun.generation != renewal.generation:
            try:
                begun = _Begun(renewal.generation, initiator_of(neighbour, renewal))
            except MissingPackageError as error:
                self._tell_missing(error)
                return None
            self._begun[neighbour.name] = begun
        return begun.run.message_1

    def _tell_missing(self, error: MissingPackageError) -> None:
        if not self._has_warned:
            self._has_warned = True
            self._tell(f"no key can be agreed upon by EDHOC: {error}")

    def take(self, control: Control, name: str | None, key: SharedKey) -> None:
        """Act upon what a neighbour says in a run."""
        neighbour = self._table.neighbours[name]
        current = neighbour.current.generation
        next_one = current + 1 if key.role == CURRENT else None
        match control:
            case EdhocAsk(generation) if generation == next_one:
                self._asked(neighbour, control)
            case EdhocAnswer(generation) if generation == next_one:
                self._answered(neighbour, control)
            case EdhocProof(generation) if generation == next_one:
                self._proved(neighbour, control)
            case EdhocProof(generation) if generation == current:
                # It has not seen yet that this node has the key.
                self._answer(Confirm(generation), name)
            case EdhocAgain(generation) if generation == next_one:
                self._begin_anew(neighbour, control)

    def _asked(self, neighbour: Neighbour, asked: EdhocAsk) -> None:
        renewal = neighbour.renewal
        if renewal is not None:
            is_lower = self._own < neighbour.extended
            if is_lower or renewal.other_nonce or renewal.proof:
                return
        before = self._answered_runs.get(neighbour.name)
        if before is None or before[:2] != (asked.generation, asked.message_1):
            try:
                run = responder_to(neighbour.current.key, asked.message_1)
            except MissingPackageError as error:
                self._tell_missing(error)
                return
            before = _Answered(asked.generation, asked.message_1, run)
            self._answered_runs[neighbour.name] = before
        tag, message_2 = tag_of(asked.message_1), before.run.message_2
        answer = EdhocAnswer(asked.generation, tag, message_2)
        self._answer(answer, neighbour.name)

    def _answered(self, neighbour: Neighbour, answer: EdhocAnswer) -> None:
        renewal, begun = neighbour.renewal, self._begun.get(neighbour.name)
        is_asked = renewal is not None and renewal.by_edhoc and not renewal.proof
        if renewal is None or begun is None or not is_asked:
            return
        if answer.tag != tag_of(begun.run.message_1):
            # Of a run before this node was started again.
            return
        # Used once, whatever comes of it.
        del self._begun[neighbour.name]
        from samara.edhoc.runs import EdhocError  # noqa: PLC0415 - of an extra

        try:
            message_3, exporter = begun.run.answer(answer.message_2)
        except EdhocError:
            text = (
                f"{_named(neighbour)} has not proved who it is: somebody may have "
                "answered in its place; this node asks again"
            )
            raise ControlError(text) from None
        ends = self._ends(answer.generation, self._own, neighbour.extended)
        key = derived(neighbour.current.key, exporter, ends)
        renewal = replace(renewal, proof=message_3.hex())
        beside = neighbour.with_next(key, renewal)
        secret = oscore.exported(exporter, has_begun=True)
        self._table.store(replace(beside, edhoc=True, oscore=secret))

    def _ends(self, generation: int, asked_by: bytes, answered_by: bytes) -> Ends:
        return Ends(generation, asked_by, answered_by, self._cipher)

    def _proved(self, neighbour: Neighbour, proof: EdhocProof) -> None:
        answered = self._answered_runs.pop(neighbour.name, None)
        run = answered.run if answered else None
        renewal = neighbour.renewal
        if renewal is not None and renewal.proof and self._own < neighbour.extended:
            # Of two last messages that cross, that of the lower address counts.
            run = None
        exporter = proved(run, proof.message_3)
        if exporter is None:
            again = EdhocAgain(proof.generation, tag_of(proof.message_3))
            self._answer(again, neighbour.name)
            return
        ends = self._ends(proof.generation, neighbour.extended, self._own)
        key = derived(neighbour.current.key, exporter, ends)
        beside = neighbour.with_next(key, Renewal(proof.generation, ""))
        secret = oscore.exported(exporter, has_begun=False)
        rotated = beside.rotated(is_confirmed=False)
        after = replace(rotated, edhoc=True, oscore=secret)
        self._table.store(beside, after)

    def _begin_anew(self, neighbour: Neighbour, again: EdhocAgain) -> None:
        renewal = neighbour.renewal
        if renewal is None or not renewal.proof:
            return
        if again.tag == tag_of(bytes.fromhex(renewal.proof)):
            self._table.store(neighbour.without_next(replace(renewal, proof="")))


def join_request(neighbour: Neighbour, message_1: bytes) -> EdhocJoin:
    """Return the request to join by EDHOC, for who has invited this node."""
    return EdhocJoin(bytes.fromhex(neighbour.invitation), message_1)


def _proof(neighbour: Neighbour, renewal: Renewal) -> Question:
    return Question(
        neighbour.name,
        ("edhoc", renewal.generation, renewal.proof),
        neighbour.name,
        f"{_named(neighbour)} has not used the new key yet",
        partial(EdhocProof, renewal.generation, bytes.fromhex(renewal.proof)),
    )


def _named(neighbour: Neighbour) -> str:
    return neighbour.name or "the other node"
