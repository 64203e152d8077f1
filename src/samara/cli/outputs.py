# SPDX-License-Identifier: Apache-2.0
"""Places that cannot be written to are refused before a command begins its work."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.atomic_files import check_folder
from samara.errors import MisuseError
from samara.standard_streams import STANDARD_STREAM

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OUTPUT_OPTIONS = frozenset({"--output", "--html", "--write"})
"""Options that take a file to be written or, with the metavariable DIR, a directory."""


def checking_outputs(command: Any) -> Callable[..., Any]:  # noqa: ANN401 - Typer does not name the type
    """Return the function of a command; it first checks where output is to go.

    An answer may take hours, and would be lost when it cannot be written.
    """
    callback: Callable[..., Any] = command.callback
    checks = {
        each.name: (each.opts[0], _check_of(each))
        for each in command.params
        if OUTPUT_OPTIONS.intersection(each.opts)
    }

    @functools.wraps(callback)
    def called(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - those of any command
        for name, (option, check) in checks.items():
            if (value := options.get(name)) is not None:
                check(Path(value), option)
                _check_keys(Path(value), option, options.get("key"))
        return callback(*arguments, **options)

    return called


def _check_keys(path: Path, option: str, given: str | Sequence[str] | None) -> None:
    """Refuse to replace a key that is given as ``@FILE``."""
    keys = [given] if isinstance(given, str) else given or ()
    refuse_keys(path, option, [Path(each[1:]) for each in keys if each.startswith("@")])


def refuse_keys(path: Path, option: str, keys: Sequence[Path]) -> None:
    """Raise if what is to be written is a file with keys: they would be lost.

    Raises
    ------
    MisuseError
        If the path is one of the files, also by a link.
    """
    if path.is_file() and any(each.exists() and path.samefile(each) for each in keys):
        message = f"{option} {path} is the file of the key; name another"
        raise MisuseError(message)


def _check_of(parameter: Any) -> Callable[[Path, str], None]:  # noqa: ANN401 - as above
    return check_directory if parameter.metavar == "DIR" else check_file


def check_file(path: Path, option: str) -> None:
    """Check that a file can be written, and change nothing; ``-`` is stdout.

    Raises
    ------
    MisuseError
        When it is a directory, its directory is missing, or the operating system
        refuses.
    """
    if path == STANDARD_STREAM:
        return
    if path.is_dir():
        message = f"{option} {path} is a directory; name a file"
        raise MisuseError(message)
    # What a symbolic link points to is replaced, not the link.
    folder = (Path(os.path.realpath(path)) if path.is_symlink() else path).parent
    if not folder.is_dir():
        message = f"{option} {path}: there is no directory {folder}; make it first"
        raise MisuseError(message)
    if path.exists() and not path.is_file():
        # Devices and pipes are written to, not replaced.
        if not os.access(path, os.W_OK):
            raise _unwritable(path, option, "Permission denied")
        return
    _check_folder(folder, path, option)


def check_directory(path: Path, option: str) -> None:
    """Check that files can be made in a directory, which may be missing yet.

    Raises
    ------
    MisuseError
        When it, or what it would be made in, is no directory, or the operating system
        refuses.
    """
    place = Path(os.path.realpath(path))
    there = next(each for each in (place, *place.parents) if each.exists())
    if not there.is_dir():
        message = f"{option} {path}: {there} is a file; expected a directory"
        raise MisuseError(message)
    _check_folder(there, path, option)


def _check_folder(folder: Path, path: Path, option: str) -> None:
    try:
        check_folder(folder)
    except OSError as error:
        raise _unwritable(path, option, error.strerror or str(error)) from None


def _unwritable(path: Path, option: str, reason: str) -> MisuseError:
    return MisuseError(f"{option} {path} cannot be written ({reason}); name another")
