# SPDX-License-Identifier: Apache-2.0
"""A run of statistical tests, from its request to its verdict."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import samara
from samara.errors import MisuseError
from samara.randomness import programs, running, sts, testing
from samara.randomness.described import RunParts, Summary, records_of_run
from samara.randomness.judging import LEAST_FOR_UNIFORMITY, judge
from samara.randomness.run_table import parts_of
from samara.randomness.settings import Battery, Settings
from samara.randomness.sources import BAD, KINDS, SUITE, GivenSource, computed, is_given
from samara.randomness.storing import SETTINGS, SUMMARY, write_summary
from samara.randomness.testing import WorkerSettings
from samara.records import (
    Answer,
    Between,
    Notice,
    Parameter,
    Progress,
    Refusal,
    Request,
    request_class,
)
from samara.records.paths import OUTPUT_DIRECTORY
from samara.records.usual import Cluster, Seed, Workers
from samara.workers import PROCESSORS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

_SEQUENCES = 1000
_BITS = 1_000_000


def _names() -> list[str]:
    beginnings = [f"{kind}:" for kind in KINDS]
    return [*SUITE.names(), *beginnings, *(f"bad:{name}" for name in BAD), "urandom"]


@request_class
class RunRequest(Request):
    """What is tested, by which tests, and where p-values go."""

    source: Annotated[
        str,
        Parameter(
            metavar="SOURCE",
            help="Suite, such as modspeck128-128-ctr; file:PATH, - or exec:COMMAND; or "
            "another source that samara randomness sources lists.",
            names=_names,
            names_in_words="",
            is_argument=True,
        ),
    ]
    battery: Annotated[
        Battery,
        Parameter(
            help="NIST's tests, Dieharder, or ent.",
            terminal_only=(Battery.DIEHARDER, Battery.ENT),
        ),
    ] = Battery.STS
    sequences: Annotated[
        int | None,
        Parameter(
            help="Number of sequences.",
            values=Between(1, 1_000_000),
            default_text=f"{_SEQUENCES}",
        ),
    ] = None
    bits: Annotated[
        int | None,
        Parameter(
            help="Bits of a sequence.",
            values=Between(sts.Sequence.SHORTEST, 1 << 32),
            default_text=f"{_BITS}",
        ),
    ] = None
    workers: Workers = None
    cluster: Cluster = None
    seed: Seed = 1
    output: Annotated[
        Path | None,
        Parameter(
            short="o",
            metavar="DIR",
            help="Directory for p-values and the summary. The same call goes on with "
            "a run that was interrupted.",
            values=OUTPUT_DIRECTORY,
        ),
    ] = None

    def settings(self) -> Settings:
        """Return what the run can be repeated with.

        Raises
        ------
        samara.crypto.UnknownNameError, MisuseError
            If there is no such source, or Dieharder is told how much to read.
        """
        if self.battery is Battery.DIEHARDER and (self.sequences or self.bits):
            message = (
                "dieharder reads what its tests want: leave out --sequences and --bits"
            )
            raise MisuseError(message)
        source, seed = self.source, self.seed
        facts = {} if is_given(source) else computed(source, seed).facts
        sequences, bits = self.sequences or _SEQUENCES, self.bits or _BITS
        return Settings(source, self.battery, sequences, bits, seed, facts)


def run(request: RunRequest) -> Answer[RunParts]:
    """Test a source, and yield the run, its tests and its verdict.

    Ctrl-C ends NIST's tests with the sequences that are done.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such source.
    MisuseError
        If the source is too short or ends with an error, the directory has another run,
        or a program is not installed.
    """
    settings = request.settings()
    is_whole = True
    with ExitStack() as stack:
        source = request.source
        given = stack.enter_context(GivenSource(source)) if is_given(source) else None
        if settings.battery is Battery.STS:
            worker_settings = WorkerSettings(
                request.workers or PROCESSORS, request.cluster
            )
            verdict, is_whole = yield from testing.tested(
                settings, given, worker_settings, request.output
            )
            summary = Summary(settings, verdict, _origin())
        else:
            _refuse_run(request.output)
            summary = yield from _by_program(settings, given)
    if request.output is not None:
        request.output.mkdir(parents=True, exist_ok=True)
        write_summary(request.output / SUMMARY, summary)
    yield from _few(summary)
    yield from records_of_run(summary)
    yield from parts_of(summary)
    if not is_whole:
        goes_on = "" if request.output is None else "; the same call goes on with it"
        done, wanted = summary.verdict.sequences, settings.sequences
        text = f"interrupted after {done} of {wanted} sequences{goes_on}"
        yield Refusal(text, is_interruption=True)
    elif not summary.verdict.passes:
        yield Refusal()


def _few(summary: Summary) -> Iterator[Notice]:
    """Yield whether there are too few sequences to say much."""
    count = summary.verdict.sequences
    if count < LEAST_FOR_UNIFORMITY and summary.settings.battery is Battery.STS:
        few = "1 sequence says" if count == 1 else f"{count} sequences say"
        text = (
            f"{few} little: the uniformity of p-values is judged from"
            f" {LEAST_FOR_UNIFORMITY} on"
        )
        yield Notice(text, warns=True)


def _origin() -> str:
    day = datetime.now(UTC).date().isoformat()
    return f"measured {day} by samara {samara.__version__}"


def _refuse_run(output: Path | None) -> None:
    """Raise MisuseError for a directory whose summary is that of a run of NIST's."""
    if output is not None and (output / SETTINGS).exists():
        message = f"{output} has a run of NIST's tests: give another directory"
        raise MisuseError(message)


def _by_program(
    settings: Settings, given: GivenSource | None
) -> Generator[Progress | Notice, None, Summary]:
    """Run Dieharder or ent."""
    stream = programs.Stream(settings, given)
    if settings.battery is Battery.ENT:
        size = settings.sequences * running.sequence_size(settings.bits)
        found = programs.ent(stream, size)
    else:
        found = yield from _dieharder(settings, stream)
    names = [one.name for one in found]
    details = [one.detail for one in found]
    return Summary(settings, judge(names, details, programs.as_row(found)), _origin())


def _dieharder(
    settings: Settings, stream: programs.Stream
) -> Generator[Progress | Notice, None, list[programs.BatteryPValue]]:
    programs.need("dieharder")
    yield Notice(
        f"{len(programs.DIEHARDER_TESTS)} tests take about"
        f" {testing.duration(programs.DIEHARDER_S)} on one processor, where the source"
        " is as fast",
        at_once=True,
    )
    found: list[programs.BatteryPValue] = []
    for each in programs.dieharder(stream):
        if isinstance(each, Progress):
            yield each
        else:
            found.append(each)
    if not found:
        message = f"{settings.source} has too few bytes for Dieharder's first test"
        raise MisuseError(message)
    return found
