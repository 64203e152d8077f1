# SPDX-License-Identifier: Apache-2.0
"""The links that can be demonstrated: one module each."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from samara.crypto.names import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.demo.exchange import Demonstration

LINKS: Mapping[str, str] = {
    "rf-serial": "samara.demo.rf_serial",
    "ieee802154": "samara.demo.ieee802154",
    "sdr": "samara.demo.sdr",
}
"""The module of each; it has the class under the name ``DEMONSTRATION``."""


def demonstration(link: str, device: str) -> Demonstration:
    """Return a link's demonstration.

    Parameters
    ----------
    device
        What receipts tell the costs on.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such link; the text tells the nearest names.
    """
    module = importlib.import_module(find("link", link, LINKS))
    found: Demonstration = module.DEMONSTRATION(device)
    return found
