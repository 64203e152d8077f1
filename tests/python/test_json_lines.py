# SPDX-License-Identifier: Apache-2.0
"""What --json prints: one object a line, its type first."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Annotated

import pytest
from shell import in_terminal

from samara.cli.shared.json_lines import print_record
from samara.crypto import Standing
from samara.figure import Figure, Origin
from samara.records import Field, Record, record_class
from samara.records.json_lines import json_line


@record_class
class Sent(Record):
    """A message that was sent."""

    bytes: Annotated[int, Field("Its size.")]
    text: Annotated[str, Field("What it says.")]


@record_class
class Arrived(Record):
    """One arrived."""


@pytest.mark.slow
def test_lines_go_to_a_file_while_a_bar_is_on_the_terminal(tmp_path: Path) -> None:
    command = "samara energy life --draws 10 --json > lines"
    done = in_terminal("sh", "-c", command, folder=tmp_path)
    assert done.returncode == 0, done
    lines = (tmp_path / "lines").read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["as given", "none"]
    assert b"battery_life" not in done.stdout


def test_an_object_is_a_line_that_begins_with_its_type() -> None:
    stream = io.StringIO()
    print_record(Sent(3, "a\nb µ"), stream=stream)
    print_record(Arrived(), stream=stream)
    first, second, rest = stream.getvalue().split("\n")
    assert next(iter(json.loads(first).items())) == ("type", "sent")
    assert json.loads(first) == {"type": "sent", "bytes": 3, "text": "a\nb µ"}
    assert first.isascii()
    assert json.loads(second) == {"type": "arrived"}
    assert rest == ""


def test_a_line_is_flushed(capsys: pytest.CaptureFixture[str]) -> None:
    flushed: list[str] = []

    class Stream(io.StringIO):
        def flush(self) -> None:
            flushed.append(self.getvalue())

    print_record(Arrived(), stream=Stream())
    assert flushed[-1] == '{"type": "arrived"}\n'
    print_record(Arrived())
    assert capsys.readouterr().out == '{"type": "arrived"}\n'


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (
            Figure(0.5, "s", Origin.MEASURED, "a clock"),
            {"value": 0.5, "unit": "s", "origin": "measured", "source": "a clock"},
        ),
        (math.nan, None),
        (-math.inf, None),
        ([{"rate": math.inf}, (1, 2.5)], [{"rate": None}, [1, 2.5]]),
        (Standing.RESEARCH, "research"),
        ({Standing.RESEARCH: 1}, {"research": 1}),
        (Path("a/b"), "a/b"),
        (b"\x00\xff", "00ff"),
        (True, True),
        (None, None),
    ],
)
def test_values_become_what_json_holds(value: object, shown: object) -> None:
    assert json.loads(json_line("x", {"field": value}))["field"] == shown


def test_a_dataclass_is_an_object() -> None:
    figure = Figure(1, "byte", Origin.ASSUMED, "")
    line = json_line("x", {"nested": {"figure": figure}})
    assert json.loads(line)["nested"]["figure"]["origin"] == "assumed"


def test_a_second_type_and_unknown_values_are_refused() -> None:
    with pytest.raises(TypeError, match="given once"):
        json_line("x", {"type": "y"})
    with pytest.raises(TypeError):
        json_line("x", {"field": object()})
