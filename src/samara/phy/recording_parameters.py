# SPDX-License-Identifier: Apache-2.0
"""Parameters of requests that read a recording."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from samara.records import Between, Parameter, Request, request_class
from samara.units import HERTZ

if TYPE_CHECKING:
    from samara.phy.recordings import Recording, RecordingOptions

Rate: TypeAlias = Annotated[
    float | None,
    Parameter(
        name="rate",
        unit=HERTZ,
        help="Sample rate of the recording in Hz.",
        values=Between(1),
        default_text="as the recording says",
    ),
]
Carrier: TypeAlias = Annotated[
    float | None,
    Parameter(
        name="frequency",
        unit=HERTZ,
        help="Carrier frequency of the recording in Hz.",
        values=Between(0),
        default_text="as the recording says",
    ),
]
Format: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="format",
        metavar="FORMAT",
        help="Sample format of a recording without metadata: cu8, cs8, cs16, cf32, "
        "cf64, or a name of SigMF such as ci16_be.",
        default_text="as the name says",
    ),
]
SwapIq: TypeAlias = Annotated[
    bool,
    Parameter(
        help="Take the first number of each pair as the imaginary part: for a "
        "recording whose spectrum is mirrored.",
    ),
]
RECORDING_HELP = (
    "Recording: SigMF (with or without .sigmf-meta, or an archive), wav, or samples "
    "alone."
)


def given(
    rate: float | None,
    frequency: float | None,
    name: str | None,
    *,
    swaps_iq: bool = False,
) -> RecordingOptions:
    """Return what a user says of a recording."""
    from samara.phy.recordings import RecordingOptions  # noqa: PLC0415 - NumPy is slow
    from samara.phy.sample_formats import SampleFormat  # noqa: PLC0415

    known = SampleFormat.parse(name) if name else None
    return RecordingOptions(rate, frequency, known, swaps_iq=swaps_iq)


@request_class
class RecordingRequest(Request):
    """A recording, and what it does not say of itself."""

    recording: Annotated[
        Path, Parameter(is_argument=True, metavar="RECORDING", help=RECORDING_HELP)
    ]
    rate: Rate = None
    frequency: Carrier = None
    sample_format: Format = None
    swap_iq: SwapIq = False

    def opened(self) -> Recording:
        """Open the recording.

        Raises
        ------
        samara.phy.recordings.RecordingError
            When it cannot be read.
        """
        from samara.phy.recordings import open_recording  # noqa: PLC0415 - as above

        said = given(
            self.rate, self.frequency, self.sample_format, swaps_iq=self.swap_iq
        )
        return open_recording(self.recording, said)
