# SPDX-License-Identifier: Apache-2.0
"""The kinds of link that can be demonstrated.

The demonstration of a kind of link is a folder here with the name of the folder
of the kind in `samara.link`. Its module demonstration.py has the class under the
name ``DEMONSTRATION``.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING

from samara.crypto.names import find
from samara.link.node.kinds import kinds

if TYPE_CHECKING:
    from samara.demo.exchange import Demonstration


def links() -> dict[str, str]:
    """Return the name of each kind with a demonstration, and the module of that."""
    folders = {
        name: type(kind).__module__.split(".")[-2] for name, kind in kinds().items()
    }
    return {
        name: f"samara.demo.{folder}.demonstration"
        for name, folder in folders.items()
        if find_spec(f"samara.demo.{folder}") is not None
    }


def demonstration(link: str, device: str) -> Demonstration:
    """Return the demonstration of a kind of link.

    Parameters
    ----------
    device
        The microcontroller of the costs on receipts.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none; the text names the nearest.
    """
    module = importlib.import_module(find("link", link, links()))
    found: Demonstration = module.DEMONSTRATION(device)
    return found
