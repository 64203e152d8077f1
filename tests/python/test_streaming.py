# SPDX-License-Identifier: Apache-2.0
"""Commands show an answer while it comes, and close it when they cannot."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable  # noqa: TC003 - read at run time
from typing import TYPE_CHECKING, Annotated, Any

import pytest
import typer

from samara.cli.shared.streaming import streaming
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Notice,
    Octets,
    Parameter,
    Record,
    Refusal,
    Request,
    Verbatim,
    record_class,
    records_of,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


@request_class
class SeedsRequest(Request):
    """Seeds that fly."""

    count: Annotated[int, Parameter(help="How many.", values=range(5))] = 2
    lost: Annotated[bool, Parameter(help="Lose the last one.")] = False


@record_class
class Seed(Record):
    """One that has landed."""

    number: Annotated[int, Field("Its number.")]


events: list[str] = []


def fly(
    request: SeedsRequest, *, is_over: Callable[[], bool] = lambda: False
) -> Answer[Seed]:
    try:
        yield Notice("wind", warns=True)
        for number in range(request.count):
            if is_over():
                return
            events.append(f"made {number}")
            line = Line(f"seed \x1b[2J{number}")
            yield Digest([Seed(number)], [line, Line("landed", aside=True)])
            events.append(f"shown {number}")
        yield Verbatim("a  map")
        yield Digest((), [Octets(b"\xff\n")])
        if request.lost:
            yield Refusal("one is lost")
    finally:
        events.append("closed")


def call(*arguments: str, **options: Any) -> int:  # noqa: ANN401 - of `streaming`
    events.clear()
    app = typer.Typer(add_completion=False)
    app.command()(streaming(fly, **options))
    code = typer.main.get_command(app).main(
        list(arguments), prog_name="fly", standalone_mode=False
    )
    return int(code or 0)


def test_people_get_lines_and_programs_records(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert call() == 0
    shown = capfdbinary.readouterr()
    # What comes from others does not drive the terminal.
    assert shown.out == b"seed \\x1b[2J0\nseed \\x1b[2J1\na  map\n\xff\n"
    assert shown.err.decode().splitlines() == [
        "samara: warning: wind.",
        "samara: landed.",
        "samara: landed.",
    ]
    assert call("--json", "--count", "3") == 0
    shown = capfdbinary.readouterr()
    lines = [json.loads(line) for line in shown.out.splitlines()]
    assert lines == [{"type": "seed", "number": number} for number in range(3)]
    assert shown.err == b"samara: warning: wind.\n"


def test_a_refusal_is_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--json", "--lost") == 1
    assert "samara: one is lost.\n" in capsys.readouterr().err


def test_each_part_is_shown_before_the_next_is_asked_for() -> None:
    assert call() == 0
    assert events == ["made 0", "shown 0", "made 1", "shown 1", "closed"]


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_what_could_not_be_shown_is_the_last_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    class Full:
        def write(self, _: str) -> int:
            raise BrokenPipeError

        def flush(self) -> None:
            pass

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(BrokenPipeError):
        call(*options)
    assert events == ["made 0", "closed"]


def test_an_answer_goes_to_stderr_beside_a_capture(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("--json", "--count", "1", beside=lambda _: True) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert '{"type": "seed", "number": 0}' in shown.err


def test_a_context_is_around_all_of_it() -> None:
    @contextlib.contextmanager
    def around() -> Iterator[None]:
        events.append("begin")
        yield
        events.append("end")

    assert call("--count", "0", around=around) == 0
    assert events == ["begin", "closed", "end"]


def test_a_program_reads_the_same_without_a_command() -> None:
    events.clear()
    found = records_of(fly(SeedsRequest(count=4), is_over=lambda: len(events) >= 4))
    assert found == [Seed(0), Seed(1)]
