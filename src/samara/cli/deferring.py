# SPDX-License-Identifier: Apache-2.0
"""Parts of libraries that are imported only when they are used.

Typer's help imports a parser of Markdown and a painter of tracebacks. Help texts of
samara are no Markdown, and its tracebacks are Python's own; importing both takes more
time than all that shows the help of a command.
"""

import importlib
import sys
from types import ModuleType
from typing import Any

_UNUSED = {"rich.markdown": "Markdown", "rich.traceback": "Traceback"}
"""Modules, and the class that Typer imports from each."""


def defer_unused() -> None:
    """Let these modules be imported when their classes are first called."""
    for module, name in _UNUSED.items():
        if module not in sys.modules:
            sys.modules[module] = _standing_for(module, name)


def _standing_for(module: str, name: str) -> ModuleType:
    """Return a module whose class makes objects of the real one."""

    def made(_: type, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - of any class
        if sys.modules.get(module) is deferred:
            del sys.modules[module]
        return getattr(importlib.import_module(module), name)(*arguments, **named)

    deferred = ModuleType(module)
    setattr(deferred, name, type(name, (), {"__new__": made}))
    return deferred
