# SPDX-License-Identifier: Apache-2.0
"""Options of `samara energy` and `samara advise`, each of them once.

What describes a node, its link and its battery is the same for all commands: a
command that is decorated with `describes_node` has a parameter `described`.
"""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli.answering import bad_option
from samara.cli.completion import one_of
from samara.cli.diagnostics import MisuseError, note
from samara.cli.from_parameters import option_of
from samara.cli.link_options import PARAMETER as LINK_OPTIONS
from samara.cli.link_options import given_of
from samara.cli.option_groups import with_option_group
from samara.energy import catalogue, presets, topology
from samara.energy.link_macs import assumed_macs
from samara.energy.requests import NodeRequest
from samara.link.node.link_parameters import link_parameters
from samara.link.node.options import Option
from samara.records.parameters import ParameterError, from_values, parameters_of
from samara.units import Unit

PARAMETER = "described"
_MOST_NUMBERS = 200


def of_bands() -> list[str]:
    """Return the names of all bands."""
    return [each.name for each in catalogue.bands()]


Interval = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        min=0.001,
        help="Seconds from one message of a node to its next.",
    ),
]
Draws = Annotated[
    int, typer.Option(min=10, max=1_000_000, help="Draws from the tolerances.")
]
BandLimit = Annotated[
    str | None,
    typer.Option(
        "--band",
        metavar="NAME",
        autocompletion=one_of(of_bands),
        help=f"Band whose duty cycle counts: {', '.join(of_bands())}. Default: none.",
    ),
]
Topology = Annotated[
    str,
    typer.Option(
        "--topology",
        metavar="NAME",
        autocompletion=one_of(lambda: topology.SHAPES),
        help=f"Shape of the network: {', '.join(topology.SHAPES)}.",
    ),
]
Sink = Annotated[
    str,
    typer.Option(
        metavar="PLACE",
        autocompletion=one_of(lambda: (topology.CORNER, topology.CENTRE)),
        help="Place of the sink with --topology grid: corner, centre, or COLUMN,ROW "
        "from 0,0.",
    ),
]
Edges = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="CSV file with the columns from, to and, if links are poor, delivery, in "
        "place of --topology and --nodes. The sink is called sink.",
    ),
]
Delivery = Annotated[
    float,
    typer.Option(
        metavar="P",
        min=0.01,
        max=1,
        help="Share of the frames, and of the acknowledgements, that arrive over each "
        "link of --topology.",
    ),
]
Preset = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        autocompletion=one_of(lambda: presets.CASES),
        help="honest: as the other options say. paper, which is paper-software, and "
        "paper-hardware: as Altolini et al.; of the other options only --topology, "
        "--sink, --nodes, --interval, --band and -o apply.",
    ),
]


def describes_node(
    *,
    wanted: Callable[[Option], bool] = lambda option: option.changes_receipt,
) -> Callable[[Callable[..., int | None]], Callable[..., int | None]]:
    """Return a decorator that gives a command the options of a `NodeRequest`.

    The command has a parameter `described` instead.

    Parameters
    ----------
    wanted
        Tells which options of kinds of link the command takes.
    """
    own = [
        option_of(each)
        for each in parameters_of(NodeRequest)
        if each.field != LINK_OPTIONS
    ]
    of_links = [
        option_of(each) for each in link_parameters(wanted, links=assumed_macs())
    ]

    def describe(given: Mapping[str, Any]) -> NodeRequest:
        try:
            request = from_values(NodeRequest, given_of(given))
        except ParameterError as error:
            raise bad_option(None, error) from None
        for notice in request.notices():
            note(notice.text)
        return request

    return lambda command: with_option_group(
        command, PARAMETER, [*own, *of_links], describe
    )


def numbers_of(
    option: str, text: str, unit: Unit, *, whole: bool = False
) -> list[float]:
    """Return the numbers of FIRST[:LAST[:STEP]].

    Parameters
    ----------
    unit
        What a number alone is in.
    whole
        Whether they are whole, one after the other unless a step is given; else
        they are 50.

    Raises
    ------
    MisuseError
        When the text is none, or there are too many.
    """
    try:
        first, *others = (unit.parse(part) for part in text.split(":"))
        last, *rest = others or [first]
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
            f"{option} {text!r} is not valid: expected FIRST, FIRST:LAST or "
            f"FIRST:LAST:STEP, {'whole numbers ' if whole else ''}above 0, at most "
            f"{_MOST_NUMBERS}"
        )
        raise MisuseError(message)
    return numbers
