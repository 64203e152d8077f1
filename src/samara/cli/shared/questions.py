# SPDX-License-Identifier: Apache-2.0
"""The commands by what they ask: the console's page tells which command is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.cli.commands import COMMANDS
from samara.cli.running import load

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def commands() -> Mapping[str, tuple[str, str]]:
    """Return command and help by the function that it asks, without ``samara.``.

    All commands are imported for that.
    """
    return {
        callback.asks.removeprefix("samara."): (
            f"samara {name}",
            _help_without_examples(callback),
        )
        for row in COMMANDS
        for name, callback in _callbacks(row.name, load(row))
        if hasattr(callback, "asks")
    }


def _callbacks(name: str, command: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - Typer does not name the type
    inner = getattr(command, "commands", None)
    for part, each in (inner or {}).items():
        yield from _callbacks(f"{name} {part}", each)
    if inner is None:
        yield name, command.callback


def _help_without_examples(callback: Any) -> str:  # noqa: ANN401 - as above
    """Return the help of a command, without its examples."""
    text = (callback.__doc__ or "").partition("\b")[0].split("\n\n")
    return "\n".join(" ".join(each.split()) for each in text).strip()
