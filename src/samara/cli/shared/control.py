# SPDX-License-Identifier: Apache-2.0
"""The option --control of commands that emulate an air."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from samara.cli.shared.json_lines import print_record
from samara.steering import ControlLines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from samara.records import Record
    from samara.steering import Action

Control = Annotated[
    bool,
    typer.Option(
        "--control",
        help="Read changes from stdin while running, one JSON object a line, and print"
        " JSON Lines: the answers, and what passes (docs/control.md).",
    ),
]


def attended(
    is_over: Callable[[], bool],
    actions: Mapping[str, Action],
    news: Callable[[], Iterable[Record]] = tuple,
) -> Callable[[], bool]:
    """Return what does what lines on stdin ask for, whenever it is asked for the end.

    Parameters
    ----------
    news
        Returns what has happened since the last call; it is printed.
    """
    lines = ControlLines(actions, print_record)

    def over() -> bool:
        lines.attend()
        for record in news():
            print_record(record)
        return is_over()

    return over
