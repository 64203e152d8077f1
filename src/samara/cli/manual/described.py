# SPDX-License-Identifier: Apache-2.0
"""The help of a command, in parts that pages of the manual and of the site show."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

from samara.cli.shared.quantities import number_type

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKUP = re.compile(r"\\(?=\[)")
"""Backslashes that keep Rich from reading brackets."""


class Words(NamedTuple):
    """A paragraph; `code` stands between grave accents."""

    text: str


class Verbatim(NamedTuple):
    """Lines that stay as they are, such as examples."""

    heading: str
    """Such as "Examples:"; may be empty."""
    text: str


class Option(NamedTuple):
    """An option, or an argument."""

    names: list[str]
    value: str
    """The word that stands for its value; empty for a switch."""
    help: str


class Described(NamedTuple):
    """What the help of a command says."""

    path: str
    """The command as it is typed."""
    usage: str
    parts: list[Words | Verbatim]
    options: list[Option]
    commands: list[Described]


def described(command: Any, path: str) -> Described:  # noqa: ANN401 - Typer does not name the type
    """Return what the help of a command, and of those under it, says.

    Parameters
    ----------
    command
        As `samara.cli.running.load` returns it.
    path
        The command as it is typed, such as "samara node".
    """
    context = command.make_context(path, [], resilient_parsing=True)
    under = getattr(command, "commands", {})
    return Described(
        path=path,
        usage=" ".join([path, *command.collect_usage_pieces(context)]),
        parts=list(_parts(command.help or "")),
        options=[_option(each) for each in command.params],
        commands=[described(each, f"{path} {name}") for name, each in under.items()],
    )


def _parts(text: str) -> Iterator[Words | Verbatim]:
    r"""Yield the parts of a help text; \b marks what is left as it is."""
    for part in filter(None, text.split("\n\n")):
        if part.startswith("\b"):
            yield _verbatim(part[1:])
        else:
            yield Words(_plain(part))


def _verbatim(text: str) -> Verbatim:
    """Return lines that stay as they are; a first line at the margin is a heading."""
    first, _, rest = text.strip("\n").partition("\n")
    if first.startswith(" ") or not rest:
        return Verbatim("", textwrap.dedent(text).strip("\n"))
    return Verbatim(first, textwrap.dedent(rest).strip("\n"))


def _plain(text: str) -> str:
    return _MARKUP.sub("", text)


def _option(parameter: Any) -> Option:  # noqa: ANN401 - Typer does not name the type
    names = [*parameter.opts, *parameter.secondary_opts]
    if parameter.param_type_name == "argument":
        names = [parameter.name.upper()]
    value = parameter.metavar
    if value is None and number_type(parameter.type_descriptor.annotation) is not None:
        value = "N"
    return Option(names, value or "", _plain(parameter.help or ""))
