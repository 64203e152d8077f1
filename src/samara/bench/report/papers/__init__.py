# SPDX-License-Identifier: Apache-2.0
"""Sections of the report about papers, one module each, found by scanning this package.

A module is named as its paper in published/papers.toml, with ``_`` for ``-``. Its
function ``section`` takes the results of the bench, and returns the section.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from samara.bench import published
from samara.crypto.names import find

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.bench.report.selecting import Results
    from samara.records.parts import Section


@cache
def _modules() -> dict[str, str]:
    """Return the names of the modules by the names of papers."""
    found = (each.name for each in pkgutil.iter_modules(__path__))
    return {name.replace("_", "-"): f"{__name__}.{name}" for name in found}


def names() -> list[str]:
    """Return the papers that have a section, in the order of papers.toml."""
    return [slug for slug in published.papers() if slug in _modules()]


def maker(slug: str) -> Callable[[Results], Section]:
    """Return the function that makes the section about a paper.

    Raises
    ------
    samara.crypto.UnknownNameError
        If no paper of this name has a section; the text has the nearest names.
    """
    made: Callable[[Results], Section]
    made = importlib.import_module(find("paper", slug, _modules())).section
    return made
