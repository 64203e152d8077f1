# SPDX-License-Identifier: Apache-2.0
"""Which radio a node has: one that sends what its medium access needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy import catalogue
from samara.energy.own_parts import NO_PARTS
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.medium_access import MediumAccess
    from samara.energy.own_parts import OwnParts


def radio_of(
    access: MediumAccess,
    wanted: str | None,
    usual: str | None,
    own: OwnParts = NO_PARTS,
) -> str:
    """Return the radio of a node.

    Parameters
    ----------
    wanted
        A radio that was named.
    usual
        The radio in place of one that was named; where it does not send what the
        medium access needs, the one that is usual for the medium access.
    own
        Parts of the user that the name may mean.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such radio.
    MisuseError
        When it does not send what the medium access needs, or none is usual.
    """
    if wanted is not None:
        if not own.radio(wanted).sends(access.needs):
            raise MisuseError(_refusal(wanted, access))
        return wanted
    if usual is not None and catalogue.radio(usual).sends(access.needs):
        return usual
    if access.usual_radio:
        return access.usual_radio
    able = f" {', '.join(_radios_that_send(access.needs))}" if access.needs else ""
    message = f"no radio is usual for this link and device: give --radio{able}"
    raise MisuseError(message)


def _radios_that_send(needed: str) -> list[str]:
    return [each.name for each in catalogue.radios() if each.sends(needed)]


def _refusal(radio: str, access: MediumAccess) -> str:
    return (
        f"{radio} does not send {access.needs}, which {access.title.split(':')[0]} "
        f"needs: give --radio {', '.join(_radios_that_send(access.needs))}"
    )
