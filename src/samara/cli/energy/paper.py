# SPDX-License-Identifier: Apache-2.0
"""Compare Altolini et al. with ours, and tell what in it contradicts what.

Their contours of a network's life (Figs. 6 and 7) are told by the preset paper, and
held against what the paper's text states of them: its lines were not at hand. The
preset has no tolerances, so that its lives are one value each;
times of CCM* (Figs. 8 and 9, Table V) and memory (Table VI) are those of the
bench on ATmega128RFA1, at the paper's clock and power. A ratio above 1 means that
the paper's figure is larger.

\b
Examples:
  samara energy paper
  samara energy paper -o altolini
  samara energy paper --json
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from samara.cli.shared.diagnostics import say
from samara.cli.shared.files import writing
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.output_files import as_picture
from samara.cli.shared.progress import progress
from samara.cli.shared.tables import Column, console, print_table, print_text
from samara.energy import paper
from samara.energy.network_ranges import Networks
from samara.energy.pictures import paint_contours, paint_times, panels_of
from samara.extras import need
from samara.records.csv_lines import csv_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_DAY_S = 86_400.0
_CITATION = (
    "Altolini et al., Low Power Link Layer Security for Internet of Things: "
    "Implementation and Performance Analysis"
)
_PICTURES = ("png", "svg")
_FILES = 15
"""That are written: three for each figure, and three tables."""
_UNITS = {
    "s": (1e3, "ms"),
    "J": (1e6, "µJ"),
    "cycle": (1.0, "cycles"),
    "byte": (1.0, "bytes"),
}
_NETWORKS = {
    6: ("hardware", "the paper: below 2 % everywhere"),
    7: ("software", "the paper: up to 25 %, 30 to 50 nodes"),
}
_FIG_SOFTWARE = 7
_TIMES = {8: "Fig. 8: CCM* and its parts", 9: "Fig. 9: CCM*, whole"}


def _show_paper(
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="Directory to write to, made if it is missing: fig6 to fig9 as .png, "
            ".svg and .csv, and table5.csv, table6.csv and contradictions.csv. "
            "Default: write nothing.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    if output is not None:
        need("matplotlib", "phy")
    rows, found = paper.compared(), paper.contradictions()
    networks = {number: paper.surfaces(name) for number, (name, _) in _NETWORKS.items()}
    if as_json:
        _print_as_json(rows, found, networks)
    else:
        _print(rows, found, networks)
    if output is not None:
        _write(output, rows, found, networks)


def _print_as_json(
    rows: Sequence[paper.Compared],
    found: Sequence[paper.Contradiction],
    networks: dict[int, Networks],
) -> None:
    for number, surfaces in networks.items():
        print_json("paper_network", {"figure": number, **_ranges(surfaces)})
    for claim in paper.stated(networks):
        fields = {
            "figure": claim.figure,
            "name": claim.name,
            "published": claim.published,
            "ours": claim.ours,
            "difference": claim.difference,
            "from": "text",
        }
        print_json("paper_claim", fields)
    for row in rows:
        fields = {
            "table": row.table,
            "name": row.name,
            "published": row.published,
            "ours": row.ours,
            "ratio": row.ratio,
        }
        print_json("paper_figure", fields)
    for each in found:
        print_json("contradiction", _fields(each))


def _ranges(surfaces: Networks) -> dict[str, float]:
    days = surfaces.stated_s / _DAY_S
    return {
        "taken_min": float(surfaces.stated_taken.min()),
        "taken_max": float(surfaces.stated_taken.max()),
        "life_days_min": float(days.min()),
        "life_days_max": float(days.max()),
    }


def _fields(each: paper.Contradiction) -> dict[str, str]:
    return {
        "claim": each.claim,
        "where": each.where,
        "stated": each.stated,
        "found": each.found,
    }


def _print(
    rows: Sequence[paper.Compared],
    found: Sequence[paper.Contradiction],
    networks: dict[int, Networks],
) -> None:
    screen = console()
    print_text(screen, f"{_CITATION}.")
    for number, surfaces in networks.items():
        name, claim = _NETWORKS[number]
        ranges = _ranges(surfaces)
        print_text(
            screen,
            f"Fig. {number}, {name}: takes {ranges['taken_min']:.2%} to "
            f"{ranges['taken_max']:.2%} of the life ({claim}); lives of "
            f"{ranges['life_days_min']:.0f} to {ranges['life_days_max']:.0f} days.",
        )
    print_table(
        screen,
        [
            Column("stated of the figures", rank=0, wraps=True),
            *(Column(n, numeric=True) for n in ("the paper", "ours", "difference")),
            Column("unit"),
        ],
        [_claim_cells(each) for each in paper.stated(networks)],
        title="Figs. 6 and 7, by the paper's text",
        caption=paper.NO_LINES,
        empty="nothing",
    )
    for table in dict.fromkeys(row.table for row in rows):
        print_table(
            screen,
            [
                Column("what", rank=0),
                *(Column(name, numeric=True) for name in ("the paper", "ours")),
                Column("unit"),
                Column("ratio", numeric=True),
            ],
            [_cells(row) for row in rows if row.table == table],
            title=f"{table}, optimised code",
            empty="no rows",
        )
    print_table(
        screen,
        [
            Column("the paper states", wraps=True),
            Column("its own figures say", wraps=True, rank=0),
        ],
        [[f"{each.claim}: {each.stated} ({each.where})", each.found] for each in found],
        title="What contradicts what",
        empty="nothing",
    )


def _claim_cells(claim: paper.Stated) -> list[str]:
    is_share = claim.published.unit == "1"
    scale, unit = (100.0, "%") if is_share else (1 / _DAY_S, "days")
    values = (claim.published.value, claim.ours.value)
    return [
        f"Fig. {claim.figure}: {claim.name}" if is_share else f"both: {claim.name}",
        *(f"{value * scale:,.3g}" for value in values),
        f"{claim.difference * scale:+,.2g}",
        unit,
    ]


def _cells(row: paper.Compared) -> list[str]:
    scale, unit = _UNITS[row.published.unit]
    values = [each.value * scale for each in (row.published, row.ours)]
    whole = unit in ("cycles", "bytes")
    shown = [f"{value:,.0f}" if whole else f"{value:,.3f}" for value in values]
    return [row.name, *shown, unit, f"{row.ratio:.2f}"]


def _write(
    folder: Path,
    rows: Sequence[paper.Compared],
    found: Sequence[paper.Contradiction],
    networks: dict[int, Networks],
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    made = _files(rows, found, networks)
    names = []
    with progress("pictures") as tell:
        for name, content in made:
            with writing(folder / name, hold=False) as file:
                file.write(content)
            names.append(name)
            tell(len(names) / _FILES)
    say(f"wrote {len(names)} files to {folder}")


def _files(
    rows: Sequence[paper.Compared],
    found: Sequence[paper.Contradiction],
    networks: dict[int, Networks],
) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents; pictures are drawn when they are asked for."""
    for name, table in (("table5", "Table V"), ("table6", "Table VI")):
        yield (
            f"{name}.csv",
            csv_lines(
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
                    if row.table == table
                ]
            ),
        )
    yield "contradictions.csv", csv_lines([_fields(each) for each in found])
    for number, surfaces in networks.items():
        yield from _of_network(number, surfaces).items()
    for number in _TIMES:
        yield from _of_times(number).items()


