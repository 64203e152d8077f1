# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages in frames of IEEE 802.15.4."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara import crypto
from samara.figure import Figure, Origin
from samara.link.air import air_time_s
from samara.link.frame import parse
from samara.link.receipt import Receipt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.link.frame import SecurityHeader
    from samara.link.receipt import Direction

LINK = "ieee802154"
MIC_SIZES = (0, 4, 8, 16)
"""Bytes of a MIC, by the lower two bits of the level."""

_FCS_SIZE = 2
_PHY_HEADER_SIZE = 6
_CONTROL_SIZE = 1
_COUNTER_SIZE = 4
_INDEX_SIZE = 1
_ENCRYPTS = 4
"""The levels from this one on."""
_RATE = "bytes of 32 µs, 250 kbit/s (IEEE 802.15.4, O-QPSK at 2.4 GHz)"


@dataclass(frozen=True, slots=True)
class Sent:
    """What was said, and as what it travelled."""

    direction: Direction
    message_bytes: int
    frames: Sequence[bytes]
    """Each with its FCS; a long message is cut into several."""
    air_s: float | None = None
    """How long the medium was busy with it, by the clock."""
    delivery_s: float | None = None
    """How long it took to arrive, by the clock."""


def suite_of(cipher: str, level: int) -> str | None:
    """Return what the bench calls a cipher for frames at a level.

    >>> suite_of("aes128", 5), suite_of("grain128aead", 7), suite_of("aes128", 0)
    ('aes128-ccm-4', 'grain128aead', None)
    """
    if level == 0:
        return None
    own_suites = {suite.slug for suite in crypto.suites()}
    return cipher if cipher in own_suites else f"{cipher}-ccm-{MIC_SIZES[level & 3]}"


def receipt_of(sent: Sent, suite: str | None) -> Receipt:
    """Return the receipt of a message.

    Parameters
    ----------
    suite
        What secures the frames; None at level 0.

    Raises
    ------
    FrameError
        When one of the frames is none.
    """
    parts: Counter[str] = Counter()
    covered = _Covered()
    level = 0
    for psdu in sent.frames:
        of_frame, level = _parts(psdu)
        parts += Counter(of_frame)
        covered.add(of_frame, level)
    payload = parts["message"]
    # What marks parts of a message is payload to the frame.
    framing = payload - sent.message_bytes
    return Receipt(
        link=LINK,
        direction=sent.direction,
        protection=f"level {level}",
        suite=suite,
        parts={**parts, "message": sent.message_bytes, "framing": framing},
        packets=len(sent.frames),
        encrypted_bytes=covered.encrypted,
        authenticated_bytes=covered.authenticated,
        figures=dict(_figures(sent)),
    )


def _parts(psdu: bytes) -> tuple[dict[str, int], int]:
    """Return what the bytes of a frame are for, and its level."""
    frame = parse(psdu[:-_FCS_SIZE])
    security = _security_size(frame.security)
    counter = _counter_size(frame.security)
    known = len(frame.payload) + security + counter + len(frame.mic) + _FCS_SIZE
    return {
        "message": len(frame.payload),
        "header": len(psdu) - known,
        "security": security,
        "counter": counter,
        "tag": len(frame.mic),
        "check": _FCS_SIZE,
        "radio": _PHY_HEADER_SIZE,
    }, frame.level


def _security_size(header: SecurityHeader | None) -> int:
    """Return the bytes of the auxiliary security header without the counter."""
    if header is None:
        return 0
    index = _INDEX_SIZE if header.key_id.mode else 0
    return _CONTROL_SIZE + index + len(header.key_id.source)


def _counter_size(header: SecurityHeader | None) -> int:
    return 0 if header is None or header.counter is None else _COUNTER_SIZE


class _Covered:
    """What the suite works on."""

    def __init__(self) -> None:
        self.encrypted, self.authenticated = 0, 0

    def add(self, parts: dict[str, int], level: int) -> None:
        """Count a frame."""
        if level == 0:
            return
        payload = parts["message"]
        self.encrypted += payload if level >= _ENCRYPTS else 0
        if level == _ENCRYPTS:
            # Without a MIC nothing is authenticated.
            return
        self.authenticated += parts["header"] + parts["security"] + parts["counter"]
        self.authenticated += 0 if level >= _ENCRYPTS else payload


def _figures(sent: Sent) -> Iterator[tuple[str, Figure]]:
    size = sum(map(len, sent.frames)) + _PHY_HEADER_SIZE * len(sent.frames)
    seconds = sum(air_time_s(len(psdu)) for psdu in sent.frames)
    yield "air_time", Figure(seconds, "s", Origin.ESTIMATED, f"{size} {_RATE}")
    for name, measured in (
        ("air_time_measured", sent.air_s),
        ("delivery_time_measured", sent.delivery_s),
    ):
        if measured is not None:
            yield name, Figure(measured, "s", Origin.MEASURED, "the clock here")
