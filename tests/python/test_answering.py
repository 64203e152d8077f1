# SPDX-License-Identifier: Apache-2.0
"""Commands of long work: what is said at once, Ctrl-C, refusals, and outputs."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import pytest
import typer
from typer.testing import CliRunner

from samara.cli.shared import showing
from samara.cli.shared.answering import answering
from samara.cli.shared.diagnostics import say_warnings
from samara.cli.shared.showing import Showing
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Progress,
    Record,
    Refusal,
    Remark,
    Request,
    Title,
    record_class,
    records_of,
    request_class,
)
from samara.records.parameters import ParameterError
from samara.records.parts import Heading, Missing, Section
from samara.records.paths import DIRECTORY, EXISTING, FILE, OUTPUT_DIRECTORY
from samara.records.reports import (
    MissingMeasurement,
    Page,
    Report,
    ReportTable,
    written,
)
from samara.records.tables import Row, Table, label, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@record_class
class Step(Record):
    """A step of the work."""

    number: Annotated[int, Field("Its number.", heading="step")]


@request_class
class Work(Request):
    """What is worked on."""

    name: Annotated[str, Parameter(metavar="NAME", help="A name.")]
    output: Annotated[
        Path | None,
        Parameter(
            short="o", metavar="DIR", help="A directory.", values=OUTPUT_DIRECTORY
        ),
    ] = None


def command(function: Callable[[Work], Answer[Step]]) -> typer.Typer:
    app = typer.Typer(add_completion=False)
    app.command("work")(answering(function, writes=False, pages=False))
    return app


def interrupting(at: int) -> Callable[[str], object]:
    """Return a bar at whose change of this number Ctrl-C is pressed."""
    steps: list[None] = []

    def tell(*_: object) -> None:
        steps.append(None)
        if len(steps) == at:
            raise KeyboardInterrupt

    @contextmanager
    def progress(_: str) -> Iterator[object]:
        yield tell

    return progress


def steps(ended: list[str]) -> Answer[Step]:
    """Yield steps; Ctrl-C ends the work with those that are done."""
    try:
        for number in range(3):
            yield Step(number)
            yield Progress(number / 3, "stepping")
    except KeyboardInterrupt:
        ended.append("interrupted")
        yield Progress(1.0, "ending")
        yield Step(99)
        yield Refusal("two steps are missing", is_interruption=True)


def test_ctrl_c_while_a_bar_is_drawn_reaches_the_function(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(showing, "progress", interrupting(1))
    ended: list[str] = []
    kept = Showing(as_json=True).show(steps(ended))
    printed = [
        json.loads(line)["number"]
        for line in capsys.readouterr().out.split("\n")
        if line
    ]
    assert (printed, ended) == ([0, 99], ["interrupted"])
    assert not any(isinstance(each, Progress) for each in kept)
    assert showing.exit_status(kept) == 130
    say_warnings()
    assert "two steps are missing" in capsys.readouterr().err


def test_ctrl_c_that_the_function_does_not_take_ends_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed = []

    def stubborn() -> Answer[Step]:
        try:
            yield Progress(0.5, "stepping")
            yield Step(1)
        finally:
            closed.append(True)

    for answer in (stubborn(), iter([Progress(0.5, "stepping"), Step(1)])):
        monkeypatch.setattr(showing, "progress", interrupting(1))
        with pytest.raises(KeyboardInterrupt):
            Showing(as_json=True).show(answer)
    assert closed == [True]


def test_a_notice_is_said_at_once_or_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    happened: list[str] = []
    monkeypatch.setattr(showing, "say", happened.append)
    monkeypatch.setattr(showing, "note", lambda text: happened.append(f"kept: {text}"))

    def noticing() -> Answer[Step]:
        yield Notice("it takes a minute", at_once=True)
        happened.append("a minute passes")
        yield Notice("it is old")

    Showing(as_json=True).show(noticing())
    assert happened == ["it takes a minute", "a minute passes", "kept: it is old"]


def test_a_line_is_printed_before_the_next_one_is_made(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A sniffer runs for hours: its packets are seen as they come."""
    seen: list[str] = []

    def answer() -> Iterator[object]:
        yield Title("", empty="")
        for number in range(3):
            yield Digest([Step(number)], [Line(f"packet {number}")])
            seen.append(capsys.readouterr().out)
        yield Remark("after all")

    kept = Showing(as_json=False, doing="").show(answer())
    assert not [each for each in kept if isinstance(each, (Digest, Line, Step))]
    assert seen == [f"packet {number}\n" for number in range(3)]
    assert capsys.readouterr().out == "after all\n"


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        ([Step(1)], 0),
        ([Step(1), Refusal()], 1),
        ([Refusal("no"), Step(1)], 1),
        ([Step(1), Refusal(is_interruption=True)], 130),
    ],
)
def test_the_exit_status(parts: list[object], status: int) -> None:
    def working(_: Work) -> Answer[Step]:
        yield from parts  # type: ignore[misc]

    shown = CliRunner().invoke(command(working), ["--name", "x"], standalone_mode=False)
    assert shown.return_value == status


