# SPDX-License-Identifier: Apache-2.0
"""The types of records that there are, and the commands that print each."""

from __future__ import annotations

import importlib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import samara
from samara.cli.commands import COMMANDS
from samara.cli.running import load
from samara.doctor.versions import Versions
from samara.records import Record
from samara.records.fields import is_record_class

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PACKAGE = Path(samara.__file__).parent


def types() -> list[type[Record]]:
    """Return the classes of all records of samara, by the names of their types.

    Every module that makes one is imported. A class that others are made from is no
    type of its own.
    """
    for path in sorted(_PACKAGE.rglob("*.py")):
        if "@record_class" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(_PACKAGE).with_suffix("").parts)
            importlib.import_module(f"samara.{name.removesuffix('.__init__')}")
    found = [
        each for each in _below(Record) if not each.__subclasses__() and _is_ours(each)
    ]
    return sorted(found, key=lambda each: (each.type_name(), each.__module__))


def _is_ours(kind: type[Record]) -> bool:
    # A dataclass with slots is a second class; the first one is still a subclass.
    is_samara = kind.__module__.split(".")[0] == samara.__name__
    return is_samara and is_record_class(kind)


def _below(kind: type[Record]) -> Iterator[type[Record]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def commands() -> Mapping[type[Record], list[str]]:
    """Return what prints records of each class, such as ``energy life``."""
    found: dict[type[Record], list[str]] = defaultdict(list)
    found[Versions].append("--version")
    for row in COMMANDS:
        for name, command in _commands(row.name, load(row)):
            for kind in getattr(command.callback, "prints", ()):
                found[kind].append(name)
    return found


def _commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - Typer does not name the type
    inner = getattr(command, "commands", {})
    for part, each in inner.items():
        yield from _commands(f"{name} {part}", each)
    if not inner:
        yield name, command
