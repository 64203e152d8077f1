# SPDX-License-Identifier: Apache-2.0
"""The table of the framings of a serial link.

A new framing is a module with a `Framing` and a row here; the settings, the options
of nodes, the warnings and the receipts are made from the row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.link.rfserial.published import CBC_HEX, CBC_HEX_PADDED, PLAIN
from samara.link.rfserial.sealed import SEALED
from samara.link.rfserial.settings import FramingError

if TYPE_CHECKING:
    from samara.link.rfserial.framing import Framing

FRAMINGS = {each.name: each for each in (SEALED, PLAIN, CBC_HEX, CBC_HEX_PADDED)}
"""All framings by name. `sealed` is the default."""


def framing_named(name: str) -> Framing:
    """Return the framing of this name.

    Raises
    ------
    FramingError
        When there is none.
    """
    try:
        return FRAMINGS[name]
    except KeyError:
        names = ", ".join(FRAMINGS)
        message = f"there is no framing {name!r}; choose one of {names}"
        raise FramingError(message) from None
