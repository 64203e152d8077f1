# SPDX-License-Identifier: Apache-2.0
"""Which slow stages ./test leaves to .ci/run: those that read nothing that changed.

The slow ones (`Stage.slow`) are about packages, devices and the chip. A developer waits
for one of them where something that it reads differs from main. An automatic builder
runs all of them, and so does ./test for a stage that is named.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from testing import import_graph, python_needs
from testing.changed import differing, of_main
from testing.files import is_python
from testing.session import ROOT
from testing.stage_record import ALWAYS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from testing.session import Stage


def left(stages: Sequence[Stage]) -> list[Stage]:
    """Return the slow stages that read nothing that differs from main."""
    names = differing()
    if names is None:
        return []
    return [stage for stage in stages if stage.slow and not reads(stage, names)]


def reads(stage: Stage, names: Collection[str]) -> bool:
    """Tell whether a stage reads one of these files, or what runs it does."""
    below = [name for name in names if _is_below(name, stage.reads)]
    if stage.begins and below:
        needed = {*map(_name, python_needs.imports(*stage.begins))}
        below = [one for one in below if not _is_known_python(one) or one in needed]
    if stage.by_imports:
        below = [one for one in below if not _imports_the_same(one)]
    return bool(below) or any(_is_below(name, ALWAYS) for name in names)


def _imports_the_same(name: str) -> bool:
    """Tell whether a Python file differs from main's in nothing that it imports."""
    before = of_main(name) if _is_known_python(name) else ""
    if not before:
        return False
    now, then = import_graph.read(ROOT / name), import_graph.source_of(before)
    return (now.modules, now.scanned, now.places) == (
        *(then.modules, then.scanned, then.places),
    )


def _is_below(name: str, paths: Iterable[str]) -> bool:
    return any(PurePath(name).is_relative_to(path) for path in paths)


def _is_known_python(name: str) -> bool:
    """Tell whether imports say who needs a file; not for one that is gone."""
    return is_python(name) and (ROOT / name).exists()


def _name(path: PurePath) -> str:
    return path.relative_to(ROOT).as_posix()
