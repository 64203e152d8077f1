# SPDX-License-Identifier: Apache-2.0
"""Numbers, texts and paths of commands are read without pydantic, as Typer would."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from samara.cli.shared.values import read_values


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def _command(  # noqa: PLR0913 - an option of each type
    name: str,
    *,
    channel: Annotated[int, typer.Option(min=11, max=26)] = 11,
    wait: Annotated[float, typer.Option(metavar="SECONDS", min=0.5)] = 1,
    share: Annotated[float | None, typer.Option(metavar="P", max=1)] = None,
    port: Annotated[list[int] | None, typer.Option(min=1)] = None,
    file: Path | None = None,
    folder: Annotated[Path | None, typer.Option(exists=True)] = None,
    colour: Colour = Colour.RED,
    mix: list[Colour] | None = None,
    quiet: bool = False,
) -> dict[str, Any]:
    return dict(locals())


@pytest.fixture
def command() -> Any:  # noqa: ANN401 - Typer does not name the type
    app = typer.Typer(add_completion=False)
    app.command()(_command)
    made = typer.main.get_command(app)
    for parameter in made.params:
        read_values(parameter)
    return made


def called(command: Any, *arguments: str) -> dict[str, Any]:  # noqa: ANN401 - as above
    found: dict[str, Any] = command.main(list(arguments), standalone_mode=False)
    return found


def test_values_have_the_types_of_their_options(command: Any, tmp_path: Path) -> None:  # noqa: ANN401
    given = ["x", "--channel", "26", "--wait", "500ms", "--share", "100%", "--quiet"]
    given += ["--port", "1", "--port", "4k", "--file", "a/b", "--colour", "blue"]
    given += ["--mix", "blue", "--mix", "red"]
    found = called(command, *given, "--folder", str(tmp_path))
    assert found == {
        "name": "x",
        "channel": 26,
        "wait": 0.5,
        "share": 1.0,
        "port": [1, 4000],
        "file": Path("a/b"),
        "folder": tmp_path,
        "colour": Colour.BLUE,
        "mix": [Colour.BLUE, Colour.RED],
        "quiet": True,
    }
    assert type(found["channel"]) is int
    assert type(found["colour"]) is type(found["mix"][1]) is Colour


def test_defaults_have_the_types_of_their_options(command: Any) -> None:  # noqa: ANN401
    found = called(command, "x")
    assert found.pop("wait") == 1.0
    assert found.pop("colour") is Colour.RED
    assert not found.pop("port")
    assert not found.pop("mix")
    assert found == {
        "name": "x",
        "channel": 11,
        "share": None,
        "file": None,
        "folder": None,
        "quiet": False,
    }
    assert type(called(command, "x")["wait"]) is float


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("channel", "10", "expected at least 11"),
        ("channel", "27", "expected at most 26"),
        ("wait", "499ms", "expected at least 0.5 seconds"),
        ("share", "1.001", "expected at most 1"),
        ("port", "0", "expected at least 1"),
        ("file", "", "an empty text names no file and no directory"),
        ("folder", "", "an empty text names no file and no directory"),
        ("folder", "missing", "does not exist"),
        ("colour", "green", "is not one of 'red', 'blue'"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_refused(
    command: Any,  # noqa: ANN401 - as above
    option: str,
    value: str,
    problem: str,
) -> None:
    with pytest.raises(typer.BadParameter) as refused:
        called(command, "x", f"--{option}", value)
    assert problem in refused.value.format_message()
    assert f"--{option}" in refused.value.format_message()


def test_a_missing_argument_is_refused(command: Any) -> None:  # noqa: ANN401
    with pytest.raises(typer.TyperException, match="name"):
        called(command)
