# SPDX-License-Identifier: Apache-2.0
"""What `samara energy network` shows: rows, a table, and what is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.cli.tables import Column, console, print_table, print_text
from samara.energy.network import Region
from samara.energy.pictures import Panel
from samara.records.numbers import digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from samara.energy.network_ranges import Bands, Networks

_DAY_S = 86_400.0


def panels(told: Networks) -> list[Panel]:
    """Return what is drawn: titles with units, and values."""
    return [
        Panel("taken by security, %", told.taken * 100),
        Panel("life, days", told.life_s * (1 / _DAY_S)),
    ]


def rows(told: Networks) -> Iterator[dict[str, Any]]:
    """Yield each network; one that does not work has no life."""
    for i, size in enumerate(told.sizes):
        for j, interval_s in enumerate(told.intervals_s):
            region = Region(int(told.region[i, j]))
            values = {
                "life_days": told.stated_s[i, j] / _DAY_S,
                **_by_quantile("life_days", told.life_s * (1 / _DAY_S), i, j),
                "taken": told.stated_taken[i, j],
                **_by_quantile("taken", told.taken, i, j),
            }
            works = region <= Region.DOUBTFUL
            yield {
                "nodes": size,
                "interval_s": float(interval_s),
                **{n: float(value) if works else None for n, value in values.items()},
                "region": region.name.lower(),
                "fails": float(told.fails[i, j]),
                "bottleneck_share": float(told.bottleneck_share[i, j]),
            }


def _by_quantile(name: str, bands: Bands, i: int, j: int) -> dict[str, float]:
    every = {"10": bands.low, "50": bands.middle, "90": bands.high}
    return {f"{name}_{share}": values[i, j] for share, values in every.items()}


def print_networks(told: Networks, shape: str, node: str, *, drawn: bool) -> None:
    """Print the corners of a grid, what of it does not work, and what a node is.

    Parameters
    ----------
    drawn
        Whether the values are ranges, from tolerances.
    """
    every = list(rows(told))
    wide = len(told.intervals_s)
    ends = (0, len(told.sizes) - 1), (0, wide - 1)
    corners = sorted({(i, j) for i in ends[0] for j in ends[1]}, reverse=True)
    quantities = [(f"life_days_{q}", 1.0, "") for q in (10, 50, 90)]
    quantities += [(f"taken_{q}", 100.0, "%") for q in (10, 50, 90)]
    cells = []
    for row in (every[i * wide + j] for i, j in corners):
        values = [
            "-" if row[name] is None else f"{digits(row[name] * scale)}{unit}"
            for name, scale, unit in quantities
        ]
        cells.append([str(row["nodes"]), f"{row['interval_s']:g}", *values])
        cells[-1].append(row["region"])
    heads = ["nodes", "interval,\ns"]
    heads += [f"days,\n{q} %" for q in (10, 50, 90)]
    heads += [f"taken,\n{q} %" for q in (10, 50, 90)]
    columns = [*(Column(head, numeric=True) for head in heads), Column("region")]
    screen = console()
    print_table(screen, columns, cells, title=f"Networks: {shape}", empty="none")
    print_text(screen, _sentence(told, drawn=drawn))
    for region, text in _REGIONS.items():
        count = int((told.region == region).sum())
        if count:
            print_text(
                screen,
                f"{count:,} of {told.region.size:,} networks: {region.name.lower()}, "
                f"{text}.",
            )
    print_text(screen, node)


def _sentence(told: Networks, *, drawn: bool) -> str:
    """Return the answer in one sentence."""
    works = told.region == Region.WORKS
    if not works.any():
        return "No network works below 90 % of saturation."
    days, taken = told.life_s.middle[works] / _DAY_S, told.taken.middle[works] * 100
    answer = (
        f"What works lives {_between(days)} days; security takes {_between(taken)} %"
    )
    if not drawn:
        return f"{answer}: one value each, since the preset has no tolerances."
    middle = told.life_s.middle[works]
    shorter, longer = told.life_s.low[works] / middle, told.life_s.high[works] / middle
    return (
        f"{answer}: medians of draws from the tolerances of data sheets, of which 10 % "
        f"live less than {_between(shorter)} times, and 10 % more than "
        f"{_between(longer)} times the median."
    )


_REGIONS = {
    Region.DOUBTFUL: "close to saturation: simulate them",
    Region.ILLEGAL: "longer on the air than the band allows, at least in one of ten "
    "draws",
    Region.SATURATED: "more is sent than the medium or a schedule can carry, at least "
    "in one of ten draws",
}


def _between(values: NDArray[np.float64]) -> str:
    low, high = digits(float(values.min())), digits(float(values.max()))
    return low if low == high else f"{low} to {high}"
