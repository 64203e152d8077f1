# SPDX-License-Identifier: Apache-2.0
"""Options that several commands of `samara chip` have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from samara.chip.design import WIDTHS, Core, Variant, cores
from samara.cli.completion import one_of
from samara.cli.outcome import MisuseError

if TYPE_CHECKING:
    from collections.abc import Sequence

Widths = Annotated[
    list[str] | None,
    typer.Option(
        "--n",
        metavar="N[,N...]",
        help="Pre-output bits a clock: 1, 2, 4, 8, 16, 32 or 64 (repeatable)."
        " Default: all.",
        show_default=False,
    ),
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="VARIANT",
        autocompletion=one_of(lambda: list(Variant)),
        help=f"Variant: {', '.join(Variant)} (repeatable). Default: all.",
        show_default=False,
    ),
]
Authenticate = Annotated[
    bool | None,
    typer.Option(
        "--authenticate/--ple",
        help="Cores that seal and open with Grain-128AEADv2, or cores that make the"
        " keystream of Grain-128PLE. Default: both.",
        show_default=False,
    ),
]


def chosen_widths(texts: Sequence[str] | None) -> tuple[int, ...]:
    """Return the values of N in texts such as "1,2"; all when there are none.

    Raises
    ------
    MisuseError
        If one is not a value of N.
    """
    parts = [part.strip() for text in texts or () for part in text.split(",")]
    known = {str(n): n for n in WIDTHS}
    for part in parts:
        if part not in known:
            message = f"--n {part}: expected one of {', '.join(known)}"
            raise MisuseError(message)
    return tuple(dict.fromkeys(known[part] for part in parts)) or WIDTHS


def chosen_variants(names: Sequence[str] | None) -> tuple[Variant, ...]:
    """Return the variants of these names; all when there are none.

    Raises
    ------
    MisuseError
        If one is not known.
    """
    for name in names or ():
        if name not in list(Variant):
            known = ", ".join(Variant)
            message = f"--variant {name} is unknown: use one of {known}"
            raise MisuseError(message)
    return tuple(dict.fromkeys(map(Variant, names or ()))) or tuple(Variant)


def chosen_cores(
    widths: Sequence[str] | None,
    variants: Sequence[str] | None,
    authenticate: bool | None,  # noqa: FBT001 - the value of an option
) -> list[Core]:
    """Return the cores that the options select."""
    ciphers = (True, False) if authenticate is None else (authenticate,)
    return cores(chosen_widths(widths), chosen_variants(variants), ciphers)
