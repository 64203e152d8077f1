# SPDX-License-Identifier: Apache-2.0
"""Emulated boards at serial ports: an AVR in simavr, and machines of QEMU."""

from __future__ import annotations

import os
import re
import select
import subprocess
import threading
import tty
from contextlib import contextmanager
from typing import TYPE_CHECKING

from samara.bench.simulators.avr_programs import avr_program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QEMU = "qemu-system-arm"
_WAIT_S = 60
_FOREVER = str(10**12)


@contextmanager
def simavr_board(mcu: str, clock_hz: int, image: Path, folder: Path) -> Iterator[str]:
    """Switch an AVR on, and return the serial port that it is at."""
    with _two_ports() as (ours, its):
        words = [str(avr_program("board")), mcu, str(clock_hz), str(image)]
        words += [str(folder / "eeprom"), _FOREVER, "0", "0", its]
        with _ended(subprocess.Popen(words, stderr=subprocess.PIPE)):
            yield ours


@contextmanager
def qemu_board(machine: str, image: Path, *options: str) -> Iterator[str]:
    """Switch a machine of QEMU on, and return the serial port that it is at."""
    words = [QEMU, "-M", machine, "-display", "none", "-monitor", "none"]
    words += ["-serial", "pty", *options, "-kernel", str(image)]
    with _ended(subprocess.Popen(words, stdout=subprocess.PIPE)) as process:
        assert process.stdout
        output = process.stdout.readline().decode()
        found = re.search(r"/dev/pts/\d+", output)
        assert found, output
        yield found[0]


@contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    with process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _two_ports() -> Iterator[tuple[str, str]]:
    """Join two pseudo-terminals, and return their names."""
    pairs = [os.openpty() for _ in range(2)]
    for _, port in pairs:
        tty.setraw(port)
    masters = [master for master, _ in pairs]
    over = threading.Event()

    def carry() -> None:
        while not over.is_set():
            ready, _, _ = select.select(masters, [], [], 0.05)
            for one in ready:
                os.write(masters[1 - masters.index(one)], os.read(one, 4096))

    carrier = threading.Thread(target=carry, daemon=True)
    carrier.start()
    try:
        yield os.ttyname(pairs[0][1]), os.ttyname(pairs[1][1])
    finally:
        over.set()
        carrier.join(_WAIT_S)
        for end in (end for pair in pairs for end in pair):
            os.close(end)
