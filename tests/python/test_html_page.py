# SPDX-License-Identifier: Apache-2.0
"""Answers as pages: everything that a terminal shows, and nothing from elsewhere."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest
import typer
from html_parts import Page
from typer.testing import CliRunner

from samara.cli.shared.answering import answering
from samara.cli.shared.diagnostics import say_warnings
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Field,
    Notice,
    Parameter,
    Progress,
    Record,
    Remark,
    Request,
    Title,
    charts,
    html_page,
    record_class,
    request_class,
)
from samara.records.parts import Heading, Plot

if TYPE_CHECKING:
    from collections.abc import Sequence


@request_class
class Ask(Request):
    """How many."""

    count: Annotated[int, Parameter(help="Number of records.")] = 2


@record_class
class Shape(Record):
    """A shape."""

    name: Annotated[str, Field("Name.", heading="shape & form", rank=0)]
    side: Annotated[Figure | None, Field("Side.", heading="side", unit="ms")]
    corners: Annotated[int, Field("Corners.", heading="corners")]


def shapes(request: Ask) -> Answer[Shape]:
    """Yield shapes."""
    yield Notice("it is <late>", warns=True)
    yield Notice("it is early")
    yield Title("Shapes > forms", "below & above", "no shapes")
    for number in range(request.count):
        yield Progress(number / request.count, "counting")
        side = Figure(number / 8, "s", Origin.EMULATED, 'a "rule"')
        yield Shape(f"<b>{number}</b>", side, 1000 * number)
    yield Title("More")
    yield Shape("bare", None, 4)
    yield Remark("Is 1 < 2?")


HEADING = Heading("A & B", "Which <are> they?")


def read(text: str) -> Page:
    """Return what a browser reads; elements close in order."""
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    assert len(page.names) == len(set(page.names))
    return page


def test_a_page_has_all_of_an_answer_in_order() -> None:
    text = html_page.page_of(shapes(Ask()), HEADING)
    told = [
        *("<h1>A &amp; B</h1>", "Which &lt;are&gt; they?"),
        *("it is &lt;late&gt;", "it is early"),
        *("Shapes &gt; forms", "below &amp; above", "shape &amp; form"),
        *("&lt;b&gt;0&lt;/b&gt;", "&lt;b&gt;1&lt;/b&gt;", "125"),
        *("More", "bare", "Is 1 &lt; 2?"),
    ]
    body = text.partition("<body")[2]
    places = [body.index(each) for each in told]
    assert places == sorted(places)
    assert body.count("it is") == 2
    assert 'class="problem" role="note">it is &lt;late&gt;' in body
    assert "counting" not in text
    page = read(text)
    assert len([name for name in page.names if name.startswith("shape-")]) == 2


def test_numbers_are_at_the_right_with_unit_origin_and_source() -> None:
    text = html_page.page_of(shapes(Ask()), HEADING)
    assert '<th scope="col" class="n">side<small>ms</small></th>' in text
    cells = [cell for cell in read(text).cells if cell.get("data-origin")]
    assert [cell["class"] for cell in cells] == ["n", "n"]
    assert {cell["title"] for cell in cells} == {'a "rule"'}
    assert {cell["data-origin"] for cell in cells} == {"emulated"}
    legend = text.partition('<ul class="legend">')[2].partition("</ul>")[0]
    assert re.findall(r'data-origin="([^"]+)"', legend) == ["emulated"]
    plain = [cell for cell in read(text).cells if not cell.get("data-origin")]
    # Names, corners, and the side that there is not.
    assert [cell["class"] for cell in plain].count("n") == 4


def test_a_page_needs_nothing_else() -> None:
    plot = Plot("drawn", "", '<svg viewBox="0 0 1 1"><path d="M 0 0"/></svg>')
    text = html_page.page_of(shapes(Ask()), HEADING, [plot])
    page = read(text)
    assert page.references == []
    assert "<script" not in text
    assert "url(" not in text
    assert text.index("bare</td>") < text.index("<svg") < text.index("Is 1 &lt;")
    assert "color-scheme: light dark" in text
    assert "<nav" not in text
    assert text.count('<div class="scroll"><table>') == 2


def test_an_answer_without_records_says_so() -> None:
    def nothing(_: Ask) -> Answer[Shape]:
        yield Title("Shapes", empty="there are none; make some")

    text = html_page.page_of(nothing(Ask()), HEADING)
    assert '<p class="finding">Shapes: there are none; make some</p>' in text
    assert "<table" not in text
    assert "legend" not in text.partition("</style>")[2]


def draw(figure: Any, records: Sequence[Shape], colours: Sequence[str]) -> None:  # noqa: ANN401 - of Matplotlib
    axes = figure.subplots()
    axes.set_title(", ".join(f"drawn {each.corners}" for each in records))
    axes.plot([0, 1], color=colours[0])


def called(folder: Path, *arguments: str, paint: Any = None) -> str:  # noqa: ANN401 - a function
    app = typer.Typer(add_completion=False)
    app.command("shapes", help="Tell shapes\napart.\n\nAt length.")(
        answering(shapes, paint=paint)
    )
    path = folder / "page.html"
    done = CliRunner().invoke(app, [*arguments, "--html", str(path)])
    assert done.exit_code == 0, done.output
    with contextlib.redirect_stderr(io.StringIO()) as told:
        say_warnings()
    assert "warning: it is <late>" in told.getvalue()
    return path.read_text(encoding="utf-8")


def test_a_command_writes_its_answer_as_a_page(tmp_path: Path) -> None:
    text = called(tmp_path, "--count", "1", "--json")
    assert "<b>0" not in text
    assert "&lt;b&gt;0" in text
    assert "&lt;b&gt;1" not in text
    assert '<p class="lead">Tell shapes apart.</p>' in text
    assert "<svg" not in text


@pytest.mark.slow
def test_a_page_has_the_picture_of_a_command(tmp_path: Path) -> None:
    text = called(tmp_path, paint=draw)
    read(text)
    assert "drawn 0, drawn 1000, drawn 4" in text
    assert "stroke: var(--series-0)" in text


def test_a_page_in_a_directory_that_is_none(tmp_path: Path) -> None:
    app = typer.Typer(add_completion=False)
    app.command("shapes")(answering(shapes))
    done = CliRunner().invoke(app, ["--html", str(tmp_path / "none" / "page.html")])
    assert done.exit_code != 0
    assert "there is no directory" in str(done.exception)
    assert done.stdout == ""


PAGE = Path(__file__).parents[2] / "page" / "src"


def test_the_console_has_the_same_marks_of_origins_and_rule_of_axes() -> None:
    style = (PAGE / "app.css").read_text(encoding="utf-8")
    for origin in Origin:
        mark = (
            f'[data-origin="{origin}"]::after {{\n  content: "{origin.mark}";\n'
            f"  color: var(--{origin.page_colour});\n}}"
        )
        assert mark in style
    for sheet in ("tokens", "common"):
        assert f"samara/records/templates/{sheet}.css" in style
    rule = re.search(r"LOG_FROM = (\d+)", (PAGE / "lib" / "chart.ts").read_text())
    assert rule is not None
    least = int(rule[1])
    assert charts.asks_for_logarithm([1, least])
    assert not charts.asks_for_logarithm([1, least - 1])
