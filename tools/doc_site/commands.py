# SPDX-License-Identifier: Apache-2.0
"""A page for each command of `samara`, made from its help."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from doc_site.markdown import code, page, table
from samara.cli.commands import COMMANDS
from samara.cli.running import load
from samara.cli.shared.quantities import number_type

FOLDER = "reference/commands"
_MARKS = re.compile(r"\\(?=\[)")
"""Backslashes that keep Rich from reading brackets."""


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


def _page_of(row: Any) -> str:  # noqa: ANN401 - a row of COMMANDS
    command = load(row)
    parts = [f"# samara {row.name}", *_described(command, f"samara {row.name}")]
    for name, each in getattr(command, "commands", {}).items():
        path = f"samara {row.name} {name}"
        parts += [f"## {path}", *_described(each, path)]
    return page(*parts)


def _described(command: Any, path: str) -> list[str]:  # noqa: ANN401 - Typer does not name the type
    is_group = hasattr(command, "commands")
    context = command.make_context(path, [], resilient_parsing=True)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    rows = [] if is_group else [_row(each) for each in command.params]
    return [
        *_paragraphs(command.help or ""),
        "" if is_group else code(usage),
        table(["argument or option", "value", "meaning"], rows) if rows else "",
    ]


def _paragraphs(text: str) -> list[str]:
    r"""Return a help text as Markdown; \b marks what is left as it is."""
    return [
        _verbatim(part[1:]) if part.startswith("\b") else _words(part)
        for part in text.split("\n\n")
    ]


def _verbatim(text: str) -> str:
    """Return lines that stay as they are; a first line at the margin is a heading."""
    first, _, rest = text.strip("\n").partition("\n")
    if first.startswith(" ") or not rest:
        return code(textwrap.dedent(text))
    return f"{first}\n\n" + code(textwrap.dedent(rest))


def _words(text: str) -> str:
    """Return a paragraph; what Markdown would read as a mark stays as it is."""
    parts = re.split(r"(`[^`]*`)", _MARKS.sub("", text))
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<\[])", r"\\\1", part)
        for part in parts
    )


def _row(parameter: Any) -> list[str]:  # noqa: ANN401 - Typer does not name the type
    names = [*parameter.opts, *parameter.secondary_opts]
    if parameter.param_type_name == "argument":
        names = [parameter.name.upper()]
    value = parameter.metavar
    if value is None and number_type(parameter.type_descriptor.annotation) is not None:
        value = "N"
    return [
        ", ".join(f"`{name}`" for name in names),
        f"`{value}`" if value else "",
        _words(parameter.help or ""),
    ]
