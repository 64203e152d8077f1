# SPDX-License-Identifier: Apache-2.0
"""What several requests have that synthesise, simulate or place cores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from samara.chip.recipes import Goal
from samara.records import Parameter, Progress
from samara.records.paths import DIRECTORY, OUTPUT_DIRECTORY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeVar

    _T = TypeVar("_T")

BOTH = "both"

LibertyFile: TypeAlias = Annotated[
    Path | None,
    Parameter(
        name="liberty",
        metavar="FILE",
        help="Liberty file of the cells, also compressed by gzip.",
        default_text="OSU018 of Debian's package qflow-tech-osu018",
    ),
]
GoalName: TypeAlias = Annotated[
    str,
    Parameter(
        name="goal",
        metavar="GOAL",
        help="What netlists are made for.",
        values=(*Goal, BOTH),
        names=lambda: (*Goal, BOTH),
        names_in_words="area, speed or both",
    ),
]
Store: TypeAlias = Annotated[
    Path | None,
    Parameter(
        name="store",
        metavar="DIR",
        help="Directory with the file of the library that results go to.",
        values=OUTPUT_DIRECTORY,
        default_text="build/chip/results",
    ),
]
Stores: TypeAlias = Annotated[
    tuple[Path, ...],
    Parameter(
        name="store",
        metavar="DIR",
        help="Directory of results (repeatable).",
        values=DIRECTORY,
        default_text="results/chip and your own",
    ),
]


def output_of(what: str) -> Parameter:
    """Return the parameter for a directory that files of each run are copied to."""
    return Parameter(
        name="output",
        short="o",
        metavar="DIR",
        help=f"Directory for {what}.",
        values=OUTPUT_DIRECTORY,
        default_text="build/chip only",
    )


def goals_of(name: str) -> tuple[Goal, ...]:
    """Return the goals that a request names."""
    return tuple(Goal) if name == BOTH else (Goal(name),)


def counted(
    doing: str, total: int, items: Iterable[_T]
) -> Iterator[tuple[_T, Progress]]:
    """Yield items as they come, each with how far the work then is."""
    for done, item in enumerate(items, 1):
        yield item, Progress(done / total, f"{doing} {done} of {total}")


def begun(doing: str, runs: Sequence[object]) -> Progress:
    """Return how far the work is at its beginning."""
    return Progress(0.0, f"{doing} 0 of {len(runs)}")
