# SPDX-License-Identifier: Apache-2.0
"""Calling compilers and linkers, and finding out why they failed."""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from samara import children
from samara.errors import MisuseError
from samara.programs import package_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_TIMEOUT_S = 300
_SHOWN_LINES = 3

# GNU ld of several ages, and lld.
_OVERFLOW = re.compile(
    r"section \S+ will not fit in region \S+?(?=[:\n'\"])"
    r"|region \S+ overflowed by \d+ bytes"
    r"|\S+ is not within region \S+|relocation truncated to fit"
)
_UNDEFINED = re.compile(
    r"undefined reference to [`'\"]?([^`'\"\s]+)|undefined symbol: (\S+)"
)
_NO_REASON = re.compile(r"collect2: |.*: ld returned ")
_ERROR = re.compile(r"\berror\b|multiple definition|Error:", re.IGNORECASE)


class ToolMissingError(MisuseError):
    """A program that the bench needs is not installed."""

    def __init__(self, program: str) -> None:
        super().__init__(program)
        self.program = program

    def __str__(self) -> str:
        package = package_of(self.program)
        step = f"run apt-get install {package}" if package else "install it"
        return (
            f"{self.program} is not installed: {step}; samara doctor lists what is"
            " missing"
        )


class BuildError(Exception):
    """A compiler or linker failed."""


class TooLargeError(Exception):
    """A program or its data does not fit into a device's memory."""


def run(
    command: Sequence[str | Path],
    given: str = "",
    folder: Path | None = None,
    *,
    keeps_objects: bool = True,
) -> str:
    """Run a tool and return its output.

    Parameters
    ----------
    given
        What the tool reads from stdin.
    folder
        Where it runs, if not in the current directory. Where compilers are behind
        ccache, they share objects with those of such a directory elsewhere.
    keeps_objects
        Whether compilers behind ccache may keep what they make: not if a key is in it.

    Raises
    ------
    ToolMissingError, BuildError, TooLargeError
        If it is not installed, if it fails, or if it fails because memory is too
        small.
    """
    words = [str(word) for word in command]
    environment = _environment(folder, keeps_objects=keeps_objects)
    try:
        done = subprocess.run(  # noqa: S603 - the bench's own command
            children.tied(words, environment=environment),
            input=given,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
            check=False,
            cwd=folder,
            env=environment,
        )
    except FileNotFoundError:
        raise ToolMissingError(words[0]) from None
    if done.returncode == 0:
        return done.stdout
    if overflow := _OVERFLOW.search(done.stderr):
        message = f"does not fit into the memory: the linker says {overflow[0]!r}"
        raise TooLargeError(message)
    message = f"{words[0]}: {reason(done.stderr)}"
    raise BuildError(message)


def _environment(folder: Path | None, *, keeps_objects: bool) -> dict[str, str] | None:
    """Return the environment in which ccache knows files by paths below a directory."""
    if not keeps_objects:
        return {**os.environ, "CCACHE_DISABLE": "1"}
    if folder is None:
        return None
    return {**os.environ, "CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}


def reason(output: str) -> str:
    """Return why a compiler or linker failed, from its output.

    All undefined symbols are named; of other errors the first lines.

    >>> reason("a.o: in function `f': a.c:(.text+0x2): undefined reference to `g'")
    'undefined: g'
    """
    found = (one or other for one, other in _UNDEFINED.findall(output))
    if names := list(dict.fromkeys(found)):
        return f"undefined: {', '.join(names)}"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    # The compiler's line about its linker has no reason.
    reasons = [line for line in lines if not _NO_REASON.match(line)]
    errors = [line for line in reasons if _ERROR.search(line)] or reasons or lines
    return "; ".join(errors[:_SHOWN_LINES])


@cache
def version(program: str) -> str:
    """Return the first line of a compiler's `--version`."""
    return run([program, "--version"]).splitlines()[0].strip()


@cache
def compiler_headers(program: str) -> str:
    """Return the directory of clang's own header files."""
    return f"{run([program, '-print-resource-dir']).strip()}/include"
