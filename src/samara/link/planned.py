# SPDX-License-Identifier: Apache-2.0
"""Receipts of messages that nobody has sent yet.

They are counted as the receipts of real ones are, from frames and framings as
nodes make them; only the secrets in them are zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.link import ieee802154, rfserial
from samara.link.ieee802154 import receipts as receipts_ieee802154
from samara.link.ieee802154.zep import PSDU_SIZE_MAX
from samara.link.node import messages
from samara.link.rfserial import modem
from samara.link.rfserial import receipts as receipts_rf_serial
from samara.link.rfserial.settings import DEFAULT_BAUD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.link.node.receipt import Direction, Receipt

_FCS_SIZE = 2
_COUNTER_SIZE = 4
"""Bytes of the counter that nodes send over a serial radio."""
_SOURCE_SIZES = (0, 0, 4, 8)
_ADDRESS = ieee802154.Address(pan=0x1234, short=1)


def receipt(
    link: str,
    direction: Direction,
    message_bytes: int,
    given: Mapping[str, Any],
    *,
    acknowledged: bool = False,
) -> Receipt:
    """Return the receipt of a message of so many bytes.

    Parameters
    ----------
    link
        `ieee802154`, `rf-serial` or `sdr`.
    given
        How it is to be sent: `level`, `key_id_mode` and `suite`, `framing` and
        `suite`, or `modulation` and `frame_size`; what is missing is as
        `samara node init` has it.
    acknowledged
        Whether the other end is asked to say that it has the message.

    Raises
    ------
    MisuseError
        When there is no such link, or it takes no such option.
    """
    if link not in _MAKERS:
        message = f"{link!r} is none of the links {', '.join(_MAKERS)}"
        raise MisuseError(message)
    make, options = _MAKERS[link]
    if unknown := set(given) - options:
        option = min(unknown).replace("_", "-")
        message = f"{link} takes no --{option}"
        raise MisuseError(message)
    return make(_Message(direction, message_bytes, acknowledged), **given)


@dataclass(frozen=True, slots=True)
class _Message:
    """What is to be sent."""

    direction: Direction
    size: int
    is_acknowledged: bool

    def payloads(self, room: int) -> list[int]:
        """Return the sizes of the payloads in which nodes send it."""
        message = bytes(self.size)
        if not self.is_acknowledged and messages.fits_whole(message, room):
            return [len(messages.build(messages.Whole(message)))]
        pieces = messages.cut(message, room)
        return [messages.PART_OVERHEAD + len(piece) for piece in pieces]

    @property
    def answers(self) -> list[int]:
        """Return the size of the payload that acknowledges it, if one does."""
        delivered = messages.Ack(0, messages.Outcome.DELIVERED)
        return [len(messages.build(delivered))] if self.is_acknowledged else []


def _frames(
    message: _Message,
    level: int = 5,
    key_id_mode: int = 1,
    suite: str = "aes128",
) -> Receipt:
    cipher = ieee802154.frame_cipher(suite)
    empty = _frame(0, level, key_id_mode)
    room = PSDU_SIZE_MAX - _FCS_SIZE - len(empty)
    frames, answers = (
        [_frame(size, level, key_id_mode) + bytes(_FCS_SIZE) for size in sizes]
        for sizes in (message.payloads(room), message.answers)
    )
    sent = receipts_ieee802154.Sent(
        message.direction, message.size, frames, answers=answers
    )
    return receipts_ieee802154.receipt_of(
        sent, receipts_ieee802154.suite_of(cipher.slug, level)
    )


def _frame(payload_size: int, level: int, key_id_mode: int) -> bytes:
    """Return a frame as nodes send it, without FCS."""
    source = bytes(_SOURCE_SIZES[key_id_mode])
    key_id = ieee802154.KeyId(key_id_mode, min(key_id_mode, 1), source)
    frame = ieee802154.Frame(
        version=ieee802154.Version.V2006,
        destination=_ADDRESS,
        source=_ADDRESS,
        pan_compression=True,
        security=ieee802154.SecurityHeader(level, key_id) if level else None,
        payload=bytes(payload_size),
        mic=bytes(receipts_ieee802154.MIC_SIZES[level & 3]),
    )
    return ieee802154.build(frame)


def _serial(
    message: _Message,
    framing: str = "sealed",
    suite: str = rfserial.DEFAULT_SUITE,
) -> Receipt:
    settings = rfserial.Settings.of(framing, suite=suite, counter_size=_COUNTER_SIZE)
    encoded, answers = (
        [rfserial.sizes_of(settings, size) for size in sizes]
        for sizes in (message.payloads(rfserial.LONGEST_MESSAGE), message.answers)
    )
    sent = receipts_rf_serial.Sent(
        message.direction, message.size, encoded, answers=answers
    )
    line = receipts_rf_serial.Line.of(modem.Settings(baud=DEFAULT_BAUD))
    return receipts_rf_serial.receipt_of(sent, settings, line)


def _bursts(
    message: _Message,
    modulation: str | None = None,
    frame_size: int | None = None,
) -> Receipt:
    # With GNU Radio, which takes longer than all others: only for this link.
    from samara.link.sdr import kind as sdr  # noqa: PLC0415
    from samara.link.sdr import receipts as receipts_sdr  # noqa: PLC0415

    told = {"modulation": modulation, "frame_size": frame_size}
    given = {name: value for name, value in told.items() if value is not None}
    settings = sdr.checked({**sdr.DEFAULTS, **given})
    payloads = message.payloads(sdr.payload_size_of(settings))
    carried = receipts_sdr.Carried(
        message.direction,
        bytes(message.size),
        payloads,
        answers=len(message.answers),
    )
    return receipts_sdr.receipt_of(carried, sdr.frames_of(settings))


_MAKERS: Mapping[str, tuple[Callable[..., Receipt], set[str]]] = {
    "ieee802154": (_frames, {"level", "key_id_mode", "suite"}),
    "rf-serial": (_serial, {"framing", "suite"}),
    "sdr": (_bursts, {"modulation", "frame_size"}),
}
"""What makes a link's receipts, and the options it takes."""
