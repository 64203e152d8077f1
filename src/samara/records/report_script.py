# SPDX-License-Identifier: Apache-2.0
"""The script that draws the charts of a page: the console's charts, in one file.

`tools/setup` builds it from page/src/report.ts, and a wheel has it. It is put into each
page, which therefore needs nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "dist"
NOT_BUILT = (
    "The charts of this page are missing: the script that draws them is not built."
    " Its tables have the figures. Run tools/setup in a clone, or install a wheel that"
    " has the script, and make the page again."
)


class Script(NamedTuple):
    """A script and its style sheet, as they stand within HTML."""

    code: str
    style: str
    digest: str
    """Of the code, as a content security policy names it."""


def found() -> Script | None:
    """Return the script; None if it is not built.

    Raises
    ------
    ValueError
        If it has what would end an element of HTML.
    """
    try:
        code = (FOLDER / "report.js").read_text(encoding="utf-8")
        style = (FOLDER / "report.css").read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    for text, ends in ((code, ("</script", "<script")), (style, ("</style",))):
        if any(end in text.lower() for end in ends):
            message = f"the script of charts in {FOLDER} cannot stand within HTML"
            raise ValueError(message)
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    return Script(code, style, f"sha256-{digest}")
