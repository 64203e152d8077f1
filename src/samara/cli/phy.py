# SPDX-License-Identifier: Apache-2.0
"""`samara phy`: encryption at the physical layer, measured."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from samara.cli.eavesdrop import eavesdrop
from samara.cli.outcome import say
from samara.cli.phy_air import inspect, reuse_
from samara.cli.phy_options import (
    Ebn0,
    Json,
    Out,
    PayloadSize,
    Seed,
    show,
    told,
    values_of,
)
from samara.cli.phy_record import record
from samara.crypto import ple_sync
from samara.phy import chain_speed, curves, pictures, searching, sweep
from samara.phy.coded import Code
from samara.phy.modulation import MODULATIONS
from samara.phy.modulation import find as find_modulation
from samara.phy.trial import Case, Fading, Receiver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.phy.sweep import Point

app = typer.Typer(
    help="Measure and show encryption at the physical layer.",
    no_args_is_help=False,
)

app.command("record")(record)
app.command("inspect")(inspect)
app.command("reuse")(reuse_)
app.command("eavesdrop")(eavesdrop)

_PROCESSORS = os.cpu_count() or 1


@app.command("ber")
def ber(  # noqa: PLR0913 - one parameter an option
    *,
    modulation: Annotated[
        list[str] | None,
        typer.Option(help=f"{', '.join(MODULATIONS)}; may be given several times."),
    ] = None,
    code: Annotated[
        list[Code] | None, typer.Option(help="May be given several times.")
    ] = None,
    ebn0: Ebn0 = "0:6:1",
    errors: Annotated[
        int, typer.Option(min=1, help="A point ends with so many frame errors.")
    ] = 100,
    frames: Annotated[
        int, typer.Option(min=1, help="Or with so many frames.")
    ] = 20_000,
    payload: PayloadSize = 60,
    fading: Annotated[
        Fading, typer.Option(help="rayleigh: one gain a frame, known to the receiver.")
    ] = Fading.NONE,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes on this machine.")
    ] = _PROCESSORS,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler's, instead."),
    ] = None,
    seed: Seed = 1,
    output: Out = None,
    as_json: Json = False,
) -> None:
    """Measure error rates over Eb/N0 with and without encryption.

    Five receivers hear the same noise: without encryption, with Grain-128PLE
    undone on soft bits or after hard decisions, and eavesdroppers without the
    key and with a wrong one. A sixth has frames without encryption and noise of
    its own: the JSON output has the difference, with its interval. Rates have
    intervals of 95 % confidence. A point ends at --errors frame errors of the
    receiver with soft bits; Ctrl-C ends the sweep and keeps the points that are
    done. Results do not depend on the workers.

    \b
    Examples:
      samara phy ber --ebn0 0:5:0.5 -o curves
      samara phy ber --modulation qpsk --modulation 16-qam --code conv --code polar
      samara phy ber --fading rayleigh --code none --ebn0 0:30:5 --json
      samara phy ber --cluster tcp://10.0.0.1:8786 --errors 1000
    """
    names = [find_modulation(name).name for name in modulation or ["bpsk"]]
    cases = [
        Case(name, of, fading, payload) for name in names for of in code or [Code.CONV]
    ]
    wanted = [(case, value) for case in cases for value in values_of(ebn0)]
    limits = sweep.Limits(errors, frames)
    with sweep.workers(workers, cluster) as hands:
        points = _swept(wanted, limits, seed, hands)
    if as_json:
        print(json.dumps(curves.as_json(points, seed), indent=2))
    else:
        show(curves.HEAD, curves.rows(points), numbers_from=4)
    if output is not None and points:
        told(pictures.write(output, "ber", curves.files(points)))


def _swept(
    wanted: Sequence[tuple[Case, float]],
    limits: sweep.Limits,
    seed: int,
    hands: sweep.Workers,
) -> list[Point]:
    """Simulate, showing how far it is; return what is done at Ctrl-C."""
    points: list[Point] = []
    screen = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[errors]} frame errors"),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=screen, transient=True, disable=not screen.is_terminal
    ) as bars:
        bar = bars.add_task("", total=len(wanted), errors=0)

        def tell(point: Point) -> None:
            share = min(1.0, point.frame_errors / limits.frame_errors)
            share = max(share, point.tallies[Receiver.PLE].frames / limits.frames)
            bars.update(
                bar,
                completed=len(points) + min(share, 1.0),
                errors=point.frame_errors,
                description=f"{point.case.slug} {point.ebn0_db:g} dB",
            )

        try:
            for point in sweep.run(wanted, limits, seed, hands, tell):
                points.append(point)  # noqa: PERF402 - so that it is there at Ctrl-C
        except KeyboardInterrupt:
            say(f"stopped; {len(points)} of {len(wanted)} points are done")
    return points


@app.command("speed")
def speed(
    *,
    code: Annotated[
        list[Code] | None, typer.Option(help="All when none is given.")
    ] = None,
    payload: PayloadSize = 252,
    as_json: Json = False,
) -> None:
    """Measure how fast frames are encoded, encrypted and decoded.

    Megabits of information a second of one core's time, the best of several
    rounds: payload and tag, coded, with Grain-128PLE and without; to bits on the
    air, and back from soft bits. The chain is both.

    \b
    Examples:
      samara phy speed
      samara phy speed --code conv --payload 60 --json
    """
    figures = [
        chain_speed.measure(of, payload, encrypts=encrypts)
        for of in code or list(Code)
        for encrypts in (False, True)
    ]
    if as_json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
        return
    rows = [
        (
            str(figure.code),
            "Grain-128PLE" if figure.encrypts else "none",
            *(f"{value / 1e6:.1f}" for value in figure.rates),
        )
        for figure in figures
    ]
    head = ("code", "encryption", "encode, Mbit/s", "decode, Mbit/s", "chain, Mbit/s")
    show(head, rows, numbers_from=2)


@app.command("sync")
def sync(  # noqa: PLR0913 - one parameter an option
    *,
    window: Annotated[
        int, typer.Option(min=1, max=1 << 24, help="Counters that are tried.")
    ] = ple_sync.WIDE_WINDOW,
    ebn0: Ebn0 = "0:5:1",
    frames: Annotated[int, typer.Option(min=1, help="Frames at each Eb/N0.")] = 1000,
    modulation: Annotated[str, typer.Option(help=", ".join(MODULATIONS))] = "bpsk",
    payload: PayloadSize = 48,
    seed: Seed = 1,
    output: Out = None,
    as_json: Json = False,
) -> None:
    """Measure how well a frame's counter is found without a bit on the air.

    Each frame is searched twice: in a window that has its counter at a random
    place, and in one that does not. The last column is the share of frames that
    can be decoded once the counter is known. Candidates a second are those of one
    core's time, keystreams included.

    \b
    Examples:
      samara phy sync
      samara phy sync --window 65536 --ebn0 3 --frames 200
      samara phy sync --ebn0 0:5:0.5 -o sync --json
    """
    case = Case(find_modulation(modulation).name, Code.CONV, Fading.NONE, payload)
    points = _searched(case, values_of(ebn0), window, frames, seed)
    if as_json:
        print(json.dumps(searching.as_json(points, seed), indent=2))
    else:
        show(searching.HEAD, searching.rows(points), numbers_from=0)
    if output is not None and points:
        told(pictures.write(output, "sync", searching.files(points)))


def _searched(
    case: Case, places: Sequence[float], window: int, frames: int, seed: int
) -> list[searching.Search]:
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
            say(f"stopped; {len(points)} of {len(places)} points are done")
    return points
