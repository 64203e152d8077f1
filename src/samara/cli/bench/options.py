# SPDX-License-Identifier: Apache-2.0
"""Options of the commands of `samara bench` that measure."""

from collections.abc import Sequence
from itertools import product
from typing import Annotated

import typer

from samara.bench import sizes, ways
from samara.bench.measuring import Task
from samara.bench.requests import chosen_implementations
from samara.cli.shared.completion import complete_cipher, one_of
from samara.cli.shared.device_option import Devices
from samara.cli.shared.diagnostics import MisuseError

__all__ = ["Devices"]

Suites = Annotated[
    list[str] | None,
    typer.Option(
        "--suite",
        metavar="SUITE",
        autocompletion=complete_cipher,
        help="Suite such as aes128-ccm-8, or a block cipher alone such as aes128"
        " (repeatable). Default: all.",
        show_default=False,
    ),
]
Messages = Annotated[
    list[int] | None,
    typer.Option(
        "--message",
        metavar="BYTES",
        min=0,
        help="Size of the message (repeatable). Default: a grid of sizes.",
        show_default=False,
    ),
]
Ads = Annotated[
    list[int] | None,
    typer.Option(
        "--ad",
        metavar="BYTES",
        min=0,
        help="Size of the associated data (repeatable). Default: 0 with --message,"
        " else a grid of sizes.",
        show_default=False,
    ),
]
Opts = Annotated[
    list[str] | None,
    typer.Option(
        "--opt",
        metavar="OPT",
        autocompletion=one_of(lambda: ways.OPTIMISATIONS),
        help="Optimisation: Os, O2 or O3 (repeatable). Default: all.",
        show_default=False,
    ),
]
Implementations = Annotated[
    list[str] | None,
    typer.Option(
        "--implementation",
        metavar="NAME",
        autocompletion=one_of(ways.implementation_names),
        help="Implementation as results name it: portable (C), assembly, engine"
        " (repeatable). Default: all that a device has.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        help="Parallel processes. Default: one for each processor.",
        show_default=False,
    ),
]


def chosen_sizes(
    messages: Sequence[int] | None, ads: Sequence[int] | None
) -> list[tuple[int, int]] | None:
    """Return the sizes that were asked for; None for the grid of each subject."""
    if not messages and not ads:
        return None
    return list(product(messages or sizes.MESSAGE_SIZES, ads or (0,)))


def chosen_optimisations(names: Sequence[str] | None) -> Sequence[str]:
    """Return the optimisations of these names; all when there are none.

    Raises
    ------
    MisuseError
        If one is not known.
    """
    for name in names or ():
        if name not in ways.OPTIMISATIONS:
            known = ", ".join(ways.OPTIMISATIONS)
            message = f"--opt {name} is unknown: use one of {known}"
            raise MisuseError(message)
    return names or ways.OPTIMISATIONS


def only(tasks: Sequence[Task], implementations: Sequence[str] | None) -> list[Task]:
    """Return the tasks for these implementations; all when there are none.

    Raises
    ------
    MisuseError
        If an implementation is not known, or none of the tasks is for one of them.
    """
    chosen = chosen_implementations(implementations or ())
    found = [task for task in tasks if task.build.implementation in chosen]
    if tasks and not found:
        there = ", ".join(dict.fromkeys(task.build.implementation for task in tasks))
        message = (
            f"--implementation {' '.join(chosen)} selects nothing: the selected ciphers"
            f" and devices have {there}"
        )
        raise MisuseError(message)
    return found
