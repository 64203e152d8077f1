# SPDX-License-Identifier: Apache-2.0
"""Test keystreams, or the output of any program, for randomness.

Exit status: 0 when no test fails, 1 when one fails, 2 for wrong usage. A good
source fails with a probability of 0.1 %: the error is divided among all decisions
of the run. NIST's own criteria, test by test, are shown as well; a good source
misses some of them. Passing does not prove that a source is secure.

Keys and nonces are made of --seed and stand in the result. Bits are not stored.
A file is judged by the sequences that it holds. Bits of a byte are read from the
most significant one on. Dieharder reads as many bytes as its tests want, and ent
SEQUENCES times BITS; both are one process.

\b
Examples:
  samara randomness run modspeck128-128-ctr -o modspeck
  samara randomness run /dev/urandom --sequences 100 --jobs 2
  samara randomness run exec:'openssl rand 125000000' --json
  samara randomness run bad:lcg --sequences 20
"""

from __future__ import annotations

import signal
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003 - Typer reads it when it runs
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

import samara
from samara.cli.randomness.tables import print_summary
from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import ExitCode, MisuseError, say, warn
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.progress import progress
from samara.cli.shared.repeatable import PROCESSORS, Cluster, Seed
from samara.randomness import programs, running, sts
from samara.randomness.judging import LEAST_FOR_UNIFORMITY, judge
from samara.randomness.settings import Battery, Settings
from samara.randomness.sources import BAD, KINDS, SUITE, Given, computed, is_given
from samara.randomness.storing import (
    SETTINGS,
    SUMMARY,
    Folder,
    Summary,
    objects,
    write_summary,
)
from samara.workers import workers as parallel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.randomness.running import Row

_SEQUENCES = 1000
_BITS = 1_000_000
_MINUTE_S = 60
_DIGITS = b"01 \r\n"
"""Characters of a file with bits as text, which NIST's program reads, too."""
_START_S = 3.0
"""What it takes until processes have begun, in seconds."""


def _names() -> list[str]:
    beginnings = [f"{kind}:" for kind in KINDS]
    return [*SUITE.names(), *beginnings, *(f"bad:{name}" for name in BAD), "urandom"]


def _run(  # noqa: PLR0913 - one parameter an option
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="Suite, such as modspeck128-128-ctr; file:PATH, - or exec:COMMAND; or "
            "another source that samara randomness sources lists.",
            autocompletion=one_of(_names),
        ),
    ],
    *,
    battery: Annotated[
        Battery,
        typer.Option(help="NIST's tests, Dieharder, or ent."),
    ] = Battery.STS,
    sequences: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000_000,
            help=f"Number of sequences. Default: {_SEQUENCES}.",
            show_default=False,
        ),
    ] = None,
    bits: Annotated[
        int | None,
        typer.Option(
            min=sts.Sequence.SHORTEST,
            max=1 << 32,
            help=f"Bits of a sequence. Default: {_BITS}.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            "--jobs",
            "--workers",
            min=1,
            help="Parallel processes on this machine. Results do not depend on it.",
        ),
    ] = PROCESSORS,
    cluster: Cluster = None,
    seed: Seed = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            file_okay=False,
            help="Directory for p-values and the summary. The same call goes on with "
            "a run that was interrupted.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    if battery is Battery.DIEHARDER and (sequences or bits):
        message = (
            "dieharder reads what its tests want: leave out --sequences and --bits"
        )
        raise MisuseError(message)
    facts = {} if is_given(source) else computed(source, seed).facts
    settings = Settings(
        source, battery, sequences or _SEQUENCES, bits or _BITS, seed, facts
    )
    with ExitStack() as stack:
        given = stack.enter_context(Given(source)) if is_given(source) else None
        if battery is Battery.STS:
            summary, whole = _tested(settings, given, workers, cluster, output)
        else:
            _refuse_run(output)
            summary, whole = _by_program(settings, given), True
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        write_summary(output / SUMMARY, summary)
    _show(summary, as_json=as_json)
    if not whole:
        goes_on = "" if output is None else "; the same call goes on with it"
        done, wanted = summary.verdict.sequences, settings.sequences
        say(f"interrupted after {done} of {wanted} sequences{goes_on}")
        raise typer.Exit(128 + signal.SIGINT)
    raise typer.Exit(ExitCode.DONE if summary.verdict.passes else ExitCode.REFUSED)


def _show(summary: Summary, *, as_json: bool) -> None:
    count = summary.verdict.sequences
    if count < LEAST_FOR_UNIFORMITY and summary.settings.battery is Battery.STS:
        few = "1 sequence says" if count == 1 else f"{count} sequences say"
        warn(
            f"{few} little: the uniformity of p-values is judged from"
            f" {LEAST_FOR_UNIFORMITY} on"
        )
    if as_json:
        for kind, fields in objects(summary):
            _print_object(kind, fields)
    else:
        print_summary(summary)


def _print_object(kind: str, fields: dict[str, object]) -> None:
    if kind == "randomness_run":
        print_json("randomness_run", fields)
    elif kind == "randomness_test":
        print_json("randomness_test", fields)
    else:
        print_json("randomness_verdict", fields)


def _origin() -> str:
    day = datetime.now(UTC).date().isoformat()
    return f"measured {day} by samara {samara.__version__}"


