# SPDX-License-Identifier: Apache-2.0
"""Every suite tried: a message sealed and opened, and a forgery."""

from __future__ import annotations

import secrets
from enum import Enum
from typing import TYPE_CHECKING, Annotated

from samara.crypto.names import Standing
from samara.crypto.registry import Suite, suites
from samara.errors import AuthenticationError
from samara.records import (
    Answer,
    Field,
    Record,
    Refusal,
    Request,
    Title,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_MESSAGE = b"field 7: 21.5 C, 48 % humidity, battery 2.91 V"


class ForgeryVerdict(Enum):
    """What became of a forgery."""

    REFUSED = "refused"
    ACCEPTED = "accepted"
    NOT_NOTICED = "not noticed"
    """By a suite that does not authenticate."""

    @property
    def colour(self) -> str:
        """What it is shown in."""
        return "red" if self is ForgeryVerdict.ACCEPTED else ""


@request_class
class TourRequest(Request):
    """All suites; there is nothing to choose."""


@record_class
class _Row:
    """A row for a suite."""

    suite: Annotated[str, Field("Its slug.", heading="suite")]
    standing: Annotated[
        Standing, Field("How far to rely on it.", heading="standing", rank=2)
    ]
    key: Annotated[int, Field("Size of a key.", heading="key")]
    nonce: Annotated[int, Field("Size of a nonce.", heading="nonce")]
    tag: Annotated[int | str, Field("Size of the tag.", heading="tag")]
    added_bytes: Annotated[int, Field("What sealing adds.", heading="added")]
    opened: Annotated[str, Field("Whether it was opened.", heading="opened", rank=0)]
    forgery: Annotated[
        ForgeryVerdict, Field("What became of a forgery.", heading="forgery", rank=0)
    ]


@record_class
class Forgery(Record):
    """A message that a suite sealed and opened, and a forgery of it."""

    suite: Annotated[str, Field("Slug of the suite.")]
    message_bytes: Annotated[int, Field("Size of the message.", unit="byte")]
    added_bytes: Annotated[int, Field("What sealing added to it.", unit="byte")]
    opened: Annotated[bool, Field("Whether opening gave the message.")]
    forgery: Annotated[
        ForgeryVerdict, Field("What became of the sealed message with one bit changed.")
    ]
    tried: Annotated[Suite, Field("The suite.", in_json=False)]

    @property
    def is_sound(self) -> bool:
        """Whether the suite did what it has to."""
        return self.opened and self.forgery is not ForgeryVerdict.ACCEPTED

    def table_rows(self) -> Sequence[_Row]:
        """Return the row of tables: with the sizes of the suite."""
        suite = self.tried
        return [
            _Row(
                self.suite,
                suite.standing,
                suite.key_size,
                suite.nonce_size,
                suite.tag_size or "none",
                self.added_bytes,
                "yes" if self.opened else "NO",
                self.forgery,
            )
        ]


def tour(_: TourRequest) -> Answer[Forgery]:
    """Yield what each suite does with a message and with a forgery."""
    yield Title(
        "",
        f"Each suite sealed one message of {len(_MESSAGE)} bytes. Sizes in bytes.",
        "no suite was built in",
    )
    are_sound = True
    for suite in suites():
        tried = _tried(suite)
        are_sound &= tried.is_sound
        yield tried
    if not are_sound:
        yield Refusal()


def _tried(suite: Suite) -> Forgery:
    key = secrets.token_bytes(suite.key_size)
    nonce = secrets.token_bytes(suite.nonce_size)
    sealed = suite.seal(key, nonce, _MESSAGE)
    return Forgery(
        suite.slug,
        len(_MESSAGE),
        len(sealed) - len(_MESSAGE),
        suite.open(key, nonce, sealed) == _MESSAGE,
        _verdict(suite, key, nonce, sealed),
        suite,
    )


def _verdict(suite: Suite, key: bytes, nonce: bytes, sealed: bytes) -> ForgeryVerdict:
    if not suite.authenticates:
        return ForgeryVerdict.NOT_NOTICED
    forged = bytes([sealed[0] ^ 1]) + sealed[1:]
    try:
        suite.open(key, nonce, forged)
    except AuthenticationError:
        return ForgeryVerdict.REFUSED
    return ForgeryVerdict.ACCEPTED
