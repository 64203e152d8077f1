# SPDX-License-Identifier: Apache-2.0
"""Boards that run the firmware of a project, and the node that receives what they send.

Their power fails again and again, at places that chance chooses.
"""

from __future__ import annotations

import random
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import shell
from receivers import receiver_of

from samara.firmware import project as projects
from samara.firmware.costs import Counts
from samara.firmware.making import new
from samara.firmware.planning import NewRequest
from samara.link import rfserial
from samara.records import records_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

STEP = 2
"""Messages for one record of counters, where power cuts are tried."""
START_NOTICE = rb"\xf5\x01"
"""What a board sends first of all."""
LONG_RUN_S = 6.0
"""After which no program that is to be refused does anything new."""
_OF_BOARDS = ("board.c", "start.c", "radio.c")
"""Files of projects that the sensor's program calls, beside the library."""


@dataclass(frozen=True)
class BoardRun:
    """One run of a board, until its power failed."""

    sent: bytes
    report: str
    """The line at its end."""

    @property
    def counts(self) -> Counts:
        """What it has counted."""
        return Counts.of_line(self.report)

    @property
    def is_torn(self) -> bool:
        """Whether a write to its memory was cut."""
        return self.counts.torn


@dataclass(frozen=True)
class SimulatedBoard:
    """A program that simulates a board, and the chip on that board."""

    program: tuple[str | Path, ...]
    chip: str
    clock_hz: int

    def command(
        self,
        image: Path,
        memory: Path,
        seconds: float = LONG_RUN_S,
        seed: int = 0,
        port: Path | None = None,
        *more: str,
    ) -> list[str]:
        """Return the command that runs an image for so much time of the board.

        An odd seed lets the power fail within a write to the memory. At a port, the
        time is that of the clock. What is sent is printed where there is no port.
        """
        cycles = round(seconds * self.clock_hz)
        # What follows the port needs one: "-" is none.
        where = (1, port) if port else (0, "-") if more else (0,)
        words = (self.chip, self.clock_hz, image, memory, cycles, seed, *where, *more)
        return [*map(str, self.program), *map(str, words)]

    def run(
        self,
        image: Path,
        memory: Path,
        seconds: float,
        seed: int = 0,
        port: Path | None = None,
        *more: str,
    ) -> BoardRun:
        """Run an image until the power fails."""
        command = self.command(image, memory, seconds, seed, port, *more)
        done = subprocess.run(command, check=False, capture_output=True)
        assert done.returncode == 0, done.stderr
        return BoardRun(done.stdout, done.stderr.decode())

    def power_cycles(self, image: Path, count: int) -> Iterator[BoardRun]:
        """Run an image so often, and cut the power after a random time."""
        chance = random.Random(self.chip)  # noqa: S311 - the same in each run
        memory = image.parent / "memory"
        for seed in range(count):
            yield self.run(image, memory, chance.uniform(0.05, 1.5 * STEP), seed)

    def received(self, folder: Path, reading: bytes, count: int) -> Receiving:
        """Return what a project's node takes while the power fails so often."""
        runs = self.power_cycles(image_with_short_records(folder), count)
        return Receiving(folder / "host", reading).take_all(runs)

    def refuse(self, folder: Path, source: str) -> BoardRun:
        """Run a program that the board refuses: the report says why."""
        image = image_of_board_alone(folder, source)
        command = self.command(image, folder.parent / "memory")
        done = subprocess.run(command, check=False, capture_output=True)
        assert done.returncode == 1, done
        return BoardRun(done.stdout, done.stderr.decode())


class Receiving:
    """What the node at the other end takes of what a board sends.

    Parameters
    ----------
    host
        Directory of that node.
    reading
        Pattern of what the board measures.
    """

    def __init__(self, host: Path, reading: bytes) -> None:
        self._receiver = receiver_of(host)
        self._expected = re.compile(reading + b"|" + START_NOTICE)
        self.numbers = list[int]()
        self.repeated = self.torn = 0

    def take(self, sent: bytes) -> None:
        """Receive what was sent, and count its messages."""
        for event in self._receiver.feed(sent):
            match event:
                case rfserial.Message(number, payload):
                    assert self._expected.fullmatch(payload), payload
                    self.numbers.append(number)
                case rfserial.Repeated():
                    self.repeated += 1

    def take_all(self, runs: Iterable[BoardRun]) -> Receiving:
        """Receive runs of a board, and count those that tore a write.

        All, or until the first number that comes again: one is enough to fail.
        """
        for run in runs:
            self.torn += run.is_torn
            self.take(run.sent)
            if self.repeated:
                break
        return self

    def assert_fresh(self, *, at_least: int, skipped_most: int) -> None:
        """So many messages came, no counter came again, and few were skipped."""
        assert self.repeated == 0
        assert self.numbers == sorted(set(self.numbers))
        assert len(self.numbers) >= at_least
        assert self.numbers[-1] - len(self.numbers) < skipped_most


def made(folder: Path, **options: object) -> Path:
    """Make a project with these options of a request; return its folder."""
    asked = NewRequest(project=folder, **options)  # type: ignore[arg-type]
    records_of(new(asked))
    return folder


def image_with_short_records(folder: Path) -> Path:
    """Let a project write a record for each `STEP` messages; return its image."""
    settings = folder / "settings.h"
    settings.write_text(settings.read_text().replace("STEP 16", f"STEP {STEP}"))
    return projects.read(folder).make()


def image_of_board_alone(folder: Path, program: str) -> Path:
    """Build a program that calls the board alone; return its image.

    The project's Makefile builds it with its own flags, without the library, which
    takes seconds.
    """
    (folder / "sensor.c").write_text(program)
    image = folder / "sensor.elf"
    image.unlink(missing_ok=True)
    sources = [name for name in _OF_BOARDS if (folder / name).exists()]
    command = ["make", f"SOURCES={' '.join(('sensor.c', *sources))}"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return image


def plant_a_forgetful_store(folder: Path) -> None:
    """Let the store of a project give one counter more than it reserved."""
    source = folder / "core" / "store" / "counter.c"
    text = source.read_text(encoding="utf-8")
    right = "if (number < ring->sequence"
    assert text.count(right) == 1
    source.write_text(text.replace(right, "if (number <= ring->sequence"))


def runs_beside_a_node(folder: Path) -> list[list[dict[str, Any]]]:
    """Return what two runs of 2.5 s print, one after the other."""
    words = ("run", "--seconds", "2.5")
    return [_printed(folder, *words) for _ in range(2)]


def cost_of_a_message(folder: Path) -> dict[str, Any]:
    """Return what the command says of the cost of one message of a project."""
    (cost,) = _printed(folder, "cost")
    return cost


def _printed(folder: Path, name: str, *options: str) -> list[dict[str, Any]]:
    words = ("firmware", name, folder.name, *options, "--json")
    done = shell.samara(*words, folder=folder.parent)
    assert done.returncode == 0, done.stderr
    return shell.objects(done.stdout)
