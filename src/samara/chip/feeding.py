# SPDX-License-Identifier: Apache-2.0
"""What a host spends to put a message into a core, and to take the answer.

The core has no registers for key, nonce and tag: a wrapper of rtl/ has them, and the
host reaches the core through it. What it has to do for one message is counted from the
wrapper's table of registers, or of commands (docs/chip.md):

======  ===============================================================================
top     for one message
======  ===============================================================================
axi     NONCE 3 words, AD_SIZE, SIZE, CONTROL, STATUS once, TAG 2 words: 9 accesses;
        a beat for each byte (N = 32: 2 bytes, N = 64: 4) that goes in or comes out
spi     NONCE 12 bytes, SEAL or OPEN 4, STATUS, DATA, and TAG 8 (opening: STATUS again),
        each behind a byte of command; two more bytes of DATA to get the last answers
        (opening: the tag of 8 bytes)
======  ===============================================================================

A new key takes 4 accesses more (serial: 17 bytes).

How many cycles of the host an access takes depends on the host and on what is between
it and the wrapper. What is assumed here is the least that is usual: `ACCESS_CYCLES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.chip.clocks import data_width
from samara.chip.design import AXI, CORE, check_top
from samara.errors import MisuseError
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from samara.bench.devices import Device
    from samara.chip.design import Core

INSTRUCTION_CYCLES = 2
"""Of a load or store: Cortex-M0 (ARM DDI 0432, table of instructions, no wait states);
LDS and STS of AVR take as many."""
BUS_CYCLES = 2
"""Of an access to APB without wait states, as the wrapper answers: set-up and access
phase (ARM IHI 0024)."""
ACCESS_CYCLES = INSTRUCTION_CYCLES + BUS_CYCLES
"""Of an access to a register, no wider than the host's words. That bus and host have
one clock, and that no bridge between them waits, is assumed."""
ASSUMPTION = (
    f"assumed: {ACCESS_CYCLES} cycles an access (load or store {INSTRUCTION_CYCLES},"
    f" APB {BUS_CYCLES}, no bridge), {INSTRUCTION_CYCLES} more a beat for the host's"
    " memory, no loop, no DMA"
)

_REGISTER_BITS = 32
_KEY_WORDS, _NONCE_WORDS, _TAG_WORDS = 4, 3, 2
_SIZES, _CONTROL, _STATUS = 2, 1, 1
AXI_ACCESSES = _NONCE_WORDS + _SIZES + _CONTROL + _STATUS + _TAG_WORDS
"""Of registers, for a message; opening, the tag is written instead of read."""
_COMMAND = 1
_KEY_BYTES, _NONCE_BYTES, _TAG_BYTES = 16, 12, 8
_SERIAL_SIZES = 4
_BEHIND = 2
"""Bytes that must follow the last of the message, as answers come two bytes later."""
_MOST_SERIAL = 0xFFFF
_ACCESSES_A_BYTE = 2
"""A write to the data register of the host's own port, and a read."""
_HOST_BITS = {"avr": 8, "msp430": 16, "msp430x": 16}
"""Bits that a load takes, by family of devices; 32 otherwise."""


@dataclass(frozen=True, slots=True)
class Feed:
    """Accesses and data beats of a wrapper for one message."""

    top: str
    """The wrapper: "axi" or "spi"."""
    accesses: int
    """Of registers of 32 bits; 0 for the serial wrapper."""
    beats: int
    """Of both streams, into the core and out of it."""
    beat_bytes: int
    port_bytes: int
    """Bytes of the serial port, commands included."""

    def host_cycles(self, bits: int = 32) -> int:
        """Return the cycles of a host that moves all of it itself.

        Parameters
        ----------
        bits
            That a load or store of the host takes: 8, 16 or 32.
        """
        registers = self.accesses * -(-_REGISTER_BITS // bits) * ACCESS_CYCLES
        parts = -(-8 * self.beat_bytes // bits)
        beats = self.beats * parts * (ACCESS_CYCLES + INSTRUCTION_CYCLES)
        return registers + beats + self.port_bytes * _ACCESSES_A_BYTE * ACCESS_CYCLES

    def figure(self, bits: int = 32) -> Figure:
        """Return the cycles of a host as a figure."""
        counted = f"{self.accesses} accesses and {self.beats} beats"
        if self.port_bytes:
            counted = f"{self.port_bytes} bytes of the serial port, 2 accesses each"
        source = f"{counted}, host of {bits} bits; {ASSUMPTION}"
        return Figure(self.host_cycles(bits), "cycle", Origin.ASSUMED, source)


def host_bits(device: Device) -> int:
    """Return the bits that a load of a device takes."""
    return _HOST_BITS.get(device.family.folder.name, 32)


def of_message(
    core: Core,
    message_bytes: int,
    ad_bytes: int = 0,
    *,
    top: str = AXI,
    opens: bool = False,
    with_key: bool = False,
) -> Feed:
    """Return what goes through a wrapper for one message.

    Parameters
    ----------
    core
        One that authenticates.
    message_bytes
        Bytes of the message, without the tag.
    ad_bytes
        Bytes of associated data.
    top
        The wrapper, "axi" or "spi".
    opens
        Whether the message is opened.
    with_key
        Whether the key is written, too. It stays in the wrapper otherwise.

    Raises
    ------
    samara.errors.MisuseError
        If the wrapper does not have the core, or does not take such a message.

    Examples
    --------
    >>> from samara.chip.design import core
    >>> of_message(core("grain-n8"), 16).accesses
    9
    """
    if top == CORE:
        message = "a core alone has no registers: use axi or spi"
        raise MisuseError(message)
    check_top(core, top)
    if top == AXI:
        return _axi(core, message_bytes, ad_bytes, with_key=with_key)
    if max(message_bytes, ad_bytes) > _MOST_SERIAL:
        message = (
            f"the serial wrapper takes at most {_MOST_SERIAL} bytes of message and of"
            " associated data: use axi"
        )
        raise MisuseError(message)
    given = message_bytes + ad_bytes
    return _serial(given, opens=opens, with_key=with_key)


def _axi(core: Core, message_bytes: int, ad_bytes: int, *, with_key: bool) -> Feed:
    size = max(data_width(core) // 8, 1)
    into, out = -(-(ad_bytes + message_bytes) // size), -(-message_bytes // size)
    accesses = AXI_ACCESSES + _KEY_WORDS * with_key
    return Feed(AXI, accesses, into + out, size, 0)


def _serial(given: int, *, opens: bool, with_key: bool) -> Feed:
    sizes = [_NONCE_BYTES, _SERIAL_SIZES, 0]
    if with_key:
        sizes.append(_KEY_BYTES)
    if opens:
        sizes += [given + _TAG_BYTES, 0]
    else:
        sizes += [given + _BEHIND] if given else []
        sizes.append(_TAG_BYTES)
    return Feed("spi", 0, 0, 1, sum(sizes) + _COMMAND * len(sizes))