def _tested(
    settings: Settings,
    given: Given | None,
    workers: int,
    cluster: str | None,
    output: Path | None,
) -> tuple[Summary, bool]:
    """Run NIST's tests; return the summary, and whether all sequences are in it."""
    folder = None if output is None else Folder(output, settings)
    rows = [] if folder is None else list(folder.found)
    _go_on(settings, given, len(rows))
    count = _wanted(settings, given, len(rows))

    def keep(row: Row) -> None:
        rows.append(row)
        if folder is not None:
            folder.add(row)

    whole = False
    with suppress(KeyboardInterrupt):
        _work(settings, given, range(len(rows), count), (workers, cluster), keep)
        whole = True
    if folder is not None:
        folder.close()
    if not rows and not whole:
        raise KeyboardInterrupt
    if not rows:
        raise MisuseError(_too_short(settings, None))
    sections = [test.section for test in sts.TESTS for _ in test.names]
    verdict = judge(sts.NAMES, sections, np.array(rows))
    return Summary(settings, verdict, _origin()), whole


def _go_on(settings: Settings, given: Given | None, done: int) -> None:
    """Pass over what an interrupted run has tested, where that can be done."""
    if given is None or not done or given.goes_on:
        return
    if not given.repeats:
        message = (
            f"a run of {settings.source} cannot go on: what it tested was not stored; "
            "give another directory"
        )
        raise MisuseError(message)
    given.skip(done * running.sequence_size(settings.bits))


def _wanted(settings: Settings, given: Given | None, done: int) -> int:
    """Return how many sequences there will be: a file may hold fewer than wanted."""
    size = None if given is None else given.size
    if size is None:
        return settings.sequences
    holds = done + size // running.sequence_size(settings.bits)
    if not holds:
        raise MisuseError(_too_short(settings, size))
    return min(settings.sequences, holds)


def _too_short(settings: Settings, size: int | None) -> str:
    """Return the sentence on a source of so many bytes; None: of a stream."""
    has = "ended before its first sequence did"
    if size is not None:
        has = f"holds {8 * size:,} bits"
    return (
        f"{settings.source} {has}, and a sequence takes {settings.bits:,}: give "
        "--bits, or more data"
    )


def _work(
    settings: Settings,
    given: Given | None,
    indices: range,
    where: tuple[int, str | None],
    keep: Callable[[Row], None],
) -> None:
    """Test sequences; the first one here, which tells how long all will take."""
    if not indices:
        return
    first = _first(settings, given, indices[0])
    if first is None:
        return
    row, seconds = first
    keep(row)
    rest = indices[1:]
    workers, cluster = where
    workers = min(workers, len(rest) or 1)
    _tell_time(settings, len(rest), seconds, workers, cluster)
    with progress("sequences") as tell, parallel(workers, cluster) as pool:
        found: Iterator[Row] = (
            running.of_computed(settings, rest, pool)
            if given is None
            else running.of_given(settings, given, len(rest), pool)
        )
        for done, row in enumerate(found, start=1):
            keep(row)
            tell(done / len(rest))


def _first(
    settings: Settings, given: Given | None, index: int
) -> tuple[Row, float] | None:
    if given is None:
        return running.timed(settings, index)
    size = running.sequence_size(settings.bits)
    data = given.read(size)
    if data and not data.translate(None, _DIGITS):
        warn(
            f"{settings.source} has nothing but the characters 0 and 1, each of which"
            " is tested as eight bits: pack eight digits into a byte"
        )
    return running.timed_bytes(data, settings.bits) if len(data) == size else None


def _tell_time(
    settings: Settings, count: int, each_s: float, workers: int, cluster: str | None
) -> None:
    """Say how long the run will take, before it begins."""
    if not count:
        return
    others = "sequence" if count == 1 else f"{count} sequences"
    what = f"the other {others} of {settings.bits:,} bits"
    if cluster is not None:
        say(f"{what}, {each_s:.2f} s each on this machine, for {cluster}")
        return
    whole_s = count * each_s / min(workers, PROCESSORS)
    whole_s += _START_S if workers > 1 else 0
    by = "one process" if workers == 1 else f"{workers} processes"
    take = "takes" if count == 1 else "take"
    say(f"{what} {take} about {_duration(whole_s)} by {by} ({each_s:.2f} s each)")


def _duration(seconds: float) -> str:
    if seconds < 2 * _MINUTE_S:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 2 * _MINUTE_S**2:
        return f"{seconds / _MINUTE_S:.0f} min"
    return f"{seconds / _MINUTE_S**2:.1f} h"


def _refuse_run(output: Path | None) -> None:
    """Raise MisuseError for a directory whose summary is that of a run of NIST's."""
    if output is not None and (output / SETTINGS).exists():
        message = f"{output} has a run of NIST's tests: give another directory"
        raise MisuseError(message)


def _by_program(settings: Settings, given: Given | None) -> Summary:
    """Run Dieharder or ent."""
    stream = programs.Stream(settings, given)
    if settings.battery is Battery.ENT:
        size = settings.sequences * running.sequence_size(settings.bits)
        found = programs.ent(stream, size)
    else:
        programs.need("dieharder")
        say(
            f"{len(programs.DIEHARDER_TESTS)} tests take about"
            f" {_duration(programs.DIEHARDER_S)} on one processor, where the source is"
            " as fast"
        )
        with progress("tests") as tell:
            found = list(programs.dieharder(stream, tell))
        if not found:
            message = f"{settings.source} has too few bytes for Dieharder's first test"
            raise MisuseError(message)
    names = [one.name for one in found]
    details = [one.detail for one in found]
    return Summary(settings, judge(names, details, programs.as_row(found)), _origin())


command = _run
