# SPDX-License-Identifier: Apache-2.0
"""Results of the bench as CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from samara.bench.result_record import energy_origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.bench.ranking import Rated
    from samara.bench.results import Result

_BY_OPERATION = ("cycles", "instructions", "time_us", "energy_uj", "varies")


def csv_of(rows: Iterable[Rated]) -> str:
    """Return results as CSV, with a column for each figure of an operation."""
    flat = [_flat(*row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    written = io.StringIO()
    writer = csv.DictWriter(written, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return written.getvalue()


def _flat(result: Result, merit: float | None) -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in result.as_json().items():
        if isinstance(value, dict):
            flat |= {f"{name}_{verb}": each for verb, each in value.items()}
        elif name not in _BY_OPERATION:
            flat[name] = value
    flat["energy_origin"] = energy_origin(result).value
    return flat | ({} if merit is None else {"fom": merit})
