# SPDX-License-Identifier: Apache-2.0
"""The files in which users describe parts: where they are found, what they hold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.user_folders import user_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "samara-parts"
"""Of the working directory, whose files are found without being named."""
_SIZE_MAX = 1 << 20
_FILES_MAX = 1000


def found_files() -> Iterator[Path]:
    """Yield the files that are found without being named, in the order of the search.

    Raises
    ------
    MisuseError
        When there are more than a thousand.
    """
    for folder in folders():
        paths = [folder / name for name in _names_in(folder) if name.endswith(".toml")]
        if len(paths) > _FILES_MAX:
            message = f"{folder} has {len(paths)} files: at most {_FILES_MAX} are read"
            raise MisuseError(message)
        yield from paths


def _names_in(folder: Path) -> list[str]:
    """Return the names of files, sorted; none if the directory cannot be read."""
    # An answer of `samara advise` looks for files a thousand times, mostly in vain:
    # that takes a tenth of the time of `Path.glob`.
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - as above
    except OSError:
        return []


def folders() -> list[Path]:
    """Return the directories whose files are found."""
    of_user = user_folder("XDG_CONFIG_HOME", ".config")
    return [Path(FOLDER), *([of_user / "parts"] if of_user else [])]


def content_of(path: Path) -> bytes:
    """Return what a file holds.

    Raises
    ------
    MisuseError
        When it cannot be read, or is too long.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_SIZE_MAX + 1)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise MisuseError(message) from None
    if len(content) > _SIZE_MAX:
        message = f"{path} is too long: at most {_SIZE_MAX} bytes are taken"
        raise MisuseError(message)
    return content
