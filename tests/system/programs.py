# SPDX-License-Identifier: Apache-2.0
"""Building presets and running programs from the project's root."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = Path(sys.executable).parent
JOBS = str(os.cpu_count() or 1)
TIMEOUT_S = 1800.0

Done = subprocess.CompletedProcess[str]


def ended(*command: str | Path, **extra: str) -> Done:
    """Run a program and return how it ended, its two streams as one.

    Parameters
    ----------
    extra
        Environment variables to set for it.
    """
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **extra},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def run(*command: str | Path, **extra: str) -> str:
    """Run a program that has to end with 0; return what it printed."""
    done = ended(*command, **extra)
    words = " ".join(map(str, command))
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}"
    return done.stdout


def build(preset: str, *targets: str) -> Path:
    """Build a preset of CMakePresets.json and return its directory."""
    folder = ROOT / "build" / "test" / preset
    run("cmake", "--preset", preset)
    chosen = ("--target", *targets) if targets else ()
    run("cmake", "--build", folder, "--parallel", JOBS, *chosen)
    return folder
