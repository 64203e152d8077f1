# SPDX-License-Identifier: Apache-2.0
"""Runs that are stored, with their p-values: no test is computed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from samara.bench import places
from samara.crypto.names import find
from samara.errors import MisuseError
from samara.randomness.described import (
    RandomnessRun,
    RandomnessVerdict,
    RunParts,
    Summary,
    records_of_run,
)
from samara.randomness.reading import NOT_PROVED, sentences
from samara.randomness.report import tables
from samara.randomness.storing import read_summary, summaries
from samara.records import (
    Answer,
    Digest,
    Parameter,
    Remark,
    Request,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.records.tables import Table


def stored() -> Path:
    """Return the directory of the runs that are part of samara."""
    return places.root() / "results" / "randomness"


@cache
def _of_samara() -> tuple[str, ...]:
    folder = stored()
    names = [each.settings.source for each in _read(folder)] if folder.is_dir() else []
    return tuple(dict.fromkeys(names))


@request_class
class ShowRequest(Request):
    """Which stored runs are shown, and whether with all p-values."""

    source: Annotated[
        str | None,
        Parameter(
            metavar="SOURCE",
            help="Source of bits, of whose runs all p-values are shown.",
            names=_of_samara,
            names_in_words="",
            is_argument=True,
            default_text="all sources, a row for each run",
        ),
    ] = None
    folder: Annotated[
        Path | None,
        Parameter(
            name="results",
            metavar="DIR",
            help="Directory of a run, or of runs.",
            default_text="the results of samara, results/randomness",
        ),
    ] = None


def show(request: ShowRequest) -> Answer[RunParts]:
    """Yield stored runs and their verdicts; of one source, all p-values as well.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no run of this source.
    MisuseError
        When the directory is not there, or has no runs.
    """
    folder = request.folder or stored()
    runs = _read(folder) if folder.is_dir() else []
    if not runs:
        message = (
            f"{folder} has no runs: `samara randomness run SOURCE -o {folder}/RUN` "
            "makes one"
        )
        raise MisuseError(message)
    if request.source is None:
        yield Digest(_overviews(runs), [tables.overview(runs)])
    else:
        for run in _of_source(runs, request.source):
            yield Digest(records_of_run(run), _parts(run))
    yield Remark(f"{_origins(runs)}.")
    yield Remark(NOT_PROVED)


def _read(folder: Path) -> list[Summary]:
    return [read_summary(path) for path in summaries(folder)]


def _of_source(runs: Sequence[Summary], source: str) -> list[Summary]:
    by_name = {each.settings.source: each for each in runs}
    name = find("source", source, by_name).settings.source
    return [each for each in runs if each.settings.source == name]


def _overviews(runs: Sequence[Summary]) -> Iterator[RunParts]:
    for run in runs:
        for record in records_of_run(run):
            if isinstance(record, (RandomnessRun, RandomnessVerdict)):
                yield record


def _parts(run: Summary) -> Iterator[Table | Remark]:
    settings = run.settings
    title = f"{settings.source}: {settings.battery}, all p-values"
    yield replace(tables.everything(run), title=title)
    for sentence in sentences(run):
        yield Remark(sentence)


def _origins(runs: Sequence[Summary]) -> str:
    origins = sorted({each.origin for each in runs})
    return f"Runs: {', '.join(origins)}"
