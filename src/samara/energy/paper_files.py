# SPDX-License-Identifier: Apache-2.0
"""Files of the paper beside ours: pictures of its figures, and tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from samara.energy.paper_figures import (
    FIG_HARDWARE,
    FIG_SOFTWARE,
    PAYLOAD_BYTES,
    STATED_BELOW_S,
    STATED_NODES,
    lines,
)
from samara.energy.plots.networks import paint_contours, paint_times, panels_of
from samara.records.csv_lines import csv_lines, csv_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from matplotlib.figure import Figure as Drawing

    from samara.energy.network_ranges import Networks
    from samara.energy.paper_contradictions import Contradiction
    from samara.energy.paper_figures import Line, PaperFigure

_DAY_S = 86_400.0
NETWORKS = {
    FIG_HARDWARE: ("hardware", "the paper: below 2 % everywhere"),
    FIG_SOFTWARE: ("software", "the paper: up to 25 %, 30 to 50 nodes"),
}
"""The security of the figures with contours, and what the paper states of them."""
_TIMES = {8: "Fig. 8: CCM* and its parts", 9: "Fig. 9: CCM*, whole"}
_TABLES = {"table5": "Table V", "table6": "Table VI"}


@dataclass(frozen=True, slots=True)
class Compared:
    """What the files show."""

    rows: Sequence[PaperFigure]
    contradicted: Sequence[Contradiction]
    surfaces: Mapping[int, Networks]
    """By the number of the figure."""


def paper_files(compared: Compared) -> dict[str, bytes]:
    """Return the files by their names."""
    made = {
        f"{name}.csv": _table([each for each in compared.rows if each.table == table])
        for name, table in _TABLES.items()
    }
    made["contradictions.csv"] = csv_of(compared.contradicted)
    for number, found in compared.surfaces.items():
        paint = partial(_paint_network, number, found)
        made |= _drawn(f"fig{number}", paint, (8.0, 3.9))
        made[f"fig{number}.csv"] = _networks(found)
    for number in _TIMES:
        made |= _drawn(f"fig{number}", partial(_paint_times, number), (8.6, 3.9))
        made[f"fig{number}.csv"] = _times(number)
    return made


def _drawn(
    name: str,
    paint: Callable[[Drawing, Sequence[str]], None],
    size: tuple[float, float],
) -> dict[str, bytes]:
    from samara.phy import pictures  # noqa: PLC0415 - only files need it

    def painted(figure: Drawing) -> None:
        paint(figure, pictures.COLOURS)

    return {
        f"{name}.{kind}": pictures.draw(painted, size, kind) for kind in ("png", "svg")
    }


def _table(rows: Sequence[PaperFigure]) -> bytes:
    return csv_lines(
        [
            {
                "name": row.name,
                "unit": row.published.unit,
                "published": row.published.value,
                "ours": row.ours.value,
                "ratio": row.ratio,
                "ours_origin": row.ours.origin.value,
                "ours_source": row.ours.source,
            }
            for row in rows
        ]
    )


def _paint_network(
    number: int, found: Networks, figure: Drawing, _: Sequence[str]
) -> None:
    name, claim = NETWORKS[number]
    figure.suptitle(f"Fig. {number}, {name}, as the preset paper tells it; {claim}")
    paint_contours(
        figure, found.sizes, found.intervals_s, panels_of(found), found.region
    )
    if number == FIG_SOFTWARE:
        first, last = STATED_NODES
        edge, top = float(found.intervals_s[0]), STATED_BELOW_S
        axes = figure.axes[0]
        axes.plot(
            [first, first, last, last, first],
            [edge, top, top, edge, edge],
            color="black", linestyle="dotted",
            label="where the paper's text states up to 25 %",
        )  # fmt: skip
        figure.legend(loc="outside lower center", fontsize=8)


def _networks(found: Networks) -> bytes:
    return csv_lines(
        [
            {
                "nodes": size,
                "interval_s": float(interval_s),
                "life_days": float(found.stated_s[i, j]) / _DAY_S,
                "taken": float(found.stated_taken[i, j]),
            }
            for i, size in enumerate(found.sizes)
            for j, interval_s in enumerate(found.intervals_s)
        ]
    )


def _paint_times(number: int, figure: Drawing, colours: Sequence[str]) -> None:
    axes = figure.subplots()
    paint_times(axes, lines(number), colours)
    axes.set_title(_TIMES[number])


def _times(number: int) -> bytes:
    return csv_lines(
        [
            {"name": line.name, "whose": whose, "payload_bytes": size, "time_s": time_s}
            for line in lines(number)
            for whose, points in _curves(line)
            for size, time_s in points
        ]
    )


def _curves(line: Line) -> Iterator[tuple[str, Sequence[tuple[int, float]]]]:
    """Yield whose times they are, and the times by payload."""
    yield "ours", list(zip(line.payload_bytes, line.ours_s, strict=True))
    for kind, time_s in line.published_s.items():
        yield f"the paper, {kind}", [(PAYLOAD_BYTES, time_s)]
