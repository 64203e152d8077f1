# SPDX-License-Identifier: Apache-2.0
"""Nodes that are killed at a durable write, or at any step, within one process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from link_toys import ToyLink
from quiet_air import abandon, rounds

from samara.link.node.receiving import Receiver
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


@dataclass
class Steps:
    """Counts the steps that something takes, and kills it before or after one."""

    monkeypatch: pytest.MonkeyPatch
    is_after: bool
    at: int = -1
    count: int = 0
    is_armed: bool = False

    def arm(self, at: int) -> None:
        self.at, self.count, self.is_armed = at, 0, True

    def count_node(self, victim: Callable[[], Node]) -> None:
        """Count durable writes and notes, frames that arrive, and what is confirmed."""
        self.count_in(State, "_change", lambda: victim().state)
        self.count_in(State, "_store_unsynced", lambda: victim().state)
        self.count_in(ToyLink, "send", lambda: victim().link)
        for name in ("receive", "confirm"):
            self.count_in(Receiver, name, lambda: victim()._receiver)  # noqa: SLF001

    def count_in(
        self, owner: type, name: str, victim: Callable[[], object] | None = None
    ) -> None:
        """Count the calls of a method; of one object, or of all."""
        original = getattr(owner, name)

        def counted(each: object, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            is_other = victim is not None and each is not victim()
            if not self.is_armed or is_other:
                return original(each, *arguments, **options)
            number, self.count = self.count, self.count + 1
            if number == self.at and not self.is_after:
                raise KilledError
            result = original(each, *arguments, **options)
            if number == self.at:
                raise KilledError
            return result

        self.monkeypatch.setattr(owner, name, counted)
