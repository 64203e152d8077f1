# SPDX-License-Identifier: Apache-2.0
"""Commands in the docs exist, and print what the docs show.

Every line of code that begins with `samara` is read: command and options have to be
there. A block that begins with `$ samara` is run as well. The lines below are parts of
what it prints, in this order; a line `...` stands for lines that are left out.
"""

from __future__ import annotations

import re
import shlex
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import typer
from shell import samara

from samara.cli.commands import COMMANDS
from samara.cli.running import load

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
NAMED = {row.name: row for row in COMMANDS}
_CODE = re.compile(r"^(?:(?:    [^\n]*)?\n)+|^```.*?^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^(?:\$ |sudo |mkfifo \w+ && |    )*samara (.*)$", re.MULTILINE)
_BEHIND = re.compile(r"\s+#.*|\s*[|;&>].*")
"""A comment, or what else the shell does."""
LEFT_OUT = "..."


class Example(NamedTuple):
    """A command with what the docs show of its output."""

    page: str
    command: str
    shown: list[str]


def code(page: Path) -> Iterator[str]:
    text = page.read_text(encoding="utf-8")
    for block in _CODE.findall(text):
        yield textwrap.dedent(block).strip("\n").replace("\\\n", " ")


def commands() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for block in code(page):
            for line in _COMMAND.findall(block):
                yield page.name, _BEHIND.sub("", line)


def examples() -> Iterator[Example]:
    for page in PAGES:
        for block in code(page):
            first, _, rest = block.partition("\n")
            if first.startswith("$ samara "):
                yield Example(page.name, first.removeprefix("$ "), rest.splitlines())


def command_of(words: list[str]) -> tuple[Any, list[str]]:
    """Return a command and the words behind its name."""
    command = load(NAMED[words[0]])
    rest = words[1:]
    while rest and rest[0] in getattr(command, "commands", {}):
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


ALL = sorted({line for _, line in commands()})


@pytest.mark.parametrize("line", ALL)
def test_command_and_options_exist(line: str) -> None:
    words = shlex.split(line)
    if words[0].startswith("-"):
        return
    command, rest = command_of(words)
    assert isinstance(command, typer.core.TyperCommand), f"{line}: no such command"
    known = {name for each in command.params for name in (*each.opts, "--help")}
    options = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
    assert options <= known, f"{line}: {command.name} has no {options - known}"


EXAMPLES = list(examples())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.command)
def test_the_output_is_that_of_the_command(example: Example, tmp_path: Path) -> None:
    done = samara(*shlex.split(example.command)[1:], folder=tmp_path)
    assert done.returncode == 0, done
    printed = [line.rstrip() for line in done.stdout.decode().splitlines()]
    message = f"docs/{example.page}: `{example.command}` prints:\n" + "\n".join(printed)
    assert as_shown(example.shown, printed), message


def as_shown(shown: list[str], printed: list[str]) -> bool:
    """Return whether lines are printed in this order; gaps have a line of dots."""
    at, may_skip = 0, True
    for line in shown:
        if line.strip() == LEFT_OUT:
            may_skip = True
            continue
        if not line.strip():
            continue
        places = [
            i for i in range(at, len(printed)) if printed[i].strip() == line.strip()
        ]
        if not places or (not may_skip and any(printed[at : places[0]])):
            return False
        at, may_skip = places[0] + 1, False
    return may_skip or not any(line.strip() for line in printed[at:])


def test_what_is_shown_is_compared() -> None:
    printed = ["head", "", "one", "two", "three"]
    assert as_shown(["head", "one", "two", "three"], printed)
    assert as_shown(["one", "...", "three"], printed)
    assert as_shown(["head", "one", "..."], printed)
    assert not as_shown(["head", "one"], printed)
    assert not as_shown(["one", "three"], printed)
    assert not as_shown(["one", "...", "four"], printed)
    assert not as_shown(["two", "...", "one", "..."], printed)
    assert len(ALL) > 100, "lines of code are not found"
    assert EXAMPLES, "blocks with output are not found"
