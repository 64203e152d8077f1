# SPDX-License-Identifier: Apache-2.0
"""The known answers of one group of ciphers, by the group's single file.

The test of all vectors, tests/c/test_vectors.c, is built with a registry that has the
rows of the group alone, and reads their answers alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from programs import ROOT, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CORE = ROOT / "core"
CHECKS = ROOT / "tests" / "c"
_ROW = re.compile(
    r'^(?:BLOCK_CIPHER|AEAD|STREAM)\w*\((\w+), "([^"]+)",.*?\)$\n',
    re.MULTILINE | re.DOTALL,
)
_HEADING = re.compile(r"^\[([^\]]+)\]$", re.MULTILINE)


def answers(object_file: Path, folder: Path, whole: Path) -> str:
    """Run the known answers of a group's ciphers and return what the test printed.

    Parameters
    ----------
    object_file
        The group's samara.c, compiled.
    folder
        An empty directory.
    whole
        The whole library, for what the registry calls of other groups.
    """
    registry = (CORE / "host" / "registry.def").read_text(encoding="utf-8")
    slugs = _write_registry(folder, registry, _defined(object_file))
    if not slugs:
        return ""
    files = list(_write_vectors(folder, slugs))
    sources = [
        CORE / "host" / "registry.c",
        *(CHECKS / f"{name}.c" for name in ("test_vectors", "check", "vector_file")),
    ]
    program = folder / "test_vectors"
    places = [f"-I{place}" for place in (folder, CORE, CORE / "include", CHECKS)]
    options = ["-std=c11", "-O1", "-D_POSIX_C_SOURCE=200809L", *places]
    run("gcc", *options, *sources, object_file, whole, "-o", program)
    return run(program, *files)


def _defined(object_file: Path) -> set[str]:
    listing = run("nm", "--defined-only", object_file)
    return {line.split()[-1] for line in listing.splitlines()}


def _write_registry(folder: Path, registry: str, symbols: set[str]) -> list[str]:
    """Write a registry of the ciphers that symbols define; return their slugs."""
    slugs: list[str] = []

    def kept(row: re.Match[str]) -> str:
        if not symbols & {f"samara_{row[1]}_{verb}" for verb in _VERBS}:
            return ""
        slugs.append(row[2])
        return row[0]

    (folder / "host").mkdir()
    text = _ROW.sub(kept, registry)
    (folder / "host" / "registry.def").write_text(text, encoding="utf-8")
    return slugs


_VERBS = ("encrypt", "seal", "keystream")


def _write_vectors(folder: Path, slugs: Iterable[str]) -> Iterable[Path]:
    """Write the sections of vectors/ that belong to ciphers, by files."""
    for path in sorted((ROOT / "vectors").glob("*.txt")):
        parts = _HEADING.split(path.read_text(encoding="utf-8"))
        chosen = [
            f"[{heading}]{body}"
            for heading, body in zip(parts[1::2], parts[2::2], strict=True)
            if any(heading == slug or heading.startswith(f"{slug}-") for slug in slugs)
        ]
        if chosen:
            (folder / path.name).write_text("".join(chosen), encoding="utf-8")
            yield folder / path.name
