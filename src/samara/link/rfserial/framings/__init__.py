# SPDX-License-Identifier: Apache-2.0
"""The framings of a serial link, found by scanning this package.

A module here with `FRAMINGS` has one or more. The settings, the options of nodes, the
warnings and the receipts are made from them.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from samara.link.rfserial.settings import FramingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.rfserial.framing import Framing

_DEFAULT = "sealed"


def _found() -> Iterator[Framing]:
    for module in pkgutil.iter_modules(__path__):
        yield from importlib.import_module(f"{__name__}.{module.name}").FRAMINGS


FRAMINGS = {
    each.name: each for each in sorted(_found(), key=lambda one: one.name != _DEFAULT)
}
"""All framings by name, first the one that is the default."""


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
