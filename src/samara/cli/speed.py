# SPDX-License-Identifier: Apache-2.0
"""`samara speed`: how long sealing takes on this machine."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from samara import crypto, speed
from samara.cli.tables import console
from samara.crypto import Suite


def speed_(
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SUITE ...]", help="Which; a dozen when none is named."
        ),
    ] = None,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="All figures, as JSON.")
    ] = False,
) -> None:
    """Measure sealing of 64 bytes and of 16 KiB, beside OpenSSL in the same run.

    Each figure is the best of several rounds, in which all take turns. A suite
    is timed within C, with the key set up for every message. OpenSSL is called
    through Python (the package cryptography) with a key set up once: at 64
    bytes its figure is mostly the cost of the call, so compare at 16 KiB.

    \b
    Examples:
      samara speed aes128-gcm grain128aead
      samara speed ascon-aead128 --json
    """
    chosen = [crypto.suite(name) for name in suites or speed.DEFAULT_SUITES]
    report = _measure(chosen)
    if as_json:
        print(json.dumps(report.as_json(), indent=2))
    else:
        _print(report)


def _measure(suites: list[Suite]) -> speed.Report:
    screen = Console(stderr=True)
    contest = speed.Contest(suites)
    rounds = track(
        range(speed.ROUNDS),
        description="measuring",
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    )
    for _ in rounds:
        contest.play_round()
    return contest.report()


def _print(report: speed.Report) -> None:
    table = Table(
        "sealing",
        "ns/B, 64 B",
        "cycles/B",
        "ns/B, 16 KiB",
        "cycles/B",
        "time / GCM",
        "time / CCM",
        caption=report.caption,
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for name in report.names:
        short = report.figure(name, speed.SHORT)
        long = report.figure(name, speed.LONG)
        table.add_row(
            name,
            _number(short.ns_per_byte),
            _number(short.cycles_per_byte),
            _number(long.ns_per_byte),
            _number(long.cycles_per_byte),
            _number(report.ratio(name, speed.LONG, speed.OPENSSL_GCM)),
            _number(report.ratio(name, speed.LONG, speed.OPENSSL_CCM)),
        )
    console().print(table)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
