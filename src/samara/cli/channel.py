# SPDX-License-Identifier: Apache-2.0
"""`samara channel`: a radio channel that joins software-defined radios."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from samara.cli.phy.options import Multipath, rays_of
from samara.cli.shared.answering import prints
from samara.cli.shared.control import Control, attended
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import Json, print_json, print_record
from samara.cli.shared.stop_signals import stop_on_signals
from samara.phy.addresses import Endpoints, default_address
from samara.phy.channel import Impairments, noise_power
from samara.phy.steering import ChannelBurst, Steering, burst_of
from samara.steering import ControlDone, ControlRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.phy.air import Air, Statistics

_MOST_RADIOS = 16


@prints(ControlDone, ControlRefused, ChannelBurst)
def channel(  # noqa: PLR0913 - one option an impairment
    *,
    radios: Annotated[
        int, typer.Option(min=2, max=_MOST_RADIOS, help="Number of radios.")
    ] = 2,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="ipc://PATH, or tcp://HOST:PORT with two ports for each radio. "
            "Default: the address that --radio zmq means, one for each user.",
        ),
    ] = None,
    rate: Annotated[
        float,
        typer.Option(metavar="HZ", min=1000, max=20e6, help="Sample rate in Hz."),
    ] = 1e6,
    ebn0: Annotated[
        float,
        typer.Option(metavar="DB", help="Eb/N0 in dB; Eb is of an information bit."),
    ] = 10.0,
    bits_per_sample: Annotated[
        float,
        typer.Option(
            metavar="NUMBER",
            min=1e-4,
            max=8,
            help="Information bits per sample, for --ebn0. QPSK with code rate 1/2 and "
            "4 samples per symbol has 0.25.",
        ),
    ] = 0.25,
    amplitude: Annotated[
        float,
        typer.Option(
            metavar="NUMBER",
            min=1e-6,
            max=1e3,
            help="Root mean square of the bursts, for --ebn0.",
        ),
    ] = 0.25,
    offset: Annotated[
        float,
        typer.Option(
            metavar="HZ",
            help="Carrier frequency offset in Hz: positive for radios with even "
            "numbers, negative for the others.",
        ),
    ] = 0.0,
    clock_ppm: Annotated[
        float,
        typer.Option(
            metavar="PPM",
            help="Clock error in ppm: positive for radios with even numbers, negative "
            "for the others.",
        ),
    ] = 0.0,
    multipath: Multipath = "none",
    phase_noise: Annotated[
        float,
        typer.Option(
            metavar="RAD",
            min=0,
            help="Phase noise: standard deviation of the phase step per sample.",
        ),
    ] = 0.0,
    loss: Annotated[
        float,
        typer.Option(
            metavar="P", min=0, max=1, help="Probability that a burst is lost."
        ),
    ] = 0.0,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Random seed of noise and losses. Default: random."),
    ] = None,
    duration: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="Stop after this many seconds. Default: at Ctrl-C.",
        ),
    ] = None,
    control: Control = False,
    as_json: Json = False,
) -> None:
    """Join software-defined radios over ZeroMQ: each hears all others, and noise.

    Each radio sends samples to one endpoint and receives from another; the command
    prints both. Samples are complex float32, as the blocks push_sink and pull_source
    of gr-zeromq use them, so that any flowgraph of GNU Radio can take part. Samples
    pass at the sample rate, in real time.

    \b
    Examples:
      samara channel
      samara channel --ebn0 4 --multipath three-ray --offset 10000 --clock-ppm 50
      samara channel --radios 3 --rate 250e3 --loss 0.1 --seed 1 --json
      echo '{"do": "set", "ebn0": 4}' | samara channel --control
    """
    signs = [1 - 2 * (radio % 2) for radio in range(radios)]
    rays = rays_of(multipath)
    impairments = [
        Impairments(
            offset=sign * offset / rate,
            clock_ppm=sign * clock_ppm,
            rays=rays,
            phase_noise=phase_noise,
            loss=loss,
        )
        for sign in signs
    ]
    power = noise_power(ebn0, bits_per_sample, amplitude**2)
    place = address or default_address()
    # Loaded here so that --help works without ZeroMQ.
    from samara.phy import air as airs  # noqa: PLC0415

    with airs.Air(
        place, impairments, noise_power=power, sample_rate=rate, seed=seed
    ) as air:
        as_json = as_json or control
        _print_ready(place, radios, as_json=as_json)
        is_over = stop_on_signals()
        if control:
            air.on_burst = lambda *burst: print_record(burst_of(*burst))
            steering = Steering(air, radios, bits_per_sample, amplitude**2)
            is_over = attended(is_over, steering.actions())
        _carry(air, duration, is_over)
        _print_statistics(air.statistics, as_json=as_json)


def _carry(air: Air, duration: float | None, is_over: Callable[[], bool]) -> None:
    """Run until the time is over or the user ends the command."""
    reported: set[int] = set()

    def wanted() -> bool:
        _report_refused(air.statistics, reported)
        return not is_over() and (duration is None or air.statistics.seconds < duration)

    air.run(wanted)


def _report_refused(statistics: Statistics, reported: set[int]) -> None:
    """Say once for each radio that a second listener was refused."""
    for radio, count in enumerate(statistics.turned_away):
        if count and radio not in reported:
            reported.add(radio)
            say(
                f"radio {radio} has a listener already: a second one was refused, "
                "because each would get only a part of the samples"
            )


def _print_ready(address: str, radios: int, *, as_json: bool) -> None:
    ends = [asdict(Endpoints.of(address, radio)) for radio in range(radios)]
    if as_json:
        print_json("channel_ready", {"address": address, "radios": ends})
        return
    for number, end in enumerate(ends):
        print(
            f"radio {number}: send samples to {end['transmit']}, "
            f"receive from {end['receive']}"
        )
    print("The channel is ready. Press Ctrl-C to end it.", flush=True)


def _print_statistics(statistics: Statistics, *, as_json: bool) -> None:
    if as_json:
        print_json("channel_statistics", asdict(statistics))
        return
    print(
        f"{statistics.seconds:.1f} s of samples. Bursts: {sum(statistics.bursts)}, "
        f"lost: {sum(statistics.lost_bursts)}. Samples that a radio did not take in "
        f"time: {sum(statistics.overruns)}. Samples sent late: {statistics.late}."
    )
