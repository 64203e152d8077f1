# SPDX-License-Identifier: Apache-2.0
"""A report says what is known, where it comes from, and what is missing."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import pytest
from bench.results import changed, refused, result
from html_parts import Page

from samara.bench import devices, toolchain
from samara.bench.report import host, linkrows, making
from samara.bench.report.answer import answer
from samara.bench.report.papers import grain128ple
from samara.bench.report.selecting import Results, balanced
from samara.figure import Origin
from samara.records import Remark, html_page
from samara.records.parts import Advice, Heading, Section
from samara.records.tables import NOT_MEASURED, Column, Row, Table, label, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from samara.records.reports import Report
    from samara.records.tables import Cell

GRAIN = (1224, 40)
LINK = (95, 14)

SOME = [
    result("atmega328p", "aes128-ccm-16", (16, 0)),
    result("atmega328p", "aes128-ccm-16", (64, 0)),
    result("atmega328p", "grain128aead", constant_time=False, varies={"seal": 12}),
    refused("atmega328p", "aes128-gcm", "needs 9,999 bytes, <too> many"),
    result("cortex-m3", "ascon-aead128", origin="estimated"),
    result("atmega128", "grain128aead", GRAIN, opt="O3", code=2000, cycles=1000),
    result("atmega128", "grain128aead", GRAIN, opt="Os", code=1000, cycles=1900),
    result("atmega328p", "aes128", cycles=2000),
    result("atmega2560", "aes128", cycles=4000),
    result("atmega128rfa1", "aes128", implementation="engine", cycles=800),
    result("atmega128rfa1", "aes128-ccm-16", LINK, implementation="engine"),
    result("atmega328p", "grain128ple", (100, 0)),
    result("atmega328p", "grain128ple", (1024, 0)),
]


def times(_suite: str, sizes: Sequence[int]) -> host.HostTimes:
    """Time nothing: a host that takes 1 us and 1 ns a byte."""
    return host.HostTimes("a processor", {s: 1e-6 + s * 1e-9 for s in sizes})


@pytest.fixture(autouse=True, scope="module")
def quick_host() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grain128ple, "measure", times)
        yield


@pytest.fixture(scope="module")
def whole() -> Report:
    """Return a report of some results; drawing takes its time."""
    return making.make(SOME)


@pytest.fixture(scope="module")
def tables(whole: Report) -> dict[str, Table]:
    """Return its tables, by their slugs."""
    return {table.slug: table for table in whole.tables()}


@pytest.fixture(scope="module", params=["some", "none"])
def either(request: pytest.FixtureRequest, whole: Report) -> Report:
    """Return a report of some results, or of none."""
    return whole if request.param == "some" else making.make([])


def written(made: Report, folder: Path) -> str:
    path, *_ = made.write(folder)
    return path.read_text(encoding="utf-8")


def rows_of(table: Table, *texts: str) -> list[list[Cell]]:
    """Return the rows of a table that have all these texts."""
    return [
        list(row.cells)
        for row in table.rows
        if set(texts) <= {cell.text for cell in row.cells}
    ]


# The page


@pytest.mark.slow
def test_the_page_is_well_formed(either: Report, tmp_path: Path) -> None:
    parser = Page()
    parser.feed(written(either, tmp_path))
    parser.close()
    assert parser.open == []
    assert len(parser.names) == len(set(parser.names))
    local = {path.name for path in tmp_path.iterdir()}
    inside = {f"#{name}" for name in parser.names}
    assert set(parser.references) <= local | inside


@pytest.mark.slow
def test_every_figure_on_the_page_has_an_origin(either: Report) -> None:
    for table in either.tables():
        for row in table.rows:
            for cell in row.cells:
                assert (cell.origin is None) == isinstance(cell.value, str | None)


def test_what_is_written_is_escaped(whole: Report, tmp_path: Path) -> None:
    text = written(whole, tmp_path)
    assert "&lt;too&gt; many" in text
    assert "<too>" not in text


def test_the_answer_is_the_least_that_is_standard_and_constant_in_time() -> None:
    size, device = (64, 0), devices.device("atmega328p")
    rows = [
        result("atmega328p", "aes128-ccm-16", size, cycles=3000, code=2000),
        result("atmega328p", "aes128-gcm", size, cycles=9000, code=1000, opt="Os"),
        # Faster, and not to be taken: varies, research, no tag, a tag too short.
        result("atmega328p", "ascon-aead128", size, cycles=10, constant_time=False),
        result("atmega328p", "modspeck128-128-ccm-16", size, cycles=10),
        result("atmega328p", "aes128-ctr", size, cycles=10),
        result("atmega328p", "aes128-ccm-4", size, cycles=10),
        result("atmega328p", "aes128-ccm-8", (16, 0), cycles=10),
    ]
    (sentence,) = answer(device, Results(rows), 64)
    fastest = rows[0]
    assert sentence.text.startswith(
        f"On the ATmega328P, take aes128-ccm-16 (portable code, -{fastest.opt})."
        " Of the 2 standard suites with a tag of 8 bytes or more, it needs the least"
        f" time and energy to seal 64 bytes: {fastest.total_cycles:,} cycles"
    )
    times = rows[1].total_cycles / fastest.total_cycles
    assert sentence.text.endswith(
        "If flash memory is short, take aes128-gcm (portable code, -Os): it has 1,000"
        f" bytes of code, and takes {times:.2g} times as many cycles."
    )
    (alone,) = answer(device, Results(rows[:1]), 64)
    assert alone.text.endswith("No other code is smaller.")
    assert list(answer(device, Results([]), 64)) == []


def test_the_answer_is_before_the_tables(whole: Report) -> None:
    section = next(each for each in whole.sections if each.slug == "atmega328p")
    assert isinstance(section.parts[0], Advice)


@pytest.mark.slow
def test_a_page_has_its_plots_and_nothing_of_the_day(
    whole: Report, tmp_path: Path
) -> None:
    text = written(whole, tmp_path)
    plots = re.findall(r'<div data-plot="([^"]+)"', text)
    assert {"atmega328p-cycles", "link-security-fig8", "modspeck-fig3"} <= {*plots}
    assert written(making.make(SOME), tmp_path) == text


def test_what_is_missing_side_by_side_is_one_cell() -> None:
    columns = [label("a"), Column("b"), Column("c")]
    cells = [words("x"), NOT_MEASURED, NOT_MEASURED]
    table = Table("t", "T", columns, [Row(cells)])
    found = Section("s", "S", "", "g", "S", parts=[table])
    parser = Page()
    parser.feed(html_page.as_html(Heading("T"), [found]))
    assert [cell.get("colspan") for cell in parser.cells] == [None, "2"]


# Files


def test_a_file_a_table_with_origins(whole: Report, tmp_path: Path) -> None:
    _, *files = whole.write(tmp_path)
    assert len(files) == len(whole.tables())
    with (tmp_path / "grain128aead-table1.csv").open() as file:
        rows = list(csv.DictReader(file))
    ours = [r for r in rows if r["by"] == "samara" and r["cycles"]]
    (row,) = ours
    assert (row["cycles"], row["cycles origin"]) == ("2000", "measured")
    published = [r for r in rows if r["cycles origin"] == "published"]
    assert len(published) == 13


# General part


def test_a_cipher_that_does_not_fit_is_reported_with_the_reason(
    tables: dict[str, Table],
) -> None:
    ((name, shown_rows, *_),) = rows_of(tables["atmega328p-suites"], "aes128-gcm")
    assert (name.text, shown_rows.text) == ("aes128-gcm", "does not fit")
    assert shown_rows.remark == "needs 9,999 bytes, <too> many"


def test_a_leak_is_reported(
    tables: dict[str, Table],
) -> None:
    (row,) = rows_of(tables["atmega328p-suites"], "grain128aead")
    assert row[-1].text == "varies: seal 12"


def test_estimates_are_called_that(
    tables: dict[str, Table],
) -> None:
    (row,) = rows_of(tables["cortex-m3-suites"], "ascon-aead128")
    assert Origin.ESTIMATED in {cell.origin for cell in row}


def test_old_results_are_reported(whole: Report) -> None:
    assert whole.facts["beware"] == f"of {len(SOME)} this cannot be told"
    here = toolchain.version("avr-gcc")
    old = changed(SOME[-1], compiler=here, files=("core/gone.c",), sources="0")
    warnings = making.make([SOME[0], old], chosen=("grain128aead",)).facts["beware"]
    assert warnings == (
        "1 results are of other sources than those here, of 1 this cannot be told"
    )


# Papers


def test_balanced_is_least_code_times_cycles() -> None:
    found = Results(SOME).matching(device="atmega128", suite="grain128aead")
    best = balanced(found)
    assert best is not None
    # 1000 x (100 + 1900) is less than 2000 x (100 + 1000).
    assert best.opt == "Os"
    assert balanced([]) is None


def test_the_grain_note_shows_ours_below_theirs(tables: dict[str, Table]) -> None:
    table = tables["grain128aead-table1"]
    names = [row.cells[1].text for row in table.rows]
    place = names.index("Grain-128AEAD")
    assert names[place + 1] == "Grain-128AEADv2"
    assert table.rows[place + 1].cells[7].value == 2000
    assert {"ACORN", "Ketje-Jr", "NORX"} <= set(names)


def test_modspeck_compares_within_a_board_and_averages(
    tables: dict[str, Table],
) -> None:
    ((*_, ours),) = [
        [*row.cells]
        for row in tables["modspeck-merit"].rows
        if [cell.text for cell in row.cells[:2]] == ["128 bits", "AES"]
    ]
    # The only cipher measured is its own least, on both boards.
    assert ours.value == 3
    ((*_, waiting),) = [
        [*row.cells]
        for row in tables["modspeck-merit"].rows
        if [cell.text for cell in row.cells[:2]] == ["256 bits", "Simon"]
    ]
    assert waiting == NOT_MEASURED


def test_link_security_scales_to_the_papers_clock(tables: dict[str, Table]) -> None:
    (row,) = rows_of(tables["link-security-aes"], "samara", "-Os")
    # 100 + 800 cycles, in us at 16 and 32 MHz.
    assert [cell.value for cell in row[3:]] == [900, 56.25, 28.12]


@pytest.mark.slow
def test_frames_have_a_table_of_their_own() -> None:
    name = "ieee802154-aes128-ccm-8"
    rows = [result("atmega328p", name, (size, 14), cycles=9900) for size in (16, 64)]
    made = making.make(rows)
    (table,) = [one for one in made.tables() if one.slug == "atmega328p-frames"]
    ((suite, *_, ms, _, same),) = [row.cells for row in table.rows]
    # Set-up fills the tables, once: 9900 cycles alone at 16 MHz.
    assert (suite.text, ms.value, same.text) == (name, 0.619, "yes")
    gaps = [gap.description for gap in made.missing() if "atmega328p" in gap.command]
    assert not any("some of the sizes" in what for what in gaps)


@pytest.mark.slow
def test_the_phases_stand_beside_the_one_call() -> None:
    phases = {phase.value: 700 for phase in linkrows.PHASES}
    rows = [
        result(linkrows.DEVICE, suite, (95, 14), cycles=2000, implementation="engine")
        for suite in (linkrows.CCM, linkrows.PHASES_SUITE)
    ]
    rows[1] = changed(rows[1], cycles=rows[1].as_json()["cycles"] | phases)
    (section,) = making.make(rows, ["link-security"]).sections
    sentences = [part.text for part in section.parts if isinstance(part, Remark)]
    assert any(
        "2,100 cycles against 2,000 with the engine" in text for text in sentences
    )
    (table,) = [
        part
        for part in section.parts
        if isinstance(part, Table) and part.slug == "link-security-ccm"
    ]
    ours = rows_of(table, "CCM-2 authentication", "samara", "engine")
    assert [row[4].value for row in ours] == [700]


def test_ple_is_flat_without_start_up() -> None:
    times = host.HostTimes("p", {100: 3e-6, 1024: 12.24e-6, 102_400: 1026e-6})
    assert grain128ple.start_up_seconds(times) == pytest.approx(2e-6)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        # 2 us and 10 ns a byte: (3 / 100) / (1026 / 102400) is 2.994.
        ({100: 3e-6, 1024: 12.24e-6, 102_400: 1026e-6}, "it is flat within 0%"),
        ({100: 3e-6, 1024: 12.24e-6, 102_400: 1109e-6}, "it is flat within 8%"),
        ({100: 3e-6, 1024: 12.24e-6, 102_400: 1200e-6}, "it differs by 17%"),
        ({100: 3e-6, 1024: 12.24e-6, 102_400: 602e-6}, "it differs by 71%"),
        ({100: 3e-6, 1024: 3e-6, 102_400: 1026e-6}, "it differs by a large multiple"),
        ({100: 1e-6, 1024: 10.24e-6, 102_400: 1100e-6}, "takes no longer than"),
    ],
)
def test_flat_is_said_of_a_run_that_was(
    seconds: dict[int, float], expected: str
) -> None:
    text = grain128ple.course(host.HostTimes("p", seconds))
    assert expected in text
    assert ("is flat" in text) == ("is flat" in expected or "no longer" in expected)
    if expected == "it is flat within 0%":
        assert "2.99 times as long" in text


@pytest.mark.slow
def test_navigation_folds_and_first_columns_stay(whole: Report, tmp_path: Path) -> None:
    text = written(whole, tmp_path)
    style, _, body = text.partition("</style>")
    box, label = '<input type="checkbox" id="contents">', '<label for="contents">'
    assert body.index(box) < body.index(label) < body.index("<main>")
    narrow = style.partition("@media (max-width: 64rem)")[2]
    assert "nav ul { display: none;" in narrow
    assert "nav input:checked ~ ul { display: block; }" in narrow
    first = "th:first-child, td:first-child { position: sticky; left: 0;"
    assert first in style
    assert '<meta name="viewport" content="width=device-width' in text


def test_a_paper_alone_is_a_section_alone() -> None:
    (found,) = making.make(SOME, ["grain128ple"]).sections
    assert found.slug == "paper-grain128ple"


@pytest.mark.slow
def test_a_report_of_nothing_tells_how_to_measure() -> None:
    made = making.make([])
    commands = "\n".join(missing.command for missing in made.missing())
    for options in (
        "--device cortex-m4",
        "--suite grain128aead --suite ascon-aead128",
        "--message 1224 --ad 40",
        "--device atmega2560 --suite modspeck128-128",
        "--device atmega128rfa1 --suite aes128-ccm-16 --message 95 --ad 14",
        "--suite grain128ple",
    ):
        assert options in commands
