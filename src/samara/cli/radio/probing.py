# SPDX-License-Identifier: Apache-2.0
"""One radio that is asked what it is, or two serial modules that are measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar

from samara.link.ieee802154.radios import probing
from samara.link.ieee802154.radios.probing import RadioAbout  # noqa: TC001 - read at run time
from samara.link.rfserial.modules.measuring import (
    MeasuredModule,
    MeasureRequest,
    measure,
)
from samara.records import Answer, Between, Parameter, request_class
from samara.units import BIT_RATE, BYTES


@request_class
class ProbeAnyRequest(probing.ProbeRequest):
    """A radio, or two ports with serial modules."""

    CHANGES: ClassVar[str] = "what is on the air"

    other: Annotated[
        str | None,
        Parameter(
            metavar="[B]",
            help="Port of another module: what is written to RADIO, a port then, is "
            "awaited there.",
            default_text="ask RADIO what it is",
            is_argument=True,
        ),
    ] = None
    baud: Annotated[
        int,
        Parameter(
            help="With B: baud rate of both ports.",
            unit=BIT_RATE,
            values=Between(300, 4e6),
        ),
    ] = 9600
    longest: Annotated[
        int,
        Parameter(
            help="With B: most bytes that are sent at once.",
            unit=BYTES,
            values=Between(16, 65_536),
        ),
    ] = 1024
    probes: Annotated[
        int,
        Parameter(
            help="With B: packets that are sent to count losses.",
            values=Between(1, 1000),
        ),
    ] = 20
    profile: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="With B: write a profile of the modules to a new file, for --module.",
            default_text="write none",
        ),
    ] = None


def probe(request: ProbeAnyRequest) -> Answer[RadioAbout | MeasuredModule]:
    """Ask a radio what it is, or measure two modules."""
    if request.other is None:
        yield from probing.probe(request)
        return
    yield from measure(
        MeasureRequest(
            port=request.radio,
            other=request.other,
            baud=request.baud,
            longest=request.longest,
            probes=request.probes,
            profile=request.profile,
        )
    )
