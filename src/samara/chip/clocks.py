# SPDX-License-Identifier: Apache-2.0
"""Clocks that a core takes for a message: exact, and a function of lengths alone.

A core takes N bits of pre-output in a clock and W = N/2 bits of a message (N = 1: one
bit in two clocks). A message has these parts, in clocks:

==================  =========  ======================================================
part                clocks     reason
==================  =========  ======================================================
start               1          the clock in which ``start`` and ``ready`` are high
load                128/N      key and nonce
start-up            384/N      320 with the pre-output fed back, 64 that add the key
fill                2 · 64/W   accumulator and register, W bits in a clock
words               B/W        B bits of length, associated data and message; N = 1:
                               2 B - 1, as the last bit needs no second clock
bit that ends it    0 or 1     1 if the last word is full; N = 1: 2
received tag        64/W + 1   opening only: the tag, then its sum with the computed one
settle              0 or 1     1 if the authenticator is isolated: a clock behind
end                 1          the tag is there, or compared
==================  =========  ======================================================

The length is one of DER (ITU-T X.690, 8.1.3): one byte for less than 128 bytes of
associated data, 2 for less than 256, and so on. The next message can start in the clock
behind the last, so the sum is also the time from message to message.

This holds for a core that never waits; each clock in which a side stalls adds one at
most. Stage ``rtl`` of ``./test`` compares each function here with simulations of every
N and variant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.chip.design import Variant
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.chip.design import Core

# Clocks of the cipher before the words: load 128, feedback 320, key 64.
_START_UP = 128 + 320 + 64
# What fills accumulator and register, and what the keystream skips.
_FILL = 2 * 64
_TAG_BITS = 64
# Narrowest core of low power whose authenticator is isolated.
_ISOLATES_FROM = 16
_SHORT_LENGTH = 0x80
# The first length that the AXI wrapper's registers cannot hold is 65536; the core has
# no such limit. DER has one: 126 bytes that tell the length.
_MOST_LENGTH_BYTES = 126


def data_width(core: Core) -> int:
    """Return the bits of a word of data, W."""
    return max(1, core.n // 2) if core.authenticates else core.n


def length_bytes(ad_bytes: int) -> int:
    """Return the bytes that the length of the associated data takes in DER.

    Raises
    ------
    samara.errors.MisuseError
        If the length is negative.
    """
    _check("associated data", ad_bytes)
    if ad_bytes < _SHORT_LENGTH:
        return 1
    digits = (ad_bytes.bit_length() + 7) // 8
    if digits > _MOST_LENGTH_BYTES:
        message = "the length of the associated data does not fit into DER"
        raise MisuseError(message)
    return 1 + digits


def isolates(core: Core) -> bool:
    """Tell whether the authenticator has flip-flops in front of it.

    Fast cores have them, and those of low power from N = 16 on.
    """
    if core.variant is Variant.FAST:
        return True
    return core.variant is Variant.LOW_POWER and core.n >= _ISOLATES_FROM


def start_up_clocks(core: Core) -> int:
    """Return the clocks from ``start`` to the first word or keystream bit.

    It is the number of clocks between the one with ``start`` and the first with
    ``in_ready`` (without authentication: ``out_valid``), the former included.
    """
    # N = 1 fills a bit in a clock, too: it needs no second bit of pre-output for it.
    return 1 + _START_UP // core.n + _FILL // data_width(core)


def message_clocks(
    core: Core, ad_bytes: int, message_bytes: int, *, opens: bool = False
) -> int:
    """Return the clocks to seal or to open one message, without stalls.

    Parameters
    ----------
    core
        One that authenticates.
    ad_bytes
        Bytes of associated data.
    message_bytes
        Bytes of the message, without the tag.
    opens
        Whether the message is opened. Right and wrong tags take the same time.

    Returns
    -------
    int
        Clocks from the one with ``start`` to the one with ``done``, both included.

    Raises
    ------
    samara.errors.MisuseError
        If the core makes a keystream, or a length is negative.

    Examples
    --------
    >>> from samara.chip.design import core
    >>> message_clocks(core("grain-n8"), ad_bytes=0, message_bytes=16)
    133
    """
    if not core.authenticates:
        message = f"{core.name} makes a keystream: use keystream_clocks"
        raise MisuseError(message)
    _check("message", message_bytes)
    width = data_width(core)
    bits = 8 * (length_bytes(ad_bytes) + ad_bytes + message_bytes)
    words = -(-bits // width)
    serial = core.n == 1
    run = 2 * words - 1 if serial else words
    pad = 2 if serial else int(bits % width == 0)
    tag = _TAG_BITS // width + 1 if opens else 0
    settle = int(isolates(core))
    return start_up_clocks(core) + run + pad + tag + settle + 1


def keystream_clocks(core: Core, bits: int) -> int:
    """Return the clocks for so many bits of keystream, start-up included.

    Raises
    ------
    samara.errors.MisuseError
        If the core authenticates, or the number is negative.
    """
    if core.authenticates:
        message = f"{core.name} seals messages: use message_clocks"
        raise MisuseError(message)
    _check("keystream", bits)
    return start_up_clocks(core) + -(-bits // core.n)


def clear_clocks(core: Core) -> int:
    """Return the clocks from ``clear`` until the core is ready again, without both."""
    return 128 // core.n


def _check(what: str, size: int) -> None:
    if size < 0:
        message = f"a length of {size} ({what}) is negative: give 0 or more"
        raise MisuseError(message)
