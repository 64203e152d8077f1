# SPDX-License-Identifier: Apache-2.0
"""Every command and option has a help text, and every command examples."""

from __future__ import annotations

import re
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import pytest
import typer

from samara.cli.commands import COMMANDS, Command
from samara.cli.running import app, load, print_help
from samara.cli.shared.quantities import number_type

if TYPE_CHECKING:
    from collections.abc import Iterator


def commands() -> Iterator[tuple[str, Any]]:
    yield "samara", typer.main.get_command(app)
    for row in COMMANDS:
        command = load(row)
        yield row.name, command
        for name, each in getattr(command, "commands", {}).items():
            yield f"{row.name} {name}", each


ALL = dict(commands())


@pytest.mark.parametrize("name", ALL)
def test_a_command_has_a_sentence_and_examples(name: str) -> None:
    text = ALL[name].help or ""
    first = " ".join(text.split("\n\n")[0].split())
    assert first.endswith("."), first
    assert len(first) <= 90, "the first sentence is a line of the list of commands"
    if name == "samara" or not hasattr(ALL[name], "commands"):
        assert re.search(r"^\s*Examples:\n +samara ", text, re.MULTILINE), text


@pytest.mark.parametrize("name", ALL)
def test_an_option_has_a_help_text_of_sentences(name: str) -> None:
    for parameter in ALL[name].params:
        text = parameter.help or ""
        assert text.endswith("."), f"{name} {parameter.opts}: {text!r}"


def test_brackets_in_a_help_text_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rich takes words in brackets as its markup, and leaves out what it knows."""

    def toy(place: Annotated[str, typer.Option(help="HOST[@bold][red].")] = "") -> None:
        """Do nothing.

        It needs the package toy[red].
        """

    module = ModuleType("samara.cli.toy")
    monkeypatch.setattr(module, "toy", toy, raising=False)
    monkeypatch.setitem(sys.modules, "samara.cli.toy", module)
    command = load(Command("toy", "toy:toy", "Do nothing."))
    with command.make_context("toy", []) as context:
        print_help(context)
    shown = capsys.readouterr().out
    assert "HOST[@bold][red]." in shown
    assert "toy[red]." in shown


COLUMNS = 80
"""Of a terminal; Typer leaves one free on each side of a text."""


@pytest.mark.parametrize("name", ALL)
def test_an_example_is_not_broken_by_a_terminal(name: str) -> None:
    """A line that is broken cannot be copied: its second part is another command."""
    _, _, examples = (ALL[name].help or "").partition("Examples:\n")
    for line in examples.partition("\n\n")[0].splitlines():
        assert len(line) <= COLUMNS - 2, line


NEVER_BELOW_ZERO = {"--seed", "--timeout", "--message", "--ad", "--bytes", "--jobs"}


@pytest.mark.parametrize("name", ALL)
def test_what_cannot_be_negative_has_a_lower_bound(name: str) -> None:
    for parameter in ALL[name].params:
        number = number_type(parameter.type_descriptor.annotation)
        if number is not None and NEVER_BELOW_ZERO & set(parameter.opts):
            # Requests check their bounds themselves; the help says them.
            bound = re.search(r"Values: (?:at least )?([0-9])", parameter.help)
            least = int(bound[1]) if bound else parameter.min
            assert least is not None, f"{name} {parameter.opts}"
            assert least >= 0


def test_an_option_has_one_meaning_for_values() -> None:
    """--json, --wide, --seed and --output take the same kind of value everywhere."""
    kinds: dict[str, set[bool]] = {}
    for command in ALL.values():
        for parameter in command.params:
            for option in set(parameter.opts) & {"--json", "--wide", "--csv"}:
                kinds.setdefault(option, set()).add(parameter.is_flag)
    assert kinds["--json"] == {True}
    assert kinds["--wide"] == {True}


def test_a_default_in_words_is_not_said_twice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def toy(
        place: Annotated[str, typer.Option(help="Where. Default: home.")] = "h_me",
        size: Annotated[int, typer.Option(help="How much.")] = 417,
    ) -> None:
        """Do nothing."""

    module = ModuleType("samara.cli.toy")
    monkeypatch.setattr(module, "toy", toy, raising=False)
    monkeypatch.setitem(sys.modules, "samara.cli.toy", module)
    command = load(Command("toy", "toy:toy", ""))
    command.main(["--help"], prog_name="toy", standalone_mode=False)
    shown = capsys.readouterr().out
    assert "Default: home." in shown
    assert "h_me" not in shown
    assert "417" in shown
