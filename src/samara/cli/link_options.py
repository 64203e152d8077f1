# SPDX-License-Identifier: Apache-2.0
"""Options of commands that the kinds of link declare.

A command that takes them has a parameter `link_options`, a dict with the options
that were given on the command line, and no others.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samara.cli.completion import complete_cipher, one_of
from samara.cli.gathering import gathering
from samara.link.node.kinds import kinds

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
    wanted
        Tells whether the command takes an option.
    default
        What the help says of the default of each, or a function that returns this.
        Default: that of a new node.
    links
        Kinds of link whose options are taken. Default: all.
    """
    return lambda command: gathering(
        command, PARAMETER, link_parameters(wanted, default, links), given_of
    )


def link_parameters(
    wanted: Callable[[Option], bool],
    default: str | Callable[[Option], str | None] | None = None,
    links: Collection[str] | None = None,
) -> list[inspect.Parameter]:
    """Return the options of kinds of link as parameters; as `takes_link_options`."""
    declared = _declared(wanted, kinds() if links is None else links)
    return [_parameter(name, of, default) for name, of in declared.items()]


def macs_in_words() -> str:
    """Return which medium accesses nodes of each kind of link can have."""
    return "; ".join(
        f"{name}: {', '.join(each.macs)}" for name, each in kinds().items() if each.macs
    )


def given_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given on the command line, and no others."""
    return {name: value for name, value in options.items() if value is not None}


def _declared(
    wanted: Callable[[Option], bool], links: Collection[str]
) -> dict[str, dict[str, Option]]:
    """Return the wanted options by their names, each by the kinds that have it."""
    found: dict[str, dict[str, Option]] = defaultdict(dict)
    for link, kind in kinds().items():
        for option in kind.options:
            if link in links and option.on_command_line and wanted(option):
                found[option.name][link] = option
    return dict(found)


def _parameter(
    name: str,
    by_link: Mapping[str, Option],
    default: str | Callable[[Option], str | None] | None,
) -> inspect.Parameter:
    options = list(by_link.values())
    if len({option.type for option in options}) > 1:
        message = f"kinds of link declare {name!r} with different types"
        raise TypeError(message)
    links = list(by_link)
    panel = f"Options of {' and '.join(links)}"
    texts = [
        option.help_text(default(option) if callable(default) else default)
        for option in options
    ]
    if len(links) > 1:
        texts = [f"{link}: {text}" for link, text in zip(links, texts, strict=True)]
    option = typer.Option(
        metavar=options[0].metavar,
        autocompletion=_completion(options),
        help=" ".join(texts),
        rich_help_panel=panel,
    )
    kind: Any = options[0].type
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, option],
    )


def _completion(options: Sequence[Option]) -> Callable[[str], list[str]]:
    """Return what completes the value of an option, which several kinds may have."""
    if options[0].metavar == "SUITE":
        return complete_cipher
    return one_of(lambda: _listed(options))


def _listed(options: Sequence[Option]) -> list[str]:
    """Return the accepted values of options, where these are a list."""
    lists = [of.values for of in options if isinstance(of.values, Sequence)]
    return [str(value) for values in lists for value in values]
