# SPDX-License-Identifier: Apache-2.0
"""What can be changed of a channel while it runs: the actions of `--control`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from samara.errors import ArgumentError
from samara.phy.channel import noise_power
from samara.phy.recordings import open_recording
from samara.records import Field, Record, record_class
from samara.records.parameters import Between, Parameter, Request, request_class
from samara.steering import Action, Next

if TYPE_CHECKING:
    from samara.phy.air import Air
    from samara.phy.channel import Samples

_FULL_SCALE: Final = 127
_RADIOS = range(16)


@record_class
class ChannelBurst(Record):
    """A radio of the channel has sent a burst, and another one has received it."""

    radio: Annotated[int, Field("The number of the radio that sent it, from 0.")]
    samples: Annotated[int, Field("How many samples were received.")]
    power_db: Annotated[
        float, Field("Their mean power, over that of magnitude 1.", unit="dB")
    ]
    scale: Annotated[float, Field("What one step of `data` stands for.")]
    data: Annotated[
        bytes, Field("The samples, noise included: real and imaginary part, int8 each.")
    ]


@request_class
class Conditions(Request):
    """What the channel does from now on; what is not given stays as it was."""

    ebn0: Annotated[
        float | None,
        Parameter(
            help="Eb/N0 in dB; Eb is of an information bit.",
            values=Between(-20, 60),
            default_text="as it is",
        ),
    ] = None
    loss: Annotated[
        float | None,
        Parameter(
            help="Probability that a burst is lost.",
            values=Between(0, 1),
            default_text="as it is",
        ),
    ] = None


@request_class
class Repeated(Request):
    """The last burst of a radio, sent once more by somebody else."""

    radio: Annotated[
        int, Parameter(help="Number of the radio, from 0.", values=_RADIOS)
    ] = 0
    inverted: Annotated[
        float,
        Parameter(
            help="Share of the burst, in its middle, whose samples change their sign.",
            values=Between(0, 1),
        ),
    ] = 0.0


@request_class
class Played(Request):
    """A recording, sent in the name of a radio."""

    radio: Annotated[
        int, Parameter(help="Number of the radio, from 0.", values=_RADIOS)
    ] = 0
    file: Annotated[str, Parameter(help="Name of the SigMF recording.")] = ""


@dataclass(frozen=True, slots=True)
class Steering:
    """Changes a channel that runs.

    Parameters
    ----------
    air
        The channel.
    radios
        How many it has.
    bits_per_sample, burst_power
        What Eb/N0 refers to, as `samara.phy.channel.noise_power` takes them.
    """

    air: Air
    radios: int
    bits_per_sample: float
    burst_power: float

    def actions(self) -> dict[str, Action]:
        """Return what a line can ask for."""
        return {
            "set": Action(Conditions, self._set),
            "lose": Action(Next, self._lose),
            "repeat": Action(Repeated, self._repeat),
            "play": Action(Played, self._play),
        }

    def _set(self, wanted: Conditions) -> str:
        power, said = None, []
        if wanted.ebn0 is not None:
            power = noise_power(wanted.ebn0, self.bits_per_sample, self.burst_power)
            said.append(f"Eb/N0 is {wanted.ebn0:g} dB.")
        if wanted.loss is not None:
            said.append(f"{wanted.loss:.3g} of all bursts are lost.")
        self.air.change(noise_power=power, loss=wanted.loss)
        return " ".join(said) or "Nothing was to be changed."

    def _lose(self, wanted: Next) -> str:
        self.air.lose(wanted.count)
        return f"The next {wanted.count} bursts of each radio are lost."

    def _repeat(self, wanted: Repeated) -> str:
        samples = self.air.last_burst(self._checked(wanted.radio))
        if samples is None:
            message = f"radio {wanted.radio} has sent no burst yet"
            raise ArgumentError(message)
        changed = samples.copy()
        span = round(len(changed) * wanted.inverted)
        start = (len(changed) - span) // 2
        changed[start : start + span] *= -1
        self.air.insert(wanted.radio, changed)
        return f"The last burst of radio {wanted.radio} is sent once more."

    def _play(self, wanted: Played) -> str:
        recording = open_recording(Path(wanted.file))
        self.air.insert(self._checked(wanted.radio), recording.samples())
        return f"The recording is sent in the name of radio {wanted.radio}."

    def _checked(self, radio: int) -> int:
        if radio >= self.radios:
            message = f"radio must be 0 to {self.radios - 1}, not {radio}"
            raise ArgumentError(message)
        return radio


def burst_of(radio: int, samples: Samples) -> ChannelBurst:
    """Return the record of a burst."""
    parts = samples.view(np.float32)
    peak = float(np.abs(parts).max(initial=1e-9))
    power = float(np.mean(parts**2)) * 2
    steps = np.round(parts * (_FULL_SCALE / peak)).astype(np.int8)
    return ChannelBurst(
        radio,
        len(samples),
        round(10 * float(np.log10(max(power, 1e-12))), 2),
        peak / _FULL_SCALE,
        steps.tobytes(),
    )


def samples_of(scale: float, data: bytes) -> Samples:
    """Return the samples of the record of a burst."""
    parts = np.frombuffer(data, np.int8).astype(np.float32) * np.float32(scale)
    return parts.view(np.complex64)
