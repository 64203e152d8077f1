# SPDX-License-Identifier: Apache-2.0
"""Results in files: one JSON object a line, added at the end.

A line is about one program and as many sizes of message as were measured
together: see `samara.bench.packing`. A field that is not in a line has its value
in `UNSAID`. A later line about the same thing replaces an earlier one when read.
A line with `files` is about no program: it names the files of which the hash in
`sources` is made, for the lines behind it.
The repository holds a full run in results/; what a person runs goes to a file of
their own.
"""

from __future__ import annotations

import json
import os
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

from samara import drafts
from samara.bench import places, sources
from samara.bench.packing import pack, unpack
from samara.errors import DamagedWarning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from samara.bench.rows import Row

Result = dict[str, Any]
"""A row as it was written: see `samara.bench.rows.Row` for its fields."""

_IDENTITY = (
    *("device", "suite", "implementation", "opt"),
    *("message_bytes", "ad_bytes"),
)


ACCEPTED = "accepted.jsonl"
"""The file in the folder of results that says why figures were accepted."""

UNSAID: Result = {
    **dict.fromkeys(("code_bytes", "static_ram_bytes", "stack_bytes")),
    **dict.fromkeys(("cycles", "instructions", "time_us", "energy_uj")),
    **dict.fromkeys(("constant_time", "problem", "flags")),
    "varies": {},
}
"""What is left out of lines: nearly all of them would say the same."""


def committed() -> Path:
    """Return the folder with the results that come with the sources."""
    return places.root() / "results"


def own() -> Path:
    """Return the file that results are added to when none is named."""
    return places.made() / "results.jsonl"


def append(place: Path, rows: Iterable[Row]) -> None:
    """Add rows to a file, or to one file a device in a folder."""
    for path, line, files in _lines_of(place, rows):
        path.parent.mkdir(parents=True, exist_ok=True)
        _append(path, line, files)


def _lines_of(
    place: Path, rows: Iterable[Row]
) -> Iterator[tuple[Path, Result, Sequence[str]]]:
    """Yield lines, the files that they belong to, and their sources."""
    rows = list(rows)
    files = {row.sources: row.files for row in rows if row.files}
    for line in pack(_said(row.as_json()) for row in rows):
        path = place / f"{line['device']}.jsonl" if place.is_dir() else place
        yield path, line, files.get(line["sources"], ())


def replace(folder: Path, rows: Iterable[Row]) -> None:
    """Put rows in place of all that a folder has about the same programs.

    The new lines are where the first of the old ones was.
    """
    by_path: dict[Path, list[tuple[Result, Sequence[str]]]] = {}
    for path, line, files in _lines_of(folder, rows):
        by_path.setdefault(path, []).append((line, files))
    for path, news in by_path.items():
        with drafts.made_by(path) as draft:
            lines = _replaced(_said_in(path, "", strict=True), news)
            draft.write_text("".join(map(_as_text, lines)), encoding="utf-8")
        _sources_in.cache_clear()


def _replaced(
    olds: Iterable[Result], news: Sequence[tuple[Result, Sequence[str]]]
) -> list[Result]:
    """Return all lines of a file: old ones, and the new ones in their places."""
    waiting: dict[tuple[Any, ...], list[Result]] = {}
    files = {line["sources"]: list(names) for line, names in news if names}
    for line, _ in news:
        waiting.setdefault(_program(line), []).append(line)
    programs = set(waiting)
    kept: list[Result] = []
    for old in olds:
        if "files" in old:
            files[old["sources"]] = old["files"]
        elif _program(old) in programs:
            kept += waiting.pop(_program(old), [])
        else:
            kept.append(old)
    kept += [line for lines in waiting.values() for line in lines]
    return _with_sources(kept, files)


def _with_sources(lines: Iterable[Result], files: dict[str, list[str]]) -> list[Result]:
    """Put the files of each hash before the first line that has it."""
    whole: list[Result] = []
    for line in lines:
        sources_hash = line["sources"]
        if sources_hash in files:
            whole.append({"sources": sources_hash, "files": files.pop(sources_hash)})
        whole.append(line)
    return whole


