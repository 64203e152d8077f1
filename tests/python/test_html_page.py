# SPDX-License-Identifier: Apache-2.0
"""Answers as pages: everything that a terminal shows, and nothing from elsewhere."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import math
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
    Digest,
    Field,
    Notice,
    Parameter,
    Progress,
    Record,
    Remark,
    Request,
    Title,
    html_page,
    record_class,
    report_script,
    request_class,
)
from samara.records.charts import (
    Axis,
    Chart,
    Draws,
    Point,
    Series,
    as_json,
    line,
    point_of,
)
from samara.records.painting import asks_for_logarithm
from samara.records.parts import Heading, Plot, Section
from samara.records.reports import Report, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.cli.shared.output_files import Charts
    from samara.records.answers import Written


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


@pytest.fixture(autouse=True)
def script(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Be independent of whether the script is built."""
    folder = tmp_path_factory.mktemp("dist")
    (folder / "report.js").write_text("console.log('<!-- drawn -->');")
    (folder / "report.css").write_text(".drawn { color: red }")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_script, "FOLDER", folder)
        yield


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
    parts = [
        *("<h1>A &amp; B</h1>", "Which &lt;are&gt; they?"),
        *("it is &lt;late&gt;", "it is early"),
        *("Shapes &gt; forms", "below &amp; above", "shape &amp; form"),
        *("&lt;b&gt;0&lt;/b&gt;", "&lt;b&gt;1&lt;/b&gt;", "125"),
        *("More", "bare", "Is 1 &lt; 2?"),
    ]
    body = text.partition("<body")[2]
    places = [body.index(each) for each in parts]
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


PLOT = Plot(
    "drawn",
    "",
    [Chart("Sides", Axis("corners"), Axis("side", "ms"), [line("a", [3, 4], [1, 2])])],
)


def test_a_page_needs_nothing_else() -> None:
    text = html_page.page_of(shapes(Ask()), HEADING, [PLOT])
    page = read(text)
    assert page.references == []
    assert "url(" not in text
    assert text.index("bare</td>") < text.index("data-plot") < text.index("Is 1 &lt;")
    assert "color-scheme: light dark" in text
    assert "<nav" not in text
    assert text.count('<div class="scroll" ') == text.count("<table>") == 2
    assert "<script" not in html_page.page_of(shapes(Ask()), HEADING)


def test_only_the_script_of_samara_may_run() -> None:
    text = html_page.page_of(shapes(Ask()), HEADING, [PLOT])
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    code = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert policy is not None
    assert code is not None
    digest = base64.b64encode(hashlib.sha256(code[1].encode()).digest()).decode()
    assert policy[1].split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{digest}'",
        "style-src 'unsafe-inline'",
    ]


def test_charts_are_json_that_ends_no_element() -> None:
    hostile = "</script><img src=x onerror=alert(1)><!--<script>"
    chart = Chart(hostile, Axis(hostile), Axis("y"), [line(hostile, [1], [2])])
    text = html_page.page_of(shapes(Ask()), HEADING, [Plot("p", hostile, [chart])])
    read(text)
    held = re.search(r"<script [^>]*data-charts>(.*?)</script>", text)
    assert held is not None
    (shown,) = json.loads(held[1])["p"]
    assert shown["title"] == shown["x"]["label"] == hostile
    assert "<img" not in text


def test_without_its_script_a_page_has_its_tables_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_script, "FOLDER", tmp_path)
    text = html_page.page_of(shapes(Ask()), HEADING, [PLOT])
    read(text)
    assert "<script" not in text
    assert "Run tools/setup in a clone" in text
    assert text.count('<div class="scroll" ') == text.count("<table>") == 2
    app = typer.Typer(add_completion=False)
    app.command("shapes")(answering(shapes, charts=chart_of))
    done = CliRunner().invoke(app, ["--html", str(tmp_path / "page.html")])
    assert done.exit_code == 0
    with contextlib.redirect_stderr(io.StringIO()) as stderr:
        say_warnings()
    assert report_script.NOT_BUILT in stderr.getvalue()
    report = Report(HEADING, [Section("s", "", "", "", "", parts=[PLOT])])
    *_, said = written(report, tmp_path)
    assert said == Notice(report_script.NOT_BUILT)


@pytest.mark.parametrize("code", ["a</SCRIPT>", "'<script>'"])
def test_a_script_that_html_would_end_is_a_defect(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_script, "FOLDER", tmp_path)
    (tmp_path / "report.css").write_text("")
    (tmp_path / "report.js").write_text(code)
    with pytest.raises(ValueError, match="cannot stand within HTML"):
        report_script.found()


