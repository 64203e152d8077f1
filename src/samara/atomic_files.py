# SPDX-License-Identifier: Apache-2.0
"""Files that appear under their name only when they are complete.

This is the only module that writes such files: `replacing` for content that must
survive a power failure, `made_by` for files that another program writes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator

MODE_OF_OWNER = 0o600
"""Only the owner may read and write."""

_DESCRIPTORS = Path("/proc/self/fd")
# Errors of file systems and kernels without O_TMPFILE.
_NO_NAMELESS_FILES = {errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL}


NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Errors of writing alone, which come without the name of the file."""


def system_refusal(error: OSError) -> str:
    """Return what the operating system refused, and for which file."""
    text = error.strerror or str(error)
    return text if error.filename is None else f"{error.filename}: {text}"


@contextlib.contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Let an error that says that there is no room say for which file."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in NO_ROOM:
            error.filename = str(path)
        raise


@contextlib.contextmanager
def made_by(target: Path) -> Iterator[Path]:
    """Give a program a path to write to; the file becomes `target` afterwards.

    For files that can be made again, such as those of a compiler: the file is not
    forced to the disk. Processes that make the same file at the same time do not
    disturb each other. If the block is left by an exception, `target` is as before.

    Parameters
    ----------
    target
        Its directory is made if there is none.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{target.name}.{secrets.token_hex(8)}.tmp")
    try:
        with naming(target):
            yield temporary
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Force the names in a directory to the disk: given, changed or removed."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def replacing(path: Path, *, exclusive: bool, mode: int) -> Iterator[IO[bytes]]:
    """Write a file that gets its name when the block ends without an exception.

    Parameters
    ----------
    exclusive
        Raise FileExistsError if there is a file of that name, instead of replacing it.
    mode
        Permissions of the complete file; until then only its owner can open it.
    """
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with naming(path), _temporary_in(folder, path) as temporary:
            yield temporary.file
            temporary.file.flush()
            os.fchmod(temporary.file.fileno(), mode)
            os.fsync(temporary.file.fileno())
            try:
                temporary.publish(path.name, exclusive=exclusive)
            except FileExistsError as error:
                raise FileExistsError(error.errno, error.strerror, str(path)) from None
            # The file is durable under its name only when its folder is.
            os.fsync(folder)
    finally:
        os.close(folder)


def check_folder(folder: Path) -> None:
    """Raise OSError when `replacing` can make no file in a directory."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with _temporary_in(descriptor, folder):
            pass
    finally:
        os.close(descriptor)


def write_secret(path: Path, content: bytes, *, force: bool) -> None:
    """Write a file that only its owner can read or write; errors as `write_new`."""
    write_new(path, content, force=force, mode=MODE_OF_OWNER)


def write_new(path: Path, content: bytes, *, force: bool, mode: int = 0o644) -> None:
    """Write a file that does not exist, or that may be replaced.

    Raises
    ------
    MisuseError
        When the file exists and `force` is false.
    """
    try:
        with replacing(path, exclusive=not force, mode=mode) as file:
            file.write(content)
    except FileExistsError:
        message = f"{path} exists; give --force to replace it"
        raise MisuseError(message) from None


def _temporary_in(folder: int, path: Path) -> _TemporaryFile:
    try:
        return _TemporaryFile(folder)
    except OSError as error:
        # The error's own path is that of the temporary file: unknown to the caller.
        raise OSError(error.errno, error.strerror, str(path)) from None


class _TemporaryFile:
    """A file in a directory that has no name yet, or a temporary one.

    The kernel removes a file without a name when its process ends, even by SIGKILL.
    Some file systems have no such files; then the name is temporary.
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
            # Set before the file has this name: an interruption then removes it.
            self._name = f".samara-{secrets.token_hex(8)}"
            self._link(None, self._name)
        os.replace(self._name, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        self._name = None

    def _link(self, old: str | None, name: str) -> None:
        # With the directory given, Python calls linkat, which follows the symbolic
        # link in /proc to a file without a name; link does not.
        os.link(
            old or f"{_DESCRIPTORS}/{self.file.fileno()}",
            name,
            src_dir_fd=self._folder,
            dst_dir_fd=self._folder,
            follow_symlinks=old is None,
        )


def _open_nameless(folder: int) -> int | None:
    # A file without a name gets one through its entry in /proc.
    if not _DESCRIPTORS.is_dir():
        return None
    try:
        return os.open(".", os.O_TMPFILE | os.O_WRONLY, MODE_OF_OWNER, dir_fd=folder)
    except OSError as error:
        if error.errno in _NO_NAMELESS_FILES:
            return None
        raise
