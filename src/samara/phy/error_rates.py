# SPDX-License-Identifier: Apache-2.0
"""Error rates over Eb/N0 with and without encryption, as a request asks for them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.errors import MisuseError
from samara.figure import Figure, Origin
from samara.phy import curves, sweep, theory
from samara.phy.channel import BURST_AMPLITUDE
from samara.phy.coded import Code
from samara.phy.front_end import Surroundings
from samara.phy.impairing import ImpairedRequest
from samara.phy.intervals import CONFIDENCE, RateFigure, difference
from samara.phy.modulation import MODULATIONS, find
from samara.phy.parameters import EbN0Values, PayloadSize, values_of
from samara.phy.sweep import Point
from samara.phy.trial import Case, Fading, Receiver
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Progress,
    Record,
    Title,
    record_class,
    request_class,
)
from samara.records.usual import Cluster, Seed, Workers
from samara.workers import workers as parallel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from samara.phy.intervals import Tally
    from samara.phy.uncoded import Curve

_SOURCE = "simulated frames"
_THEORY = "samara.phy.theory"


def _modulations() -> Iterable[str]:
    return MODULATIONS


@request_class
class ErrorRatesRequest(ImpairedRequest):
    """Which links are simulated, and how long."""

    modulation: Annotated[
        tuple[str, ...],
        Parameter(metavar="NAME", help="Modulation. Repeatable.", names=_modulations),
    ] = ("bpsk",)
    code: Annotated[tuple[Code, ...], Parameter(help="Channel code. Repeatable.")] = (
        Code.CONV,
    )
    ebn0: EbN0Values = "0:6:1"
    errors: Annotated[
        int,
        Parameter(
            help="Complete a point after this many frame errors.", values=Between(1)
        ),
    ] = 100
    frames: Annotated[
        int,
        Parameter(help="Complete a point after this many frames.", values=Between(1)),
    ] = 20_000
    payload_size: PayloadSize = 60
    fading: Annotated[
        Fading,
        Parameter(
            help="Fading of the channel. rayleigh: one gain for each frame, which the "
            "receiver knows."
        ),
    ] = Fading.NONE
    bursts: Annotated[
        bool,
        Parameter(
            help="Send frames as bursts through the channel of the command channel, "
            "and receive them as a node does. Any impairment implies it."
        ),
    ] = False
    workers: Workers = None
    cluster: Cluster = None
    seed: Seed = 1

    def surroundings(self) -> Surroundings | None:
        """Return what bursts go through; None: symbols in white noise.

        Raises
        ------
        MisuseError
            When both kinds of fading are asked for.
        """
        found = Surroundings(self.path(), self.front_end(BURST_AMPLITUDE**2))
        if not self.bursts and found == Surroundings():
            return None
        if self.fading is not Fading.NONE:
            message = (
                f"--fading {self.fading} is for symbols in white noise: for bursts, "
                "give --doppler"
            )
            raise MisuseError(message)
        return found


@record_class
class ReceiverRates:
    """What one receiver got wrong."""

    frames: Annotated[int, Field("Number of frames.")]
    frame_errors: Annotated[int, Field("Number of wrong frames.")]
    bits: Annotated[int, Field("Number of bits.")]
    bit_errors: Annotated[int, Field("Number of wrong bits.")]
    fer: Annotated[RateFigure, Field("Frame error rate.", unit="1")]
    ber: Annotated[RateFigure, Field("Bit error rate.", unit="1")]


@record_class
class _Row:
    """A row for a receiver. Texts are numbers as they are shown."""

    ebn0: Annotated[str, Field("Eb/N0.", heading="Eb/N0,\xa0dB", rank=0)]
    receiver: Annotated[str, Field("Its name.", heading="receiver", rank=0)]
    frames: Annotated[int, Field("Frames.", heading="frames", digits="d", rank=2)]
    fer: Annotated[float | str, Field("Rate.", heading="FER", rank=0)]
    fer_range: Annotated[float | str, Field("Interval.", heading="FER\xa095\xa0%")]
    ber: Annotated[float | str, Field("Rate.", heading="BER", rank=0)]
    ber_range: Annotated[
        float | str, Field("Interval.", heading="BER\xa095\xa0%", rank=3)
    ]


@record_class
class ErrorRates(Record):
    """Error rates of all receivers at one value of Eb/N0."""

    modulation: Annotated[str, Field("Modulation.")]
    code: Annotated[Code, Field("Channel code.")]
    fading: Annotated[Fading, Field("Fading of the channel.")]
    payload_bytes: Annotated[int, Field("Payload of a frame.", unit="byte")]
    ebn0_db: Annotated[float, Field("Eb/N0.", unit="dB")]
    impairments: Annotated[
        Mapping[str, str] | None,
        Field("Options of the channel that bursts went through; null without bursts."),
    ]
    seed: Annotated[int, Field("Random seed.")]
    confidence: Annotated[float, Field("Of the intervals.")]
    theory_fer: Annotated[
        Figure | None, Field("Frame error rate in theory, or a bound.", unit="1")
    ]
    theory_ber: Annotated[
        Figure | None, Field("Bit error rate in theory, or a bound.", unit="1")
    ]
    least_fer: Annotated[
        Figure | None,
        Field(
            "Frame error rate of the best code of this length, by the normal "
            "approximation; null with fading, bursts or another modulation than BPSK "
            "and QPSK.",
            unit="1",
        ),
    ]
    encryption_cost_fer: Annotated[
        RateFigure,
        Field("Frame error rate with encryption minus the one without.", unit="1"),
    ]
    receivers: Annotated[
        Mapping[str, ReceiverRates], Field("What each receiver got wrong.")
    ]
    point: Annotated[Point, Field("All that was counted.", in_json=False)]

    def table_rows(self) -> Sequence[_Row]:
        """Return a row of tables for each receiver."""
        return [
            _Row(
                f"{self.ebn0_db:g}",
                curves.NAMES[receiver],
                tally.frames,
                *curves.cells(tally.frame_error_rate),
                *curves.cells(tally.bit_error_rate),
            )
            for receiver, tally in self.point.tallies.items()
        ]


def error_rates(request: ErrorRatesRequest) -> Answer[ErrorRates]:
    """Yield error rates, at one point after the other.

    Raises
    ------
    MisuseError
        When there is no such modulation, or the values of Eb/N0 are none.
    """
    surroundings = request.surroundings()
    cases = [
        Case(find(name).name, code, request.fading, request.payload_size, surroundings)
        for name in request.modulation
        for code in request.code
    ]
    wanted = [(case, value) for case in cases for value in values_of(request.ebn0)]
    impairments = None if surroundings is None else request.given()
    limits = sweep.Limits(request.errors, request.frames)
    yield Title("", empty=_NO_POINT)
    last, done = None, 0
    processes = request.workers or os.cpu_count() or 1
    with parallel(processes, request.cluster) as pool:
        for point, is_complete in sweep.run(wanted, limits, request.seed, pool):
            yield _progress(point, limits, done, len(wanted))
            if not is_complete:
                continue
            if point.case != last:
                yield Title(_titled(point.case))
            last, done = point.case, done + 1
            yield record_of(point, request.seed, impairments)


_LEAST = "normal approximation (Polyanskiy, Poor and Verdu, 2010)"
_NO_POINT = "no point is complete: give the command more time, or less to do"


def _titled(case: Case) -> str:
    return f"{case.modulation}{curves.faded(case)}, code {case.code}"


def _progress(point: Point, limits: sweep.Limits, done: int, total: int) -> Progress:
    errors, frames = point.frame_errors, point.tallies[Receiver.PLE].frames
    share = min(1.0, max(errors / limits.frame_errors, frames / limits.frames))
    doing = f"{point.case.slug} {point.ebn0_db:g} dB, {errors} frame errors"
    return Progress((done + share) / total, doing, total)


def record_of(
    point: Point, seed: int, impairments: Mapping[str, str] | None = None
) -> ErrorRates:
    """Return all that was measured at one point."""
    case = point.case
    with_, without = (
        point.tallies[receiver].frame_error_rate
        for receiver in (Receiver.PLE, Receiver.PLAIN_APART)
    )
    return ErrorRates(
        modulation=case.modulation,
        code=case.code,
        fading=case.fading,
        payload_bytes=case.payload_size,
        ebn0_db=point.ebn0_db,
        impairments=impairments,
        seed=seed,
        confidence=CONFIDENCE,
        theory_fer=_theory(theory.frame_error_rate, point),
        theory_ber=_theory(theory.bit_error_rate, point),
        least_fer=_least(point),
        encryption_cost_fer=difference(with_, without).figure(_SOURCE),
        receivers={
            receiver.value: _rates(tally) for receiver, tally in point.tallies.items()
        },
        point=point,
    )


def _rates(tally: Tally) -> ReceiverRates:
    return ReceiverRates(
        frames=tally.frames,
        frame_errors=tally.frame_errors,
        bits=tally.bits,
        bit_errors=tally.bit_errors,
        fer=tally.frame_error_rate.figure(_SOURCE),
        ber=tally.bit_error_rate.figure(_SOURCE),
    )


def _least(point: Point) -> Figure | None:
    if not theory.has_least(point.case):
        return None
    at = np.array([point.ebn0_db])
    value = float(theory.least_frame_error_rate(point.case, at)[0])
    return Figure(value, "1", Origin.ESTIMATED, _LEAST)


def _theory(curve: Callable[[Case, Curve], Curve], point: Point) -> Figure | None:
    name = theory.label(point.case)
    if name is None:
        return None
    value = float(curve(point.case, np.array([point.ebn0_db]))[0])
    return Figure(value, "1", Origin.ESTIMATED, f"{name} ({_THEORY})")
