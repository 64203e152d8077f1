# SPDX-License-Identifier: Apache-2.0
"""What an eavesdropper hears, as a request asks for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

from samara.phy.eavesdropping import Eavesdropper
from samara.phy.modulation import find
from samara.phy.radio import Radio
from samara.phy.receiving import ReceivingRequest
from samara.phy.tuning import Tuning
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Notice,
    Parameter,
    Progress,
    Record,
    Verbatim,
    record_class,
    request_class,
)
from samara.records.usual import seconds_until_end

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.phy.eavesdropping import Overheard

# How long a wait for a burst may delay the end.
_WAIT_S = 0.2


@request_class
class EavesdropRequest(ReceivingRequest):
    """With which radio bursts are received, and for how long."""

    number: Annotated[
        int,
        Parameter(
            help="zmq: number of the radio in the channel, from 0.", values=Between(0)
        ),
    ] = 2
    count: Annotated[
        int | None,
        Parameter(help="Stop after this many bursts.", values=Between(1)),
    ] = None
    timeout: Annotated[
        float | None,
        seconds_until_end("timeout"),
    ] = None


@record_class
class UnopenedBurst(Record):
    """A burst that was received without the key."""

    TYPE = "burst"

    hex: Annotated[
        bytes, Field("The most likely payload if the frame were not encrypted.")
    ]
    snr_db: Annotated[float, Field("Signal-to-noise ratio.", unit="dB")]
    offset: Annotated[float, Field("Carrier frequency offset in cycles per symbol.")]


def eavesdrop(
    request: EavesdropRequest, is_over: Callable[[], bool] = lambda: False
) -> Answer[UnopenedBurst]:
    """Yield bursts as they are received; the first item says that the radio is on.

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
    listener = Eavesdropper(
        Radio.parse(request.radio),
        Tuning(request.rate, request.frequency_hz, request.gain),
        request.number,
        modulation=request.modulation,
        frame_size=request.frame_size,
    )
    try:
        listener.start()
        yield Progress(None, "listening")
        yield from _heard(listener, request, is_over)
    finally:
        listener.close()
    if listener.dropped:
        yield Notice(
            f"{listener.dropped} bursts were dropped: they came too fast to decode"
        )


def _heard(
    listener: Eavesdropper, request: EavesdropRequest, is_over: Callable[[], bool]
) -> Answer[UnopenedBurst]:
    end_s = None if request.timeout is None else time.monotonic() + request.timeout
    while not is_over() and (end_s is None or time.monotonic() < end_s):
        for burst in listener.listen(_WAIT_S):
            yield _shown(burst)
            if listener.heard == request.count:
                return


def _shown(burst: Overheard) -> Digest[UnopenedBurst]:
    begin = burst.content[:24].hex(" ")
    return Digest(
        [UnopenedBurst(burst.content, round(burst.snr_db, 2), round(burst.offset, 6))],
        [Verbatim(f"burst at {burst.snr_db:.1f} dB: {begin} ...")],
    )
