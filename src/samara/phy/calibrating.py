# SPDX-License-Identifier: Apache-2.0
"""The error of a radio's crystal, measured by the bursts of another radio."""

from __future__ import annotations

import contextlib
import statistics
import time
from typing import TYPE_CHECKING, Annotated

from samara.phy import frames, offsets
from samara.phy.modulation import find
from samara.phy.radio import Radio
from samara.phy.receiving import ReceivingRequest
from samara.phy.station import Station
from samara.phy.tuning import RecordingEndedError, Tuning
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Progress,
    Record,
    Refusal,
    record_class,
    request_class,
)
from samara.units import PPM, SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# How long a wait for a burst may delay the end.
_WAIT_S = 0.2


@request_class
class CalibrateRequest(ReceivingRequest):
    """With which radio bursts are received, and how many."""

    ppm: Annotated[
        float,
        Parameter(
            help="Error of the radio's crystal that is corrected already, in ppm.",
            unit=PPM,
            values=Between(-1000, 1000),
        ),
    ] = 0.0
    count: Annotated[
        int, Parameter(help="Number of bursts to measure.", values=Between(1, 10_000))
    ] = 5
    timeout: Annotated[
        float,
        Parameter(
            help="Time to wait for the bursts, in seconds; exit status 1 when none"
            " came.",
            unit=SECONDS,
            values=Between(0.1, 86_400),
        ),
    ] = 30.0


@record_class
class CrystalError(Record):
    """The error of a radio's crystal, relative to the radio that sent."""

    TYPE = "crystal_error"

    bursts: Annotated[int, Field("Bursts that were measured.")]
    offset_hz: Annotated[
        float, Field("Carrier frequency offset, the median.", unit="Hz")
    ]
    ppm: Annotated[
        float,
        Field("Error of the crystal: what --ppm is to be, the median.", unit="ppm"),
    ]
    spread_ppm: Annotated[
        float, Field("Largest difference between two bursts.", unit="ppm")
    ]


def calibrate(
    request: CalibrateRequest, is_over: Callable[[], bool] = lambda: False
) -> Answer[CrystalError]:
    """Receive bursts, and yield by how much this radio's crystal differs.

    The bursts are those of any node with this modulation and frame size. No key is
    needed. The first item says that the radio is on.

    Parameters
    ----------
    is_over
        Asked several times a second.

    Raises
    ------
    MisuseError
        When there is no such modulation or kind of radio.
    samara.phy.tuning.RadioError
        When GNU Radio or the radio is not available.
    """
    find(request.modulation)
    tuning = Tuning(request.rate, request.frequency_hz, request.gain, request.ppm)
    station = Station(
        Radio.parse(request.radio),
        tuning,
        request.number,
        modulation=request.modulation,
        payload_bits=frames.Unencrypted().coded_bits(request.frame_size),
        highest_offset=offsets.searched(tuning, offsets.WIDEST),
    )
    try:
        station.start()
        yield Progress(None, "listening")
        heard = _heard(station, request, is_over)
    finally:
        station.close()
    if not heard:
        yield Notice(
            "no burst was heard: does the other node send, with the same --modulation,"
            " --frame-size, --rate and --frequency?"
        )
        yield Refusal()
        return
    yield _shown(heard, tuning)


def _heard(
    station: Station, request: CalibrateRequest, is_over: Callable[[], bool]
) -> Sequence[float]:
    """Return the carrier offsets of bursts, in cycles a symbol."""
    end_s = time.monotonic() + request.timeout
    found: list[float] = []
    with contextlib.suppress(RecordingEndedError):
        while len(found) < request.count and not is_over() and time.monotonic() < end_s:
            found += [heard.offset for heard in station.receive(_WAIT_S, most=64)]
    return found[: request.count]


def _shown(heard: Sequence[float], tuning: Tuning) -> Digest[CrystalError]:
    # A radio that is tuned too high hears the carrier too low.
    errors = [tuning.ppm - offsets.in_ppm(offset, tuning) for offset in heard]
    offset_hz = statistics.median(heard) * offsets.symbol_rate(tuning)
    ppm, spread = statistics.median(errors), max(errors) - min(errors)
    record = CrystalError(
        len(heard), round(offset_hz, 1), round(ppm, 3), round(spread, 3)
    )
    line = Line(
        f"--ppm {ppm:.2f}, by {len(heard)} burst{'s' * (len(heard) > 1)} that differ by"
        f" {spread:.2f} ppm; the carrier is {offset_hz:+,.0f} Hz off"
    )
    return Digest([record], [line])
