# SPDX-License-Identifier: Apache-2.0
"""When this process searches for objects that hold one another in a circle.

Python does so after so many new objects. Modules are tens of thousands of objects that
stay: to look through those of `samara energy life` once took a fifth of its time.
"""

import functools
import gc
from collections.abc import Callable
from typing import Any

_NEW_OBJECTS = 50_000
"""After which the command searches: results of the bench are objects that stay, too."""

_held: list[bool] = []


def hold_search() -> None:
    """Search for nothing until the command begins: nothing can be found before."""
    gc.set_threshold(_NEW_OBJECTS, 20, 100)
    gc.disable()
    _held.append(True)


def searching(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with which a held search begins; what is there stays."""

    @functools.wraps(callback)
    def called(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - those of any command
        if _held:
            _held.clear()
            gc.freeze()
            gc.enable()
        return callback(*arguments, **options)

    return called
