# SPDX-License-Identifier: Apache-2.0
"""Modules of a package by name: symbol_order.py is ``symbol-order``."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType


def objects_of(package: ModuleType, attribute: str) -> dict[str, Any]:
    """Return the object of this name of each module of a package."""
    modules = sorted(each.name for each in pkgutil.iter_modules(package.__path__))
    return {
        name.replace("_", "-"): getattr(
            importlib.import_module(f"{package.__name__}.{name}"), attribute
        )
        for name in modules
    }
