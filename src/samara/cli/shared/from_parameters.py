# SPDX-License-Identifier: Apache-2.0
"""Options of commands, made from the parameters of a request or of a kind of link."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samara.cli.shared.completion import complete_cipher, one_of
from samara.cli.shared.quantities import UNITS
from samara.records.parameters import spelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.records import Parameter

_METAVARS = {unit: metavar for metavar, unit in UNITS.items()}


def option_of(parameter: Parameter) -> inspect.Parameter:
    """Return a parameter as an option or an argument of a command, for Typer.

    Its value is None when it is not given. Bounds are not checked here, but by the
    request.
    """
    if parameter.is_argument:
        return _argument_of(parameter)
    spellings = [parameter.spelled]
    if parameter.opposite:
        spellings = [f"{parameter.spelled}/{spelled(parameter.opposite)}"]
    if parameter.synonym:
        spellings.append(spelled(parameter.synonym))
    if parameter.short:
        spellings.insert(0, f"-{parameter.short}")
    option = typer.Option(
        *spellings,
        metavar=_metavar(parameter),
        autocompletion=_completion(parameter),
        help=parameter.help_text(),
        show_default=False,
        rich_help_panel=parameter.group or None,
    )
    return _made(parameter, option)


def _argument_of(parameter: Parameter) -> inspect.Parameter:
    argument = typer.Argument(
        metavar=parameter.spelled,
        autocompletion=_completion(parameter),
        help=parameter.help_text(),
        show_default=False,
    )
    return _made(parameter, argument)


def _made(parameter: Parameter, about: Any) -> inspect.Parameter:  # noqa: ANN401 - as Typer has it
    kind: Any = Path if parameter.from_file else parameter.type
    is_required = parameter.is_required and not parameter.from_stdin
    if parameter.repeatable:
        kind = list[kind]
    default: Any = False if parameter.is_flag else None
    if is_required:
        default = inspect.Parameter.empty
    annotation: Any = Annotated[kind if is_required else kind | None, about]
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=annotation,
    )


def _metavar(parameter: Parameter) -> str | None:
    if parameter.metavar or parameter.unit is None:
        return parameter.metavar
    return _METAVARS.get(parameter.unit)


def _completion(parameter: Parameter) -> Callable[[str], list[str]] | None:
    if parameter.metavar == "SUITE":
        return complete_cipher
    return one_of(parameter.names) if parameter.names else None
