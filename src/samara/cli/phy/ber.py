# SPDX-License-Identifier: Apache-2.0
"""Measure error rates over Eb/N0 with and without encryption.

Five receivers hear the same noise: one without encryption, one that decrypts
soft bits, one that decrypts hard decisions, and eavesdroppers without the key
and with a wrong key. A sixth receiver hears frames without encryption under
other noise; the JSON output has the cost of encryption, which is the difference
of the frame error rates, with its interval.

A point is complete after --errors frame errors of the receiver that decrypts
soft bits, or after --frames frames. Ctrl-C ends the command and keeps the
complete points. Results do not depend on the number of workers.

\b
Examples:
  samara phy ber --ebn0 0:5:0.5 -o curves
  samara phy ber --modulation qpsk --modulation 16-qam --code conv --code polar
  samara phy ber --fading rayleigh --code none --ebn0 0:30:5 --json
  samara phy ber --cluster tcp://10.0.0.1:8786 --errors 1000
"""

from __future__ import annotations

from itertools import groupby
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
    Out,
    PayloadSize,
    Seed,
    columns,
    complete_modulation,
    say_written,
    show,
    values_of,
)
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.repeatable import PROCESSORS, Cluster, Workers
from samara.cli.shared.tables import Wide  # noqa: TC001 - Typer reads it when it runs
from samara.phy import curves, pictures, sweep
from samara.phy.coded import Code
from samara.phy.modulation import find, names
from samara.phy.trial import Case, Fading, Receiver
from samara.workers import workers as parallel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.phy.sweep import Point
    from samara.workers import Workers as Pool

# Without modulation and code, which the title of a table has.
_BER_COLUMNS = columns(curves.HEAD[2:], numeric_from=2, ranks=(0, 0, 2, 0, 1, 0, 3))


def _ber(  # noqa: PLR0913 - one parameter an option
    *,
    modulation: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_modulation,
            help=f"Modulation: {names()}. Repeatable. Default: bpsk.",
        ),
    ] = None,
    code: Annotated[
        list[Code] | None,
        typer.Option(help="Channel code. Repeatable. Default: conv."),
    ] = None,
    ebn0: Ebn0 = "0:6:1",
    errors: Annotated[
        int, typer.Option(min=1, help="Complete a point after this many frame errors.")
    ] = 100,
    frames: Annotated[
        int, typer.Option(min=1, help="Complete a point after this many frames.")
    ] = 20_000,
    payload: PayloadSize = 60,
    fading: Annotated[
        Fading,
        typer.Option(
            help="Fading of the channel. rayleigh: one gain for each frame, which the "
            "receiver knows."
        ),
    ] = Fading.NONE,
    workers: Workers = PROCESSORS,
    cluster: Cluster = None,
    seed: Seed = 1,
    output: Out = None,
    wide: Wide = False,
    as_json: Json = False,
) -> None:
    if output is not None:
        pictures.need_matplotlib()
    cases = [
        Case(find(name).name, of, fading, payload)
        for name in modulation or ["bpsk"]
        for of in code or [Code.CONV]
    ]
    wanted = [(case, value) for case in cases for value in values_of(ebn0)]
    limits = sweep.Limits(errors, frames)
    with parallel(workers, cluster) as pool:
        points = _swept(wanted, limits, seed, pool, as_json=as_json)
    if not as_json:
        _show_rates(points, wide=wide)
    if output is not None and points:
        say_written(pictures.write(output, "ber", curves.files(points)))


def _show_rates(points: Sequence[Point], *, wide: bool) -> None:
    """Print a table for each modulation and code."""
    if not points:
        show(_BER_COLUMNS, [], wide=wide)
    for (modulation, code), rows in groupby(curves.rows(points), lambda row: row[:2]):
        title = f"{modulation}, code {code}"
        show(_BER_COLUMNS, [row[2:] for row in rows], title=title, wide=wide)


def _swept(
    wanted: Sequence[tuple[Case, float]],
    limits: sweep.Limits,
    seed: int,
    pool: Pool,
    *,
    as_json: bool,
) -> list[Point]:
    """Simulate with a progress bar; return the complete points, also at Ctrl-C."""
    points: list[Point] = []
    screen = Console(stderr=True)
    bar_columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[errors]} frame errors"),
        TimeElapsedColumn(),
    )
    with Progress(
        *bar_columns, console=screen, transient=True, disable=not screen.is_terminal
    ) as bars:
        bar = bars.add_task("", total=len(wanted), errors=0)

        def show_progress(point: Point) -> None:
            share = min(1.0, point.frame_errors / limits.frame_errors)
            share = max(share, point.tallies[Receiver.PLE].frames / limits.frames)
            bars.update(
                bar,
                completed=len(points) + min(share, 1.0),
                errors=point.frame_errors,
                description=f"{point.case.slug} {point.ebn0_db:g} dB",
            )

        try:
            for point in sweep.run(wanted, limits, seed, pool, show_progress):
                points.append(point)
                if as_json:
                    print_json("error_rates", curves.as_json(point, seed))
        except KeyboardInterrupt:
            say(f"stopped; {len(points)} of {len(wanted)} points are complete")
    return points


command = _ber
