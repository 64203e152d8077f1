# SPDX-License-Identifier: Apache-2.0
"""The parts that can be named, of the catalogue and of files; and one of them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from samara.bench import devices
from samara.crypto.names import find
from samara.energy import catalogue
from samara.energy import mac as medium_accesses
from samara.energy.catalogue import Line
from samara.energy.own_parts import OwnParts, described_devices, own_parts
from samara.energy.part_entries import KINDS, OwnDevice, OwnMac
from samara.energy.part_values import LINES, SETTING, spellings, written
from samara.energy.part_writing import text_of_number
from samara.energy.quantity import Quantity
from samara.energy.requests import PartFiles
from samara.errors import MisuseError
from samara.figure import Origin
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
from samara.units import CELSIUS, SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from samara.energy.part_values import Written

_CATALOGUE = "samara"


@request_class
class PartsRequest(Request):
    """Which parts are listed."""

    kind: Annotated[
        str | None,
        Parameter(help="Kind of part.", values=tuple(KINDS), default_text="all"),
    ] = None
    parts: PartFiles = ()


@request_class
class PartRequest(Request):
    """Which part is shown."""

    name: Annotated[
        str, Parameter(is_argument=True, metavar="NAME", help="Name of the part.")
    ]
    parts: PartFiles = ()


@record_class
class ListedPart(Record):
    """A part that options can name."""

    TYPE: ClassVar[str] = "part"

    kind: Annotated[str, Field("What it is.", heading="kind", rank=0)]
    name: Annotated[str, Field("Its name, as options take it.", heading="name", rank=0)]
    title: Annotated[str, Field("What it is in words.", heading="title", wraps=True)]
    place: Annotated[
        str, Field("Its file; `samara`: it is built in.", heading="from", wraps=True)
    ]
    problem: Annotated[
        str | None, Field("Why it cannot be used; null if it can.", optional=True)
    ] = None


@record_class
class PartField(Record):
    """One field of a part."""

    kind: Annotated[str, Field("What the part is.")]
    part: Annotated[str, Field("Name of the part.")]
    field: Annotated[str, Field("As files write it.", heading="field", rank=0)]
    value: Annotated[
        str, Field("With its unit, as files write it.", heading="value", rank=0)
    ]
    tolerance: Annotated[
        str,
        Field("How far 10 % and 90 % of draws are off.", heading="\N{PLUS-MINUS SIGN}"),
    ]
    origin: Annotated[
        Origin | None,
        Field("Published or assumed; null of a setting.", heading="origin"),
    ]
    source: Annotated[
        str, Field("Where it is from.", heading="source", rank=2, wraps=True)
    ]


def list_parts(request: PartsRequest) -> Answer[ListedPart]:
    """Yield the parts that options can name: those of files, then the built-in ones.

    Raises
    ------
    MisuseError
        As `own_parts`.
    """
    own = own_parts(request.parts)
    yield Title("Parts that options can name", "", "there are none")
    found = [*_of_files(own), *_built_in()]
    shown = [each for each in found if request.kind in (None, each.kind)]
    yield from shown
    for each in shown:
        if each.problem:
            yield Remark(f"Cannot be used: {each.problem}.")


def _of_files(own: OwnParts) -> Iterator[ListedPart]:
    for entry in own.entries.values():
        try:
            title, problem = own.get(entry.kind, entry.name).title, None
        except MisuseError as error:
            title, problem = "", str(error)
        yield ListedPart(entry.kind, entry.name, title, entry.place, problem)


def _built_in() -> Iterator[ListedPart]:
    for kind, rows in _rows().items():
        for name, title in rows.items():
            yield ListedPart(kind, name, title, _CATALOGUE)


def _rows() -> Mapping[str, Mapping[str, str]]:
    """Return the titles of the built-in parts by kind and name."""
    titles: dict[str, dict[str, str]] = {}
    for kind, row in KINDS.items():
        if row is OwnDevice:
            described = described_devices().values()
            titles[kind] = {each.name: each.title for each in devices.devices()}
            titles[kind] |= {each.name: each.title for each in described}
        elif row is OwnMac:
            names = medium_accesses.names()
            titles[kind] = {each: medium_accesses.mac(each).title for each in names}
        else:
            rows = catalogue.rows_of(row).values()
            titles[kind] = {each.name: each.title for each in rows}
    return titles


def show_part(request: PartRequest) -> Answer[PartField]:
    """Yield the fields of a part; of each, if several kinds have one of this name.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none of this name.
    MisuseError
        As `own_parts`; or the part is not described in full.
    """
    own, name = own_parts(request.parts), request.name
    kinds = [kind for kind in KINDS if _has(own, kind, name)]
    if not kinds:
        known = [each.name for each in (*_of_files(own), *_built_in())]
        find("part", name, dict.fromkeys(known))
    for kind in kinds:
        entry = own.entries.get((kind, name))
        place = entry.place if entry else _CATALOGUE
        content = _content(own, kind, name)
        yield Title(f"{kind} {name} ({place}): {content.pop('title')}")
        for field, spelling in spellings(content).items():
            yield _described(kind, name, spelling, field, content[field])


def _has(own: OwnParts, kind: str, name: str) -> bool:
    return (kind, name) in own.entries or name in _rows()[kind]


def _content(own: OwnParts, kind: str, name: str) -> dict[str, Any]:
    """Return the fields of a part by their names, with its title."""
    if kind == OwnMac.kind:
        return _content_of_mac(own.mac(name), name)
    if kind == OwnDevice.kind and own.device(name) is None:
        return {**_fields_of(catalogue.controller(name)), **_of_bench(name)}
    rows: Mapping[str, Any] = {} if KINDS[kind] is OwnDevice else _catalogue(kind)
    own_row = own.device(name) if kind == OwnDevice.kind else own.get(kind, name)
    return _fields_of(own_row or rows[name])


def _catalogue(kind: str) -> Mapping[str, Any]:
    return catalogue.rows_of(KINDS[kind])


def _fields_of(row: Any) -> dict[str, Any]:  # noqa: ANN401 - of the catalogue
    own = ((each.name, getattr(row, each.name)) for each in fields(row))
    given = ((name, value) for name, value in own if value not in ("", None))
    return {name: value for name, value in given if name != "name"}


def _of_bench(name: str) -> dict[str, Any]:
    """Return what a device of the bench has beside its row of the catalogue."""
    found = devices.device(name)
    stated = {
        "supply_v": found.supply_voltage_v,
        "active_a": found.active_current_a,
    }
    quantities = {
        field: Quantity(each.value, 0.0, each.source, checked=each.checked)
        for field, each in stated.items()
    }
    return {"title": found.title, "clock_hz": float(found.clock_hz), **quantities}


def _content_of_mac(own: OwnMac | None, name: str) -> dict[str, Any]:
    access = own.medium_access if own else name
    made = medium_accesses.mac(access)
    defaults = {
        each: Quantity(float(value), 0.0, SETTING, checked=True)
        for each, value in medium_accesses.settings(access).items()
    }
    title = own.title if own else made.title
    about = {"title": title, "medium_access": access}
    return {**about, **defaults, **(own.settings if own else {})}


def _described(
    kind: str,
    name: str,
    spelling: str,
    field: str,
    value: Any,  # noqa: ANN401 - below
) -> PartField:
    """Return a field that is a quantity, a line, a text or a number."""
    if isinstance(value, Quantity):
        text = text_of_number(written(field), value.value).strip('"')
        return _with_source(kind, name, spelling, text, value)
    if isinstance(value, Line):
        points = _points(field, value)
        return _with_source(kind, name, spelling, points, value.scale)
    text = value if isinstance(value, str) else text_of_number(written(field), value)
    return PartField(kind, name, spelling, text.strip('"'), "", None, "")


def _points(field: str, line: Line) -> str:
    """Return the points of a line, such as ``1 mA: 90 %``."""
    at, value = LINES[field]
    pairs = ((_with_unit(at, x), _with_unit(value, y)) for x, y in line.points)
    return ", ".join(f"{x}: {y}" for x, y in pairs)


def _with_unit(how: Written, value: float) -> str:
    if how.unit is CELSIUS:
        return f"{value:g} \N{DEGREE SIGN}C"
    if how.unit is SHARE:
        return f"{value * 100:g} %"
    return text_of_number(replace(how, needs_unit=True), value).strip('"')


def _with_source(
    kind: str, name: str, spelling: str, text: str, stated: Quantity
) -> PartField:
    origin = Origin.PUBLISHED if stated.checked else Origin.ASSUMED
    return PartField(
        kind,
        name,
        spelling,
        text,
        f"{stated.tolerance * 100:.3g}\xa0%" if stated.tolerance else "",
        None if stated.source == SETTING else origin,
        stated.source,
    )
