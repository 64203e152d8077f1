# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md run.

A block fenced as c, python or sh is run; one that is only to be read is fenced as
something else.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import shell
import vectorfile

if TYPE_CHECKING:
    from pathlib import Path

README = vectorfile.ROOT / "README.md"
TIMEOUT_S = 300


def blocks(language: str) -> list[str]:
    text = README.read_text(encoding="utf-8") if README.exists() else ""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(
    *command: str | Path, folder: Path, environment: dict[str, str] | None = None
) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment or shell.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the C library is installed, as a user's project finds it.

    It is the build of tools/setup: another one would be the same.
    """
    prefix = tmp_path_factory.mktemp("prefix")
    release = vectorfile.ROOT / "build" / "release"
    run("cmake", "--install", release, "--prefix", prefix, folder=prefix)
    return prefix


@pytest.mark.parametrize("language", ["c", "python", "sh"])
def test_there_is_an_example(language: str) -> None:
    assert blocks(language), f"README.md has no {language} block"


@pytest.mark.slow
@pytest.mark.parametrize("source", blocks("c"))
def test_c(source: str, installed: Path, tmp_path: Path) -> None:
    (tmp_path / "example.c").write_text(source)
    (found,) = installed.rglob("samara.pc")
    environment = {**shell.environment(), "PKG_CONFIG_PATH": str(found.parent)}
    flags = run(
        "pkg-config", "--cflags", "--libs", "samara", folder=tmp_path,
        environment=environment,
    ).split()  # fmt: skip
    strict = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    run("gcc", *strict, "example.c", "-o", "example", *flags, folder=tmp_path)
    run(tmp_path / "example", folder=tmp_path)


@pytest.mark.parametrize("source", blocks("python"))
def test_python(source: str, tmp_path: Path) -> None:
    (tmp_path / "example.py").write_text(source)
    run(sys.executable, "example.py", folder=tmp_path)


@pytest.mark.slow
def test_sh(tmp_path: Path) -> None:
    """All blocks, one after the other in one folder, as a reader types them.

    A terminal is what a reader has: some commands refuse to write bytes to one.
    """
    shutil.copy(README, tmp_path)
    for source in blocks("sh"):
        done = shell.in_terminal("/bin/sh", "-euc", source, folder=tmp_path)
        assert done.returncode == 0, f"{source}\n{done.stdout.decode()}"
