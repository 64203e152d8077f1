# SPDX-License-Identifier: Apache-2.0
"""Running a channel that joins software-defined radios, from a request on."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable  # noqa: TC003 - read at run time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from samara.phy.addresses import Endpoints, default_address
from samara.phy.channel import Impairments, noise_power
from samara.phy.impairing import ImpairedRequest
from samara.phy.steering import ChannelBurst, Steering, burst_of
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    record_class,
    request_class,
)
from samara.records.usual import seconds_until_end
from samara.steering import Control, ControlDone, ControlLines, ControlRefused
from samara.units import DECIBEL, NUMBER, SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.air import Air, Statistics

_MOST_RADIOS = 16


@request_class
class ChannelRequest(ImpairedRequest):
    """A channel that is to run."""

    radios: Annotated[
        int, Parameter(help="Number of radios.", values=Between(2, _MOST_RADIOS))
    ] = 2
    address: Annotated[
        str | None,
        Parameter(
            metavar="ADDRESS",
            help="ipc://PATH, or tcp://HOST:PORT with two ports for each radio.",
            default_text="the address that --radio zmq means, one for each user",
        ),
    ] = None
    ebn0: Annotated[
        float,
        Parameter(help="Eb/N0 in dB; Eb is of an information bit.", unit=DECIBEL),
    ] = 10.0
    bits_per_sample: Annotated[
        float,
        Parameter(
            help="Information bits per sample, for --ebn0. QPSK with code rate 1/2 and "
            "4 samples per symbol has 0.25.",
            unit=NUMBER,
            values=Between(1e-4, 8),
        ),
    ] = 0.25
    amplitude: Annotated[
        float,
        Parameter(
            help="Root mean square of the bursts, for --ebn0.",
            unit=NUMBER,
            values=Between(1e-6, 1e3),
        ),
    ] = 0.25
    loss: Annotated[
        float,
        Parameter(
            help="Probability that a burst is lost.", unit=SHARE, values=Between(0, 1)
        ),
    ] = 0.0
    seed: Annotated[
        int | None,
        Parameter(
            help="Random seed of noise and losses.",
            values=Between(0),
            default_text="random",
        ),
    ] = None
    duration_s: Annotated[
        float | None,
        seconds_until_end("duration", "at Ctrl-C"),
    ] = None
    control: Control = False

    def impairments(self) -> list[Impairments]:
        """Return those of the path of each radio."""
        signs = [1 - 2 * (radio % 2) for radio in range(self.radios)]
        return [self.path(sign, self.loss) for sign in signs]


@record_class
class RadioEndpoints:
    """Where one radio exchanges samples with the channel."""

    transmit: Annotated[str, Field("Address that it sends samples to.")]
    receive: Annotated[str, Field("Address that it receives samples from.")]


@record_class
class ChannelReady(Record):
    """A channel that runs."""

    address: Annotated[str, Field("Of the channel.")]
    radios: Annotated[tuple[RadioEndpoints, ...], Field("Endpoints of each radio.")]


@record_class
class ChannelStatistics(Record):
    """Counts of a channel until its end: of samples, unless they are of bursts."""

    seconds: Annotated[float, Field("How much of samples it has passed.", unit="s")]
    bursts: Annotated[tuple[int, ...], Field("Bursts of each radio.")]
    lost_bursts: Annotated[tuple[int, ...], Field("Those that were lost.")]
    overruns: Annotated[
        tuple[int, ...],
        Field("What a connected receiver did not take in time, for each radio."),
    ]
    turned_away: Annotated[
        tuple[int, ...],
        Field("How often a second listener was refused, for each radio."),
    ]
    late: Annotated[int, Field("What was skipped because the channel was late.")]


def run_channel(
    request: ChannelRequest, *, is_over: Callable[[], bool] = lambda: False
) -> Answer[
    ChannelReady | ControlDone | ControlRefused | ChannelBurst | ChannelStatistics
]:
    """Run a channel until told to end; yield its endpoints, bursts and statistics.

    Parameters
    ----------
    is_over
        Asked several times a second: whether to end.

    Raises
    ------
    MisuseError
        When it cannot run so.
    """
    impairments = request.impairments()
    front_end = request.front_end(request.amplitude**2)
    power = noise_power(request.ebn0, request.bits_per_sample, request.amplitude**2)
    place = request.address or default_address()
    # Loaded here so that help texts are made without ZeroMQ.
    from samara.phy import air as airs  # noqa: PLC0415

    with airs.Air(
        place,
        impairments,
        noise_power=power,
        sample_rate=request.rate,
        seed=request.seed,
        front_end=front_end,
    ) as air:
        yield _beginning(place, request.radios)
        yield from _turns(request, air, is_over)
        yield _end(air.statistics)


def _beginning(address: str, radios: int) -> Digest[ChannelReady]:
    ends = tuple(
        RadioEndpoints(**asdict(Endpoints.of(address, radio)))
        for radio in range(radios)
    )
    lines = [
        Line(
            f"radio {number}: send samples to {end.transmit}, "
            f"receive from {end.receive}"
        )
        for number, end in enumerate(ends)
    ]
    lines.append(Line("The channel is ready. Press Ctrl-C to end it."))
    return Digest([ChannelReady(address, ends)], lines)


def _turns(
    request: ChannelRequest, air: Air, is_over: Callable[[], bool]
) -> Iterator[ControlDone | ControlRefused | ChannelBurst | Notice]:
    """Pass samples on, and do what lines of control ask for."""
    passed: deque[ChannelBurst] = deque()
    lines = None
    if request.control:
        air.on_burst = lambda *burst: passed.append(burst_of(*burst))
        power = request.amplitude**2
        steering = Steering(air, request.radios, request.bits_per_sample, power)
        lines = ControlLines(steering.actions())
    reported: set[int] = set()
    duration_s = request.duration_s

    def wanted() -> bool:
        is_enough = duration_s is not None and air.statistics.seconds >= duration_s
        return not (is_over() or is_enough)

    with contextlib.closing(air.turns(wanted)) as turns:
        for _ in turns:
            while passed:
                yield passed.popleft()
            if lines is not None:
                yield from lines.attend()
            yield from _refused(air.statistics, reported)


def _refused(statistics: Statistics, reported: set[int]) -> Iterator[Notice]:
    """Yield once for each radio that a second listener was refused."""
    for radio, count in enumerate(statistics.turned_away):
        if count and radio not in reported:
            reported.add(radio)
            yield Notice(
                f"radio {radio} has a listener already: a second one was refused, "
                "because each would get only a part of the samples"
            )


def _end(statistics: Statistics) -> Digest[ChannelStatistics]:
    record = ChannelStatistics(
        seconds=statistics.seconds,
        bursts=tuple(statistics.bursts),
        lost_bursts=tuple(statistics.lost_bursts),
        overruns=tuple(statistics.overruns),
        turned_away=tuple(statistics.turned_away),
        late=statistics.late,
    )
    line = Line(
        f"{record.seconds:.1f} s of samples. Bursts: {sum(record.bursts)}, "
        f"lost: {sum(record.lost_bursts)}. Samples that a radio did not take in "
        f"time: {sum(record.overruns)}. Samples sent late: {record.late}."
    )
    return Digest([record], [line])
