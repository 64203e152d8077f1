# SPDX-License-Identifier: Apache-2.0
"""The witness of a node: the number of its last change, stored outside its directory.

With a directory that was restored from a backup, a node would use counters again.
Nothing inside the directory can show this. Each change of the state is therefore
numbered, and the number of the last change is stored here as well, in a separate file:

- It is written after the state is stored and before the change is used. A state that
  is newer than its witness was interrupted in between, and is good. A state that is
  older than its witness is refused.
- It has two slots, written in turn, each with a check value: after an interrupted
  write, the other slot is still valid.
- Behind each slot is room for the number of the last unsynced write of the state. If
  the state has an older one, its unsynced numbers are not used. Versions of samara
  that know no such writes ignore it and remove it.
- The process that uses the node locks it, so that two directories with one identity
  are never used at the same time.

The file is in the user's state directory ($XDG_STATE_HOME/samara, by default
~/.local/state/samara); its name is the identity of the node. Only its owner has access.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import stat
import zlib
from typing import TYPE_CHECKING, Final

from samara.atomic_files import sync_folder
from samara.errors import MisuseError
from samara.user_folders import user_folder

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1
"""Format of the file."""

_SLOT_SIZE: Final = 64
_SLOTS = 2
_SLOT = re.compile(rb"samara witness (\d{1,4}) (\d{20}) ([0-9a-f]{8})\n")
_SLOT_TEXT_SIZE: Final = 47
_UNSYNCED = re.compile(rb"([0-9a-f]{8})([0-9a-f]{8})\n")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_REKEY = "`samara node rekey --offline` gives the node new keys"


class WitnessError(MisuseError):
    """A witness that is missing, damaged, or cannot be written."""


def default_folder() -> Path:
    """Return the directory of the witnesses of this user.

    Raises
    ------
    WitnessError
        When the user has no home directory.
    """
    found = user_folder("XDG_STATE_HOME", ".local/state")
    if found is None:
        message = (
            "there is no home directory for the node's witness: set XDG_STATE_HOME"
        )
        raise WitnessError(message)
    return found


class Witness:
    """The witness of one node, open and locked.

    Parameters
    ----------
    folder
        Directory of the witnesses.
    identity
        Identity of the node.

    Raises
    ------
    WitnessError
        When it is missing, damaged, locked, or cannot be written.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self._path = folder / identity
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            message = (
                f"the witness {self._path} is not there: whether this node was "
                f"restored from a backup cannot be told; {_REKEY}"
            )
            raise WitnessError(message) from None
        except OSError as error:
            message = f"the witness {self._path} cannot be used: {error.strerror}"
            raise WitnessError(message) from None
        try:
            self._check_mode()
            self._lock()
            self.number = self._read()
            """Number of the last change of the state that may have been used."""
            self.unsynced = self._read_unsynced()
            """Number of the last unsynced write since that change, if there is one."""
        except BaseException:
            os.close(self._file)
            raise

    @staticmethod
    def make(folder: Path, identity: str) -> None:
        """Create the witness of a new node.

        Raises
        ------
        WitnessError
            When there is one, or it cannot be written.
        """
        path = folder / identity
        try:
            _make_folder(folder)
            flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
            file = os.open(path, flags, 0o600)
        except FileExistsError:
            message = (
                f"a node of this identity was made before ({path}): two of them "
                "would repeat nonces"
            )
            raise WitnessError(message) from None
        except OSError as error:
            raise _not_written(path, error) from None
        try:
            for slot in range(_SLOTS):
                _write(file, path, slot, 0)
            os.fsync(file)
            sync_folder(folder)
        except BaseException as error:
            path.unlink(missing_ok=True)
            if isinstance(error, OSError):
                raise _not_written(path, error) from None
            raise
        finally:
            os.close(file)

    @staticmethod
    def remove(folder: Path, identity: str) -> None:
        """Remove the witness of a node, if there is one."""
        with contextlib.suppress(OSError):
            (folder / identity).unlink(missing_ok=True)
            sync_folder(folder)

    def record(self, number: int, *, durably: bool) -> None:
        """Store the number of a change, after its storage and before its use.

        Parameters
        ----------
        durably
            Whether the number must survive a power failure, and not only the end
            of this process.

        Raises
        ------
        WitnessError
            When it cannot be written; then the change must not be used.
        """
        try:
            _write(self._file, self._path, number % _SLOTS, number)
            if durably:
                os.fdatasync(self._file)
        except OSError as error:
            raise _not_written(self._path, error) from None
        self.number, self.unsynced = number, None

    def record_unsynced(self, number: int) -> None:
        """Store the number of an unsynced write, after it and before its use.

        It survives the end of this process, but not a power failure.

        Parameters
        ----------
        number
            0 to 2^32 - 1.

        Raises
        ------
        WitnessError
            When it cannot be written; then the other write must not be used.
        """
        digits = b"%08x" % number
        content = digits + b"%08x\n" % zlib.crc32(digits)
        start = self.number % _SLOTS * _SLOT_SIZE + _SLOT_TEXT_SIZE
        try:
            # In the place of other bytes: it needs no room.
            os.pwrite(self._file, content, start)
        except OSError as error:
            raise _not_written(self._path, error) from None
        self.unsynced = number

    def close(self) -> None:
        """Release the witness."""
        os.close(self._file)

    def _check_mode(self) -> None:
        status = os.fstat(self._file)
        if not stat.S_ISREG(status.st_mode) or status.st_mode & _OTHERS:
            message = f"others than its owner have access to {self._path}; chmod 600 it"
            raise WitnessError(message)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"another process is using a node with the witness {self._path}"
            raise WitnessError(message) from None

    def _read(self) -> int:
        content = os.pread(self._file, _SLOTS * _SLOT_SIZE + 1, 0)
        numbers = []
        for start in range(0, _SLOTS * _SLOT_SIZE, _SLOT_SIZE):
            slot = _SLOT.match(content[start : start + _SLOT_SIZE])
            if slot is None or int(slot[3], 16) != zlib.crc32(slot[0][:-9]):
                continue
            if int(slot[1]) != FORMAT:
                message = (
                    f"the witness {self._path} has format {int(slot[1])}, and this "
                    f"samara knows format {FORMAT}: use a newer samara"
                )
                raise WitnessError(message)
            numbers.append(int(slot[2]))
        if not numbers or len(content) > _SLOTS * _SLOT_SIZE:
            message = f"the witness {self._path} is damaged; {_REKEY}"
            raise WitnessError(message)
        return max(numbers)

    def _read_unsynced(self) -> int | None:
        start = self.number % _SLOTS * _SLOT_SIZE + _SLOT_TEXT_SIZE
        found = _UNSYNCED.match(
            os.pread(self._file, _SLOT_SIZE - _SLOT_TEXT_SIZE, start)
        )
        if found is None or int(found[2], 16) != zlib.crc32(found[1]):
            return None
        return int(found[1], 16)


def _write(file: int, path: Path, slot: int, number: int) -> None:
    text = b"samara witness %d %020d " % (FORMAT, number)
    # Padded, so that the file is never shorter than its slots.
    content = (b"%s%08x\n" % (text, zlib.crc32(text))).ljust(_SLOT_SIZE, b"\n")
    if os.pwrite(file, content, slot * _SLOT_SIZE) != _SLOT_SIZE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


def _not_written(path: Path, error: OSError) -> WitnessError:
    return WitnessError(
        f"the node's witness {path}, which tells a restored backup, cannot be "
        f"written ({error.strerror}): let XDG_STATE_HOME name a directory that can be, "
        "before the node is made"
    )


def _make_folder(folder: Path) -> None:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):
            each.mkdir(mode=0o700)
        sync_folder(each.parent)
