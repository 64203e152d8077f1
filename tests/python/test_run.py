# SPDX-License-Identifier: Apache-2.0
"""./run ends by serving the console when a person is there, and not otherwise."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
from typing import TYPE_CHECKING

import pytest
from vectorfile import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PRINTS = '#!/bin/sh\necho "$(basename "$0") $*"\n'


def read_to_the_end(terminal: int) -> bytes:
    """Return all that was written to a terminal whose other end is closed.

    One read is not enough: the kernel hands lines over one after the other.
    """
    said = b""
    # Linux ends the reading of such a terminal by EIO.
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 10_000):
            said += part
    return said


@pytest.fixture
def called(tmp_path: Path) -> Callable[..., list[str]]:
    """Return what calls a copy of run, whose programs print how they are called."""
    (tmp_path / "run").write_bytes((ROOT / "run").read_bytes())
    for name in ("tools/setup", ".venv/bin/samara"):
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(PRINTS)
        program.chmod(0o755)

    def call(*arguments: str, terminal: bool) -> list[str]:
        command = ["sh", str(tmp_path / "run"), *arguments]
        if not terminal:
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            return [line.rstrip() for line in done.stdout.splitlines()]
        ours, theirs = pty.openpty()
        subprocess.run(command, stdin=theirs, stdout=theirs, check=True)
        os.close(theirs)
        said = read_to_the_end(ours).decode()
        os.close(ours)
        return [line.rstrip() for line in said.splitlines()]

    return call


def test_in_a_terminal_it_ends_with_the_console(
    called: Callable[..., list[str]],
) -> None:
    said = called("--link", "two words", terminal=True)
    assert said == ["setup", "samara demo --link two words", "", "samara console"]


@pytest.mark.parametrize("argument", ["--no-console", "--help", "-h", "--json"])
def test_some_options_leave_the_console_out(
    called: Callable[..., list[str]], argument: str
) -> None:
    given = "" if argument == "--no-console" else argument
    said = called(argument, terminal=True)
    assert said == ["setup", f"samara demo {given}".rstrip()]


def test_in_a_pipe_it_ends_as_the_demonstration_does(
    called: Callable[..., list[str]],
) -> None:
    assert called(terminal=False) == ["setup", "samara demo"]
