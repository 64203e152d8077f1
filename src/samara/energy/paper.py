# SPDX-License-Identifier: Apache-2.0
"""Altolini et al. beside ours: networks, times, memory, and what contradicts what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.energy.paper_contradictions import Contradiction, contradictions
from samara.energy.paper_figures import (
    NO_LINES,
    PaperClaim,
    PaperFigure,
    claims,
    figures,
    surfaces_of,
)
from samara.energy.paper_files import NETWORKS, Compared
from samara.records import (
    Answer,
    Field,
    Progress,
    Record,
    Remark,
    Request,
    Written,
    record_class,
    request_class,
)
from samara.records.tables import (
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    significant,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.energy.network_ranges import Networks

_DAY_S = 86_400.0
_CITATION = (
    "Altolini et al., Low Power Link Layer Security for Internet of Things: "
    "Implementation and Performance Analysis"
)
_SHOWN_UNITS = {
    "s": (1e3, "ms", 3),
    "J": (1e6, "\N{MICRO SIGN}J", 3),
    "cycle": (1.0, "cycles", 0),
    "byte": (1.0, "bytes", 0),
}
"""Factor, unit and digits after the point of figures in tables."""


@request_class
class PaperRequest(Request):
    """The whole comparison."""


@record_class
class PaperNetwork(Record):
    """What the preset paper tells of one figure of the paper with contours."""

    figure: Annotated[int, Field("Number of the figure.")]
    taken_min: Annotated[float, Field("Least share of a life that security takes.")]
    taken_max: Annotated[float, Field("Largest such share.")]
    life_days_min: Annotated[float, Field("Shortest life.", unit="day")]
    life_days_max: Annotated[float, Field("Longest life.", unit="day")]


def paper(
    request: PaperRequest,  # noqa: ARG001 - the comparison has no options
) -> Answer[PaperNetwork | PaperClaim | PaperFigure | Contradiction]:
    """Yield the figures of the paper beside ours, and its contradictions.

    Raises
    ------
    NotMeasuredError
        When the bench has not measured the suite of the paper on its device.
    """
    yield Progress(None, "networks")
    surfaces = {number: surfaces_of(name) for number, (name, _) in NETWORKS.items()}
    yield Remark(f"{_CITATION}.", is_above=True)
    for figure, found in surfaces.items():
        network = _network(figure, found)
        yield network
        yield Remark(_in_words(network), is_above=True)
    claimed, rows, contradicted = claims(surfaces), figures(), contradictions()
    yield from claimed
    yield _claims_table(claimed)
    yield from rows
    for table in dict.fromkeys(each.table for each in rows):
        yield _figures_table(table, [each for each in rows if each.table == table])
    yield from contradicted
    yield _contradictions_table(contradicted)
    yield Written(rows, Compared(rows, contradicted, surfaces))


def _network(figure: int, found: Networks) -> PaperNetwork:
    days = found.stated_s / _DAY_S
    return PaperNetwork(
        figure,
        float(found.stated_taken.min()),
        float(found.stated_taken.max()),
        float(days.min()),
        float(days.max()),
    )


def _in_words(network: PaperNetwork) -> str:
    name, claim = NETWORKS[network.figure]
    return (
        f"Fig. {network.figure}, {name}: takes {network.taken_min:.2%} to "
        f"{network.taken_max:.2%} of the life ({claim}); lives of "
        f"{network.life_days_min:.0f} to {network.life_days_max:.0f} days."
    )


def _claims_table(claimed: Sequence[PaperClaim]) -> Table:
    return Table(
        "claims",
        "Figs. 6 and 7, by the paper's text",
        (
            Column("stated\xa0of\xa0the\xa0figures", numeric=False, rank=0, wraps=True),
            *(Column(name) for name in ("the\xa0paper", "ours", "difference")),
            label("unit"),
        ),
        [_claim_row(each) for each in claimed],
        NO_LINES,
    )


def _claim_row(claim: PaperClaim) -> Row:
    is_share = claim.published.unit == "1"
    scale, unit = (100.0, "%") if is_share else (1 / _DAY_S, "days")
    what = f"Fig. {claim.figure}: {claim.name}" if is_share else f"both: {claim.name}"
    difference = claim.difference * scale
    sides = (claim.published, claim.ours)
    return Row(
        [
            words(what),
            *(significant(each.value * scale, each.origin) for each in sides),
            Cell(difference, f"{difference:+,.2g}"),
            words(unit),
        ]
    )


def _figures_table(name: str, rows: Sequence[PaperFigure]) -> Table:
    return Table(
        name.lower().replace(" ", "-"),
        f"{name}, optimised code",
        (
            label("what", rank=0),
            Column("the\xa0paper"),
            Column("ours"),
            label("unit"),
            Column("ratio"),
        ),
        [_figure_row(each) for each in rows],
    )


def _figure_row(row: PaperFigure) -> Row:
    scale, unit, digits = _SHOWN_UNITS[row.published.unit]
    sides = (row.published, row.ours)
    return Row(
        [
            words(row.name),
            *(number(each.value * scale, each.origin, digits) for each in sides),
            words(unit),
            Cell(row.ratio, f"{row.ratio:.2f}"),
        ]
    )


def _contradictions_table(found: Sequence[Contradiction]) -> Table:
    return Table(
        "contradictions",
        "What contradicts what",
        (
            Column("the\xa0paper\xa0states", numeric=False, wraps=True),
            Column("its\xa0own\xa0figures\xa0say", numeric=False, rank=0, wraps=True),
        ),
        [
            Row(
                [
                    words(f"{each.claim}: {each.stated} ({each.where})"),
                    words(each.found),
                ]
            )
            for each in found
        ],
    )
