# SPDX-License-Identifier: Apache-2.0
"""Sources that are read: files, standard input, programs, /dev/urandom.

What is read is tested and forgotten. Bytes are never stored.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import IO, Self

from samara.errors import MisuseError

STDIN = "-"
URANDOM = "urandom"
_FILE = "file:"
_PROGRAM = "exec:"
_ENDING_S = 5

PATTERNS = {
    URANDOM: "/dev/urandom of this machine",
    "file:PATH": "a file, or a device; a path with a slash needs no file:",
    STDIN: "standard input",
    "exec:COMMAND": "what a program prints; it is run without a shell",
}
"""How such sources are named, and what they are."""


def is_given(name: str) -> bool:
    """Tell whether a name is that of a source that is read."""
    return (
        name in (STDIN, URANDOM)
        or name.startswith((_FILE, _PROGRAM))
        or (":" not in name and "/" in name)
    )


class GivenSource:
    """A source that is read from its beginning; use it in a `with`.

    Parameters
    ----------
    name
        As `PATTERNS` has it.

    Raises
    ------
    MisuseError
        When it cannot be read.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._program: subprocess.Popen[bytes] | None = None
        self._read = 0
        self._file = self._opened(name)

    def _opened(self, name: str) -> IO[bytes]:
        if name != URANDOM:
            # So that a process which computes answers for a page can refuse it.
            sys.audit("samara.randomness.given", name)
        if name == STDIN:
            if sys.stdin is None or sys.stdin.isatty():
                message = "standard input is a terminal or closed: pipe bytes into it"
                raise MisuseError(message)
            return sys.stdin.buffer
        if name.startswith(_PROGRAM):
            return self._started(name.removeprefix(_PROGRAM))
        path = "/dev/urandom" if name == URANDOM else name.removeprefix(_FILE)
        if not path:
            message = "file: takes a path, such as file:measured.bin"
            raise MisuseError(message)
        if Path(path).is_dir():
            message = f"{path} is a directory: give a file"
            raise MisuseError(message)
        return Path(path).open("rb")

    def _started(self, command: str) -> IO[bytes]:
        try:
            words = shlex.split(command)
        except ValueError as error:
            message = f"the command {command!r} cannot be split into words: {error}"
            raise MisuseError(message) from None
        if not words:
            message = "exec: takes a command, such as exec:'openssl rand 125000000'"
            raise MisuseError(message)
        try:
            self._program = subprocess.Popen(  # noqa: S603 - the user's own command
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
            )
        except OSError as error:
            message = f"cannot run {words[0]}: {error.strerror}"
            raise MisuseError(message) from None
        assert self._program.stdout is not None  # noqa: S101 - it is a pipe
        return self._program.stdout

    @property
    def can_be_read_again(self) -> bool:
        """Whether the source can be read again from its beginning: a regular file."""
        return self.size is not None

    @property
    def goes_on(self) -> bool:
        """Whether a later run may take other bytes: those of a device."""
        if self._program is not None or self.name == STDIN:
            return False
        return stat.S_ISCHR(os.fstat(self._file.fileno()).st_mode)

    @property
    def size(self) -> int | None:
        """Bytes of a regular file that are left to read; None of anything else."""
        status = os.fstat(self._file.fileno())
        if self._program is not None or not stat.S_ISREG(status.st_mode):
            return None
        return max(status.st_size - self._file.tell(), 0)

    def skip(self, size: int) -> None:
        """Pass over bytes of a regular file."""
        self._file.seek(size, os.SEEK_CUR)

    def read(self, size: int) -> bytes:
        """Return the next bytes; fewer where the source ends.

        Raises
        ------
        MisuseError
            When a program fails before it has printed anything.
        """
        data = bytearray()
        while len(data) < size and (more := self._file.read(size - len(data))):
            data += more
        self._read += len(data)
        if not self._read and self._program is not None and self._program.wait():
            message = (
                f"{self.name} failed with exit status {self._program.returncode} and "
                "printed nothing"
            )
            raise MisuseError(message)
        return bytes(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.name != STDIN:
            self._file.close()
        if self._program is not None:
            # It ends by SIGPIPE when it writes again, and at once by this.
            self._program.terminate()
            try:
                self._program.wait(_ENDING_S)
            except subprocess.TimeoutExpired:
                self._program.kill()
                self._program.wait()
