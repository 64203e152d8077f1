# SPDX-License-Identifier: Apache-2.0
"""The commands of `samara`, in the order of its help, and the commands in a folder.

A command is a module that has an object `command`. A command with commands of its own
is a folder of such modules; `receipt` in the list below is one. The docstring of the
module, or of the folder's ``__init__``, is the help, which can be read without
importing it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent
_NAMES = (
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
    for name in _NAMES:
        if (_HERE / name).is_dir():
            yield Command(name, name, _first_paragraph(help_of(name)))
        else:
            text = _docstring_of(_HERE / f"{name}.py")
            yield Command(name, f"{name}:command", _first_paragraph(text))


def commands_in(folder: str) -> Iterator[Command]:
    """Yield the commands in a folder of `samara.cli`, by their names.

    A folder in it that has commands is one of them.
    """
    for path in sorted((_HERE / folder).iterdir()):
        if (path / "__init__.py").exists():
            place = f"{folder}/{path.name}"
            yield Command(path.name, place, _first_paragraph(help_of(place)))
        elif path.suffix == ".py" and "\ncommand = " in path.read_text("utf-8"):
            place = f"{folder.replace('/', '.')}.{path.stem}:command"
            yield Command(path.stem, place, _first_paragraph(_docstring_of(path)))


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