def test_points_have_their_figure_with_its_origin() -> None:
    low, high = (Figure(each, "J", Origin.ESTIMATED, "") for each in (1e-6, 4e-6))
    drawn = point_of(3, Figure(2e-6, "J", Origin.ASSUMED, "a rule"), 1e6, (low, high))
    endless = Point(1, math.inf)
    chart = Chart(
        "T",
        Axis("n", "byte", ticks=(1, 2), counts=True),
        Axis("", names=("a", "b")),
        [Series("s", [drawn, endless], Draws.BARS, 9, 0)],
    )
    (plain,) = json.loads(as_json({"p": [chart]}))["p"]
    assert plain["x"] == {
        "label": "n", "unit": "byte", "ticks": [1, 2], "counts": True
    }  # fmt: skip
    assert plain["y"] == {"label": "", "unit": "", "names": ["a", "b"]}
    (series,) = plain["series"]
    assert (series["draws"], series["colour"], series["size"]) == (
        *("bars", "--series-1", 0),
    )
    (point,) = series["points"]
    assert point == {
        "x": 3.0, "y": 2.0, "low": 1.0, "high": 4.0,
        "label": "", "origin": "assumed", "source": "a rule",
    }  # fmt: skip


def test_an_answer_without_records_says_so() -> None:
    def nothing(_: Ask) -> Answer[Shape]:
        yield Title("Shapes", empty="there are none; make some")

    text = html_page.page_of(nothing(Ask()), HEADING)
    assert '<p class="finding">Shapes: there are none; make some</p>' in text
    assert "<table" not in text
    assert "legend" not in text.partition("</style>")[2]


def chart_of(made: Written) -> list[Chart]:
    corners = [each.corners for each in made.drawn]
    return [Chart("Corners", Axis("n"), Axis("c"), [line("c", corners, corners)])]


def called(folder: Path, *arguments: str, charts: Charts | None = None) -> str:
    app = typer.Typer(add_completion=False)
    app.command("shapes", help="Tell shapes\napart.\n\nAt length.")(
        answering(shapes, charts=charts)
    )
    path = folder / "page.html"
    done = CliRunner().invoke(app, [*arguments, "--html", str(path)])
    assert done.exit_code == 0, done.output
    with contextlib.redirect_stderr(io.StringIO()) as stderr:
        say_warnings()
    assert "warning: it is <late>" in stderr.getvalue()
    return path.read_text(encoding="utf-8")


def test_a_command_writes_its_answer_as_a_page(tmp_path: Path) -> None:
    text = called(tmp_path, "--count", "1", "--json")
    assert "<b>0" not in text
    assert "&lt;b&gt;0" in text
    assert "&lt;b&gt;1" not in text
    assert '<p class="lead">Tell shapes apart.</p>' in text
    assert "data-plot" not in text


def held_in(text: str) -> list[dict[str, Any]]:
    """Return what the only plot of a page shows."""
    held = re.search(r"<script [^>]*data-charts>(.*?)</script>", text)
    assert held is not None
    (shown,) = json.loads(held[1]).values()
    return list(shown)


def test_a_page_has_the_charts_of_a_command(tmp_path: Path) -> None:
    (chart,) = held_in(called(tmp_path, charts=chart_of))
    assert [point["y"] for point in chart["series"][0]["points"]] == [0, 1000, 4]


def digested(_: Ask) -> Answer[Shape]:
    """Yield a shape, and many of which people see a sentence."""
    yield Shape("first", None, 4)
    yield Digest((Shape("one", None, each) for each in (5, 6)), [Remark("Two more.")])


@pytest.mark.parametrize("face", [[], ["--json"]])
def test_a_view_has_all_records_of_the_answer(face: list[str], tmp_path: Path) -> None:
    """Those of a digest as well, which are made once."""
    app = typer.Typer(add_completion=False)
    app.command("shapes")(answering(digested, charts="some-view"))
    path = tmp_path / "page.html"
    done = CliRunner().invoke(app, [*face, "--html", str(path)])
    assert done.exit_code == 0, done.output
    assert done.stdout.count('"corners"') == (3 if face else 0)
    text = path.read_text(encoding="utf-8")
    assert "Two more." in text
    (view,) = held_in(text)
    assert view["view"] == "some-view"
    assert [(each["type"], each["corners"]) for each in view["records"]] == [
        ("shape", 4), ("shape", 5), ("shape", 6)
    ]  # fmt: skip


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
    assert asks_for_logarithm([1, least])
    assert not asks_for_logarithm([1, least - 1])
