# SPDX-License-Identifier: Apache-2.0
"""Parts in an advice: which were weighed, and what the others would give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.energy import mac as medium_accesses
from samara.energy.origins import model_figure
from samara.energy.platforms import ANY
from samara.figure import Figure
from samara.records import Field, Record, record_class
from samara.records.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.energy.requests import NodeRequest
    from samara.energy.scenario import Scenario
    from samara.energy.weighing import Bound, Search
    from samara.records.tables import Table

_KINDS = ("device", "radio", "mac", "battery")
_TITLE = "Which parts, the best first"
_SHOWN = 10
"""Parts that the table has at most."""


@record_class
class WeighedParts(Record):
    """Parts that can be a node together, without security; the best comes first."""

    TYPE: ClassVar[str] = "weighed_parts"

    device: Annotated[str, Field("Name of the device.", heading="device", rank=0)]
    radio: Annotated[str, Field("Name of the radio.", heading="radio", rank=0)]
    mac: Annotated[
        str, Field("Name of the medium access.", heading="medium access", rank=0)
    ]
    battery: Annotated[str, Field("Name of the battery.", heading="battery", rank=0)]
    life: Annotated[
        Figure,
        Field(
            "Life without security that 10 % of draws are below: a bound of its life "
            "with any suite.",
            heading="life",
            unit="year",
        ),
    ]
    latency: Annotated[
        Figure,
        Field("Mean time of a hop without security.", heading="latency", unit="ms"),
    ]


def weighed_kinds(request: NodeRequest, search: Search) -> list[str]:
    """Return the kinds of parts that were not named, and of which there were several.

    A battery that is the usual one for want of a life to compare by is none of them.
    """
    held = {
        "device": request.device != ANY,
        "radio": request.radio is not None,
        "mac": request.mac is not None,
        "battery": request.battery != ANY,
    }
    differ = {
        name
        for name, values in zip(
            _KINDS,
            zip(*(each.platform.parts for each in search.bounds), strict=True),
            strict=True,
        )
        if len(set(values)) > 1
    }
    return [name for name in _KINDS if not held[name] and name in differ]


def taken_parts(search: Search, weighed: Sequence[str]) -> str:
    """Return which parts are taken, in a sentence.

    Parameters
    ----------
    weighed
        The kinds of parts that were looked for.
    """
    device, radio, mac, battery = search.best.platform.parts
    *most, last = (_WORDS[each] for each in weighed)
    looked_for = f"{', '.join(most)} and {last}" if most else last
    ways = "way" if search.count == 1 else "ways"
    return (
        f"Take the radio {radio} with the device {device}, {mac} and the battery "
        f"{battery}: of {search.count:,} {ways} to choose {looked_for}, nothing else "
        f"{_better(search)}."
    )


_WORDS = {
    "device": "a device",
    "radio": "a radio",
    "mac": "a medium access",
    "battery": "a battery",
}


def _better(search: Search) -> str:
    batteries = {each.platform.scenario.battery for each in search.bounds}
    if search.best.recommendation.recommended is None:
        return "comes nearer"
    return "does it with less battery" if len(batteries) > 1 else "lives longer"


def parts_of(search: Search) -> list[WeighedParts]:
    """Return what was weighed and what was bounded, the best first."""
    taken = search.best.platform.parts
    first = [each for each in search.bounds if each.platform.parts == taken]
    rest = [each for each in search.bounds if each.platform.parts != taken]
    return [_record(each) for each in (*first, *rest)]


def _record(bound: Bound) -> WeighedParts:
    scenario = bound.platform.scenario
    unchecked = scenario.unchecked()
    return WeighedParts(
        *bound.platform.parts,
        life=model_figure(bound.low_years, "year", unchecked),
        latency=model_figure(bound.latency_s, "s", unchecked),
    )


def parts_table(search: Search) -> Table:
    """Return the parts that are the best, as a table."""
    out = ", ".join(f"{count:,} ({rule})" for rule, count in search.out.items())
    return table_of(
        parts_of(search)[:_SHOWN],
        _TITLE,
        "Life: 10 % of draws are below, without security."
        + (f" Left out: {out}." * bool(out)),
    )


def of_standard(scenario: Scenario) -> str:
    """Return of which standard the choices are, and how to get others."""
    name = medium_accesses.kind(scenario.used_mac()[0]).standard
    if scenario.own_frame is None:
        what = "Only frames of IEEE 802.15.4 were weighed, which others' software opens"
    else:
        what = f"Only standard ciphers were weighed, in frames of {name}"
    return f"{what}; --allow-proprietary weighs others, too."