def _program(line: Result) -> tuple[Any, ...]:
    return tuple(line[name] for name in _IDENTITY[:4])


def _as_text(line: Result) -> str:
    return json.dumps(line, separators=(",", ":")) + "\n"


def _append(path: Path, line: Result, files: Sequence[str]) -> None:
    """Add a line, and before it one with its sources if there is none yet."""
    lines = [line]
    if files and line["sources"] not in _sources_in(path):
        lines = [{"sources": line["sources"], "files": list(files)}, line]
        _sources_in(path).add(line["sources"])
    text = "".join(map(_as_text, lines))
    with path.open("a", encoding="utf-8") as file:
        # What was cut off, when a process ended or a disk was full, stays a line
        # of its own: it is not to spoil the next one.
        file.write(text if _ends_with_a_line(path) else f"\n{text}")


def _ends_with_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-min(1, path.stat().st_size), os.SEEK_END)
        return file.read() in (b"", b"\n")


@cache
def _sources_in(path: Path) -> set[str]:
    """Return the hashes whose files a file of results names."""
    return {line["sources"] for line in _said_in(path, '"files"') if "files" in line}


def _said(result: Result) -> Result:
    return {
        name: value
        for name, value in result.items()
        if name not in UNSAID or value != UNSAID[name]
    }


def identity(result: Result) -> tuple[Any, ...]:
    """Return what a result is about, whatever it came to."""
    return tuple(result[name] for name in _IDENTITY)


def read(
    *places_to_read: Path, containing: str = "", strict: bool = False
) -> list[Result]:
    """Return what files and folders hold, the last line about each thing.

    Parameters
    ----------
    containing
        Lines without this text are not looked at, which saves most of the time.
    strict
        Whether a line that cannot be read is an error. Otherwise it is left out
        with a warning: all else that was measured is as good as before.

    Raises
    ------
    ValueError
        When `strict` and a line cannot be read.
    """
    found: dict[tuple[Any, ...], Result] = {}
    for place in places_to_read:
        for path in files_in(place):
            for line in _said_in(path, containing, strict=strict):
                if "files" in line:
                    sources.remember(line["sources"], line["files"])
                    continue
                for result in unpack(line):
                    found[identity(result)] = UNSAID | result
    return list(found.values())


def files_in(place: Path) -> list[Path]:
    """Return the files of results in a folder; of a file, that."""
    if not place.is_dir():
        return [place]
    return [path for path in sorted(place.glob("*.jsonl")) if path.name != ACCEPTED]


def _said_in(path: Path, containing: str, *, strict: bool = False) -> Iterator[Result]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if containing not in line or not line.strip():
                continue
            try:
                said = json.loads(line)
                if not isinstance(said, dict) or "sources" not in said:
                    raise ValueError  # noqa: TRY301 - as what is no JSON
            except ValueError:
                message = f"{path} is damaged at line {number}"
                if strict:
                    raise ValueError(message) from None
                warnings.warn(
                    f"{message}, which is left out", DamagedWarning, stacklevel=2
                )
            else:
                yield said


def code(result: Result) -> int:
    """Return the bytes of code."""
    return int(result["code_bytes"] or 0)


def memory(result: Result) -> int:
    """Return the bytes of memory: variables and stack."""
    return int(result["static_ram_bytes"] or 0) + int(result["stack_bytes"] or 0)


def cycles(result: Result) -> int:
    """Return the cycles to seal, or to encrypt a block."""
    return int(_second(result["cycles"]))


def total_cycles(result: Result) -> int:
    """Return the cycles of set-up and of sealing (or encrypting) together."""
    set_up, seal = list(result["cycles"].values())[:2]
    return int(set_up) + int(seal)


def energy(result: Result) -> float:
    """Return the microjoules to seal, or to encrypt a block."""
    return _second(result["energy_uj"])


def _second(values: dict[str, Any] | None) -> float:
    return 0.0 if values is None else float(list(values.values())[1])
