# SPDX-License-Identifier: Apache-2.0
"""Shared libraries of others, loaded when they are there."""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import TYPE_CHECKING, Any

from phy_peers.system import NotTriedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Signature = tuple[Any, "Sequence[Any]"]


def load(name: str, package: str, calls: Mapping[str, Signature]) -> Any:  # noqa: ANN401 - ctypes has no types
    """Return a library whose functions have these types of results and arguments.

    Raises
    ------
    NotTriedError
        If it is not there.
    """
    found = ctypes.util.find_library(name)
    if found is None:
        message = f"lib{name} is not installed (Debian: {package})"
        raise NotTriedError(message)
    library = ctypes.CDLL(found)
    for call, (result, arguments) in calls.items():
        function = getattr(library, call)
        function.restype, function.argtypes = result, arguments
    return library
