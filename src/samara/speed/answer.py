# SPDX-License-Identifier: Apache-2.0
"""How fast this machine seals messages, as records."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

from samara.crypto.registry import suites
from samara.crypto.resolving import suite_named
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Digest,
    Field,
    Parameter,
    Progress,
    Record,
    Request,
    Verbatim,
    record_class,
    request_class,
)
from samara.records.tables import table_of_rows
from samara.speed.timing import (
    DEFAULT_SUITES,
    FRAME,
    FRAMES,
    LONG,
    OPENSSL_CCM,
    OPENSSL_GCM,
    ROUNDS,
    SHORT,
    Comparison,
    Report,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from samara.speed_crate import CrateProgram


def _suites() -> list[str]:
    return [each.slug for each in suites()]


@request_class
class SpeedRequest(Request):
    """What is measured."""

    suites: Annotated[
        tuple[str, ...],
        Parameter(
            is_argument=True,
            metavar="SUITE",
            help="Suites to measure.",
            default_text="a dozen",
            names=_suites,
            names_in_words="",
        ),
    ] = ()
    crate: Annotated[
        bool,
        Parameter(
            help="Measure the Rust crate grain-128aeadv2, too: cargo loads it from"
            " crates.io and builds it. Default: no.",
            terminal_only=(True,),
        ),
    ] = False


@record_class
class Speed(Record):
    """How long sealing takes for messages of one size: the best of several rounds."""

    name: Annotated[str, Field("The suite, or what it is compared with.")]
    message_bytes: Annotated[int, Field("Size of a message.", unit="byte")]
    rounds: Annotated[int, Field("Number of rounds.")]
    time_per_byte: Annotated[Figure, Field("Time for a byte.", unit="s")]
    cycles_per_byte: Annotated[
        Figure | None, Field("Cycles of the time-stamp counter.", unit="cycle")
    ]
    ratio_openssl_gcm: Annotated[
        float | None, Field("Time over that of OpenSSL's AES-128-GCM.")
    ]
    ratio_openssl_ccm: Annotated[
        float | None, Field("Time over that of OpenSSL's AES-128-CCM.")
    ]
    empty_call: Annotated[
        Figure | None,
        Field("What a call from Python takes for an empty message.", unit="s"),
    ]


@record_class
class SpeedBatch(Record):
    """How long sealing takes for a frame among many, each with its own key.

    Of `grain128ple` a frame is so much keystream.
    """

    name: Annotated[str, Field("The suite, or what it is compared with.")]
    frame_bytes: Annotated[int, Field("Size of a frame.", unit="byte")]
    frames: Annotated[int, Field("Number of frames in a batch.")]
    rounds: Annotated[int, Field("Number of rounds.")]
    time_per_frame: Annotated[Figure, Field("Time for a frame.", unit="s")]
    cycles_per_frame: Annotated[
        Figure | None, Field("Cycles of the time-stamp counter.", unit="cycle")
    ]
    frames_per_second: Annotated[Figure, Field("Frames in a second.", unit="frame/s")]
    ratio_openssl_gcm: Annotated[
        float | None,
        Field("Frames per second over those of OpenSSL's AES-128-GCM, one at a time."),
    ]
    ratio_openssl_gcm_net: Annotated[
        float | None, Field("The same without OpenSSL's time for an empty message.")
    ]
    ratio_openssl_ccm: Annotated[
        float | None,
        Field("Frames per second over those of OpenSSL's AES-128-CCM, one at a time."),
    ]
    ratio_openssl_ccm_net: Annotated[
        float | None, Field("The same without OpenSSL's time for an empty message.")
    ]
    empty_call: Annotated[
        Figure | None,
        Field("What a call from Python takes for an empty message.", unit="s"),
    ]


def _per_byte(heading: str) -> Field:
    return Field("Of a message.", heading=heading, digits=".2f")


@record_class
class _Row:
    """A suite in the table of messages."""

    suite: Annotated[str, Field("Its name.", heading="suite")]
    short_ns: Annotated[float, _per_byte(f"{SHORT}\xa0bytes ns/byte")]
    short_cycles: Annotated[float | None, _per_byte(f"{SHORT}\xa0bytes cycles/byte")]
    long_ns: Annotated[float, _per_byte(f"{LONG >> 10}\xa0KiB ns/byte")]
    long_cycles: Annotated[float | None, _per_byte(f"{LONG >> 10}\xa0KiB cycles/byte")]
    gcm: Annotated[
        float | None,
        Field("Ratio of times.", heading="time /\xa0GCM", digits=".2f", rank=2),
    ]
    ccm: Annotated[
        float | None,
        Field("Ratio of times.", heading="time /\xa0CCM", digits=".2f", rank=2),
    ]


@record_class
class _BatchRow:
    """A suite in the table of frames."""

    suite: Annotated[str, Field("Its name.", heading="suite")]
    rate: Annotated[float, Field("Its rate.", heading="frames/s", digits=",.0f")]
    ns: Annotated[float, Field("Of a frame.", heading="ns/frame", digits=".2f")]
    cycles: Annotated[
        float | None, Field("Of a frame.", heading="cycles/frame", digits=".2f")
    ]
    per_byte: Annotated[
        float | None,
        Field("Of a frame.", heading="cycles/byte", digits=".2f", rank=2),
    ]
    gcm: Annotated[
        float | None,
        Field("Ratio of rates.", heading="rate /\xa0GCM", digits=".2f", rank=2),
    ]
    ccm: Annotated[
        float | None,
        Field("Ratio of rates.", heading="rate /\xa0CCM", digits=".2f"),
    ]
    ccm_net: Annotated[
        float | None,
        Field(
            "Ratio of rates.",
            heading="rate\xa0/\xa0CCM less\xa0empty\xa0call",
            digits=".2f",
            rank=2,
        ),
    ]


def measure_speed(request: SpeedRequest) -> Answer[Speed | SpeedBatch]:
    """Yield how fast suites seal, when all have been measured.

    Raises
    ------
    UnknownNameError
        When there is no such suite.
    """
    chosen = [suite_named(name) for name in request.suites or DEFAULT_SUITES]
    with _program(request) as program:
        comparison = Comparison(chosen, crate=program)
        for done in range(ROUNDS):
            yield Progress(done / ROUNDS, "measuring")
            comparison.run_round()
    report = comparison.report()
    yield Digest(
        [*_speeds(report), *_batch_speeds(report)],
        [
            table_of_rows("speed", [_row(report, name) for name in report.names]),
            table_of_rows(
                "speed_batch", [_batch_row(report, name) for name in report.batches]
            ),
            Verbatim(report.caption),
        ],
    )


def _program(request: SpeedRequest) -> AbstractContextManager[CrateProgram | None]:
    if not request.crate:
        return nullcontext()
    # Only now: cargo takes its time.
    from samara.speed_crate import CrateProgram  # noqa: PLC0415

    return CrateProgram()


def _speeds(report: Report) -> Iterator[Speed]:
    for (name, size), timing in report.timings.items():
        yield Speed(
            name=name,
            message_bytes=size,
            rounds=ROUNDS,
            time_per_byte=_timed(timing.ns_per_byte / 1e9, "s", timing.timed),
            cycles_per_byte=_figure(timing.cycles_per_byte, "cycle", timing.timed),
            ratio_openssl_gcm=report.ratio(name, size, OPENSSL_GCM),
            ratio_openssl_ccm=report.ratio(name, size, OPENSSL_CCM),
            empty_call=_figure(_seconds(timing.ns_empty), "s", timing.timed),
        )


def _batch_speeds(report: Report) -> Iterator[SpeedBatch]:
    for name, timing in report.batches.items():
        said = timing.timed
        yield SpeedBatch(
            name=name,
            frame_bytes=FRAME,
            frames=FRAMES,
            rounds=ROUNDS,
            time_per_frame=_timed(timing.ns_per_frame / 1e9, "s", said),
            cycles_per_frame=_figure(timing.cycles_per_frame, "cycle", said),
            frames_per_second=_timed(timing.frames_per_second, "frame/s", said),
            ratio_openssl_gcm=report.batch_ratio(name, OPENSSL_GCM),
            ratio_openssl_gcm_net=report.batch_ratio_net(name, OPENSSL_GCM),
            ratio_openssl_ccm=report.batch_ratio(name, OPENSSL_CCM),
            ratio_openssl_ccm_net=report.batch_ratio_net(name, OPENSSL_CCM),
            empty_call=_figure(_seconds(timing.ns_empty), "s", said),
        )


def _row(report: Report, name: str) -> _Row:
    short, long = report.timing(name, SHORT), report.timing(name, LONG)
    return _Row(
        name,
        short.ns_per_byte,
        short.cycles_per_byte,
        long.ns_per_byte,
        long.cycles_per_byte,
        report.ratio(name, LONG, OPENSSL_GCM),
        report.ratio(name, LONG, OPENSSL_CCM),
    )


def _batch_row(report: Report, name: str) -> _BatchRow:
    timing = report.batches[name]
    cycles = timing.cycles_per_frame
    return _BatchRow(
        name,
        timing.frames_per_second,
        timing.ns_per_frame,
        cycles,
        None if cycles is None else cycles / FRAME,
        report.batch_ratio(name, OPENSSL_GCM),
        report.batch_ratio(name, OPENSSL_CCM),
        report.batch_ratio_net(name, OPENSSL_CCM),
    )


def _seconds(nanoseconds: float | None) -> float | None:
    return None if nanoseconds is None else nanoseconds / 1e9


def _figure(value: float | None, unit: str, timed: str) -> Figure | None:
    return None if value is None else _timed(value, unit, timed)


def _timed(value: float, unit: str, timed: str) -> Figure:
    return Figure(value, unit, Origin.HOST_CLOCK, timed)
