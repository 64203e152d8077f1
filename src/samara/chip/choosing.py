# SPDX-License-Identifier: Apache-2.0
"""Cores as a request selects them: by width, variant and cipher."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

from samara.chip.design import WIDTHS, Core, Variant, cores
from samara.errors import MisuseError
from samara.records import (
    Answer,
    Field,
    Parameter,
    Record,
    Request,
    Title,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


def _variants() -> list[str]:
    return list(Variant)


Widths: TypeAlias = Annotated[
    tuple[str, ...],
    Parameter(
        name="n",
        metavar="N[,N...]",
        help="Pre-output bits a clock: 1, 2, 4, 8, 16, 32 or 64 (repeatable).",
        default_text="all",
    ),
]
Variants: TypeAlias = Annotated[
    tuple[str, ...],
    Parameter(
        name="variant",
        metavar="VARIANT",
        help="Variant (repeatable).",
        names=_variants,
        default_text="all",
    ),
]
Authenticates: TypeAlias = Annotated[
    bool | None,
    Parameter(
        name="authenticate",
        opposite="ple",
        help="Cores that seal and open with Grain-128AEADv2, or cores that make the"
        " keystream of Grain-128PLE.",
        default_text="both",
    ),
]


@request_class
class CoresRequest(Request):
    """Which cores; all of them by default."""

    widths: Widths = ()
    variants: Variants = ()
    authenticates: Authenticates = None

    def cores(self) -> list[Core]:
        """Return the cores, the narrow ones first.

        Raises
        ------
        samara.errors.MisuseError
            As `chosen_widths` and `chosen_variants`.
        """
        return chosen_cores(self.widths, self.variants, self.authenticates)


@record_class
class CoreDescription(Record):
    """A core of the design in rtl/."""

    TYPE: ClassVar[str] = "core"

    name: Annotated[
        str, Field("Name on the command line and in results.", heading="core")
    ]
    title: Annotated[str, Field("The core in a few words.")]
    n: Annotated[int, Field("Pre-output bits a clock.", heading="N")]
    variant: Annotated[Variant, Field("How it is built.", heading="variant")]
    authenticates: Annotated[
        bool, Field("Whether it seals and opens; otherwise it makes a keystream.")
    ]
    bits_a_clock: Annotated[
        float,
        Field(
            "Bits of message or of keystream while nothing stalls.",
            heading="bits a\xa0clock",
            exact=True,
        ),
    ]
    parameters: Annotated[
        Mapping[str, int], Field("Values of the Verilog module's parameters.")
    ]


def list_cores(request: CoresRequest) -> Answer[CoreDescription]:
    """Yield what the chosen cores are.

    Raises
    ------
    samara.errors.MisuseError
        As `CoresRequest.cores`.
    """
    yield Title("", empty="no cores")
    for core in request.cores():
        yield CoreDescription(
            core.name,
            core.title,
            core.n,
            core.variant,
            core.authenticates,
            core.bits_a_clock,
            core.parameters,
        )


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
