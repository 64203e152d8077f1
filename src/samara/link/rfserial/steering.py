# SPDX-License-Identifier: Apache-2.0
"""What can be changed of two modems while they run: the actions of `--control`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from samara.errors import ArgumentError
from samara.link.rfserial.modem import Side
from samara.link.rfserial.modem_commands import UART_RATES
from samara.records import Field, Record, record_class
from samara.records.parameters import Between, Parameter, Request, request_class
from samara.steering import Action, Next

if TYPE_CHECKING:
    from samara.link.rfserial.modem import PacketOnAir, Pair

_SIDES = tuple(side.name.lower() for side in Side)


@record_class
class ModemPacket(Record):
    """A packet was on the air between the modems."""

    sender: Annotated[str, Field("The modem that sent it: `a` or `b`.")]
    data: Annotated[bytes, Field("Its bytes, without those the radio adds.")]
    fate: Annotated[str, Field("`arrived`, `damaged`, `lost` or `not heard`.")]


@request_class
class Conditions(Request):
    """What modems and air do from now on; what is not given stays as it was."""

    loss: Annotated[
        float | None,
        Parameter(
            help="Probability that a packet is lost.",
            values=Between(0, 1),
            default_text="as it is",
        ),
    ] = None
    bit_errors: Annotated[
        float | None,
        Parameter(
            help="Bit error rate on the air.",
            values=Between(0, 1),
            default_text="as it is",
        ),
    ] = None
    baud: Annotated[
        int | None,
        Parameter(
            help="Baud rate of both serial ports.",
            values=UART_RATES,
            default_text="as it is",
        ),
    ] = None


@request_class
class Injected(Request):
    """Bytes that a third modem sends."""

    sender: Annotated[
        str, Parameter(help="The modem in whose place it sends.", values=_SIDES)
    ] = _SIDES[0]
    hex: Annotated[str, Parameter(help="The bytes, as hex digits.")] = ""


def actions(pair: Pair) -> dict[str, Action]:
    """Return what a line can ask for."""

    def set_(wanted: Conditions) -> str:
        old = pair.air
        loss = old.loss if wanted.loss is None else wanted.loss
        errors = old.bit_errors if wanted.bit_errors is None else wanted.bit_errors
        pair.air = replace(old, loss=loss, bit_errors=errors)
        if wanted.baud is not None:
            pair.set_baud(wanted.baud)
        baud = pair.settings(Side.A).baud
        return (
            f"The air loses {loss:.3g} of all packets and changes {errors:.3g} of all"
            f" bits; the ports have {baud} baud."
        )

    def lose(wanted: Next) -> str:
        pair.lose(wanted.count)
        return f"The next {wanted.count} packets are lost."

    def send(wanted: Injected) -> str:
        try:
            data = bytes.fromhex(wanted.hex)
        except ValueError:
            message = f"hex must be hex digits, not {wanted.hex!r:.60}"
            raise ArgumentError(message) from None
        pair.inject(Side(_SIDES.index(wanted.sender)), data)
        return f"A third modem sends {len(data)} bytes in place of {wanted.sender}."

    return {
        "set": Action(Conditions, set_),
        "lose": Action(Next, lose),
        "send": Action(Injected, send),
    }


def packet_of(passed: PacketOnAir) -> ModemPacket:
    """Return the record of a packet."""
    return ModemPacket(passed.side.name.lower(), passed.packet, passed.fate.value)
