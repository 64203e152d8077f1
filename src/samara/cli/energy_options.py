# SPDX-License-Identifier: Apache-2.0
"""Options that the commands of `samara energy` share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from samara.cli.outcome import MisuseError
from samara.energy import catalogue
from samara.energy.mac import names, settings
from samara.energy.scenario import Scenario
from samara.link.node.costs import radio_for
from samara.link.node.kinds import mac_of, macs
from samara.link.node.loads import load_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MOST_NUMBERS = 200
COMPARED = "none, a level such as 6, suite=NAME"

KindOfLink = Annotated[
    str, typer.Option("--link", metavar="LINK", help=f"{' or '.join(macs())}.")
]
Bytes = Annotated[
    int, typer.Option("--bytes", metavar="N", min=0, help="Size of the message.")
]
Device = Annotated[
    str,
    typer.Option(
        metavar="DEVICE", help="Microcontroller: a name of `samara bench devices`."
    ),
]
Radio = Annotated[
    str | None,
    typer.Option(
        metavar="RADIO",
        help="Transceiver: "
        f"{', '.join(radio.name for radio in catalogue.radios())}. "
        "Default: the one of the device or of the link.",
    ),
]
Mac = Annotated[
    str | None,
    typer.Option(
        "--mac",
        metavar="NAME",
        help=f"Medium access: {', '.join(names())}. Default: "
        f"{', '.join(f'{mac} ({link})' for link, mac in macs().items())}.",
    ),
]
WakeInterval = Annotated[
    float | None,
    typer.Option(
        metavar="S",
        min=0.001,
        help="Seconds from one wake-up to the next, if nodes wake up with this "
        "medium access. Default: that of the medium access.",
    ),
]
Battery = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=f"{', '.join(battery.name for battery in catalogue.batteries())}.",
    ),
]
Celsius = Annotated[
    float,
    typer.Option("--celsius", min=-60, max=120, help="Temperature of the battery."),
]
Intervals = Annotated[
    str,
    typer.Option(
        "--interval",
        metavar="FIRST:LAST[:STEP]",
        help="Seconds from one message of a node to its next. Default step: "
        "1/49 of the range, which gives 50 values.",
    ),
]
Sink = Annotated[
    str,
    typer.Option(
        "--sink",
        metavar="PLACE",
        help="Place of the sink with --topology grid: corner, centre, or COLUMN,ROW "
        "from 0,0.",
    ),
]
Draws = Annotated[
    int, typer.Option(min=10, max=1_000_000, help="Draws from the tolerances.")
]
Seed = Annotated[
    int, typer.Option(min=0, help="Random seed. The same seed gives the same result.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON Lines.")]


def described(  # noqa: PLR0913, PLR0917 - one parameter an option
    link: str,
    size: int,
    device: str,
    radio: str | None,
    mac: str | None,
    wake_interval_s: float | None,
    link_options: Mapping[str, Any],
    *,
    battery: str = "2xaa-alkaline",
    celsius: float = 20.0,
) -> Scenario:
    """Return what these options describe.

    Raises
    ------
    MisuseError
        When the link has no energy model, or the medium access no wake-up interval.
    """
    usual_mac = mac_of(link)
    access = mac or usual_mac
    transceiver = radio or radio_for(link, device)
    if transceiver is None:
        message = f"no radio is usual for {link} on {device}: give --radio"
        raise MisuseError(message)
    load = load_of(link, size, link_options)
    changed = {} if wake_interval_s is None else {"wake_interval_s": wake_interval_s}
    if changed.keys() - settings(access).keys():
        message = f"--wake-interval does not apply to --mac {access}: nodes do not wake"
        raise MisuseError(message)
    return Scenario(
        device=device,
        radio=transceiver,
        mac=access,
        mac_settings=changed,
        battery=battery,
        celsius=celsius,
        frame_bytes=load.plain_bytes,
        added_bytes=load.added_bytes,
        calls=load.calls,
    )


def numbers_of(option: str, text: str, *, whole: bool = False) -> list[float]:
    """Return the numbers of FIRST:LAST[:STEP].

    Parameters
    ----------
    whole
        Whether they are whole, one after the other unless a step is given; else
        they are 50.

    Raises
    ------
    MisuseError
        When the text is none, or there are too many.
    """
    try:
        first, last, *rest = (float(part) for part in text.split(":"))
        (step,) = rest or [1.0 if whole else (last - first) / 49]
        count = int((last - first) / step + 1e-9) + 1 if last > first else 1
        right = step > 0 or last == first
    except (ValueError, OverflowError, ZeroDivisionError):
        first = last = step = math.nan
        count, right = 0, False
    numbers = [first + step * number for number in range(min(count, _MOST_NUMBERS + 1))]
    fine = all(0 < n < math.inf and (not whole or n == int(n)) for n in numbers)
    if not (right and last >= first and fine and 0 < count <= _MOST_NUMBERS):
        message = (
            f"{option} {text!r} is not valid: expected FIRST:LAST or FIRST:LAST:STEP, "
            f"{'whole numbers ' if whole else ''}above 0, at most {_MOST_NUMBERS}"
        )
        raise MisuseError(message)
    return numbers
