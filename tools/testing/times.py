# SPDX-License-Identifier: Apache-2.0
"""How long each stage took when it ran last in this clone: ./test --times."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from testing.session import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from testing.report import Spent

TIMES = ROOT / "build" / "test" / "times.json"


def keep(spent_by_stage: Iterable[tuple[str, Spent]], path: Path = TIMES) -> None:
    """Put down how long stages took; one from the record took nothing."""
    times = _read(path)
    for name, spent in spent_by_stage:
        if spent.busy_s > 0:
            times[name] = [str(spent), time.strftime("%Y-%m-%d %H:%M")]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(times, indent=1))


def lines(names: Iterable[str], path: Path = TIMES) -> Iterator[str]:
    """Return a table of the last run of each stage, in the order of the stages."""
    times = _read(path)
    yield f"{'stage':15} {'time':>8} {'CPU time':>9}  run on"
    for name in names:
        spent, day = times.get(name, ("       -         -", "not run yet as a whole"))
        yield f"{name:15} {spent}  {day}"


def _read(path: Path) -> dict[str, list[str]]:
    times: dict[str, list[str]] = json.loads(path.read_text()) if path.exists() else {}
    return times
