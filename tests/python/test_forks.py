# SPDX-License-Identifier: Apache-2.0
"""Copies of a process that has imported samara behave as the program does."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fork_server
import forks
import pytest
from shell import environment, samara

if TYPE_CHECKING:
    from shell import Done


LIMIT_S = 30


@pytest.fixture(autouse=True)
def _environment_of_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take back what libraries of other tests, such as Dask, leave for children.

    Programs with other such variables than the tests began with are no copies.
    """
    first = forks.read_at_start(forks.AT_IMPORT)
    for name in {*forks.read_at_start(os.environ), *first}:
        if name in first:
            monkeypatch.setenv(name, first[name])
        else:
            monkeypatch.delenv(name)


def ended_as(done: Done) -> tuple[int, bytes, bytes]:
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("keygen nonsense", b""),
        ("seal aes128-ccm-8 --key @missing --nonce random", b"21.5 C"),
        (f"seal aes128-ccm-8 --key {'00' * 16} --nonce {'11' * 13} -i -", b"21.5 C"),
        ("energy life --device atmega128 --link ieee802154 --json", b""),
    ],
)
def test_a_copy_answers_as_a_program_that_starts_from_nothing(
    words: str, given: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = samara(*words.split(), given=given, folder=tmp_path)
    monkeypatch.setenv("SAMARA_TEST_FORKS", "no")
    assert ended_as(copied) == ended_as(
        samara(*words.split(), given=given, folder=tmp_path)
    )


def started(folder: Path, **options: Any) -> forks.Popen:  # noqa: ANN401 - as Popen
    """Start a command that waits for its input."""
    return forks.Popen(
        [
            forks.PROGRAM,
            "seal",
            "aes128-ccm-8",
            "--key",
            "00" * 16,
            "--nonce",
            "random",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        **{"env": environment(), **options},
    )


def is_copy(program: forks.Popen) -> bool:
    return b"fork_server" in Path(f"/proc/{program.pid}/cmdline").read_bytes()


def test_a_copy_is_a_child_of_the_test_with_all_that_it_was_given(
    tmp_path: Path,
) -> None:
    given = {**environment(), "ONE": "two"}
    with started(tmp_path, env=given, start_new_session=True) as program:
        end_s = time.monotonic() + LIMIT_S
        of_it = Path(f"/proc/{program.pid}")
        assert is_copy(program)
        assert int((of_it / "stat").read_text().rpartition(")")[2].split()[1]) == (
            os.getpid()
        )
        while os.getsid(program.pid) != program.pid or (
            (of_it / "cwd").resolve() != tmp_path
        ):
            assert program.poll() is None
            assert time.monotonic() < end_s
        # Its streams, and nothing of the server's.
        assert len(list((of_it / "fd").iterdir())) <= 2 * fork_server.STREAMS
        program.send_signal(signal.SIGKILL)
        assert program.wait() == -signal.SIGKILL


@pytest.mark.parametrize(
    "options",
    [
        {"env": {**os.environ, "PYTHONIOENCODING": "ascii"}},
        {"umask": 0o77},
        {"pass_fds": (2,)},
    ],
)
def test_what_a_copy_cannot_have_starts_from_nothing(
    options: dict[str, Any], tmp_path: Path
) -> None:
    with started(tmp_path, **options) as program:
        assert not is_copy(program)
        program.kill()


def test_with_all_tests_programs_start_from_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAMARA_TEST_FORKS", "no")
    with started(tmp_path) as program:
        assert not is_copy(program)
        program.kill()
