# SPDX-License-Identifier: Apache-2.0
"""The files of a package, by their places in it."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING

from source_packages.amalgamation import amalgamated
from source_packages.core import ROOT, cipher_groups, version
from source_packages.recipe import RECIPE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from source_packages.recipe import Recipe

_SOURCES = {".c", ".h", ".def"}
_VERSION = b"@VERSION@"


def contents(recipe: Recipe, root: Path = ROOT) -> dict[str, bytes]:
    """Return the bytes of each file of a package, sorted by place."""
    found: dict[str, bytes] = {}
    for place, text in _all(recipe, root):
        if place in found:
            raise ValueError(f"the package {recipe.name} has {place} twice")
        found[place] = text
    return dict(sorted(found.items()))


def _all(recipe: Recipe, root: Path) -> Iterator[tuple[str, bytes]]:
    yield "LICENSE", (root / "LICENSE").read_bytes()
    yield from _own(recipe, version(root).encode())
    for origin, place in recipe.also.items():
        yield place, (root / origin).read_bytes()
    yield from _core(recipe, root / "core")
    if recipe.groups:
        yield from _groups(recipe.groups, root)


def _own(recipe: Recipe, number: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files beside package.toml, with the version filled in."""
    for path in _files(recipe.folder):
        if path.name != RECIPE:
            place = path.relative_to(recipe.folder).as_posix()
            yield place, path.read_bytes().replace(_VERSION, number)


def _core(recipe: Recipe, core: Path) -> Iterator[tuple[str, bytes]]:
    include = core / "include" / "samara"
    for path in _files(core):
        place = path.relative_to(core)
        if path.suffix not in _SOURCES or any(
            fnmatch(place.as_posix(), pattern) for pattern in recipe.without
        ):
            continue
        if path.is_relative_to(include):
            header = path.relative_to(include).as_posix()
            yield f"{recipe.headers}/{header}", path.read_bytes()
        else:
            yield f"{recipe.sources}/{place.as_posix()}", path.read_bytes()


def _groups(folder: str, root: Path) -> Iterator[tuple[str, bytes]]:
    for name, sources in cipher_groups(root / "core").items():
        for file, text in amalgamated(root / "core", sources, version(root)).items():
            yield f"{folder}/{name}/{file}", text.encode()


def _files(folder: Path) -> list[Path]:
    """Return files below a directory, but for hidden ones."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
