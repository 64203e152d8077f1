# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the comments of public headers as docstrings for the Python module.

usage: docstrings.py OUTPUT HEADER...

Each class that has a make() gets one: what its comment says, message ports and
tags included, and make()'s parameters under "Args:". So help(samara.burst_tx) in
Python says what the header says, and neither is written twice.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

WIDTH = 76
_COMMENT = r"/\*!(?P<{name}>(?:(?!\*/).)*)\*/\s*"
_CLASS = re.compile(
    _COMMENT.format(name="text") + r"class SAMARA_API (?P<class>\w+)(?P<body>.*?)\n};",
    re.DOTALL,
)
_MAKE = re.compile(_COMMENT.format(name="text") + r"static sptr make\(", re.DOTALL)
_COMMAND = re.compile(r"\\(?:brief|details|ingroup \w+)\s?")
_WORD = re.compile(r"\\[pc] (\S+)")


def plain(comment: str) -> str:
    """Take the stars and commands away from a comment."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment.splitlines()]
    text = _COMMAND.sub("", "\n".join(lines).strip())
    return _WORD.sub(r"\1", text).replace(r"\@", "@")


def parameters(text: str) -> list[tuple[str, str]]:
    """Return names and descriptions of what a comment tells of parameters."""
    described = re.split(r"^\\", text, flags=re.MULTILINE)
    found = [part.split(None, 2) for part in described if part.startswith("param")]
    return [(name, " ".join(words.split())) for _, name, words in found]


def arguments(body: str) -> str:
    """Return the section on the parameters of make(), or an empty text."""
    if not (make := _MAKE.search(body)):
        return ""
    lines = [
        textwrap.fill(
            f"{name}: {words}", WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8
        )
        for name, words in parameters(plain(make["text"]))
    ]
    return "\n".join(["", "", "Args:", *lines])


def docstrings(header: str) -> dict[str, str]:
    """Return the docstring of each class in a header, by the class's name."""
    return {
        found["class"]: plain(found["text"]) + arguments(found["body"])
        for found in _CLASS.finditer(header)
    }


def main(output: Path, headers: list[Path]) -> None:
    """Write the docstrings of all headers into one of their own."""
    lines = ["/* Made from the public headers. */", "#pragma once", "namespace docs {"]
    for header in headers:
        for name, text in docstrings(header.read_text(encoding="utf-8")).items():
            lines.append(f'constexpr const char* {name} = R"doc({text})doc";')
    output.write_text("\n".join([*lines, "} // namespace docs", ""]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