def _drawn(
    paint: Callable[["Drawing", Sequence[str]], None], size: tuple[float, float]
) -> dict[str, bytes]:
    return {kind: as_picture(paint, size, kind) for kind in _PICTURES}


def _of_network(number: int, surfaces: Networks) -> dict[str, bytes]:
    name, claim = _NETWORKS[number]

    def paint(figure: "Drawing", _: Sequence[str]) -> None:
        figure.suptitle(f"Fig. {number}, {name}, as the preset paper tells it; {claim}")
        paint_contours(
            figure,
            surfaces.sizes,
            surfaces.intervals_s,
            panels_of(surfaces),
            surfaces.region,
        )
        if number == _FIG_SOFTWARE:
            first, last = paper.STATED_NODES
            edge, top = float(surfaces.intervals_s[0]), paper.STATED_BELOW_S
            axes = figure.axes[0]
            axes.plot(
                [first, first, last, last, first],
                [edge, top, top, edge, edge],
                color="black", linestyle="dotted",
                label="where the paper's text states up to 25 %",
            )  # fmt: skip
            figure.legend(loc="outside lower center", fontsize=8)

    files = {f"fig{number}.{k}": v for k, v in _drawn(paint, (8.0, 3.9)).items()}
    rows = [
        {
            "nodes": size,
            "interval_s": float(interval_s),
            "life_days": float(surfaces.stated_s[i, j]) / _DAY_S,
            "taken": float(surfaces.stated_taken[i, j]),
        }
        for i, size in enumerate(surfaces.sizes)
        for j, interval_s in enumerate(surfaces.intervals_s)
    ]
    return {**files, f"fig{number}.csv": csv_lines(rows)}


def _of_times(number: int) -> dict[str, bytes]:
    lines = paper.lines(number)

    def paint(figure: "Drawing", colours: Sequence[str]) -> None:
        axes = figure.subplots()
        paint_times(axes, lines, colours)
        axes.set_title(_TIMES[number])

    files = {f"fig{number}.{k}": v for k, v in _drawn(paint, (8.6, 3.9)).items()}
    rows = [
        {"name": line.name, "whose": whose, "payload_bytes": size, "time_s": seconds}
        for line in lines
        for whose, points in (
            ("ours", zip(line.payload_bytes, line.ours_s, strict=True)),
            *(
                (f"the paper, {kind}", [(paper.PAYLOAD_BYTES, seconds)])
                for kind, seconds in line.published_s.items()
            ),
        )
        for size, seconds in points
    ]
    return {**files, f"fig{number}.csv": csv_lines(rows)}


command = _show_paper
