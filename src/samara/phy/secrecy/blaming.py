# SPDX-License-Identifier: Apache-2.0
"""Errors of a user's own module as one sentence, with his file and line.

Schemes and attacks are written by users. What goes wrong in their code is for them to
mend, and no defect of samara.
"""

from __future__ import annotations

import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


@contextmanager
def blaming(files: Collection[str], otherwise: str | None = None) -> Iterator[None]:
    """Turn an error of code in one of these files into one that says where.

    Parameters
    ----------
    otherwise
        Named where no line of the files is to blame; None: such an error passes.

    Raises
    ------
    MisuseError
        In place of an error in whose traceback one of the files is.
    """
    try:
        yield
    except Exception as error:
        place = _place(error, files) or otherwise
        if place is None:
            raise
        message = f"{place}: {_words(error)}"
        raise MisuseError(message) from error


def _place(error: Exception, files: Collection[str]) -> str | None:
    """Return the innermost line that is in one of the files."""
    if isinstance(error, SyntaxError) and error.filename in files:
        return f"{error.filename}, line {error.lineno}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in files:
            inside = "" if frame.name.startswith("<") else f", in {frame.name}"
            return f"{frame.filename}, line {frame.lineno}{inside}"
    return None


def _words(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    kind = type(error).__name__
    # One sentence: texts of some errors have several lines.
    return f"{kind}: {' '.join(text.split())}" if text else kind
