# SPDX-License-Identifier: Apache-2.0
"""The table of commands is right, and nothing is imported before it is needed."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from shell import TIMEOUT_S, assert_done, environment, samara

from samara.cli.commands import COMMANDS, commands_in
from samara.cli.running import load

if TYPE_CHECKING:
    from pathlib import Path

    from samara.cli.commands import Command

HEAVY = {
    "capstone",
    "elftools",
    "matplotlib",
    "numpy",
    "pydantic",
    "serial",
    "unicorn",
    "zmq",
}

MODULES_AFTER = """
import sys
from samara.cli.running import run
run({arguments})
print(*sorted({{name.split(".")[0] for name in sys.modules}}), file=sys.stderr)
"""

SIGNALLED_IN_IMPORT = """
import os, sys

class Signalling:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.argv[1:] = ["block", "aes128", "encrypts"]
sys.meta_path.insert(0, Signalling())
from samara.cli import main
main()
"""


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_a_row_says_what_its_command_says(row: Command) -> None:
    command = load(row)
    first_paragraph = command.help.split("\n\n")[0]
    assert " ".join(first_paragraph.split()) == row.help


FOLDERS = [row for row in COMMANDS if ":" not in row.place]


@pytest.mark.parametrize("row", FOLDERS, ids=lambda row: row.name)
def test_commands_in_a_folder_say_what_their_modules_say(
    row: Command, tmp_path: Path
) -> None:
    found = {each.name: each.help for each in commands_in(row.place)}
    assert len(found) > 1
    for name, command in load(row).commands.items():
        first_paragraph = command.help.split("\n\n")[0]
        assert " ".join(first_paragraph.split()) == found.pop(name)
    assert not found
    shown = assert_done(samara(row.name, "--help", folder=tmp_path)).decode()
    for each in commands_in(row.place):
        assert each.name in shown
        assert " ".join(each.help.split()[:5]) in " ".join(shown.split())


def test_the_help_names_every_command(tmp_path: Path) -> None:
    shown = assert_done(samara("--help", folder=tmp_path)).decode()
    for row in COMMANDS:
        assert row.name in shown
        assert row.help.split()[0] in shown


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["suites"]])
def test_what_a_command_does_not_need_is_not_imported(arguments: list[str]) -> None:
    program = MODULES_AFTER.format(arguments=arguments)
    done = python(program)
    assert done.returncode == 0, done
    imported = set(done.stderr.decode().split())
    assert "samara" in imported
    assert not imported & HEAVY


def test_the_state_of_a_node_is_shown_without_what_it_does_not_need(
    tmp_path: Path,
) -> None:
    init = ["node", "init", "alice", "--link", "ieee802154"]
    assert_done(samara(*init, folder=tmp_path))
    arguments = ["node", "status", str(tmp_path / "alice")]
    done = python(MODULES_AFTER.format(arguments=arguments))
    assert b"kind of link" in done.stdout
    assert not set(done.stderr.decode().split()) & HEAVY


# The last one is imported by Typer when it refuses a name that is none of several.
@pytest.mark.parametrize(
    "module", ["samara.cli.running", "samara.cli.block", "pydantic.type_adapter"]
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_there_is_work_ends_without_a_traceback(
    number: signal.Signals, module: str
) -> None:
    done = python(SIGNALLED_IN_IMPORT.format(number=int(number), module=module))
    assert done.returncode == -number
    assert done.stderr == b""


def python(program: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
