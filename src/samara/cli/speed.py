# SPDX-License-Identifier: Apache-2.0
"""`samara speed`: how long sealing takes on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import track

from samara import crypto, speed
from samara.cli.shared.completion import complete_suite
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import Column, Wide, console, print_table

if TYPE_CHECKING:
    from samara.crypto import Suite
    from samara.speed_crate import CrateProgram

_COLUMNS = (
    Column("suite"),
    Column("64 bytes\nns/byte", numeric=True),
    Column("64 bytes\ncycles/byte", numeric=True),
    Column("16 KiB\nns/byte", numeric=True),
    Column("16 KiB\ncycles/byte", numeric=True),
    Column("time\n/ GCM", numeric=True, rank=2),
    Column("time\n/ CCM", numeric=True, rank=2),
)


_BATCH_COLUMNS = (
    Column("suite"),
    Column("frames/s", numeric=True),
    Column("ns/frame", numeric=True),
    Column("cycles/frame", numeric=True),
    Column("cycles/byte", numeric=True, rank=2),
    Column("rate\n/ GCM", numeric=True, rank=2),
    Column("rate\n/ CCM", numeric=True),
    Column("rate / CCM\nless empty call", numeric=True, rank=2),
)


def speed_(
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SUITE",
            help="Suites to measure. Default: a dozen.",
            autocompletion=complete_suite,
        ),
    ] = None,
    *,
    crate: Annotated[
        bool,
        typer.Option(
            "--crate",
            help="Measure the Rust crate grain-128aeadv2, too: cargo loads it from"
            " crates.io and builds it. Default: no.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object a figure.")
    ] = False,
    wide: Wide = False,
) -> None:
    """Measure how fast this machine seals messages, next to OpenSSL.

    The messages have 64 bytes and 16 KiB. Each figure is the best of several
    rounds, in which all suites take turns. A suite is timed inside the C library,
    with the key schedule computed for every message. OpenSSL is called from Python
    (package cryptography) with the key set up once: at 64 bytes its figure is
    mostly the cost of the call. Its ratios at 16 KiB are without the time of a call
    with an empty message.

    A second table has frames of 127 bytes, 1024 in a batch call, each with its own
    key; of grain128ple they are keystreams. OpenSSL takes them one at a time; the
    last column leaves out what its call takes for an empty message, which favours
    OpenSSL.

    \b
    Examples:
      samara speed aes128-gcm grain128aead
      samara speed ascon-aead128 --json
    """
    chosen = [crypto.suite_named(name) for name in suites or speed.DEFAULT_SUITES]
    if crate:
        # Only now: cargo takes its time.
        from samara.speed_crate import CrateProgram  # noqa: PLC0415

        with CrateProgram() as program:
            report = _measure(chosen, program)
    else:
        report = _measure(chosen, None)
    if as_json:
        for fields in report.rows():
            print_json("speed", fields)
        for fields in report.batch_rows():
            print_json("speed_batch", fields)
    else:
        _print(report, wide=wide)


def _measure(suites: list[Suite], crate: CrateProgram | None) -> speed.Report:
    screen = Console(stderr=True)
    comparison = speed.Comparison(suites, crate=crate)
    rounds = track(
        range(speed.ROUNDS),
        description="measuring",
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    )
    for _ in rounds:
        comparison.run_round()
    return comparison.report()


def _print(report: speed.Report, *, wide: bool) -> None:
    rows = []
    for name in report.names:
        short = report.timing(name, speed.SHORT)
        long = report.timing(name, speed.LONG)
        rows.append(
            (
                name,
                _number(short.ns_per_byte),
                _number(short.cycles_per_byte),
                _number(long.ns_per_byte),
                _number(long.cycles_per_byte),
                _number(report.ratio(name, speed.LONG, speed.OPENSSL_GCM)),
                _number(report.ratio(name, speed.LONG, speed.OPENSSL_CCM)),
            )
        )
    empty = "nothing was measured"
    print_table(console(), _COLUMNS, rows, empty=empty, wide=wide)
    print_table(console(), _BATCH_COLUMNS, _batch_rows(report), empty=empty, wide=wide)
    print(report.caption)


def _batch_rows(report: speed.Report) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, timing in report.batches.items():
        cycles = timing.cycles_per_frame
        rows.append(
            (
                name,
                f"{timing.frames_per_second:,.0f}",
                _number(timing.ns_per_frame),
                _number(cycles),
                _number(None if cycles is None else cycles / speed.FRAME),
                _number(report.batch_ratio(name, speed.OPENSSL_GCM)),
                _number(report.batch_ratio(name, speed.OPENSSL_CCM)),
                _number(report.batch_ratio_net(name, speed.OPENSSL_CCM)),
            )
        )
    return rows


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
