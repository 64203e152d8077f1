# SPDX-License-Identifier: Apache-2.0
"""Requests and records: what they check, and how faces show them."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
import typer
from typer.testing import CliRunner

from samara.cli.shared.answering import answering
from samara.cli.shared.diagnostics import say_warnings
from samara.crypto import Standing
from samara.errors import ArgumentError
from samara.figure import Figure, Origin
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Notice,
    Parameter,
    Progress,
    Record,
    Remark,
    Request,
    Title,
    record_class,
    records_of,
    request_class,
)
from samara.records.checking import problems
from samara.records.csv_lines import csv_of
from samara.records.fields import leaves
from samara.records.json_lines import record_line
from samara.records.json_types import json_type_of
from samara.records.parameters import ParameterError, from_values, parameters_of
from samara.records.reference import section
from samara.records.tables import Row, Table, label, table_of, words
from samara.units import SECONDS


@record_class
class Spread:
    """Two ends."""

    low: Annotated[Figure, Field("Low end.", heading="low", unit="%")]
    high: Annotated[Figure, Field("High end.", unit="%")]


@record_class
class ToyAnswer(Record):
    """One answer of a toy."""

    name: Annotated[str, Field("Name.", heading="name", rank=0)]
    count: Annotated[int, Field("Count.", heading="count", unit="byte")]
    spread: Annotated[Spread | None, Field("Spread.", heading="share")]
    words: Annotated[tuple[str, ...], Field("Words.", heading="words")] = ()
    extra: Annotated[float | None, Field("Extra.", optional=True)] = None
    drawn: Annotated[int, Field("Of pictures alone.", in_json=False)] = 7


@record_class
class ToySize(Record):
    """A record that programs know by another name."""

    TYPE: ClassVar[str] = "size"

    clock: Annotated[float, Field("Stated.", heading="clock", unit="MHz", exact=True)]
    voltage: Annotated[Figure, Field("Stated.", heading="volts", exact=True)]
    text: Annotated[str, Field("Long.", heading="text", wraps=True)]
    parts: Annotated[Mapping[str, int], Field("Parts.")]
    rate: Annotated[int, Field("Rate.", heading="rate", own_unit="Hz", unit="MHz")]


@record_class
class ToyEnd:
    """One end of a toy range."""

    which: Annotated[str, Field("Which.", heading="end")]
    value: Annotated[Figure, Field("Its value.", heading="value", unit="%")]


@dataclass(frozen=True, slots=True)
class ToyRate(Figure):
    """A figure with more."""

    low: float
    high: float


@record_class
class ToyRange(Record):
    """A record of two rows."""

    spread: Annotated[Spread, Field("The range.")]

    def table_rows(self) -> Sequence[ToyEnd]:
        """Return the ends."""
        return [ToyEnd("low", self.spread.low), ToyEnd("high", self.spread.high)]


class Declared:
    """Parameters that are declared elsewhere."""

    def parameters(self) -> Sequence[Parameter]:
        return [
            Parameter(name="colour", help="Colour.", values=["red", "blue"]),
            Parameter(name="size", help="Size.", type=int),
        ]


@request_class
class ToyRequest(Request):
    """What a toy is asked."""

    wait_s: Annotated[
        float,
        Parameter(name="wait", help="Wait.", unit=SECONDS, values=Between(0.5, 60)),
    ] = 2.0
    counts: Annotated[tuple[int, ...], Parameter(help="Counts.", values=range(10))] = (
        1,
        2,
    )
    loud: Annotated[bool, Parameter(help="Be loud.")] = False
    warm: Annotated[
        bool | None, Parameter(opposite="cold", help="Heat.", default_text="both")
    ] = None
    options: Annotated[Mapping[str, Any], Declared()] = field(default_factory=dict)


@record_class
class ToyDetail(Record):
    """A record that tables do not show."""

    size: Annotated[int, Field("A size.")]


def share(value: float) -> Figure:
    return Figure(value, "1", Origin.MEASURED, "a rule")


def toy(request: ToyRequest) -> Answer[ToyAnswer]:
    """Yield an answer for each count."""
    yield Notice("the device is another one")
    yield Notice("the device is old", warns=True)
    yield Title("Counts", "below the table", "no counts")
    for done, count in enumerate(request.counts):
        yield Progress(done / len(request.counts), "counting")
        spread = Spread(share(count / 100), share(count / 50)) if count else None
        yield ToyAnswer(f"toy {count}", count * 1000, spread, ("a", "b"))
    yield Remark("That is all [of it].")


def test_what_no_calculation_takes_is_no_number() -> None:
    assert 10**300 in Between()
    for value in (10**400, -(10**400), float("inf"), float("nan"), True, "1", None):
        assert value not in Between()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"counts": 1}, "--counts must be a tuple of values, not 1"),
        ({"counts": "12"}, "--counts must be a tuple of values, not '12'"),
        ({"counts": ("1",)}, "--counts must be 0 to 9, not '1'"),
        ({"wait_s": 10**400}, "--wait must be 0.5 to 60 seconds, not 1000"),
        ({"options": 5}, "options must be values by their names, not 5"),
        ({"options": ["size"]}, r"options must be values by their names, not \['size'"),
        ({"options": {1: 2}}, "options must be values by their names, not {1: 2}"),
        ({"options": {"size": "x"}}, "--size must be a whole number, not 'x'"),
    ],
)
def test_values_of_a_request_are_one_sentence_when_they_are_wrong(
    given: dict[str, Any], words: str
) -> None:
    with pytest.raises(ArgumentError, match=words):
        ToyRequest(**given)
    listed: Any = [3]
    assert ToyRequest(counts=listed).counts is listed


def test_leaves_have_paths_and_whole_headings() -> None:
    found = {leaf.name: leaf.heading for leaf in leaves(ToyAnswer)}
    assert found == {
        "name": "name",
        "count": "count",
        "spread_low": "share low",
        "spread_high": None,
        "words": "words",
        "extra": None,
        "drawn": None,
    }


def test_a_page_describes_a_record_with_all_keys_of_programs() -> None:
    text = section(ToyAnswer, ["toy one", "toy", "toys"])
    assert text.splitlines() == [
        "### `toy_answer`",
        "",
        "One answer of a toy. Printed by `toy one`, `toy` and `toys`.",
        "",
        "| key | value | meaning |",
        "|---|---|---|",
        "| `name` | text | Name. |",
        "| `count` | whole number in byte | Count. |",
        "| `spread` | object, or `null` | Spread. |",
        "| `spread.low` | figure without unit | Low end. |",
        "| `spread.high` | figure without unit | High end. |",
        "| `words` | list of texts | Words. |",
        "| `extra`? | number | Extra. |",
    ]
    assert "Printed by `toy`.\n" in section(ToyAnswer, ["toy"])
    assert section(ToySize, ["a", "b"]).splitlines()[6:] == [
        "| `clock` | number in MHz | Stated. |",
        "| `voltage` | figure | Stated. |",
        "| `text` | text | Long. |",
        "| `parts` | object with whole numbers by name | Parts. |",
        "| `rate` | whole number in Hz | Rate. |",
    ]


@record_class
class ToyWays(Record):
    """Fields of all other types."""

    origin: Annotated[Origin, Field("Origin.")]
    standing: Annotated[Standing | None, Field("Standing.")]
    raw: Annotated[bytes, Field("Raw|bytes.")]
    path: Annotated[Path, Field("Path.")]
    good: Annotated[bool, Field("Good.")]
    ends: Annotated[tuple[ToyEnd, ...], Field("Ends.")]
    by_name: Annotated[Mapping[str, Spread | None], Field("By name.")]
    rate: Annotated[ToyRate, Field("Rate.", unit="ms")]
    either: Annotated[int | str, Field("Either.")]
    any: Annotated[Any, Field("Any.")]
    free: Annotated[Mapping[str, Any], Field("Free.")]


def test_a_page_describes_values_of_all_types() -> None:
    rows = [row.split(" | ") for row in section(ToyWays, ["toy"]).splitlines()[6:]]
    assert {row[0].strip("| `"): row[1] for row in rows} == {
        "origin": "origin",
        "standing": "`standard`, `finalist` or `research`, or `null`",
        "raw": "text of hex digits",
        "path": "text",
        "good": "true or false",
        "ends": "list of objects",
        "ends[].which": "text",
        "ends[].value": "figure without unit",
        "by_name": "object with objects or `null` by name",
        "by_name.*.low": "figure without unit",
        "by_name.*.high": "figure without unit",
        "rate": "figure in s, with `low` and `high`",
        "either": "whole number or text",
        "any": "any value",
        "free": "object",
    }
    assert rows[2][2] == r"Raw\|bytes. |"


WAYS = ToyWays(
    Origin.ASSUMED,
    Standing.STANDARD,
    b"\1\xff",
    Path("here"),
    good=True,
    ends=(ToyEnd("low", share(0.5)),),
    by_name={"a": None, "b": Spread(share(0), share(1))},
    rate=ToyRate(1.0, "s", Origin.MEASURED, "", 0.5, float("nan")),
    either="x",
    any=[1],
    free={"z": None},
)


def problems_of(record: Record, **other: Any) -> list[str]:  # noqa: ANN401 - as JSON has it
    line = json.loads(record_line(record)) | other
    assert line.pop("type") == record.type_name()
    return list(problems(json_type_of(type(record)), line))


def test_a_line_of_a_record_is_of_its_shape() -> None:
    assert not problems_of(WAYS)
    assert not problems_of(SIZE)
    for answer in (ToyAnswer("x", 1, None), ToyAnswer("x", 1, None, (), 2.5)):
        assert not problems_of(answer)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("origin", "guessed", 'origin is "guessed": expected origin'),
        ("good", 1, "good is 1: expected true or false"),
        ("either", 1.5, "either is 1.5: expected whole number or text"),
        ("raw", None, "raw is null: expected text of hex digits"),
        ("free", [], "free is []: expected object"),
        ("ends", {}, "ends is {}: expected list of objects"),
        ("ends", [{"which": "low"}], "ends[0].value is missing"),
        ("by_name", {"a": 3}, "by_name.a is 3: expected object"),
        ("more", 3, "more is in no record"),
    ],
)
def test_a_line_that_is_not_of_the_shape(
    name: str, value: object, expected: str
) -> None:
    assert problems_of(WAYS, **{name: value}) == [expected]


def test_a_figure_that_is_not_of_the_shape() -> None:
    rate = json.loads(record_line(WAYS))["rate"]
    assert problems_of(WAYS, rate=rate | {"unit": "ms"}) == [
        'rate.unit is "ms": expected `s`'
    ]
    del rate["high"]
    assert problems_of(WAYS, rate=rate) == ["rate.high is missing"]
    assert problems_of(ToyAnswer("x", 1, None), count=1.0) == [
        "count is 1.0: expected whole number in byte"
    ]


def test_a_table_shows_figures_in_the_unit_of_the_field() -> None:
    table = table_of(records_of(toy(ToyRequest(counts=(0, 3)))), "title")
    assert [(c.name, c.unit, c.numeric, c.rank) for c in table.columns] == [
        ("name", "", False, 0),
        ("count", "byte", True, 1),
        ("share low", "%", True, 1),
        ("words", "", False, 1),
    ]
    first, second = ([cell.text for cell in row.cells] for row in table.rows)
    assert first == ["toy 0", "0", "-", "a, b"]
    assert second == ["toy 3", "3,000", "3.00", "a, b"]
    assert table.rows[1].cells[2].origin is Origin.MEASURED


def test_a_figure_in_a_unit_that_is_never_shown_so() -> None:
    wrong = ToyAnswer("x", 1, Spread(Figure(1.0, "s", Origin.MEASURED, ""), share(1)))
    with pytest.raises(ValueError, match="a figure in 's' cannot be shown in '%'"):
        table_of([wrong], "title")


def test_a_record_of_more_than_one_row() -> None:
    found = [ToyRange(Spread(share(a), share(2 * a))) for a in (0.1, 0.3)]
    table = table_of(found, "title")
    assert table.slug == "toy_range"
    assert [column.name for column in table.columns] == ["end", "value"]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["low", "10.0"],
        ["high", "20.0"],
        ["low", "30.0"],
        ["high", "60.0"],
    ]
    lines = list(csv.DictReader(io.StringIO(csv_of(found).decode())))
    assert [line["value"] for line in lines] == ["0.1", "0.2", "0.3", "0.6"]
    assert json.loads(record_line(found[1]))["spread"]["high"]["value"] == 0.6


def test_the_help_says_a_default_in_place_of_how_it_is_found() -> None:
    found = [
        Parameter(help="It.", default=default, default_text="the first").help_text()
        for default in (None, "blue", lambda: "drawn")
    ]
    assert found == [
        "It. Default: the first.",
        "It. Default: blue.",
        "It. Default: the first.",
    ]


def test_an_optional_key_is_left_out_and_others_are_null() -> None:
    line = json.loads(record_line(ToyAnswer("x", 1, None)))
    assert line == {
        "type": "toy_answer",
        "name": "x",
        "count": 1,
        "spread": None,
        "words": [],
    }
    assert json.loads(record_line(ToyAnswer("x", 1, None, (), 2.5)))["extra"] == 2.5


VOLTS = Figure(2.957, "V", Origin.MEASURED, "")
SIZE = ToySize(7.3728, VOLTS, "words", {"a": 1, "b": 2}, 12_500_000)


def test_a_stated_number_keeps_its_digits_and_text_wraps() -> None:
    table = table_of([SIZE], "title")
    (row,) = table.rows
    assert [cell.text for cell in row.cells] == ["7.3728", "2.957", "words", "12.5"]
    assert [column.wraps for column in table.columns] == [False, False, True, False]


def test_a_record_may_have_another_type_and_parts() -> None:
    line = json.loads(record_line(SIZE))
    assert (line["type"], line["parts"]) == ("size", {"a": 1, "b": 2})
    assert line["rate"] == 12_500_000
    (row,) = csv.DictReader(io.StringIO(csv_of([SIZE]).decode()))
    assert row["parts"] == "a=1; b=2"


def test_csv_has_all_leaves_with_unit_and_origin() -> None:
    rows = records_of(toy(ToyRequest(counts=(3, 4))))
    first, second = csv.DictReader(io.StringIO(csv_of(rows).decode()))
    assert first["spread_low"] == "0.03"
    assert second["spread_high"] == "0.08"
    assert second["spread_high_origin"] == "measured"
    assert second["words"] == "a; b"
    hour = Figure(7.5, "hour", Origin.ASSUMED, "")
    (row,) = csv.DictReader(
        io.StringIO(csv_of([ToyAnswer("x", 1, Spread(hour, hour))]).decode())
    )
    assert row["spread_low_hour"] == "7.5"


def test_csv_of_records_of_which_some_have_no_figure() -> None:
    rows = records_of(toy(ToyRequest(counts=(0, 3))))
    first, second = csv.DictReader(io.StringIO(csv_of(rows).decode()))
    assert (first["spread_low"], first["spread_low_origin"]) == ("", "")
    assert (second["spread_low"], second["spread_low_origin"]) == ("0.03", "measured")
    hour = Figure(7.5, "hour", Origin.ASSUMED, "")
    mixed = csv_of([*rows, ToyAnswer("x", 1, Spread(hour, hour))]).decode()
    none, share, hours = csv.DictReader(io.StringIO(mixed))
    names = ("spread_low", "spread_low_unit", "spread_low_origin")
    assert [none[name] for name in names] == ["", "", ""]
    assert [share[name] for name in names] == ["0.03", "1", "measured"]
    assert [hours[name] for name in names] == ["7.5", "hour", "assumed"]


def test_a_notice_that_warns_says_so(toy_command: typer.Typer) -> None:
    assert CliRunner().invoke(toy_command, []).exit_code == 0
    with contextlib.redirect_stderr(io.StringIO()) as stderr:
        say_warnings()
    assert stderr.getvalue().splitlines() == [
        "samara: the device is another one.",
        "samara: warning: the device is old.",
    ]


@pytest.mark.parametrize(("value", "fits"), [(0.5, True), (60, True), (60.1, False)])
def test_bounds(value: float, *, fits: bool) -> None:
    if fits:
        assert ToyRequest(wait_s=value).wait_s == value
        return
    with pytest.raises(ParameterError, match=r"--wait must be 0\.5 to 60 seconds, not"):
        ToyRequest(wait_s=value)


@pytest.mark.parametrize("value", [float("nan"), "2", None, True])
def test_values_of_another_type(value: Any) -> None:  # noqa: ANN401 - on purpose
    with pytest.raises(ParameterError, match="--wait must be"):
        ToyRequest(wait_s=value)


def test_each_of_many_is_checked() -> None:
    assert ToyRequest(counts=(0, 9)).counts == (0, 9)
    with pytest.raises(ParameterError, match="--counts must be 0 to 9, not 10"):
        ToyRequest(counts=(9, 10))


def test_options_that_are_declared_elsewhere() -> None:
    names = [each.name for each in parameters_of(ToyRequest)]
    assert names == ["wait", "counts", "loud", "warm", "colour", "size"]
    given = from_values(ToyRequest, {"wait": 3.0, "colour": "red", "size": None})
    assert given == ToyRequest(wait_s=3.0, options={"colour": "red"})


def test_a_field_that_does_not_say_what_it_is() -> None:
    @request_class
    class Bare(Request):
        size: int = 3

    with pytest.raises(TypeError, match="size does not say what it is"):
        parameters_of(Bare)


@pytest.fixture(name="toy_command")
def _toy_command() -> typer.Typer:
    app = typer.Typer(add_completion=False)
    app.command("toy")(answering(toy))
    return app


def test_a_toy_command_prints_its_table(toy_command: typer.Typer) -> None:
    shown = CliRunner().invoke(toy_command, ["--counts", "3", "--counts", "4"])
    assert shown.exit_code == 0, shown.output
    lines = [line.strip() for line in shown.stdout.splitlines() if line.strip()]
    assert lines[0] == "Counts"
    assert [line.split() for line in lines if line.startswith("toy")] == [
        ["toy", "3", "3,000", "3.00", "a,", "b"],
        ["toy", "4", "4,000", "4.00", "a,", "b"],
    ]
    assert lines[-2:] == ["below the table", "That is all [of it]."]


def test_a_toy_command_prints_json_and_help(toy_command: typer.Typer) -> None:
    shown = CliRunner().invoke(toy_command, ["--json", "--loud"])
    first, second = (json.loads(line) for line in shown.stdout.splitlines())
    assert (first["type"], first["count"], second["count"]) == (
        "toy_answer",
        1000,
        2000,
    )
    output = CliRunner().invoke(toy_command, ["--help"], env={"COLUMNS": "200"}).stdout
    assert "--wait" in output
    assert "SECONDS" in output
    assert "Values: 0.5 to 60. Default: 2." in output
    assert "red or blue" in output
    assert ".csv, a table. Default: write no file." in output


def test_a_toy_command_refuses_what_the_request_does(toy_command: typer.Typer) -> None:
    shown = CliRunner().invoke(toy_command, ["--wait", "0.4"])
    assert shown.exit_code == 2
    said = " ".join(shown.output.replace("\u2502", " ").split())
    assert "expected 0.5 to 60 seconds, not 0.4" in said


def test_an_option_with_an_opposite_has_three_values() -> None:
    found = []

    def warmth(request: ToyRequest) -> Answer[ToyAnswer]:
        found.append(request.warm)
        yield from toy(request)

    app = typer.Typer(add_completion=False)
    app.command("warmth")(answering(warmth))
    for given in (["--warm"], ["--cold"], []):
        assert CliRunner().invoke(app, given).exit_code == 0
    assert found == [True, False, None]


def counted(_: ToyRequest) -> Answer[ToyDetail]:
    yield Title("", empty="nothing at all")
    yield Table("sizes", "Sizes", [label("first"), label("last")], [
        Row([words("one [1]"), words("two")])
    ])  # fmt: skip
    yield ToyDetail(1)
    yield ToyDetail(2)


def test_a_digest_makes_what_is_read_and_nothing_else() -> None:
    made: list[str] = []

    def details() -> Iterator[ToyDetail]:
        made.append("records")
        yield from (ToyDetail(1), ToyDetail(2))

    def parts() -> Iterator[Table | Remark]:
        made.append("parts")
        yield Table("sizes", "", [label("first")], [Row([words("one [1]")])])
        yield Remark(f"{'word ' * 30}[2]", is_line=True)

    def digested(_: ToyRequest) -> Answer[ToyDetail]:
        yield Digest(details(), parts())

    app = typer.Typer(add_completion=False)
    app.command("digested")(answering(digested, writes=False))
    shown = CliRunner().invoke(app, []).stdout.splitlines()
    assert (shown[-1], shown[-3].split()) == (f"{'word ' * 30}[2]", ["one", "[1]"])
    assert made == ["parts"]
    output = CliRunner().invoke(app, ["--json"]).stdout.splitlines()
    assert [json.loads(line)["size"] for line in output] == [1, 2]
    assert records_of(digested(ToyRequest())) == [ToyDetail(1), ToyDetail(2)]
    assert made == ["parts", "records", "records"]


def test_a_table_in_place_of_records_is_for_people_alone() -> None:
    app = typer.Typer(add_completion=False)
    app.command("counted")(answering(counted, writes=False))
    shown = CliRunner().invoke(app, []).stdout
    assert [line.split() for line in shown.splitlines() if "one" in line] == [
        ["one", "[1]", "two"]
    ]
    assert "nothing" not in shown
    output = CliRunner().invoke(app, ["--json"]).stdout.splitlines()
    assert [json.loads(line) for line in output] == [
        {"type": "toy_detail", "size": 1},
        {"type": "toy_detail", "size": 2},
    ]
    assert "--output" not in CliRunner().invoke(app, ["--help"]).stdout
    assert records_of(counted(ToyRequest())) == [ToyDetail(1), ToyDetail(2)]
