# SPDX-License-Identifier: Apache-2.0
"""What carries a conversation: the emulated air of one kind of link, and who hears it.

Each kind of link has a module in `samara.console.links`, found by scanning, with its
name ``LINK`` and a class ``STAGE`` that fits `Stage`.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from samara.console import links

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from samara.console.programs import Program
    from samara.records.fields import Record

ENDS = ("left", "right")
"""The two nodes of a conversation."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a person can let happen to the link."""

    name: str
    """In the address of the route."""
    group: str
    """What it is done to: `left`, `right`, or `air`."""
    label: str
    """On the button."""
    help: str
    """What it does, in a sentence."""
    run: Callable[[], Awaitable[str]]
    """Does it, and returns a sentence that says what was done."""


class Stage(Protocol):
    """The air of one conversation.

    It is made with the folder of the conversation, which has a folder for each end, and
    with what is called with each record that the page gets.
    """

    def __init__(self, folder: Path, tell: Callable[[Record], None]) -> None: ...

    @property
    def node_options(self) -> Mapping[str, Any]:
        """Options that the nodes are made with, in place of the defaults."""
        ...

    async def open(self, tell_end: Callable[[Program], None]) -> None:
        """Start what emulates the air, and listen to it.

        Raises
        ------
        samara.console.programs.ProgramEndedError
            When it does not start.
        """
        ...

    def up_options(self, end: str) -> list[str]:
        """Return options of `samara node up` for an end, when the air is open."""
        ...

    def acts(self) -> list[Act]:
        """Return what an attacker, or bad luck, can do on this air."""
        ...

    async def close(self) -> None:
        """End all of it."""
        ...


@cache
def stages() -> dict[str, type[Stage]]:
    """Return the class for each kind of link, by the name of the kind."""
    found = {}
    for each in pkgutil.iter_modules(links.__path__):
        module = importlib.import_module(f"{links.__name__}.{each.name}")
        found[module.LINK] = module.STAGE
    return found
