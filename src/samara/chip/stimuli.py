# SPDX-License-Identifier: Apache-2.0
"""Messages for a simulated core, and whether its answers are the right ones."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.chip.tools import ToolError
from samara.crypto import grain128ple, suite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.chip.design import Core

_NONCE_END = (2**31 - 1) << 96
"""31 ones and a zero, which stand behind a nonce."""
AD_BYTES = 8
TAG_BYTES = 8
_BYTE = 8
SEALED = 1
"""Sealed messages, whose activity is counted. One more is opened."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message with all that belongs to it."""

    key: bytes
    nonce: bytes
    ad: bytes
    plain: bytes
    sealed: bytes
    """With the tag behind it; for PLE the keystream."""
    opening: bool = False


def message_bytes(core: Core) -> int:
    """Return how many bytes the messages for a core have: more for wider ones."""
    return max(16, 4 * core.n)


def messages(core: Core) -> list[Message]:
    """Return messages for a core, always the same ones."""
    draw = random.Random(core.n)  # noqa: S311 - not secret
    size = message_bytes(core)
    found = []
    for number in range(SEALED + core.authenticates):
        key, nonce = draw.randbytes(16), draw.randbytes(12)
        ad, plain = draw.randbytes(AD_BYTES), draw.randbytes(size)
        if core.authenticates:
            sealed = suite("grain128aead").seal(key, nonce, plain, ad)
        else:
            sealed = grain128ple.keystream(key, nonce, 8 * size).tobytes()
        found.append(Message(key, nonce, ad, plain, sealed, number == SEALED))
    return found


def files(core: Core, given: Sequence[Message]) -> tuple[dict[str, str], int]:
    """Return the files that data/bench.v reads, and the number of words."""
    lines, words = [], []
    for message in given:
        own = list(_words(core, message)) if core.authenticates else []
        count = len(own) or 8 * len(message.plain) // core.n
        nonce = int.from_bytes(message.nonce, "little") | _NONCE_END
        key = int.from_bytes(message.key, "little")
        value = ((message.opening << 32 | count) << 128 | nonce) << 128 | key
        lines.append(f"{value:x}\n")
        words += own
    return {
        "messages.hex": "".join(lines),
        "words.hex": "".join(f"{word:x}\n" for word in words),
    }, max(len(words), 1)


def _words(core: Core, message: Message) -> Iterator[int]:
    """Yield the words of a message, as {last, message, keep, data}."""
    width = max(core.n // 2, 1)
    lanes = max(width // 8, 1)
    head = bytes([len(message.ad)]) + message.ad
    body = message.sealed[:-TAG_BYTES] if message.opening else message.plain
    stream = head + body
    chunks = [
        (place, stream[place : place + lanes]) for place in range(0, len(stream), lanes)
    ]
    for place, chunk in chunks:
        is_end = place + lanes >= len(stream)
        in_message = sum((place + i >= len(head)) << i for i in range(len(chunk)))
        parts = range(0, 8, width) if width < _BYTE else (0,)
        for part in parts:
            is_last = is_end and part + width >= _BYTE
            data = int.from_bytes(chunk, "little") >> part & (2**width - 1)
            yield _packed(
                width, lanes, data, 2 ** len(chunk) - 1, in_message, last=is_last
            )
    if message.opening:
        tag = int.from_bytes(message.sealed[-TAG_BYTES:], "little")
        for part in range(0, 8 * TAG_BYTES, width):
            yield _packed(width, lanes, tag >> part & (2**width - 1), 0, 0, last=False)


def _packed(
    width: int, lanes: int, data: int, keep: int, in_message: int, *, last: bool
) -> int:
    return ((last << lanes | in_message) << lanes | keep) << width | data


def check(core: Core, given: Sequence[Message], answers: str) -> None:
    """Compare what a simulated core gave with the library's answers.

    Raises
    ------
    samara.chip.tools.ToolError
        If a bit differs, or an answer is missing.
    """
    expected = [part for each in given for part in _expected(core, each)]
    found = list(_answers(core, answers))
    if found != expected:
        message = (
            f"the netlist of {core.name} does not do what the library does: its"
            " simulated answers differ"
        )
        raise ToolError(message)


def _expected(core: Core, message: Message) -> list[bytes]:
    """Return the output of a message, and its tag or whether it is genuine."""
    if not core.authenticates:
        return [message.sealed]
    if message.opening:
        return [message.plain, b"\1"]
    return [message.sealed[:-TAG_BYTES], message.sealed[-TAG_BYTES:]]


def _answers(core: Core, answers: str) -> Iterator[bytes]:
    """Yield the outputs in a file of answers, and what follows each."""
    width = max(core.n // 2, 1) if core.authenticates else core.n
    size = message_bytes(core)
    bits, held = 0, 0
    for line in answers.splitlines():
        kind, value, *more = line.split()
        if kind == "tag":
            yield int(value, 16).to_bytes(TAG_BYTES, "little")
        elif kind == "verified":
            yield bytes([value == "1"])
        elif "x" in value:
            return
        else:
            for piece in _pieces(width, int(value, 16), int(more[0], 16)):
                held |= piece << bits
                bits += min(width, _BYTE)
        if bits == _BYTE * size:
            yield held.to_bytes(size, "little")
            bits, held = 0, 0


def _pieces(width: int, value: int, keep: int) -> Iterator[int]:
    """Yield the bytes of an output word that are there, or its bits if fewer."""
    for lane in range(max(width // _BYTE, 1)):
        if keep >> lane & 1:
            yield value >> _BYTE * lane & (2 ** min(width, _BYTE) - 1)
