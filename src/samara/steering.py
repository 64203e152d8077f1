# SPDX-License-Identifier: Apache-2.0
"""Settings of an emulated air that change while it runs: requests, one a line.

A command with ``--control`` reads JSON objects, one a line, from its standard input.
`do` names an action, and the other keys are its values: ``{"do": "lose", "count":
10}``. Each line is answered by one on standard output. The end of the input changes
nothing: the air goes on.
"""

from __future__ import annotations

import json
import os
import select
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from samara.errors import ArgumentError, MisuseError
from samara.records import Field, Record, record_class
from samara.records.parameters import (
    Parameter,
    ParameterError,
    Request,
    from_values,
    parameters_of,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LINE_MAX: Final = 1 << 16
"""Bytes of the longest line that is read."""
COUNT_MAX: Final = 1000
_READ_SIZE = 4096

Control: TypeAlias = Annotated[
    bool,
    Parameter(
        help="Read changes from stdin while running, one JSON object a line, and print"
        " JSON Lines: the answers, and what passes (docs/control.md)."
    ),
]
"""Whether a request lets lines of control in."""


@record_class
class ControlDone(Record):
    """Something that was asked for by a line of --control was done."""

    do: Annotated[str, Field("The action.")]
    sentence: Annotated[str, Field("What was done, for people.")]


@record_class
class ControlRefused(Record):
    """A line of --control was refused; it has changed nothing."""

    reason: Annotated[str, Field("What is wrong with it, for people.")]


@request_class
class Next(Request):
    """The frames, packets or bursts that come next."""

    count: Annotated[
        int, Parameter(help="How many of them.", values=range(1, COUNT_MAX + 1))
    ] = 10


@dataclass(frozen=True, slots=True)
class Action:
    """What a line can ask for."""

    request: type[Any]
    """The class of its values: a request, whose fields are the keys of the line."""
    run: Callable[[Any], str]
    """Does it with these values, and returns a sentence that says what was done."""


class ControlLines:
    """Reads lines when somebody has written them, and never waits.

    Parameters
    ----------
    actions
        What can be asked for, by name.
    descriptor
        What the lines are read from.
    """

    def __init__(self, actions: Mapping[str, Action], descriptor: int = 0) -> None:
        self._actions, self._descriptor = actions, descriptor
        self._unread = b""
        self._has_ended = False

    def attend(self) -> Iterator[ControlDone | ControlRefused]:
        """Do what was asked for since the last call; yield an answer to each line."""
        while not self._has_ended and self._is_readable():
            yield from self._take(os.read(self._descriptor, _READ_SIZE))

    def _is_readable(self) -> bool:
        readable, _, _ = select.select([self._descriptor], [], [], 0)
        return bool(readable)

    def _take(self, data: bytes) -> Iterator[ControlDone | ControlRefused]:
        self._has_ended = not data
        *lines, self._unread = (self._unread + data).split(b"\n")
        yield from map(self._answer_to, filter(bytes.strip, lines))
        if len(self._unread) > LINE_MAX:
            self._unread = b""
            yield ControlRefused(f"a line has at most {LINE_MAX} bytes")

    def _answer_to(self, line: bytes) -> ControlDone | ControlRefused:
        try:
            name, values = self._parsed(line)
            action = self._actions[name]
            return ControlDone(name, action.run(_request(action.request, values)))
        except ParameterError as error:
            return ControlRefused(f"{error.parameter.name} {error.problem}")
        except (MisuseError, OSError) as error:
            return ControlRefused(str(error))

    def _parsed(self, line: bytes) -> tuple[str, dict[str, Any]]:
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict) or not isinstance(values.get("do"), str):
            message = 'a line is a JSON object with "do" and the name of an action'
            raise ArgumentError(message)
        name = values.pop("do")
        if name not in self._actions:
            names = ", ".join(self._actions)
            message = f"there is no action {name!r:.60}: expected one of {names}"
            raise ArgumentError(message)
        return name, values


def _request(kind: type[Any], values: Mapping[str, Any]) -> Any:  # noqa: ANN401 - of the action's own type
    known = [each.name for each in parameters_of(kind)]
    if unknown := sorted(set(values) - set(known)):
        takes = ", ".join(known) or "no values"
        message = f"there is no value {unknown[0]!r:.60}: expected {takes}"
        raise ArgumentError(message)
    return from_values(kind, values)
