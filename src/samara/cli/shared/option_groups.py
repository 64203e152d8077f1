# SPDX-License-Identifier: Apache-2.0
"""Options that many commands have, and that a command gets as one object."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def with_option_group(
    command: Callable[..., int | None],
    parameter: str,
    options: Sequence[inspect.Parameter],
    gather: Callable[[Mapping[str, Any]], Any],
) -> Callable[..., int | None]:
    """Return a command with more options, which it gets as one parameter.

    Parameters
    ----------
    command
        A function with a parameter of this name, which is no option.
    options
        Keyword parameters with annotations and defaults that Typer reads; the command
        takes them after its own.
    gather
        Makes the value of the parameter from those of the options, by name.

    Raises
    ------
    TypeError
        When the command has an option of the same name itself.
    """
    known = inspect.signature(command, eval_str=True).parameters
    own = [each for each in known.values() if each.name != parameter]
    names = {each.name for each in options}
    if both := names & {each.name for each in own}:
        message = f"an option {min(both)!r} is declared that {command} has itself"
        raise TypeError(message)

    def run(**given: Any) -> int | None:  # noqa: ANN401 - one a parameter
        gathered = gather({name: given.pop(name) for name in names})
        return command(**given, **{parameter: gathered})

    parameters = [*own, *options]
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run
