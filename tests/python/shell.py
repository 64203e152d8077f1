# SPDX-License-Identifier: Apache-2.0
"""Running `samara` as a person does: as a program of its own."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import forks

FOLDER = Path(sys.executable).parent
PROGRAM = forks.PROGRAM
# Ends what hangs. Programs are slow on a machine with other work.
TIMEOUT_S = 900

Done = subprocess.CompletedProcess[bytes]


def environment() -> dict[str, str]:
    """Return an environment in which `samara` is found, and nothing is coloured."""
    path = f"{FOLDER}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "COLUMNS": "80", "TERM": "dumb"}


def samara(*arguments: str | Path, given: bytes = b"", folder: Path) -> Done:
    """Run `samara` in `folder`, with `given` as its input."""
    words = [PROGRAM, *arguments]
    with forks.Popen(
        words,
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        try:
            shown, said = program.communicate(given, timeout=TIMEOUT_S)
        except BaseException:
            program.kill()
            raise
    return subprocess.CompletedProcess(words, program.returncode, shown, said)


def in_terminal(*command: str | Path, folder: Path) -> Done:
    """Run a program in a terminal of its own: all three streams are that terminal.

    What appears there is the result's `stdout`, with the terminal's ends of lines.
    """
    shown = bytearray()
    screen, inside = pty.openpty()
    with contextlib.closing(os.fdopen(screen, "rb", buffering=0)) as outside:
        with os.fdopen(inside, "rb", buffering=0) as streams:
            program = subprocess.Popen(
                ["/usr/bin/setsid", "--ctty", "--wait", *command],
                cwd=folder,
                env=environment(),
                stdin=streams,
                stdout=streams,
                stderr=streams,
            )
        late = threading.Timer(TIMEOUT_S, program.kill)
        late.start()
        # The terminal ends with an error when no program has it open any more.
        with contextlib.suppress(OSError):
            while piece := outside.read(4096):
                shown += piece
        code = program.wait()
        late.cancel()
    return subprocess.CompletedProcess(command, code, bytes(shown), b"")


def said(done: Done) -> list[str]:
    """Return the lines that were written to stderr."""
    return done.stderr.decode().splitlines()


def assert_misuse(done: Done, *words: str) -> None:
    """Exit code 2, one sentence on stderr with these words, nothing on stdout."""
    assert done.returncode == 2, done
    assert done.stdout == b""
    (sentence,) = said(done)
    assert sentence.startswith("samara: ")
    assert sentence.endswith((".", "?"))
    assert "Traceback" not in sentence
    for word in words:
        assert word in sentence


def assert_done(done: Done, *warnings: str) -> bytes:
    """Exit code 0 and exactly these warnings; return what was written."""
    assert done.returncode == 0, done
    lines = said(done)
    assert len(lines) == len(warnings), lines
    for line, words in zip(lines, warnings, strict=True):
        assert line.startswith("samara: warning: ")
        assert words in line
    return done.stdout


def objects(text: bytes) -> list[dict[str, Any]]:
    """Return the objects of JSON Lines; each has its type as the first key."""
    found = [json.loads(line) for line in text.decode().splitlines()]
    assert all(next(iter(one)) == "type" for one in found)
    return found
