# SPDX-License-Identifier: Apache-2.0
"""Options of commands that the kinds of link declare.

A command that takes them has a parameter `link_options`, a dict with the options
that were given on the command line, and no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.cli.shared.from_parameters import option_of
from samara.cli.shared.option_groups import with_option_group
from samara.link.node.link_parameters import link_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from samara.link.node.options import Option

PARAMETER = "link_options"


def takes_link_options(
    wanted: Callable[[Option], bool],
    default: str | Callable[[Option], str | None] | None = None,
    links: Collection[str] | None = None,
) -> Callable[[Callable[..., int | None]], Callable[..., int | None]]:
    """Return a decorator that gives a command the options of all kinds of link.

    Parameters
    ----------
    wanted, default, links
        As `samara.link.node.link_parameters.link_parameters` takes them.
    """
    options = [option_of(each) for each in link_parameters(wanted, default, links)]
    return lambda command: with_option_group(command, PARAMETER, options, given_of)


def given_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given on the command line, and no others."""
    return {name: value for name, value in options.items() if value is not None}
