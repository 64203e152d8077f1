# SPDX-License-Identifier: Apache-2.0
"""What the compiler sees of a source file: its text after the preprocessor.

It has no comments, no blank lines and nothing that is left out for a device, and its
macros are replaced: two files with the same text give the same code. The header files
of the compiler and of its libraries are left out, because results have the compiler's
version.

The preprocessor runs once for each file and build: for many of them, on all processors
(`find`). Its findings are in build/bench/texts, and stand until one of the files that
it read changes. Builds that differ in their optimisation share them, unless a file asks
for the optimisation. Paths in them begin at the directory of the sources, so that
copies of it can hand them on.
"""

from __future__ import annotations

import contextlib
import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara import atomic_files
from samara.bench import hashing, places, toolchain
from samara.bench.toolchain import BuildError, ToolMissingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from samara.bench.units import Unit
    from samara.bench.ways import Build

# `# 12 "/path/to/file.h" 1 3`: what follows is from that file.
_MARK = re.compile(r'# \d+ "((?:[^"\\]|\\.)*)"')
_ASKS = b"__OPTIMIZE"
"""Beginning of the macros by which a file asks for the optimisation."""

_ANY = "any"


FAILURES = (LookupError, OSError, BuildError, ToolMissingError)
"""What it raises where a file is not part of a program any more, or cannot be seen."""

_digests: dict[tuple[Build, Unit], str] = {}
"""Those that were asked for in this process."""


def digest(build: Build, unit: Unit) -> str:
    """Return a hash of what the compiler sees of a source file.

    Raises
    ------
    samara.bench.toolchain.BuildError
        If the preprocessor fails.
    FileNotFoundError
        If there is no such file.
    """
    key = build, unit
    found = _digests.get(key)
    if found is None:
        found = _digests[key] = _known(build, unit) or _made(build, unit)
    return found


def find(wanted: Iterable[tuple[Build, Unit]]) -> Iterator[float]:
    """Find the digests of files on all processors; yield which share of them is done.

    What fails is left out: `digest` raises it.
    """
    # Builds that share a text wait for one another.
    new: dict[Path, list[tuple[Build, Unit]]] = {}
    with hashing.looking_once():
        for key in dict.fromkeys(wanted):
            with contextlib.suppress(*FAILURES):
                if known := _digests.get(key) or _known(*key):
                    _digests[key] = known
                else:
                    new.setdefault(_place(*key), []).append(key)
    if not new:
        return
    from samara import workers  # noqa: PLC0415 - slow to import, and seldom needed

    with workers.threads(workers.PROCESSORS) as pool:
        found = workers.in_order(pool, _find, ((keys,) for keys in new.values()))
        for done, _ in enumerate(found, 1):
            yield done / len(new)


def _find(keys: Iterable[tuple[Build, Unit]]) -> None:
    for key in keys:
        with contextlib.suppress(*FAILURES):
            digest(*key)


def _known(build: Build, unit: Unit) -> str | None:
    """Return a digest that was found before."""
    texts = _known_texts(unit, _stored(_place(build, unit)))
    return texts.get(_ANY) or texts.get(build.opt)


def _known_texts(unit: Unit, stored: dict[str, Any]) -> dict[str, str]:
    """Return what is stored by optimisation; nothing after a change of the files."""
    is_same = stored["inputs"] == _inputs(unit, stored["read"])
    return dict(stored["texts"]) if is_same else {}


def _made(build: Build, unit: Unit) -> str:
    """Let the preprocessor run, and store what it finds."""
    place = _place(build, unit)
    texts = _known_texts(unit, _stored(place))
    text, read = _text(build, unit)
    opt = build.opt if any(map(_asks_for_optimisation, read)) else _ANY
    texts[opt] = hashing.hash_of([text])
    named = [_within(name) for name in read]
    found = {"inputs": _inputs(unit, named), "read": named, "texts": texts}
    # What cannot be stored is found anew the next time.
    with contextlib.suppress(OSError), atomic_files.made_by(place) as temporary:
        temporary.write_text(json.dumps(found), encoding="utf-8")
    return texts[opt]


def _place(build: Build, unit: Unit) -> Path:
    return folder(build) / f"{unit.stem}.json"


@cache
def folder(build: Build) -> Path:
    """Return the directory for the texts of builds that differ in optimisation only."""
    flags = [_within(word) for word in build.flags if word != f"-{build.opt}"]
    digest_ = hashing.hash_of([toolchain.version(build.device.family.compiler), *flags])
    name = f"{build.device.name}-{build.implementation}-{digest_}"
    return places.texts() / name


def _stored(place: Path) -> dict[str, Any]:
    """Return what was found before; what fits to nothing if there is nothing."""
    try:
        return dict(json.loads(place.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError):
        return {"inputs": "", "read": [], "texts": {}}


def _inputs(unit: Unit, read: Iterable[str]) -> str:
    """Return a hash of all that a text depends on, but for the build."""
    words = [_within(word) for word in (str(unit.source), *unit.words)]
    root = places.root()
    for name in read:
        try:
            place = name if name.startswith("/") else f"{root}/{name}"
            words += [name, hashing.content(place).hex()]
        except FileNotFoundError:
            return ""
    return hashing.hash_of(words)


def _within(word: str) -> str:
    """Return a path, or a word with one, as seen from the directory of the sources."""
    head = "-I" if word.startswith("-I") else ""
    return head + word.removeprefix(head).removeprefix(f"{places.root()}/")


@lru_cache(maxsize=4096)
def _asks_for_optimisation(name: str) -> bool:
    return _ASKS in Path(name).read_bytes()


def _text(build: Build, unit: Unit) -> tuple[str, list[str]]:
    """Return the text of a unit, and the files that the preprocessor read."""
    if not unit.is_preprocessed:
        lines = unit.source.read_text(encoding="utf-8", errors="replace").splitlines()
        return _joined(lines), [str(unit.source)]
    command = [build.device.family.compiler, *build.flags, *unit.words, "-E"]
    return _ours(toolchain.run([*command, unit.source]), _own_to(unit))


def _own_to(unit: Unit) -> Callable[[str], bool]:
    """Return whether text of a file belongs to a unit, as a function of its name.

    The measuring program includes the header files of all ciphers. Those of the cipher
    itself are read for the cipher's files, too.
    """
    root = places.root()
    folders = [root, unit.source.parent, *unit.includes]
    headers = root / "core" / "include"

    def is_own(name: str) -> bool:
        path = Path(name)
        if unit.is_glue and path.is_relative_to(headers):
            return False
        return any(path.is_relative_to(folder) for folder in folders)

    return is_own


def _ours(output: str, is_own: Callable[[str], bool]) -> tuple[str, list[str]]:
    """Return the text that is of our files, and the names of all files."""
    owns: dict[str, bool] = {}
    lines: list[str] = []
    counts = False
    for line in output.splitlines():
        mark = _MARK.match(line)
        if mark is None:
            if counts:
                lines.append(line)
            continue
        name = mark[1].replace("\\\\", "\\").replace('\\"', '"')
        if name not in owns:
            owns[name] = is_own(name)
        counts = owns[name]
    # Of others there are `<built-in>` and the directory, `/here//`.
    return _joined(lines), [name for name in owns if Path(name).is_file()]


def _joined(lines: Iterable[str]) -> str:
    return " ".join(filter(None, map(str.strip, lines)))
