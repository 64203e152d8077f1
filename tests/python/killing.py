# SPDX-License-Identifier: Apache-2.0
"""Nodes that are killed at a durable write, within one process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from quiet_air import abandon, rounds

from samara.link.node.state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from samara.link.node.node import Node


class KilledError(BaseException):
    """What stands for SIGKILL: nothing but the tests catches it."""


@dataclass
class Killer:
    """Kills a node at one of its durable writes, before or after it."""

    monkeypatch: pytest.MonkeyPatch
    at: int = -1
    after: bool = False
    writes: int = 0
    victim: State | None = None
    _change: Any = field(default=None)

    def __post_init__(self) -> None:
        self._change = State._change  # noqa: SLF001 - where it writes
        killer = self

        def change(state: State, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
            if state is not killer.victim:
                killer._change(state, *arguments, **options)
                return
            number, killer.writes = killer.writes, killer.writes + 1
            if number == killer.at and not killer.after:
                raise KilledError
            killer._change(state, *arguments, **options)
            if number == killer.at:
                raise KilledError

        self.monkeypatch.setattr(State, "_change", change)


def killed_during(
    act: Callable[[dict[str, Node]], None], nodes: dict[str, Node], victim: str
) -> bool:
    """Let nodes do something, and end all of them; tell whether one was killed."""
    was_killed = False
    try:
        act(nodes)
    except KilledError:
        abandon(nodes.pop(victim))
        was_killed = True
        # What it has sent before still arrives.
        rounds(*nodes.values(), count=2)
    for node in nodes.values():
        try:
            node.close()
        except KilledError:
            # It has let go of its files all the same.
            was_killed = True
    return was_killed
