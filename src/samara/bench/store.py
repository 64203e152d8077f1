# SPDX-License-Identifier: Apache-2.0
"""Files of results: JSON Lines, added at the end.

A line has the results of one program at all sizes of message that were measured
together: see `samara.bench.packing`. A field that is not in a line has its value in
`samara.bench.results.DEFAULTS`. When files are read, a later result replaces an
earlier one about the same program and sizes. A line with `files` has no results: it
names the source files of the programs that have its hash, in the lines after it: see
`samara.bench.sources`.

The repository has the results of a complete run in results/. What a user measures
goes to a file of their own: see `own`.
"""

from __future__ import annotations

import json
import os
import warnings
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from samara import atomic_files
from samara.bench import places
from samara.bench.lines import lines_of, text_of
from samara.bench.packing import pack, unpack
from samara.bench.programs import Program, latest
from samara.bench.results import DEFAULTS, ProgramName, Result, enumerated
from samara.errors import DamagedWarning, MisuseError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from samara.bench.lines import FoundLines, Unparsed
    from samara.bench.packing import Wanted

Line: TypeAlias = dict[str, Any]
"""A line of a file: results of one program, or the files of a hash."""

ACCEPTED = "accepted.jsonl"
"""The file in results/ with the reasons why changed figures were accepted."""


def committed() -> Path:
    """Return the directory with the results that come with the sources."""
    return places.root() / "results"


def committed_of(device: str) -> Path:
    """Return the file there with the results of a device."""
    return committed() / f"{device}.jsonl"


def own() -> Path:
    """Return the file that results are added to by default."""
    return places.made() / "results.jsonl"


def append(place: Path, results: Iterable[Result]) -> None:
    """Add results to a file, or to one file for each device in a directory."""
    for path, line, files in _lines_of(place, results):
        path.parent.mkdir(parents=True, exist_ok=True)
        _append(path, line, files)


def _lines_of(
    place: Path, results: Iterable[Result]
) -> Iterator[tuple[Path, Line, Sequence[str]]]:
    """Yield lines, the files that they belong to, and their sources."""
    results = list(results)
    files = {one.sources: one.files for one in results if one.files}
    for line in pack(_without_defaults(one.as_json()) for one in results):
        path = place / f"{line['device']}.jsonl" if place.is_dir() else place
        yield path, line, files.get(line["sources"], ())


def replace(folder: Path, results: Iterable[Result]) -> None:
    """Replace all that a directory has about the programs of these results.

    The new lines are where the first of the old ones was.
    """
    by_path: dict[Path, list[tuple[Line, Sequence[str]]]] = {}
    for path, line, files in _lines_of(folder, results):
        by_path.setdefault(path, []).append((line, files))
    for path, news in by_path.items():
        with atomic_files.made_by(path) as temporary:
            lines = _replaced(_lines_in(path), news)
            temporary.write_text("".join(map(_as_text, lines)), encoding="utf-8")
        _sources_in.cache_clear()


def _replaced(
    olds: Iterable[Line], news: Sequence[tuple[Line, Sequence[str]]]
) -> list[Line]:
    """Return all lines of a file: old ones, and the new ones in their places."""
    waiting: dict[ProgramName, list[Line]] = {}
    files = {line["sources"]: list(names) for line, names in news if names}
    for line, _ in news:
        waiting.setdefault(_program(line), []).append(line)
    programs = set(waiting)
    kept: list[Line] = []
    for old in olds:
        if "files" in old:
            files[old["sources"]] = old["files"]
        elif _program(old) in programs:
            kept += waiting.pop(_program(old), [])
        else:
            kept.append(old)
    kept += [line for lines in waiting.values() for line in lines]
    return _with_sources(kept, files)


def _with_sources(lines: Iterable[Line], files: dict[str, list[str]]) -> list[Line]:
    """Put the files of each hash before the first line that has it."""
    whole: list[Line] = []
    for line in lines:
        sources_hash = line["sources"]
        if sources_hash in files:
            whole.append({"sources": sources_hash, "files": files.pop(sources_hash)})
        whole.append(line)
    return whole


def _program(line: Line) -> ProgramName:
    return ProgramName(*(line[name] for name in ProgramName._fields))


def _as_text(line: Line) -> str:
    return json.dumps(line, separators=(",", ":")) + "\n"


def _append(path: Path, line: Line, files: Sequence[str]) -> None:
    """Add a line, and before it one with its sources if there is none yet."""
    lines = [line]
    if files and line["sources"] not in _sources_in(path):
        lines = [{"sources": line["sources"], "files": list(files)}, line]
        _sources_in(path).add(line["sources"])
    text = "".join(map(_as_text, lines))
    with path.open("a", encoding="utf-8") as file:
        # A line that was cut off, by a full disk say, stays a line of its own:
        # it must not damage the next one.
        file.write(text if _ends_with_a_line(path) else f"\n{text}")


