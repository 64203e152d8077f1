# SPDX-License-Identifier: Apache-2.0
"""samara's directories below those that the XDG specification gives to each user."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path


def user_folder(variable: str, below_home: str) -> Path | None:
    """Return samara's part of a directory of the user; None without a home directory.

    Parameters
    ----------
    variable
        The environment variable that names it, such as ``XDG_STATE_HOME``.
    below_home
        Where it is when the variable is not set, such as ``.local/state``.
    """
    given, home = os.environ.get(variable, ""), os.environ.get("HOME")
    return _below(given, home, below_home)


# An answer of `samara advise` asks a thousand times.
@cache
def _below(given: str, _home: str | None, below_home: str) -> Path | None:
    # The XDG specification says that relative paths must be ignored.
    if Path(given).is_absolute():
        return Path(given) / "samara"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / below_home / "samara" if home.is_absolute() else None
