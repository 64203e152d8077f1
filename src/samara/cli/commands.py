# SPDX-License-Identifier: Apache-2.0
"""The commands of `samara`, in the order of its help, and the commands in a folder.

A command is a module that has an object `command`. A command with commands of its own
is a folder of such modules, such as `receipt`. Both are found by scanning. The
docstring of the module, or of the folder's ``__init__``, is the help, which can be read
without importing it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent
# Commands that are not in it come after these, by their names.
_ORDER = (
    "console",
    "demo",
    "node",
    "ip",
    "receipt",
    "medium",
    "modem",
    "channel",
    "frame",
    "pcap",
    "sniff",
    "extcap",
    "phy",
    "energy",
    "advise",
    "firmware",
    "radio",
    "randomness",
    "bench",
    "chip",
    "suites",
    "keygen",
    "seal",
    "open",
    "keystream",
    "block",
    "speed",
    "tour",
    "doctor",
    "help",
    "man",
)
_WITHOUT_COMMANDS = {"manual", "shared"}
# Comments, then a docstring; a backslash in front of it makes no difference here.
_DOCSTRING = re.compile(r'(?:#[^\n]*\n|\s)*r?("""(?:[^\\]|\\.)*?""")', re.DOTALL)


class Command(NamedTuple):
    """The name of a command, and the module that has it."""

    name: str
    place: str
    """``module:command`` within `samara.cli`, or the name of a folder."""
    help: str
    """The first paragraph of the command's help, which `samara --help` shows."""


def _commands() -> Iterator[Command]:
    for path in (_HERE / name for name in _ORDER):
        yield _command_at(path if path.is_dir() else path.with_suffix(".py"))
    for path in sorted(_HERE.iterdir()):
        if path.stem not in _WITHOUT_COMMANDS.union(_ORDER) and _is_command(path):
            yield _command_at(path)


def commands_in(folder: str) -> Iterator[Command]:
    """Yield the commands in a folder of `samara.cli`, by their names.

    A folder in it that is a package is one of them.
    """
    return map(_command_at, filter(_is_command, sorted((_HERE / folder).iterdir())))


def _is_command(path: Path) -> bool:
    if path.suffix == ".py":
        return "\ncommand = " in path.read_text(encoding="utf-8")
    return (path / "__init__.py").exists()


def _command_at(path: Path) -> Command:
    place = path.relative_to(_HERE)
    if path.suffix != ".py":
        name = place.as_posix()
        return Command(path.name, name, _first_paragraph(help_of(name)))
    module = ".".join(place.with_suffix("").parts)
    text = _first_paragraph(_docstring_of(path))
    return Command(path.stem, f"{module}:command", text)


def help_of(folder: str) -> str:
    """Return the help of a command that is a folder."""
    return _docstring_of(_HERE / folder / "__init__.py")


def _docstring_of(path: Path) -> str:
    # Parsing all of each module would take a third of the time of `samara --help`.
    found = _DOCSTRING.match(path.read_text(encoding="utf-8"))
    return ast.literal_eval(found[1]) if found else ""


def _first_paragraph(text: str) -> str:
    return " ".join(text.split("\n\n", maxsplit=1)[0].split())


COMMANDS = tuple(_commands())
