# SPDX-License-Identifier: Apache-2.0
"""Commands say in one sentence which package is missing; their help needs none."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from shell import TIMEOUT_S, assert_done, assert_misuse, environment

from samara.phy.channel import Noise
from samara.phy.recordings import write_recording

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = [
    "channel",
    "phy",
    "phy ber",
    "phy speed",
    "phy sync",
    "phy record",
    "phy inspect",
    "phy open",
    "phy packets",
    "phy reuse",
    "phy eavesdrop",
    "phy calibrate",
]
OPTIONAL = ["distributed", "gnuradio", "jsonschema", "matplotlib", "scipy", "sigmf"]
OPTIONAL += ["zmq"]


def without(
    packages: list[str], folder: Path, command: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `samara` as if these packages were not installed."""
    program = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({packages!r}))\n"
        "from samara.cli.running import run\n"
        "sys.exit(run(sys.argv[1:]))"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *command.split()],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_help_needs_no_optional_package(command: str, tmp_path: Path) -> None:
    help_text = assert_done(without(OPTIONAL, tmp_path, f"{command} --help")).decode()
    assert "Usage: samara" in help_text
    if command != "phy":
        assert f"samara {command}" in help_text.split("Examples:")[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "command", "name"),
    [
        ("zmq", "channel", "pyzmq"),
        ("scipy", "phy ber --ebn0 9 --frames 250 --workers 1", "scipy"),
        ("scipy", "phy reuse --frames 10", "scipy"),
        ("distributed", "phy ber --cluster tcp://127.0.0.1:9", "distributed"),
        ("matplotlib", "phy reuse --frames 10 -o out", "matplotlib"),
        ("sigmf", "phy inspect air", "sigmf"),
        ("jsonschema", "phy inspect air", "jsonschema"),
        ("zmq", "phy eavesdrop", "pyzmq"),
    ],
)
def test_a_missing_package_is_one_sentence(
    package: str, command: str, name: str, tmp_path: Path
) -> None:
    write_recording(tmp_path / "air", Noise(1.0).draw(10), 1e6)
    assert_misuse(
        without([package], tmp_path, command),
        f"the Python package {name} is not installed: run pip install 'samara[phy]'",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "phy ber --ebn0 9 --workers 1",
        "phy speed",
        "phy sync",
        "phy record x --message y",
        "phy reuse",
        "phy eavesdrop",
        "phy eavesdrop --radio file:air",
        "phy eavesdrop --radio uhd:",
    ],
)
@pytest.mark.parametrize(
    ("package", "sentence"),
    [
        ("gnuradio", "run apt-get install gnuradio"),
        ("gnuradio.samara", "clone samara and run tools/setup"),
    ],
)
def test_without_gnu_radio_there_is_one_sentence(
    command: str, package: str, sentence: str, tmp_path: Path
) -> None:
    assert_misuse(without([package], tmp_path, command), sentence)


def test_names_of_modulations_need_no_numpy() -> None:
    program = (
        "import sys\n"
        "from samara.phy import modulation\n"
        "assert 'numpy' not in sys.modules\n"
        "print(modulation.names())"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=environment())