def _ends_with_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-min(1, path.stat().st_size), os.SEEK_END)
        return file.read() in (b"", b"\n")


@cache
def _sources_in(path: Path) -> set[str]:
    """Return the hashes whose files a file of results names."""
    return set(text_of(path).files) if path.is_file() else set()


def _without_defaults(values: Line) -> Line:
    return {
        name: value
        for name, value in values.items()
        if name not in DEFAULTS or value != DEFAULTS[name]
    }


def read(
    *places_to_read: Path,
    suites: Collection[str] = (),
    wanted: Wanted | None = None,
    without: Collection[str] = (),
    strict: bool = False,
) -> list[Result]:
    """Return the results in files and directories; of equal ones the last.

    Parameters
    ----------
    suites
        Suites whose results are returned. Lines of others are not parsed, which saves
        most of the time. Default: all.
    wanted
        Returns whether the results of a size are wanted, from the bytes of the message
        and of the associated data. Default: all are.
    without
        Fields that are not needed, such as `time_us`: results have their defaults, and
        take less time to read.
    strict
        Whether a line that cannot be read is an error. Otherwise it is left out
        with a warning; the other lines are not affected.

    Raises
    ------
    MisuseError
        If `strict` and a line cannot be read.
    """
    found = programs(
        *places_to_read, suites=suites, wanted=wanted, without=without, strict=strict
    )
    return [result for program in found for result in program]


def programs(
    *places_to_read: Path,
    suites: Collection[str] = (),
    wanted: Wanted | None = None,
    without: Collection[str] = (),
    strict: bool = False,
) -> list[Program]:
    """Return the same results by program, of which none is made yet: see `read`.

    Raises
    ------
    MisuseError
        If `strict` and a line cannot be read.
    """
    return latest(
        program
        for place in places_to_read
        for path in files_in(place)
        for program in _programs_in(path, suites, wanted, without, strict=strict)
    )


def suites_in(path: Path) -> set[str]:
    """Return the suites of the lines of a file, none of which is parsed.

    A suite whose name is written with escapes, which the bench does not do, is left
    out.
    """
    return lines_of(path).suites()


def files_in(place: Path) -> list[Path]:
    """Return the files of results in a directory; a file stands for itself."""
    if not place.is_dir():
        return [place]
    return [path for path in sorted(place.glob("*.jsonl")) if path.name != ACCEPTED]


def _programs_in(
    path: Path,
    suites: Collection[str],
    wanted: Wanted | None,
    without: Collection[str],
    *,
    strict: bool,
) -> Iterator[Program]:
    """Yield the results of each line, which are of one program."""
    lines = lines_of(path)
    found: dict[int, Program | None] = {}
    # To get all heads pays where all suites are looked at.
    for line in () if suites else lines.unparsed():
        fields = partial(_fields_of_unparsed, line, lines, without)
        found[line.number] = Program.of_head(line.head, wanted, fields)
    for number, text in lines.of(suites) if suites else lines.others_than_unparsed():
        try:
            values = _checked(json.loads(text))
            if "files" not in values and (not suites or values.get("suite") in suites):
                given = _fields_of(values, number, lines, without)
                found[number] = Program.of_line(given, wanted)
        except ValueError:
            _say_damaged(path, number, strict=strict)
    yield from (program for _, program in sorted(found.items()) if program)


def _fields_of_unparsed(
    line: Unparsed, found: FoundLines, without: Collection[str]
) -> Line:
    return _fields_of(json.loads(line.text()), line.number, found, without)


def _fields_of(
    values: Line, number: int, found: FoundLines, without: Collection[str]
) -> Line:
    """Return the fields of a line that are needed, and its source files.

    Raises
    ------
    ValueError
        If there is no origin, or an unknown name.
    """
    files = found.files_of(values.get("sources", ""), number)
    needed = {k: v for k, v in values.items() if k not in without}
    return enumerated(needed) | {"files": files}


def _lines_in(path: Path) -> Iterator[Line]:
    """Yield the lines of a file, all of which have to be whole.

    Raises
    ------
    MisuseError
        If a line cannot be read.
    """
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                line = _checked(json.loads(text))
                if "files" not in line:
                    Result.from_json(next(unpack(line)))
            except ValueError:
                _say_damaged(path, number, strict=True)
            else:
                yield line


def _say_damaged(path: Path, number: int, *, strict: bool) -> None:
    message = f"{path} is damaged at line {number}"
    if strict:
        raise MisuseError(message) from None
    warnings.warn(f"{message}, which is left out", DamagedWarning, stacklevel=2)


def _checked(line: object) -> Line:
    """Return a line that is a JSON object; files have their hash.

    Raises
    ------
    ValueError
        If it is none.
    """
    if not isinstance(line, dict):
        message = "a line is a JSON object"
        raise ValueError(message)  # noqa: TRY004 - of a file, not of a call
    if "files" in line and "sources" not in line:
        message = "files have no hash"
        raise ValueError(message)
    return line
