# SPDX-License-Identifier: Apache-2.0
"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

MODE_OF_OWNER = 0o600
"""Only the owner reads and writes."""

_DESCRIPTORS = Path("/proc/self/fd")
# What a file system or a kernel answers that has no files without a name.
_NO_NAMELESS_FILES = {errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL}


def sync_folder(folder: Path) -> None:
    """Make names that were given, changed or removed in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def replacing(path: Path, *, exclusive: bool, mode: int) -> Iterator[IO[bytes]]:
    """Write a file that takes its name when the block is left without exception.

    Parameters
    ----------
    exclusive
        Raise FileExistsError rather than replace an older file of that name.
    mode
        The permissions it gets then; until then only its owner has any.
    """
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with _draft_in(folder, path) as draft:
            yield draft.file
            draft.file.flush()
            os.fchmod(draft.file.fileno(), mode)
            os.fsync(draft.file.fileno())
            draft.publish(path.name, exclusive=exclusive)
            # The file is durable under its name only when its folder is.
            os.fsync(folder)
    finally:
        os.close(folder)


def _draft_in(folder: int, path: Path) -> _Draft:
    try:
        return _Draft(folder)
    except OSError as error:
        # Its own file name would be one that nobody has heard of.
        raise OSError(error.errno, error.strerror, str(path)) from None


class _Draft:
    """A file of a folder, without a name or with one that goes if it fails.

    A file without a name disappears with its process, however that ends; not
    every file system has them.
    """

    def __init__(self, folder: int) -> None:
        self._folder = folder
        self._name: str | None = None
        descriptor = _open_nameless(folder)
        if descriptor is None:
            self._name = f".samara-{secrets.token_hex(8)}"
            flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
            descriptor = os.open(self._name, flags, MODE_OF_OWNER, dir_fd=folder)
        self.file = os.fdopen(descriptor, "wb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._name is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._name, dir_fd=self._folder)
        self.file.close()

    def publish(self, name: str, *, exclusive: bool) -> None:
        """Give the file its name. FileExistsError if taken and `exclusive`."""
        if exclusive:
            self._link(self._name, name)
            return
        if self._name is None:
            # Known before it exists, so that no interruption leaves it behind.
            self._name = f".samara-{secrets.token_hex(8)}"
            self._link(None, self._name)
        os.rename(self._name, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        self._name = None

    def _link(self, old: str | None, name: str) -> None:
        # With the folder given, Python calls linkat, which can follow the link
        # that /proc has for a file without a name; link cannot.
        os.link(
            old or f"{_DESCRIPTORS}/{self.file.fileno()}",
            name,
            src_dir_fd=self._folder,
            dst_dir_fd=self._folder,
            follow_symlinks=old is None,
        )


def _open_nameless(folder: int) -> int | None:
    # Only by its entry in /proc can such a file be given a name.
    if not _DESCRIPTORS.is_dir():
        return None
    try:
        return os.open(".", os.O_TMPFILE | os.O_WRONLY, MODE_OF_OWNER, dir_fd=folder)
    except OSError as error:
        if error.errno in _NO_NAMELESS_FILES:
            return None
        raise
