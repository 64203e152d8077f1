# SPDX-License-Identifier: Apache-2.0
"""Programs end with the process that started them, and start without a copy of it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from samara import children

if TYPE_CHECKING:
    from pathlib import Path

# Starts a program that says its number and waits, and is killed outright.
_PARENT = """
import os, signal, subprocess, sys
from samara.children import tied
subprocess.Popen(tied(["sh", "-c", "echo $$; exec sleep 300"], sys.argv[1]))
sys.stdin.readline()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("sent", ["KILL", "TERM"])
def test_a_program_ends_with_the_process_that_started_it(sent: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _PARENT, sent],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdin
        assert parent.stdout
        pid = int(parent.stdout.readline())
        handle = os.pidfd_open(pid)
        parent.stdin.write("\n")
        parent.stdin.flush()
        ended = select.poll()
        ended.register(handle, select.POLLIN)
        assert ended.poll(60_000), "it lives on"
        os.close(handle)


def test_a_program_that_is_not_there_is_told_before_it_starts(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no-such-program"):
        children.tied(["no-such-program"])
    with pytest.raises(FileNotFoundError, match="sh"):
        children.tied(["sh"], environment={"PATH": str(tmp_path)})
    command = ["sh", "-c", ":"]
    tied = children.tied(command)
    assert tied[-3:] == command
    assert children.untied(tied) == children.untied(command) == command


@pytest.mark.parametrize("helper", [None, "#!/bin/sh\nexit 1\n"])
def test_without_a_setpriv_that_can_the_command_is_as_it_is(
    tmp_path: Path, helper: str | None
) -> None:
    """That of BusyBox has no such option."""
    scripts = {"true": "#!/bin/sh\n", "setpriv": helper}
    for name, text in scripts.items():
        if text is not None:
            (tmp_path / name).write_text(text)
            (tmp_path / name).chmod(0o755)
    code = "from samara.children import tied; print(tied(['true', 'x']))"
    printed = subprocess.check_output(
        [sys.executable, "-c", code], env={"PATH": str(tmp_path)}, text=True
    )
    assert printed == "['true', 'x']\n"
