# SPDX-License-Identifier: Apache-2.0
"""Directories of the sources that the bench builds, and of its own files.

The sources are a clone of the repository, or the copy of it that an installed package
has in its directory `tree`. What is made goes to `build/` of the clone. Beside an
installed package it goes to the user's data directory ($XDG_DATA_HOME/samara/build, by
default ~/.local/share/samara/build), because the package may be read-only.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from samara.errors import MisuseError
from samara.user_folders import user_folder

_PACKAGE = Path(__file__).resolve().parents[1]
_PACKAGED = _PACKAGE / "tree"


class NoSourcesError(MisuseError):
    """The sources of samara, which the bench compiles, were not found."""

    def __str__(self) -> str:
        if named := os.environ.get("SAMARA_ROOT"):
            return (
                f"SAMARA_ROOT is {named}, which is no clone of the repository: set it"
                " to one, or unset it"
            )
        return (
            f"samara's sources and results are missing in {_PACKAGED}: install the"
            " package anew, or set SAMARA_ROOT to a clone of the repository"
        )


class NoHomeError(MisuseError):
    """The user has no directory for what is made."""


@cache
def root() -> Path:
    """Return the directory with core/, devices/, firmware/ and results/.

    It is SAMARA_ROOT; or the current directory or one above it; or a directory above
    this package; or the installed package's own.

    Raises
    ------
    NoSourcesError
        If SAMARA_ROOT names another directory, or there is none of the others.
    """
    if named := os.environ.get("SAMARA_ROOT"):
        candidates = [Path(named)]
    else:
        here = Path.cwd()
        candidates = [here, *here.parents, *_PACKAGE.parents, _PACKAGED]
    for folder in candidates:
        if (folder / "devices" / "families").is_dir() and (folder / "core").is_dir():
            return folder.resolve()
    raise NoSourcesError


def is_clone() -> bool:
    """Whether the sources are a clone of the repository.

    Raises
    ------
    NoSourcesError
        As `root`.
    """
    return root() != _PACKAGED


def build() -> Path:
    """Return the directory for all that is made of the sources.

    Raises
    ------
    NoSourcesError
        As `root`.
    NoHomeError
        If samara is installed, and the user has no home directory.
    """
    return (root() if is_clone() else _data()) / "build"


def made() -> Path:
    """Return the directory for the files that the bench builds."""
    return build() / "bench"


def texts() -> Path:
    """Return the directory for what preprocessors have told of sources."""
    return made() / "texts"


def index() -> Path:
    """Return the directory for indexes of results."""
    return made() / "index"


def _data() -> Path:
    """Return samara's part of the user's data directory."""
    found = user_folder("XDG_DATA_HOME", ".local/share")
    if found is None:
        message = "there is no home directory for what is built: set XDG_DATA_HOME"
        raise NoHomeError(message)
    return found
