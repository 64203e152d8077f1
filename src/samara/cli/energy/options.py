# SPDX-License-Identifier: Apache-2.0
"""Options of `samara energy` and `samara advise`, each of them once.

What describes a node, its link and its battery is the same for all commands: a
command that is decorated with `describes_node` has a parameter `described`.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from samara.cli.shared.answering import bad_option
from samara.cli.shared.completion import one_of
from samara.cli.shared.diagnostics import note
from samara.cli.shared.from_parameters import option_of
from samara.cli.shared.link_options import PARAMETER as LINK_OPTIONS
from samara.cli.shared.link_options import given_of
from samara.cli.shared.option_groups import with_option_group
from samara.energy import catalogue
from samara.energy.link_macs import assumed_macs
from samara.energy.requests import NodeRequest
from samara.link.node.link_parameters import link_parameters
from samara.link.node.options import Option
from samara.records.parameters import ParameterError, from_values, parameters_of

PARAMETER = "described"


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
BandLimit = Annotated[
    str | None,
    typer.Option(
        "--band",
        metavar="NAME",
        autocompletion=one_of(of_bands),
        help=f"Band whose duty cycle counts: {', '.join(of_bands())}. Default: none.",
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
