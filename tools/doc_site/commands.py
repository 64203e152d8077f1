# SPDX-License-Identifier: Apache-2.0
"""A page for each command of `samara`, made from its help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doc_site.markdown import code, page, table
from samara.cli.commands import COMMANDS
from samara.cli.manual.described import Verbatim, described
from samara.cli.running import load

if TYPE_CHECKING:
    from samara.cli.commands import Command
    from samara.cli.manual.described import Described, Option, Words

FOLDER = "reference/commands"


def pages() -> dict[str, str]:
    """Return the pages by their places in the site."""
    made = {f"{FOLDER}/{row.name}.md": _page_of(row) for row in COMMANDS}
    rows = [[f"[samara {row.name}]({row.name}.md)", row.help] for row in COMMANDS]
    made[f"{FOLDER}/README.md"] = page(
        "# Commands",
        "The text of these pages is that of `samara COMMAND --help`.",
        table(["command", "what it does"], rows),
        "Exit status: 0 success; 1 refused, or a check failed; 2 wrong usage, or a file"
        " could not be read or written. With `--json`, commands print"
        " [one JSON object a line](../../json.md).",
    )
    return made


def _page_of(row: Command) -> str:
    command = described(load(row), f"samara {row.name}")
    return page(f"# {command.path}", *_sections(command), *_below(command))


def _below(command: Described) -> list[str]:
    """Return the parts of a page about the commands of a command, and theirs."""
    parts: list[str] = []
    for each in command.commands:
        parts += [f"## {each.path}", *_sections(each), *_below(each)]
    return parts


def _sections(command: Described) -> list[str]:
    rows = [_row(each) for each in command.options]
    return [
        *map(_part, command.parts),
        "" if command.commands else code(command.usage),
        table(["argument or option", "value", "meaning"], rows) if rows else "",
    ]


def _part(part: Words | Verbatim) -> str:
    if isinstance(part, Verbatim):
        return page(part.heading, code(part.text)).strip("\n")
    return _words(part.text)


def _words(text: str) -> str:
    """Return a paragraph; what Markdown would read as a mark stays as it is."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<\[])", r"\\\1", part)
        for part in parts
    )


def _row(option: Option) -> list[str]:
    return [
        ", ".join(f"`{name}`" for name in option.names),
        f"`{option.value}`" if option.value else "",
        _words(option.help),
    ]
