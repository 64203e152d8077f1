# SPDX-License-Identifier: Apache-2.0
"""Measure how reliably the receiver finds frame counters that are not sent.

Each frame is searched for twice: in a window of counters that contains its
counter at a random place, and in a window that does not. The table shows the
share of the counters that are found, the number of wrong counters that are
found, and the share of the frames that can be decoded if the counter is known.
Speeds are millions of counters per second of one core's processor time.

\b
Examples:
  samara phy sync
  samara phy sync --window 65536 --ebn0 3 --frames 200
  samara phy sync --ebn0 0:5:0.5 -o sync --json
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from samara.cli.phy.options import (
    Ebn0,
    ModulationName,
    Out,
    PayloadSize,
    Seed,
    columns,
    say_written,
    show,
    values_of,
)
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.tables import Wide  # noqa: TC001 - Typer reads it when it runs
from samara.crypto import ple_sync
from samara.phy import pictures, searching
from samara.phy.coded import Code
from samara.phy.modulation import find
from samara.phy.trial import Case, Fading

if TYPE_CHECKING:
    from collections.abc import Sequence


_SYNC_COLUMNS = columns(
    searching.HEAD, numeric_from=0, ranks=(0, 3, 0, 2, 1, 0, 4, 1, 1)
)


def _sync(  # noqa: PLR0913 - one parameter an option
    *,
    window: Annotated[
        int, typer.Option(min=1, max=1 << 24, help="Frame counters to try.")
    ] = ple_sync.WIDE_WINDOW,
    ebn0: Ebn0 = "0:5:1",
    frames: Annotated[
        int, typer.Option(min=1, help="Frames for each value of Eb/N0.")
    ] = 1000,
    modulation: ModulationName = "bpsk",
    payload: PayloadSize = 48,
    seed: Seed = 1,
    output: Out = None,
    wide: Wide = False,
    as_json: Json = False,
) -> None:
    if output is not None:
        pictures.need_matplotlib()
    case = Case(find(modulation).name, Code.CONV, Fading.NONE, payload)
    points = _searched(case, values_of(ebn0), window, frames, seed)
    if as_json:
        for point in points:
            print_json("counter_search", searching.as_json(point, seed))
    else:
        title = f"{modulation}, code conv, {window} counters"
        show(_SYNC_COLUMNS, searching.rows(points), title=title, wide=wide)
    if output is not None and points:
        say_written(pictures.write(output, "sync", searching.files(points)))


def _searched(
    case: Case, places: Sequence[float], window: int, frames: int, seed: int
) -> list[searching.Search]:
    """Search with a progress bar; return the complete points, also at Ctrl-C."""
    points: list[searching.Search] = []
    screen = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    ) as bars:
        bar = bars.add_task("", total=frames * len(places))
        try:
            for ebn0_db in places:
                bars.update(bar, description=f"{ebn0_db:g} dB")
                search = searching.Search(case, ebn0_db, window)
                while search.frames < frames:
                    part = searching.block(search, seed, frames)
                    bars.advance(bar, part)
                points.append(search)
        except KeyboardInterrupt:
            say(f"stopped; {len(points)} of {len(places)} points are complete")
    return points


command = _sync
