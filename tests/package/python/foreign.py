# SPDX-License-Identifier: Apache-2.0
"""A program of somebody who has samara from pip: mypy --strict accepts it."""

from __future__ import annotations

import samara
from samara.crypto import AuthenticationError, Suite, suite, suites
from samara.errors import ArgumentError, RefusedError
from samara.figure import Figure, Origin, weakest
from samara.records import Record, records_of
from samara.units import SECONDS


def exchange(chosen: Suite, text: bytes) -> bytes:
    """Seal a message, open it again, and let a forgery be refused."""
    key, nonce = bytes(chosen.key_size), bytes(chosen.nonce_size)
    sealed: bytes = chosen.seal(key, nonce, text, b"head")
    try:
        chosen.open(key, nonce, sealed[:-1] + b"x", b"head")
    except AuthenticationError as error:
        refused: RefusedError = error
        print("refused:", refused)
    return chosen.open(key, nonce, sealed, b"head")


def seconds(text: str) -> float:
    """Read a time with its unit."""
    try:
        return SECONDS.parse(text)
    except ArgumentError:
        return 0.0


def in_answer(answer: list[Record]) -> list[Record]:
    """Return the records of an answer."""
    return records_of(answer)


version: str = samara.__version__
origin: Origin = weakest(Origin.MEASURED, Origin.ASSUMED)
names: list[str] = [each.slug for each in suites()]
print(version, origin.value, len(names) > 10, seconds("2 min"))
print(exchange(suite("ascon-aead128"), b"21.5 C"))
figure = Figure(2e-3, "J", origin, "an example")
print(figure.as_json()["unit"], in_answer([]))
