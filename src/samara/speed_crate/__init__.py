# SPDX-License-Identifier: Apache-2.0
"""The Rust crate grain-128aeadv2, which `samara speed --crate` measures beside ours."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from samara.errors import RefusedError

_SOURCE = Path(__file__).parent
_FILES = ("Cargo.toml", "Cargo.lock", "src/main.rs")


class CrateProgram:
    """A program that seals with the crate, built by cargo; use it in a `with`.

    Raises
    ------
    samara.errors.RefusedError
        When there is no cargo, or it cannot build the program.
    """

    def __init__(self) -> None:
        cargo = shutil.which("cargo")
        if cargo is None:
            message = (
                "the crate is built by cargo, which is not installed: see rustup.rs"
            )
            raise RefusedError(message)
        self._folder = TemporaryDirectory(prefix="samara-crate-")
        try:
            self._program = self._started(cargo, Path(self._folder.name))
        except BaseException:
            self._folder.cleanup()
            raise

    @staticmethod
    def _started(cargo: str, folder: Path) -> subprocess.Popen[str]:
        for name in _FILES:
            target = folder / name
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(_SOURCE / name, target)
        command = [cargo, "build", "--release", "--locked", "--quiet"]
        built = subprocess.run(  # noqa: S603 - cargo, as found in PATH
            command, cwd=folder, capture_output=True, text=True, check=False
        )
        if built.returncode != 0:
            reason = built.stderr.strip().splitlines() or ["no reason given"]
            message = f"cargo cannot build the crate: {reason[-1]}"
            raise RefusedError(message)
        return subprocess.Popen(  # noqa: S603 - what was just built
            [folder / "target" / "release" / "samara-speed-crate"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def time(self, size: int, repetitions: int, /) -> tuple[int, int]:
        """Seal messages of one size; return nanoseconds, and no ticks."""
        given, answered = self._program.stdin, self._program.stdout
        if given is None or answered is None:
            message = "the program of the crate has ended"
            raise RefusedError(message)
        print(size, repetitions, file=given, flush=True)
        return int(answered.readline()), 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # The program ends with its input.
        self._program.communicate()
        self._folder.cleanup()
