# SPDX-License-Identifier: Apache-2.0
"""How packets travel on serial lines: a module each, found by scanning."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.rfserial.modules.wrapping import Wrapping


@cache
def wrappings() -> Mapping[str, Wrapping]:
    """Return all wrappings by name."""
    modules = [
        importlib.import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
    ]
    return {module.WRAPPING.name: module.WRAPPING for module in modules}
