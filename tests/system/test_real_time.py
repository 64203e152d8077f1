# SPDX-License-Identifier: Apache-2.0
"""Messages by software-defined radio without a pause, and none is missing."""

from __future__ import annotations

import pytest
from programs import ROOT, VENV, ended

PROGRAM = ROOT / "tests" / "python" / "sdr_real_time.py"
USUAL = ("--rate", "250e3", "--seconds", "5")
THOROUGH = ("--rate", "1e6", "--seconds", "60", "--one-core")
# Other programs on this machine can keep a run from its processor for too long. The
# channel and the listener count that, and only then is a run repeated: a message that
# is lost without such a reason is a fault.
TRIES = 10
TOO_SLOW = 3


def test_sender_channel_and_listener_keep_up(request: pytest.FixtureRequest) -> None:
    options = THOROUGH if request.config.getoption("--all") else USUAL
    failed: list[str] = []
    while len(failed) < TRIES:
        done = ended(VENV / "python", PROGRAM, *options)
        if done.returncode == 0:
            before = [f"failed before: {output}" for output in failed]
            print("; ".join([done.stdout.strip(), *before]))
            return
        failed.append(done.stdout.strip())
        if done.returncode != TOO_SLOW:
            break
    pytest.fail("\n".join(failed))
