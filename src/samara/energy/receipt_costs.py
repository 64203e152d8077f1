# SPDX-License-Identifier: Apache-2.0
"""Receipts with what the message costs on a device and its radio."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from samara import energy
from samara.energy import NotMeasuredError, Operation, Work
from samara.energy.cryptography import on_board
from samara.energy.own_parts import NO_PARTS
from samara.figure import Figure, weakest
from samara.link.node.kinds import kinds
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.energy.catalogue import Radio
    from samara.energy.cryptography import Cost
    from samara.energy.own_parts import OwnParts
    from samara.link.node.receipt import Call, Receipt


def radio_for(link: str, device: str, own: OwnParts = NO_PARTS) -> str | None:
    """Return the radio that a device is assumed to have for a link, or None.

    That is what the device's own description names (a core's: that of its host; one
    without a description in the bench: that of the device whose cycles it has), or else
    the kind of link.
    """
    measured = own.measured_as(device)
    named = energy.device(energy.host_of(measured)).radios.get(link)
    return named or (kinds()[link].radio if link in kinds() else None)


def with_costs(
    receipt: Receipt,
    device: str,
    radio: str | None = None,
    own: OwnParts = NO_PARTS,
) -> Receipt:
    """Return a receipt with what the message costs at its end of the link.

    What cannot be told, such as a suite that the bench has not measured on the
    device, is a note on the receipt.

    Parameters
    ----------
    device
        A name that `samara bench devices` lists, or that of a core beside such a device
        (`samara.energy.coprocessor`), or of a device of `own`.
    radio
        A name of `samara.energy.catalogue` or `own`; by default that of the receipt, or
        what goes with the device.
    own
        Parts of the user.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such device or radio.
    MisuseError
        When there are no results about the power of the core.
    """
    energy.host_of(own.measured_as(device))
    radio = radio or receipt.radio or radio_for(receipt.link, device, own)
    figures, remarks = _cryptography(receipt, device, own)
    if radio is not None:
        found, doubts = _radio(receipt, own.radio(radio))
        figures, remarks = figures | found, remarks + doubts
    costed = receipt.with_figures(figures, *remarks)
    return replace(costed, device=device, radio=radio)


def _cryptography(
    receipt: Receipt, device: str, own: OwnParts
) -> tuple[dict[str, Figure], list[str]]:
    if not receipt.calls:
        return {}, []
    measured = own.measured_as(device)
    try:
        # Of each payload; that of an acknowledgement has as many bytes.
        energy.check_tag(measured, receipt.parts.get("tag", 0) / receipt.payloads)
        works = [(_work(call, measured), call.count) for call in receipt.calls]
        costs = [(_cost(work, device, own), count) for work, count in works]
        all_works = [work for work, count in works for _ in range(count)]
        remarks = energy.host_and_wrapper_remarks(measured, all_works)
    except NotMeasuredError as error:
        return {}, [f"{error}."]
    return {
        "crypto_cycles": _sum((cost.cycles, count) for cost, count in costs),
        "crypto_time": _sum((cost.time, count) for cost, count in costs),
        "crypto_energy": _sum((cost.energy, count) for cost, count in costs),
    }, remarks


def _cost(work: Work, device: str, own: OwnParts) -> Cost:
    cost = energy.cost_of(work)
    if own.device(device) is None:
        return cost
    return on_board(cost, own.board(device))


def _work(call: Call, device: str) -> Work:
    operation = Operation(call.verb.value)
    return Work(device, call.suite, operation, call.message_bytes, call.ad_bytes)


def _sum(figures: Iterable[tuple[Figure, int]]) -> Figure:
    """Return the sum of figures, each times its count."""
    taken = list(figures)
    return Figure(
        sum(figure.value * count for figure, count in taken),
        taken[0][0].unit,
        weakest(*(figure.origin for figure, _ in taken)),
        "; ".join(dict.fromkeys(figure.source for figure, _ in taken)),
    )


def _radio(receipt: Receipt, radio: Radio) -> tuple[dict[str, Figure], list[str]]:
    on_air = receipt.figures.get("air_time")
    if on_air is None:
        return {}, []
    rate = radio.bit_rate.value
    of_link = kinds()[receipt.link].bit_rate if receipt.link in kinds() else None
    if of_link is not None and rate != of_link:
        text = (
            f"The energy of {radio.name} is not told: it sends {rate / 1e3:g} kbit/s, "
            f"and the air time is that of {of_link / 1e3:g} kbit/s."
        )
        return {}, [text]
    sending = receipt.direction is Direction.SENT
    shares = []
    if (listening := receipt.figures.get("listening_time")) is not None:
        shares.append(energy.radio_energy(radio, listening, sending=False))
    if (answering := receipt.figures.get("acknowledgement_time")) is not None:
        shares.append(energy.radio_energy(radio, answering, sending=not sending))
        on_air = replace(on_air, value=on_air.value - answering.value)
    shares.insert(0, energy.radio_energy(radio, on_air, sending=sending))
    if len(shares) == 1:
        return {"radio_energy": shares[0]}, []
    return {"radio_energy": _sum((share, 1) for share in shares)}, []
