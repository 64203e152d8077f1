# SPDX-License-Identifier: Apache-2.0
"""Receipts with what the message costs on a device and its radio."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from samara import energy
from samara.energy import NotMeasuredError, Operation, Work
from samara.link.receipt import Direction

if TYPE_CHECKING:
    from samara.link.receipt import Figure, Receipt

_RADIOS = {"rf-serial": "srf", "ieee802154": "at86rf231"}
"""What is taken to carry a link when nothing else is said."""
_RADIOS_OF_DEVICES = {
    ("ieee802154", "msp430f1611"): "cc2420",
    ("ieee802154", "cortex-m4"): "nrf52840",
}
"""What is on the board or the chip with a device."""


def radio_for(link: str, device: str) -> str | None:
    """Return the radio that a device would have for a link; None for none."""
    return _RADIOS_OF_DEVICES.get((link, device), _RADIOS.get(link))


def with_costs(receipt: Receipt, device: str, radio: str | None = None) -> Receipt:
    """Return a receipt with what the message costs at its end of the link.

    What cannot be told, such as a suite that the bench has not measured on the
    device, is a note on the receipt.

    Parameters
    ----------
    device
        A name that `samara bench devices` lists.
    radio
        A name of `samara.energy.radios`; by default what goes with the device.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such device or radio.
    """
    energy.device(device)
    radio = radio or radio_for(receipt.link, device)
    figures, notes = _cryptography(receipt, device)
    if radio is not None:
        figures |= _radio(receipt, radio)
    found = receipt.with_figures(figures, *notes)
    return replace(found, device=device, radio=radio)


def _cryptography(receipt: Receipt, device: str) -> tuple[dict[str, Figure], list[str]]:
    if receipt.suite is None:
        return {}, []
    sending = receipt.direction is Direction.SENT
    work = Work(
        device,
        receipt.suite,
        Operation.SEAL if sending else Operation.OPEN,
        receipt.encrypted_bytes,
        receipt.authenticated_bytes,
    )
    try:
        cost = energy.cost_of(work)
    except NotMeasuredError as error:
        return {}, [f"{error}."]
    return {
        "crypto_cycles": cost.cycles,
        "crypto_time": cost.time,
        "crypto_energy": cost.energy,
    }, []


def _radio(receipt: Receipt, name: str) -> dict[str, Figure]:
    radio = energy.radio(name)
    air_time = receipt.figures.get("air_time")
    if air_time is None:
        return {}
    sending = receipt.direction is Direction.SENT
    return {"radio_energy": energy.radio_energy(radio, air_time, sending=sending)}
