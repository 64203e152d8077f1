# SPDX-License-Identifier: Apache-2.0
"""One version: all files that have it have the same.

They have it because each is used where CMakeLists.txt is not.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import samara
from samara import _core

ROOT = Path(__file__).parents[2]
VERSION = r"(\d+\.\d+\.\d+)"
PLACES = {
    "core/include/samara/version.h": rf'#define SAMARA_VERSION "{VERSION}"',
    "gr-samara/CMakeLists.txt": rf"project\(gr-samara VERSION {VERSION} ",
    "CHANGELOG.md": rf"\A(?:(?!\n## ).)*\n## {VERSION}, ",
}
CRATES = ("src/samara/speed_crate", "tests/python/randomness/peer")


def version_in(place: str, pattern: str) -> str:
    found = re.search(pattern, (ROOT / place).read_text(encoding="utf-8"), re.DOTALL)
    assert found, f"{place} has no version"
    return found[1]


PROJECT = version_in("CMakeLists.txt", rf"project\(samara VERSION {VERSION} ")


@pytest.mark.parametrize("place", PLACES)
def test_a_file_has_the_version_of_the_project(place: str) -> None:
    assert version_in(place, PLACES[place]) == PROJECT


def test_gr_samara_asks_for_the_same_minor_version() -> None:
    asked = version_in("gr-samara/CMakeLists.txt", r"find_package\(samara (\d+\.\d+) ")
    assert PROJECT.startswith(f"{asked}.")


@pytest.mark.parametrize("folder", CRATES)
def test_a_crate_has_the_version_of_the_project(folder: str) -> None:
    crate = tomllib.loads((ROOT / folder / "Cargo.toml").read_text(encoding="utf-8"))
    lock = tomllib.loads((ROOT / folder / "Cargo.lock").read_text(encoding="utf-8"))
    name = crate["package"]["name"]
    locked = [each["version"] for each in lock["package"] if each["name"] == name]
    assert [crate["package"]["version"], *locked] == [PROJECT, PROJECT]


def test_what_is_installed_is_of_these_sources() -> None:
    """After a change of the version, tools/setup installs it."""
    assert samara.__version__ == PROJECT
    assert _core.VERSION == PROJECT
