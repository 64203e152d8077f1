# SPDX-License-Identifier: Apache-2.0
"""What a channel does to bursts, as options: one place for all that simulate one."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

from samara.errors import MisuseError
from samara.phy.channel import Impairments
from samara.phy.front_end import FrontEnd
from samara.phy.interference import Neighbours, Pulses, Tone
from samara.phy.multipath import rays_of
from samara.phy.parameters import Multipath
from samara.records import Between, Parameter, Request, request_class
from samara.units import DECIBEL, HERTZ, PPM, RADIANS, SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

_NONE = "none"


@request_class
class ImpairedRequest(Request):
    """A channel with impairments. Levels in dB are over the mean power of bursts."""

    rate: Annotated[
        float,
        Parameter(
            help="Sample rate in Hz.", unit=HERTZ, values=Between(1000, 20_000_000)
        ),
    ] = 1e6
    offset: Annotated[
        float,
        Parameter(
            help="Carrier frequency offset in Hz: positive for radios with even "
            "numbers, negative for the others.",
            unit=HERTZ,
        ),
    ] = 0.0
    clock_ppm: Annotated[
        float,
        Parameter(
            help="Clock error in ppm: positive for radios with even numbers, negative "
            "for the others.",
            unit=PPM,
        ),
    ] = 0.0
    multipath: Multipath = _NONE
    doppler: Annotated[
        float,
        Parameter(
            help="Highest Doppler shift in Hz: each ray has Rayleigh fading with "
            "Jakes's spectrum. 0: no fading. At most a thousandth of the sample rate.",
            unit=HERTZ,
            values=Between(0),
        ),
    ] = 0.0
    phase_noise: Annotated[
        float,
        Parameter(
            help="Phase noise: standard deviation of the phase step per sample.",
            unit=RADIANS,
            values=Between(0),
        ),
    ] = 0.0
    tones: Annotated[
        str,
        Parameter(
            metavar="TONES",
            help="Tones that are always there: none, or FREQUENCY:LEVEL,... with "
            "frequencies from the carrier in Hz and levels in dB over bursts.",
        ),
    ] = _NONE
    pulses: Annotated[
        str,
        Parameter(
            metavar="PULSES",
            help="Pulses of white noise at random times: none, or "
            "RATE:DURATION:LEVEL, with the mean number per second, the duration in "
            "seconds and the level in dB over bursts.",
        ),
    ] = _NONE
    neighbours: Annotated[
        str,
        Parameter(
            metavar="NEIGHBOURS",
            help="Bursts of another network, 1000 symbols of QPSK each: none, or "
            "RATE:LEVEL, with the mean number per second and the level in dB over "
            "bursts.",
        ),
    ] = _NONE
    dc: Annotated[
        str,
        Parameter(
            metavar="LEVEL",
            help="Constant that a receiver adds (DC): none, or its level in dB over "
            "bursts.",
        ),
    ] = _NONE
    iq_imbalance: Annotated[
        str,
        Parameter(
            metavar="GAIN:PHASE",
            help="How far the quadrature part of a receiver is off: none, or its gain "
            "in dB and its phase in degrees, such as 0.5:3.",
        ),
    ] = _NONE
    gain_steps: Annotated[
        str,
        Parameter(
            metavar="RATE:STEP",
            help="Steps of a receiver's gain at random times: none, or the mean number "
            "per second and the step in dB, up or down from the usual gain.",
        ),
    ] = _NONE
    bits: Annotated[
        int | None,
        Parameter(
            help="Bits of a receiver's converter, for each part of a sample, from -1 "
            "to 1.",
            values=Between(1, 16),
            default_text="no rounding",
        ),
    ] = None

    def path(self, sign: int = 1, loss: float = 0.0) -> Impairments:
        """Return the impairments of the path of a radio.

        Parameters
        ----------
        sign
            1 or -1: that of the carrier's and the clock's error.
        loss
            Probability that a burst is lost.
        """
        return Impairments(
            offset=sign * self.offset / self.rate,
            clock_ppm=sign * self.clock_ppm,
            rays=rays_of(self.multipath),
            doppler=self.doppler / self.rate,
            phase_noise=self.phase_noise,
            loss=loss,
        )

    def given(self) -> dict[str, str]:
        """Return the options of the channel that were given, with their values."""
        values = {each: getattr(self, each.name) for each in fields(ImpairedRequest)}
        return {
            each.name: f"{value:g}" if isinstance(value, float) else str(value)
            for each, value in values.items()
            if value != each.default
        }

    def front_end(self, burst_power: float) -> FrontEnd:
        """Return what each receiver is like, and hears beside the bursts.

        Raises
        ------
        MisuseError
            When a text is not valid.
        """
        steps, step_db = _numbers("--gain-steps", self.gain_steps, _per_second, _db)
        gain_db, degrees = _numbers("--iq-imbalance", self.iq_imbalance, _db, float)
        (dc_db,) = _numbers("--dc", self.dc, _db, default=-math.inf)
        return FrontEnd(
            heard=self._heard(burst_power),
            constant=math.sqrt(burst_power * _ratio(dc_db)),
            iq_gain_db=gain_db,
            iq_phase=math.radians(degrees),
            gain_rate=steps / self.rate,
            gain_step_db=step_db,
            bits=self.bits,
        )

    def _heard(self, burst_power: float) -> tuple[Tone | Pulses | Neighbours, ...]:
        heard: list[Tone | Pulses | Neighbours] = []
        for text in [] if self.tones == _NONE else self.tones.split(","):
            hertz, level = _numbers("--tones", text, HERTZ.parse, _db)
            heard.append(Tone(hertz / self.rate, burst_power * _ratio(level)))
        if self.pulses != _NONE:
            each = _numbers("--pulses", self.pulses, _per_second, SECONDS.parse, _db)
            length = round(each[1] * self.rate)
            power = burst_power * _ratio(each[2])
            heard.append(Pulses(each[0] / self.rate, length, power))
        if self.neighbours != _NONE:
            often, level = _numbers("--neighbours", self.neighbours, _per_second, _db)
            heard.append(Neighbours(often / self.rate, burst_power * _ratio(level)))
        return tuple(heard)


_EXPECTED = {
    "--tones": "FREQUENCY:LEVEL,... in Hz and dB, such as 10kHz:3",
    "--pulses": "RATE:DURATION:LEVEL, such as 20:1ms:20",
    "--neighbours": "RATE:LEVEL, such as 10:6",
    "--dc": "a level in dB, such as -10",
    "--iq-imbalance": "GAIN:PHASE in dB and degrees, such as 0.5:3",
    "--gain-steps": "RATE:STEP, such as 10:3",
}
_HIGHEST_DB = 100


def _numbers(
    option: str,
    text: str,
    *parsers: Callable[[str], float],
    default: float = 0.0,
) -> tuple[float, ...]:
    """Return the numbers of an option's text; `default` for each when it is none."""
    if text == _NONE:
        return (default,) * len(parsers)
    parts = text.split(":")
    try:
        numbers = tuple(parse(part) for parse, part in zip(parsers, parts, strict=True))
    except ValueError:
        numbers = ()
    if not numbers or not all(map(math.isfinite, numbers)):
        message = f"{option} {text!r} is not valid: expected none, or "
        raise MisuseError(message + _EXPECTED[option])
    return numbers


def _db(text: str) -> float:
    level = DECIBEL.parse(text)
    if not abs(level) <= _HIGHEST_DB:
        raise ValueError
    return level


def _per_second(text: str) -> float:
    rate = float(text)
    if not rate > 0:
        raise ValueError
    return rate


def _ratio(level_db: float) -> float:
    return 10 ** (level_db / 10)