def test_nothing_was_found_is_said_where_nothing_else_is() -> None:
    def said(*parts: object) -> str:
        def working(_: Work) -> Answer[Step]:
            yield from parts  # type: ignore[misc]

        return CliRunner().invoke(command(working), ["--name", "x"]).stdout

    assert said().split() == ["nothing", "was", "found"]
    assert said(Remark("all is well")).split() == ["all", "is", "well"]
    assert said(Refusal("it failed")) == ""


def test_a_request_may_have_an_output_of_its_own(tmp_path: Path) -> None:
    asked: list[Work] = []

    def working(request: Work) -> Answer[Step]:
        asked.append(request)
        yield Step(1)

    app = command(working)
    folder, file = tmp_path / "new", tmp_path / "file"
    file.touch()
    assert CliRunner().invoke(app, ["--name", "x", "-o", str(folder)]).exit_code == 0
    assert asked == [Work(name="x", output=folder)]
    refused = CliRunner().invoke(app, ["--name", "x", "-o", str(file)])
    assert refused.exit_code == 2
    output = CliRunner().invoke(app, ["--help"]).stdout
    assert "--output" in output
    assert "--html" not in output
    assert "--wide" not in output


def test_a_parameter_without_a_default_must_be_given() -> None:
    def working(_: Work) -> Answer[Step]:
        yield Step(1)

    refused = CliRunner().invoke(command(working), [])
    assert refused.exit_code == 2
    assert "--name" in refused.output
    with pytest.raises(ParameterError, match="--name must be text, not None"):
        Work(name=None)  # type: ignore[arg-type]


def test_paths_that_a_parameter_takes(tmp_path: Path) -> None:
    file, missing = tmp_path / "file", tmp_path / "missing"
    file.touch()
    taken = {
        each: [path for path in (tmp_path, file, missing) if path in each]
        for each in (FILE, DIRECTORY, EXISTING, OUTPUT_DIRECTORY)
    }
    assert taken == {
        FILE: [file],
        DIRECTORY: [tmp_path],
        EXISTING: [tmp_path, file],
        OUTPUT_DIRECTORY: [tmp_path, missing],
    }
    assert str(file) not in FILE
    with pytest.raises(ParameterError) as caught:
        Work(name="x", output=file)
    text = f"--output must be a directory, which is made if missing, not '{file}"
    assert str(caught.value) == text[: text.index("'") + 60]


def report(tables: int, gaps: int) -> Report:
    rows = [Row([words("a <b>")])]
    parts = [Table(f"t{i}", f"Table {i}", [label("name")], rows) for i in range(tables)]
    missing = [Missing(f"gap {i}", f"measure {i}") for i in range(gaps)]
    section = Section("s", "S", "", "", "", parts=[*parts, *missing])
    return Report(Heading("Title"), [section], {"fact": "value"})


def test_a_report_is_files_records_and_sentences(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "folder"
    answer = list(written(report(2, 7), folder))
    page, *others = records_of(iter(answer))
    assert page == Page(
        folder / "index.html", (folder / "t0.csv", folder / "t1.csv"), {"fact": "value"}
    )
    assert isinstance(page, Page)
    assert "a &lt;b&gt;" in page.path.read_text()
    assert (folder / "t0.csv").read_bytes() == b"name\na <b>\n"
    tables = [each for each in others if isinstance(each, ReportTable)]
    assert [(each.slug, each.rows) for each in tables] == [
        ("t0", ({"name": "a <b>"},)),
        ("t1", ({"name": "a <b>"},)),
    ]
    gaps = [each for each in others if isinstance(each, MissingMeasurement)]
    assert [each.command for each in gaps] == [f"measure {i}" for i in range(7)]
    said = [each.text for each in answer if isinstance(each, Remark)]
    assert said[0] == f"{folder / 'index.html'}, and 2 tables as CSV beside it"
    assert said[1:6] == [f"not measured yet: gap {i}\n  measure {i}" for i in range(5)]
    assert said[6:] == ["... and 2 more, on the page"]


@pytest.mark.parametrize(
    ("gaps", "rest"), [(0, []), (5, []), (6, ["... and 1 more, on the page"])]
)
def test_a_report_of_one_table(gaps: int, rest: list[str], tmp_path: Path) -> None:
    answer = written(report(1, gaps), tmp_path)
    first, *others = [each.text for each in answer if isinstance(each, Remark)]
    assert first.endswith(", and a table as CSV beside it")
    assert others[min(gaps, 5) :] == rest


def test_ctrl_c_while_a_record_is_shown_keeps_those_that_are_complete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[Step] = []

    def interrupted(step: Step) -> None:
        shown.append(step)
        if len(shown) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(showing, "print_record", interrupted)
    steps = (Step(number) for number in (1, 2, 3))
    kept = Showing(as_json=True).show(steps, keeps="steps")
    assert kept == shown == [Step(1), Step(2)]
    assert capsys.readouterr().err == "samara: stopped; 2 steps are complete.\n"


def test_ctrl_c_while_a_record_is_shown_ends_other_commands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(_: Step) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(showing, "print_record", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Showing(as_json=True).show(iter([Step(1)]))
