# SPDX-License-Identifier: Apache-2.0
"""The options of kinds of link as parameters of requests and commands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.link.node.kinds import kinds
from samara.records import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from samara.link.node.options import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkParameter(Parameter):
    """An option of one or more kinds of link; its help says the values for each."""

    def help_text(self, default: str | None = None) -> str:  # noqa: ARG002 - of each kind
        """Return the help, which has the accepted values and defaults already."""
        return self.help


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """Options of kinds of link in a request; its field maps those given to values."""

    wanted: Callable[[Option], bool]
    default: str | Callable[[Option], str | None] | None = None
    links: Callable[[], Collection[str] | None] = lambda: None
    """Returns the kinds of link whose options are taken; None: all."""

    def parameters(self) -> Sequence[Parameter]:
        """Return them, those of several kinds once."""
        return link_parameters(self.wanted, self.default, self.links())


AT_EACH_RUN = LinkOptions(lambda option: option.at_each_run, "as the node was made")
"""Those that say where the link of a node is."""


def link_parameters(
    wanted: Callable[[Option], bool],
    default: str | Callable[[Option], str | None] | None = None,
    links: Collection[str] | None = None,
) -> list[Parameter]:
    """Return options of kinds of link, each name once.

    Parameters
    ----------
    wanted
        Tells whether an option is taken.
    default
        What the help says of the default of each, or a function that returns this.
        Default: that of a new node.
    links
        Kinds of link whose options are taken. Default: all.

    Raises
    ------
    TypeError
        When two kinds declare one option with different types.
    """
    found: dict[str, dict[str, Option]] = defaultdict(dict)
    for link, kind in kinds().items():
        for option in kind.options:
            taken = links is None or link in links
            if taken and option.on_command_line and wanted(option):
                found[option.name][link] = option
    return [_merged(name, by_link, default) for name, by_link in found.items()]


def _merged(
    name: str,
    by_link: Mapping[str, Option],
    default: str | Callable[[Option], str | None] | None,
) -> LinkParameter:
    options = list(by_link.values())
    if len({option.type for option in options}) > 1:
        message = f"kinds of link declare {name!r} with different types"
        raise TypeError(message)
    texts = [
        option.help_text(default(option) if callable(default) else default)
        for option in options
    ]
    if len(options) > 1:
        texts = [f"{link}: {text}" for link, text in zip(by_link, texts, strict=True)]
    return LinkParameter(
        name=name,
        type=options[0].type,
        metavar=options[0].metavar,
        unit=options[0].unit,
        help=" ".join(texts),
        names=options[0].names or (lambda: _listed(options)),
        group=f"Options of {' and '.join(by_link)}",
    )


def _listed(options: Sequence[Option]) -> list[str]:
    """Return the accepted values of options, where these are a list."""
    lists = [of.values for of in options if isinstance(of.values, Sequence)]
    return [str(value) for values in lists for value in values]
