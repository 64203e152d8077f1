# SPDX-License-Identifier: Apache-2.0
"""The directory of a run: settings, p-values as they come, and the summary.

Bits are not stored. A run that was interrupted goes on where its p-values end.
"""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.atomic_files import made_by
from samara.errors import MisuseError
from samara.randomness.described import Summary, records_of_run
from samara.randomness.judging import Judged, Verdict
from samara.randomness.settings import Settings
from samara.records.json_lines import record_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

SETTINGS = "run.json"
P_VALUES = "p-values.jsonl"
SUMMARY = "summary.jsonl"
_DIGITS = 7


def kept(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return p-values as a file keeps them, so that a run may go on from one."""
    return np.array([float(f"{p:.{_DIGITS}g}") for p in p_values])


class Folder:
    """The directory of one run.

    Parameters
    ----------
    path
        Made if there is none.
    settings
        Of the run; those of a run that goes on must be the same.

    Raises
    ------
    MisuseError
        When the directory has another run in it.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        place = path / SETTINGS
        if place.exists():
            self._check(settings)
        else:
            text = json.dumps(settings.as_json(), indent=1) + "\n"
            with made_by(place) as temporary:
                temporary.write_text(text, encoding="utf-8")
        self.found = list(self._read())
        # A line that an interruption cut off is not counted, and goes.
        lines = "".join(_line(row) for row in self.found)
        with made_by(path / P_VALUES) as temporary:
            temporary.write_text(lines, encoding="ascii")
        self._file = (path / P_VALUES).open("a", encoding="ascii")

    def _check(self, settings: Settings) -> None:
        try:
            given = json.loads((self.path / SETTINGS).read_text(encoding="utf-8"))
        except ValueError:
            message = f"{self.path / SETTINGS} is damaged: give another directory"
            raise MisuseError(message) from None
        stored = Settings.from_json(given)
        for one in fields(Settings):
            old, new = getattr(stored, one.name), getattr(settings, one.name)
            if old != new:
                message = (
                    f"{self.path} has a run with {one.name} {old}, not {new}: give the "
                    "same call to go on with it, or another directory"
                )
                raise MisuseError(message)

    def _read(self) -> Iterator[NDArray[np.float64]]:
        path = self.path / P_VALUES
        if not path.exists():
            return
        for line in path.read_text(encoding="ascii").splitlines():
            try:
                values = json.loads(line)
            except ValueError:
                return
            yield np.array([math.nan if p is None else p for p in values])

    def add(self, p_values: NDArray[np.float64]) -> None:
        """Keep the p-values of the next sequence."""
        self._file.write(_line(p_values))
        self._file.flush()

    def close(self) -> None:
        """Close the file of p-values."""
        self._file.close()


def _line(p_values: NDArray[np.float64]) -> str:
    values = [None if math.isnan(p) else float(p) for p in p_values]
    return json.dumps(values, separators=(",", ":")) + "\n"


def write_summary(path: Path, summary: Summary) -> None:
    """Write a summary as JSON Lines."""
    lines = map(record_line, records_of_run(summary))
    with made_by(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_summary(path: Path) -> Summary:
    """Read what `write_summary` wrote.

    Raises
    ------
    MisuseError
        When it is something else.
    """
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        first, *tests, last = rows
        return Summary(
            Settings.from_json(first),
            Verdict(
                tuple(_test(row) for row in tests),
                *(
                    last[name]
                    for name in ("sequences", "decisions", "level", "expected")
                ),
            ),
            first["origin"],
        )
    except (ValueError, KeyError, TypeError) as error:
        message = f"{path} is no summary of samara randomness run: {error}"
        raise MisuseError(message) from None


def _test(row: dict[str, Any]) -> Judged:
    given = {one.name: row[one.name] for one in fields(Judged)}
    for name in ("histogram", "missed", "failed"):
        given[name] = tuple(given[name])
    return Judged(**given)


def summaries(folder: Path) -> Sequence[Path]:
    """Return the summaries in a directory: of one run, or of many."""
    own = folder / SUMMARY
    if own.exists():
        return [own]
    below = sorted(folder.glob(f"*/{SUMMARY}"))
    own_files = [path for path in folder.glob("*.jsonl") if path.name != P_VALUES]
    return below + sorted(own_files)
