# SPDX-License-Identifier: Apache-2.0
"""`samara channel`: what is between radios where there is no air."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from samara.cli.ending import when_asked
from samara.cli.outcome import MisuseError, say
from samara.phy.air import DEFAULT_ADDRESS, Air, Endpoints
from samara.phy.channel import THREE_RAYS, Impairments, Ray, noise_power

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.phy.air import Statistics

_MOST_RADIOS = 16


def channel(  # noqa: PLR0913 - one option an impairment
    *,
    radios: Annotated[
        int, typer.Option(min=2, max=_MOST_RADIOS, help="How many can join.")
    ] = 2,
    address: Annotated[
        str,
        typer.Option(help="tcp://HOST:PORT, two ports a radio, or ipc://PATH."),
    ] = DEFAULT_ADDRESS,
    rate: Annotated[
        float, typer.Option(min=1000, max=20e6, help="Samples per second.")
    ] = 1e6,
    ebn0: Annotated[
        float, typer.Option(help="Energy of an information bit over noise, in dB.")
    ] = 10.0,
    bits_per_sample: Annotated[
        float,
        typer.Option(
            min=1e-4,
            max=8,
            help="Information bits in a sample, for --ebn0: QPSK with rate 1/2 and "
            "4 samples a symbol has 0.25.",
        ),
    ] = 0.25,
    amplitude: Annotated[
        float,
        typer.Option(
            min=1e-6, max=1e3, help="Of the bursts, for --ebn0: root mean square."
        ),
    ] = 0.25,
    offset: Annotated[
        float, typer.Option(help="Of the carriers, in Hz: even radios +, odd ones -.")
    ] = 0.0,
    clock_ppm: Annotated[
        float, typer.Option(help="Of the clocks: even radios +, odd ones -.")
    ] = 0.0,
    multipath: Annotated[
        str,
        typer.Option(help="none, three-ray, or DELAY:DB,... with delays in samples."),
    ] = "none",
    phase_noise: Annotated[
        float, typer.Option(min=0, help="Step of the phase a sample, in radians rms.")
    ] = 0.0,
    loss: Annotated[
        float, typer.Option(min=0, max=1, help="Probability that a burst is lost.")
    ] = 0.0,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Same seed, same noise and losses.")
    ] = None,
    duration: Annotated[
        float | None, typer.Option(min=0, help="End after so many seconds.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines.")] = False,
) -> None:
    """Join radios over ZeroMQ: every one hears all others, and noise.

    Complex float32 samples, as gr-zeromq's push_sink and pull_source have them,
    so that a flow graph of GNU Radio can take part. Ends on Ctrl-C.

    \b
    Examples:
      samara channel
      samara channel --ebn0 4 --multipath three-ray --offset 10000 --clock-ppm 50
      samara channel --radios 3 --rate 250e3 --loss 0.1 --seed 1 --json
    """
    rays = rays_of(multipath)
    signs = [1 - 2 * (radio % 2) for radio in range(radios)]
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
    with Air(
        address, impairments, noise_power=power, sample_rate=rate, seed=seed
    ) as air:
        _say_ready(address, radios, as_json=as_json)
        _carry(air, duration)
        _say_statistics(air.statistics, as_json=as_json)


def rays_of(text: str) -> Sequence[Ray]:
    """Read what --multipath says."""
    if text == "none":
        return (Ray(0, 0),)
    if text == "three-ray":
        return THREE_RAYS
    try:
        pairs = [part.split(":") for part in text.split(",")]
        return [Ray(float(delay), float(gain_db)) for delay, gain_db in pairs]
    except ValueError:
        message = (
            f"--multipath {text!r} is not understood: give none, three-ray, or "
            "delays in samples with gains in dB, such as 0:0,3:-10"
        )
        raise MisuseError(message) from None


def _carry(air: Air, duration: float | None) -> None:
    """Run until the time is over, or somebody asks to end."""
    is_over = when_asked()
    told: set[int] = set()

    def wanted() -> bool:
        _say_turned_away(air.statistics, told)
        return not is_over() and (duration is None or air.statistics.seconds < duration)

    air.run(wanted)


def _say_turned_away(statistics: Statistics, told: set[int]) -> None:
    """Tell once a radio that somebody else wanted its samples, too."""
    for radio, count in enumerate(statistics.turned_away):
        if count and radio not in told:
            told.add(radio)
            say(
                f"radio {radio} has a listener already; another one was turned away, "
                "because two would share its samples"
            )


def _say_ready(address: str, radios: int, *, as_json: bool) -> None:
    ends = [asdict(Endpoints.of(address, radio)) for radio in range(radios)]
    if as_json:
        print(json.dumps({"ready": True, "radios": ends}), flush=True)
        return
    for number, end in enumerate(ends):
        print(f"radio {number}: push to {end['transmit']}, pull from {end['receive']}")
    print("ready; Ctrl-C ends", flush=True)


def _say_statistics(statistics: Statistics, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(statistics)), flush=True)
        return
    print(
        f"{statistics.seconds:.1f} s of samples; bursts {sum(statistics.bursts)}, of "
        f"which lost {sum(statistics.lost_bursts)}; samples that a radio did not take "
        f"in time {sum(statistics.overruns)}, that were late {statistics.late}"
    )
