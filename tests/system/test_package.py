# SPDX-License-Identifier: Apache-2.0
"""The installed library, used by a project that knows nothing of this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from programs import ROOT, build, run

if TYPE_CHECKING:
    from pathlib import Path

PROJECT = ROOT / "tests" / "package"
COMPILE = 'cc -Wall -Wextra -Werror "$1" -o "$2" $(pkg-config --cflags --libs samara)'


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install into an empty directory."""
    folder = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", build("gcc-O2"), "--prefix", folder)
    return folder


def test_cmake_finds_it(prefix: Path, tmp_path: Path) -> None:
    found = f"-DCMAKE_PREFIX_PATH={prefix}"
    run("cmake", "-S", PROJECT, "-B", tmp_path, "-G", "Ninja", found)
    run("cmake", "--build", tmp_path)
    run(tmp_path / "consumer")
    run(tmp_path / "consumer_cxx")


def test_pkg_config_finds_it(prefix: Path, tmp_path: Path) -> None:
    (description,) = prefix.rglob("samara.pc")
    path, program = str(description.parent), tmp_path / "consumer"
    source = PROJECT / "consumer.c"
    run("sh", "-euc", COMPILE, "sh", source, program, PKG_CONFIG_PATH=path)
    run(program, LD_LIBRARY_PATH=str(description.parent.parent))
