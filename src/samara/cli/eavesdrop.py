# SPDX-License-Identifier: Apache-2.0
"""`samara phy eavesdrop`: what somebody without the key gets."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer

from samara.cli.ending import when_asked
from samara.cli.outcome import say
from samara.phy.eavesdropping import Eavesdropper, Overheard
from samara.phy.modulation import DEFAULT, names
from samara.phy.modulation import find as find_modulation
from samara.phy.radio import Radio, Tuning

_PATIENCE_S = 0.2


def eavesdrop(  # noqa: PLR0913 - one parameter an option
    *,
    radio: Annotated[
        str,
        typer.Option(
            metavar="RADIO", help="zmq, zmq:ADDRESS, file:PATH, uhd:ARGS, soapy:ARGS."
        ),
    ] = "zmq",
    number: Annotated[
        int, typer.Option(min=0, help="zmq: which of the channel's radios to be.")
    ] = 2,
    rate: Annotated[float, typer.Option(min=1e4, help="Samples a second.")] = 1e6,
    modulation: Annotated[
        str, typer.Option(help=f"Modulation of the link: {names()}.")
    ] = DEFAULT,
    frame_size: Annotated[
        int, typer.Option(min=1, max=1020, help="Bytes of the link's frames.")
    ] = 252,
    frequency: Annotated[
        float, typer.Option(metavar="HZ", help="Of the carrier.")
    ] = 868.3e6,
    gain: Annotated[float, typer.Option(metavar="DB", help="Of the radio.")] = 30.0,
    count: Annotated[
        int | None, typer.Option(min=1, help="End after so many bursts.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="End then.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines.")] = False,
) -> None:
    """Listen to a link of `samara node` without its key, until Ctrl-C.

    Every burst is found, demodulated and decoded as its receiver does, but for
    the keystream: that somebody sends, when, how much and how strongly can be
    told; what it says cannot.

    \b
    Examples:
      samara channel --radios 3
      samara phy eavesdrop
      samara phy eavesdrop --radio file:bursts.sigmf-meta --count 1 --json
    """
    find_modulation(modulation)
    is_over = when_asked()
    end_s = None if timeout is None else time.monotonic() + timeout
    listener = Eavesdropper(
        Radio.parse(radio),
        Tuning(rate, frequency, gain),
        number,
        modulation=modulation,
        frame_size=frame_size,
    )
    try:
        listener.start()
        say("the eavesdropper listens; Ctrl-C ends it")
        while not is_over() and (end_s is None or time.monotonic() < end_s):
            for burst in listener.listen(_PATIENCE_S):
                _tell(burst, as_json=as_json)
                if listener.heard == count:
                    return
    finally:
        listener.close()
        if listener.dropped:
            say(f"{listener.dropped} bursts came faster than they could be decoded")


def _tell(burst: Overheard, *, as_json: bool) -> None:
    if as_json:
        fields = {
            "event": "burst",
            "hex": burst.content.hex(),
            "snr_db": round(burst.snr_db, 2),
            "offset": round(burst.offset, 6),
        }
        print(json.dumps(fields), flush=True)
        return
    begin = burst.content[:24].hex(" ")
    print(f"burst at {burst.snr_db:.1f} dB: {begin} ...", flush=True)
