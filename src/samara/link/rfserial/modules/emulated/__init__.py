# SPDX-License-Identifier: Apache-2.0
"""Emulated serial modules: what their profiles say that they do to bytes.

An emulated module cuts or takes packets as the profile says, loses what comes while its
buffer is full or within the gap that it needs, and answers commands while it is being
set up. How a module reads its serial line is one module of this folder for each
wrapping that keeps packets, found by scanning: its class `FAR_END`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.rfserial.modules.emulated.far_end import FarEnd


@cache
def far_ends() -> Mapping[str, type[FarEnd]]:
    """Return how modules read and write their lines, by the names of wrappings."""
    modules = [
        importlib.import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
    ]
    return {
        module.FAR_END.wrapping: module.FAR_END
        for module in modules
        if hasattr(module, "FAR_END")
    }
