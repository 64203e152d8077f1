# SPDX-License-Identifier: Apache-2.0
"""Pages for `man`, in the macros of man(7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from samara.cli.manual.described import Verbatim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from samara.cli.manual.described import Described, Option, Words


def page(command: Described, version: str, below: Mapping[str, str]) -> str:
    """Return the page of a command.

    Parameters
    ----------
    version
        Version of samara, which the page names at its foot.
    below
        Commands with pages of their own, as they are typed, with their first sentences.
        The page of a command without such ends with the name of samara's own.
    """
    return "".join(f"{line}\n" for line in _lines(command, version, below))


def name_of(path: str) -> str:
    """Return the name of a command's page.

    >>> name_of("samara node")
    'samara-node'
    """
    return path.replace(" ", "-")


def _lines(command: Described, version: str, below: Mapping[str, str]) -> Iterator[str]:
    name = name_of(command.path)
    # No date: the same sources give the same page on every day.
    yield f'.TH "{_escaped(name.upper())}" 1 "" "samara {version}" "User Commands"'
    yield from (".SH NAME", f"{_escaped(name)} \\- {_summary(command)}")
    yield from (".SH SYNOPSIS", *_usage(command))
    yield from (".SH DESCRIPTION", *_text(command.parts))
    if command.options:
        yield from (".SH OPTIONS", *_options(command.options))
    if command.commands or below:
        yield ".SH COMMANDS"
        yield from _pages(below)
        yield from _sections_of_commands(command)
    examples = [each for each in command.parts if _is_example(each)]
    if examples:
        yield from (".SH EXAMPLES", *_verbatim(examples[0].text))
    if not below:
        yield from (".SH SEE ALSO", ".BR samara (1)")


def _sections_of_commands(command: Described) -> Iterator[str]:
    """Yield the sections of the commands of a command, and of theirs."""
    for each in command.commands:
        yield from (
            f".SS {_escaped(each.path)}",
            *_section(each),
            *_sections_of_commands(each),
        )


def _section(command: Described) -> Iterator[str]:
    """Yield what stands below the heading of a command under another."""
    yield from (*_usage(command), ".PP", *_text(command.parts))
    yield from _options(command.options)
    for part in command.parts:
        if _is_example(part):
            yield from (".PP", "Examples:", *_verbatim(part.text))


def _is_example(part: Words | Verbatim) -> bool:
    return isinstance(part, Verbatim) and part.heading == "Examples:"


def _summary(command: Described) -> str:
    """Return the first sentence as whatis(1) shows it: one line, without a stop."""
    return _escaped(command.parts[0].text.removesuffix(".").replace("`", ""))


def _usage(command: Described) -> Iterator[str]:
    rest = command.usage.removeprefix(command.path).strip()
    yield f".B {_escaped(command.path)}"
    if rest:
        yield _line(_escaped(rest))


def _text(parts: Iterable[Words | Verbatim]) -> Iterator[str]:
    """Yield the paragraphs but for the examples, which stand at the end."""
    between = ""
    for part in parts:
        if _is_example(part):
            continue
        if between:
            yield between
        between = ".PP"
        if isinstance(part, Verbatim):
            yield from _headed(part)
        else:
            yield _line(_words(part.text))


def _headed(part: Verbatim) -> Iterator[str]:
    if part.heading:
        yield _line(_escaped(part.heading))
    yield from _verbatim(part.text)


def _verbatim(text: str) -> Iterator[str]:
    lines = [_line(_escaped(line)) for line in text.split("\n")]
    yield from (".RS 4", ".nf", *lines, ".fi", ".RE")


def _options(options: Iterable[Option]) -> Iterator[str]:
    for option in options:
        names = ", ".join(rf"\fB{_escaped(name)}\fR" for name in option.names)
        value = rf" \fI{_escaped(option.value)}\fR" if option.value else ""
        yield from (".TP", names + value, _line(_words(option.help)))


def _pages(below: Mapping[str, str]) -> Iterator[str]:
    for path, sentence in below.items():
        yield from (".TP", f".BR {_escaped(name_of(path))} (1)", _words(sentence))


def _words(text: str) -> str:
    """Return a paragraph; what stands between grave accents is bold.

    >>> _words("See `samara node`.")
    'See \\\\fBsamara node\\\\fR.'
    """
    parts = re.split(r"`([^`]*)`", " ".join(text.split()))
    return "".join(
        rf"\fB{_escaped(part)}\fR" if index % 2 else _escaped(part)
        for index, part in enumerate(parts)
    )


def _escaped(text: str) -> str:
    r"""Return text in which no character means more than itself.

    A plain hyphen would become a typographic one, which cannot be pasted.

    >>> _escaped("a --b 'c' ~ ^")
    'a \\-\\-b \\(aqc\\(aq \\(ti \\(ha'
    """
    return text.translate(_SPECIAL)


_SPECIAL = str.maketrans(
    {
        "\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "~": r"\(ti",
        "^": r"\(ha", '"': r"\(dq",
    }
)  # fmt: skip


def _line(text: str) -> str:
    """Return a line that is no request, whatever it begins with."""
    return rf"\&{text}" if text.startswith(".") else text
