# SPDX-License-Identifier: Apache-2.0
"""Tables lose columns where there is no room, and never digits."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich import box
from rich.console import Console
from rich.table import Table

from samara.cli.shared import tables
from samara.cli.shared.tables import Column, print_figures, print_table
from samara.figure import Origin
from samara.records import tables as model

COLUMNS = (
    Column("device"),
    Column("suite", rank=0),
    Column("opt", rank=3),
    Column("code size", numeric=True, rank=2),
    Column("cycles", numeric=True, rank=0),
    Column("energy", numeric=True),
    Column("RAM", numeric=True),
    Column("source", rank=2, wraps=True),
)
ROW = (
    "atmega328p", "aes128-ccm-8", "Os", "12,345", "1,234,567", "123.4", "789",
    "a source that takes more than one line where lines are short",
)  # fmt: skip
NAMES = [column.name for column in COLUMNS]


def screen(width: int) -> Console:
    stream = io.StringIO()
    return Console(file=stream, width=width, force_terminal=True, color_system=None)


def shown_of(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def shown_at(width: int, *, wide: bool | None = None) -> str:
    console = screen(width)
    print_table(console, COLUMNS, [ROW, ROW], empty="", title="A [title]", wide=wide)
    return shown_of(console)


@pytest.mark.parametrize("width", [*range(12, 140), 200])
def test_no_digit_is_lost_at_any_width(width: int) -> None:
    shown = shown_at(width)
    table, _, names = shown.partition("Not shown")
    left_out = " ".join(names.split())
    assert "…" not in shown
    for name, cell in zip(NAMES, ROW, strict=True):
        if name == "source":
            continue
        # Either the whole cell, twice, or its column is named as left out.
        assert table.count(cell) == 2 or f" {name}" in left_out
    if width > 50:
        assert max(map(len, shown.splitlines())) <= width


@pytest.mark.parametrize(
    ("width", "left_out"),
    [
        (140, []),
        (100, []),
        (88, ["opt"]),
        (80, ["opt", "source"]),
        (55, ["opt", "code size", "source"]),
        (45, ["opt", "code size", "energy", "RAM", "source"]),
        (10, ["opt", "code size", "energy", "RAM", "source"]),
    ],
)
def test_columns_go_by_rank_and_are_named(width: int, left_out: list[str]) -> None:
    shown = " ".join(shown_at(width, wide=False).split())
    if left_out:
        sentence = f"Not shown in {width} columns: {', '.join(left_out)}."
        assert f"{sentence} To see them: --wide, a wider terminal, or --json." in shown
    else:
        assert "Not shown" not in shown


def test_wide_and_pipes_show_all_in_whole_lines() -> None:
    shown = shown_at(60, wide=True)
    assert "Not shown" not in shown
    assert all(cell in shown for cell in ROW)
    assert "--wide" not in shown_at(60)


@pytest.mark.parametrize(("columns", "left_out"), [(None, ""), ("60", "Not shown")])
def test_a_pipe_has_no_width_unless_columns_gives_one(
    columns: str | None,
    left_out: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    long = tuple(cell * 10 for cell in ROW)
    print_table(tables.console(), COLUMNS, [ROW if left_out else long], empty="")
    shown = capsys.readouterr().out
    assert left_out in shown
    if not left_out:
        assert all(cell in shown for cell in long)


@pytest.mark.parametrize("address", ["00:0b:ab:x:01:on", "fd00:a:b::1"])
def test_parts_of_addresses_stay_what_they_are(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Rich has pictures of these names between colons.
    found = tables.console()
    tables.print_text(found, f"[bold]{address}[/] is up")
    cells = [f"{address} [green](m)[/]", f"[green]{address}[/]"]
    heads = [Column(address), Column("address", wraps=True)]
    print_table(found, heads, [cells], empty="", title=address, caption=address)
    print_table(found, heads, [[address, f"{address}\n{address}"]], empty="")
    assert capsys.readouterr().out.count(address) == 10


def test_an_empty_table_says_why() -> None:
    console = screen(80)
    why = "No results [yet]. To measure: samara bench run"
    print_table(console, COLUMNS, [], empty=why, title="Results")
    assert shown_of(console) == f"Results: {why}\n"


def test_figures_keep_their_origins() -> None:
    table = model.Table(
        "slug",
        "Cost",
        [model.label("suite"), model.Column("seal", "ms"), model.Column("open", "ms")],
        [
            model.Row(
                [
                    model.words("[aes]"),
                    model.number(1234567, Origin.MEASURED),
                    model.number(7, origin),
                ]
            )
            for origin in (Origin.MEASURED, Origin.EMULATED)
        ],
        caption="by a clock",
    )
    console = screen(80)
    print_figures(table, console)
    shown = shown_of(console)
    lines = [line.split() for line in shown.splitlines()]
    assert shown.startswith("Cost (ms)\n")
    assert ["seal"] in lines
    assert ["suite", "(m)", "open"] in lines
    assert ["[aes]", "1,234,567", "7", "(m)"] in lines
    assert ["[aes]", "1,234,567", "7", "(em)"] in lines
    assert shown.endswith("by a clock\n")


WORDS = st.sampled_from(["", "a", "12,345", "µJ", "漢字 wide", r"\[no markup]"])
MARKED = WORDS | WORDS.map(lambda text: f"{text} [green](m)[/]")


@given(st.lists(st.tuples(MARKED, MARKED, MARKED), min_size=1, max_size=5))
def test_rows_of_one_line_are_as_rich_draws_them(rows: list[tuple[str, ...]]) -> None:
    columns = [
        Column("first\nof two", numeric=True),
        Column("words [red](e)[/]"),
        Column("last", numeric=True, wraps=True),
    ]
    for colours in (None, "standard"):
        shown = []
        for draw in (print_table, _print_by_rich):
            console = Console(
                file=io.StringIO(), width=200, force_terminal=True, color_system=colours
            )
            draw(console, columns, rows, empty="")
            shown.append(shown_of(console))
        assert shown[0] == shown[1]


def _print_by_rich(
    console: Console,
    columns: list[Column],
    rows: list[tuple[str, ...]],
    *,
    empty: str,
) -> None:
    assert not empty
    drawn = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column, above in zip(columns, ("", "\n", "\n"), strict=True):
        drawn.add_column(
            above + column.name, justify="right" if column.numeric else "left"
        )
    for row in rows:
        drawn.add_row(*row)
    console.print(drawn)


def test_heads_of_text_stay_on_one_line_and_those_of_figures_do_not() -> None:
    table = model.Table(
        "slug",
        "",
        [
            model.Column("what it is", numeric=False, rank=0, wraps=True),
            model.Column("code size", "byte"),
        ],
        [model.Row([model.words("a text"), model.number(7, Origin.MEASURED)])],
    )
    console = screen(80)
    print_figures(table, console)
    lines = [line.strip() for line in shown_of(console).splitlines()]
    assert lines[2:5] == ["code", "size", "what it is   (m)"]
