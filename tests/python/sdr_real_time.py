# SPDX-License-Identifier: Apache-2.0
"""Sends by software-defined radio without a pause, and looks for what is missing.

A sender, a listener and the channel between them, each a process of its own, at
the sample rate of the clock on the wall. All messages must arrive, and no radio
may have been too slow for its samples. What each process took of the processor
is told: together they should need less than one core.

As a program: `python sdr_real_time.py --rate 1e6 --seconds 60 --one-core`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shell import PROGRAM, environment

from samara.link.node import folder as folders

MESSAGE = bytes(range(256)) * 40
TOO_SLOW = 3
"""Exit code of a run that other programs on this machine have disturbed."""
_PATIENCE_S = 120
_ARRIVAL_S = 20


class Process(subprocess.Popen[str]):
    """`samara`, with what it says kept."""

    def __init__(self, folder: Path, *arguments: str | Path) -> None:
        super().__init__(
            [PROGRAM, *arguments],
            cwd=folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []
        self.complained: list[str] = []
        self._readers = [
            threading.Thread(target=self._keep, args=kept)
            for kept in ((self.stdout, self.said), (self.stderr, self.complained))
        ]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _keep(stream: Any, lines: list[str]) -> None:  # noqa: ANN401 - a text stream
        lines.extend(stream)

    def wait_for(self, lines: list[str]) -> None:
        """Wait until it has said something."""
        end_s = time.monotonic() + _PATIENCE_S
        while not lines and time.monotonic() < end_s and self.poll() is None:
            time.sleep(0.02)
        if not lines:
            message = f"{self.args!r} said nothing: {self.complained}"
            raise RuntimeError(message)

    def end(self) -> None:
        """Ask it to end, and wait until all that it said is kept."""
        self.terminate()
        self.wait()
        for reader in self._readers:
            reader.join()

    def processor_s(self) -> float:
        """Return the processor time it took so far, user and system."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Report:
    """What was found."""

    seconds: float
    sent: int = 0
    received: int = 0
    overruns: int = 0
    late: int = 0
    processor_share: dict[str, float] = field(default_factory=dict)
    """Of one core, while messages were sent."""

    @property
    def was_too_slow(self) -> bool:
        """Whether a process did not get its share of the processor in time."""
        return self.overruns > 0 or self.late > 0

    @property
    def exit_code(self) -> int:
        """Tell whether all is well, messages were lost, or the machine was too slow."""
        if self.was_too_slow:
            return TOO_SLOW
        return 0 if self.sent == self.received > 0 else 1


def measure(folder: Path, rate: float, seconds: float) -> Report:
    """Send for so many seconds."""
    address = f"ipc://{folder}/air"
    folders.make_pair(folder / "a", "sdr", {"radio": f"zmq:{address}", "rate": rate})
    folders.make_second(folder / "b", folder / "a", {})
    air = Process(
        folder, "channel", "--json", "--address", address, "--rate", str(rate)
    )
    air.wait_for(air.said)
    listener = Process(folder, "node", "listen", "b", "--json")
    listener.wait_for(listener.complained)
    sender = Process(folder, "node", "send", "a", "-", "--lines", "--hex", "--json")
    processes = {"channel": air, "listener": listener, "sender": sender}
    report = Report(seconds)
    say(sender)
    sender.wait_for(sender.said)
    before = {name: each.processor_s() for name, each in processes.items()}
    start_s = time.monotonic()
    while time.monotonic() < start_s + seconds:
        say(sender)
        # One message ahead of what is being sent: it never waits for the next.
        while len(sender.said) < report.sent:
            time.sleep(0.01)
        report.sent += 1
    took_s = time.monotonic() - start_s
    for name, each in processes.items():
        report.processor_share[name] = (each.processor_s() - before[name]) / took_s
    report.sent += 1
    finish(sender, listener, air, report)
    return report


def say(sender: Process) -> None:
    """Give the sender another message."""
    assert sender.stdin is not None
    sender.stdin.write(MESSAGE.hex() + "\n")
    sender.stdin.flush()


def finish(sender: Process, listener: Process, air: Process, report: Report) -> None:
    """End all in order, and count what arrived."""
    assert sender.stdin is not None
    sender.stdin.close()
    sender.wait()
    # On a busy machine the last samples take their time.
    end_s = time.monotonic() + _ARRIVAL_S
    while len(listener.said) < report.sent and time.monotonic() < end_s:
        time.sleep(0.02)
    for each in (air, listener):
        each.end()
    statistics = json.loads(air.said[-1])
    # The listener is the second radio; the sender listens to nothing.
    report.overruns, report.late = statistics["overruns"][1], statistics["late"]
    events = [json.loads(line) for line in listener.said]
    report.received = sum(
        event["type"] == "received" and bytes.fromhex(event["hex"]) == MESSAGE
        for event in events
    )


def main() -> int:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=1e6)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--one-core", action="store_true", help="keep all on one core")
    options = parser.parse_args()
    if options.one_core:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as name:
        # The nodes' witnesses go where the nodes are.
        os.environ["XDG_STATE_HOME"] = str(Path(name) / "state")
        report = measure(Path(name), options.rate, options.seconds)
    shares = ", ".join(f"{n} {s:.2f}" for n, s in report.processor_share.items())
    print(
        f"{report.received} of {report.sent} messages of {len(MESSAGE)} bytes in "
        f"{report.seconds:g} s at {options.rate:g} Hz; samples not taken in time: "
        f"{report.overruns}, late: {report.late}; of a core: {shares}, together "
        f"{sum(report.processor_share.values()):.2f}"
    )
    return report.exit_code


if __name__ == "__main__":
    sys.exit(main())
