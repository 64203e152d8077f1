# SPDX-License-Identifier: Apache-2.0
"""Receive the bursts of a link of `samara node` without its key.

The command finds, demodulates and decodes each burst as the receiver of the link
does, but cannot decrypt it. It shows what encryption does not hide: that a node
sends, when, how much and how strongly. Set modulation, sample rate and frame size
as the link has them. The command runs until Ctrl-C.

\b
Examples:
  samara channel --radios 3
  samara phy eavesdrop
  samara phy eavesdrop --radio file:bursts.sigmf-meta --count 1 --json
"""

import time
from typing import Annotated

import typer

from samara.cli.phy.options import ModulationName
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.stop_signals import stop_on_signals
from samara.phy.eavesdropping import Eavesdropper, Overheard
from samara.phy.modulation import DEFAULT, find
from samara.phy.radio import Radio, Tuning

# How long a wait for a burst may delay the reaction to Ctrl-C.
_WAIT_S = 0.2


def _eavesdrop(  # noqa: PLR0913 - one parameter an option
    *,
    radio: Annotated[
        str,
        typer.Option(
            metavar="RADIO",
            help="Radio: zmq, zmq:ADDRESS, file:PATH, uhd:ARGS or soapy:ARGS.",
        ),
    ] = "zmq",
    number: Annotated[
        int,
        typer.Option(min=0, help="zmq: number of the radio in the channel, from 0."),
    ] = 2,
    rate: Annotated[
        float, typer.Option(metavar="HZ", min=1e4, help="Sample rate in Hz.")
    ] = 1e6,
    modulation: ModulationName = DEFAULT,
    frame_size: Annotated[
        int,
        typer.Option(
            metavar="BYTES", min=1, max=1020, help="Frame size of the link in bytes."
        ),
    ] = 252,
    frequency: Annotated[
        float, typer.Option(metavar="HZ", help="Carrier frequency in Hz.")
    ] = 868.3e6,
    gain: Annotated[
        float, typer.Option(metavar="DB", help="Gain of the receiver in dB.")
    ] = 30.0,
    count: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many bursts.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0, help="Stop after this many seconds."),
    ] = None,
    as_json: Json = False,
) -> None:
    find(modulation)
    is_over = stop_on_signals()
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
        say("the eavesdropper listens; press Ctrl-C to end it")
        while not is_over() and (end_s is None or time.monotonic() < end_s):
            for burst in listener.listen(_WAIT_S):
                _print_burst(burst, as_json=as_json)
                if listener.heard == count:
                    return
    finally:
        listener.close()
        if listener.dropped:
            say(f"{listener.dropped} bursts were dropped: they came too fast to decode")


def _print_burst(burst: Overheard, *, as_json: bool) -> None:
    if as_json:
        fields = {
            "hex": burst.content.hex(),
            "snr_db": round(burst.snr_db, 2),
            "offset": round(burst.offset, 6),
        }
        print_json("burst", fields)
        return
    begin = burst.content[:24].hex(" ")
    print(f"burst at {burst.snr_db:.1f} dB: {begin} ...", flush=True)


command = _eavesdrop
