# SPDX-License-Identifier: Apache-2.0
"""Which serial modules there are, and what is known of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.figure import Figure
from samara.link.rfserial import modules
from samara.link.rfserial.modules.profile import FIGURES
from samara.link.rfserial.modules.regions import regions
from samara.records import (
    Answer,
    Field,
    Parameter,
    Record,
    Remark,
    Request,
    Title,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.rfserial.modules.profile import Profile


@request_class
class ModulesRequest(Request):
    """All modules, or one of them."""

    module: Annotated[
        str | None,
        Parameter(
            metavar="[NAME|FILE]",
            help="Module to show: a name, or a file with its profile.",
            names=modules.names,
            default_text="list all",
            is_argument=True,
        ),
    ] = None


@record_class
class SerialModule(Record):
    """A serial module that samara knows."""

    module: Annotated[
        str, Field("Its name, as --module takes it.", heading="module", rank=0)
    ]
    title: Annotated[str, Field("What it is.", heading="what it is", wraps=True)]
    wrapping: Annotated[
        str,
        Field("How its serial line carries packets.", heading="serial line", rank=0),
    ]
    baud: Annotated[
        Figure, Field("Baud rate of its port.", heading="baud", unit="bit/s", rank=0)
    ]
    packet: Annotated[
        Figure, Field("Bytes of a packet.", heading="packet", unit="byte", rank=0)
    ]
    air_rate: Annotated[
        Figure,
        Field("Bit rate on the air.", heading="air rate", unit="bit/s", rank=1),
    ]
    regions: Annotated[
        tuple[str, ...],
        Field("Where it can send, as --region takes it.", heading="regions", rank=2),
    ]
    tried: Annotated[
        bool,
        Field(
            "Whether its profile was tried on hardware; if not, on an emulated module.",
            heading="tried",
            rank=1,
        ),
    ]


@record_class
class ModuleFigure(Record):
    """What is known of a serial module: one figure."""

    name: Annotated[str, Field("What it is.", heading="figure", rank=0)]
    figure: Annotated[Figure, Field("The figure.", heading="value", rank=0)]
    unit: Annotated[str, Field("Its unit.", heading="unit", rank=0)]
    source: Annotated[str, Field("Where it was read.", heading="source", wraps=True)]
    meaning: Annotated[
        str, Field("What it means.", heading="meaning", wraps=True, rank=2)
    ]


def list_modules(request: ModulesRequest) -> Answer[SerialModule | ModuleFigure]:
    """Yield all modules, or the figures of one.

    Raises
    ------
    samara.crypto.UnknownNameError, MisuseError
        When there is no such module, or its profile is wrong.
    """
    if request.module is None:
        yield from (_record(modules.module(name)) for name in modules.names())
        return
    profile = modules.module(request.module)
    yield Title(profile.title)
    for name, kind in FIGURES.items():
        figure = profile.figures[name]
        yield ModuleFigure(name, figure, kind.unit, figure.source, kind.help)
    yield from map(Remark, _remarks(profile))


def _record(profile: Profile) -> SerialModule:
    return SerialModule(
        profile.name,
        profile.title,
        profile.wrapping.name,
        profile.figures["baud"],
        profile.figures["packet"],
        profile.figures["air_rate"],
        profile.regions,
        profile.tried,
    )


def _remarks(profile: Profile) -> Iterator[str]:
    yield f"Serial line: {profile.wrapping.title}."
    for name in profile.regions:
        region = regions()[name]
        yield f"{name}: {region.title}; {100 * region.duty_cycle:.3g} % of an hour."
    if profile.radio:
        yield f"Its currents: samara energy parts show {profile.radio}."
    if profile.notes:
        yield profile.notes
    if profile.setting_up:
        yield f"Set it up: samara radio setup PORT --module {profile.name}."
    if not profile.tried:
        yield "Not tried on hardware: an emulated module keeps these rules."
