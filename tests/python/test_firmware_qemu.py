# SPDX-License-Identifier: Apache-2.0
"""A project of firmware for an nRF51822, on the micro:bit that QEMU emulates.

A second opinion beside samara's own model of the chip (`nrf5_board`): QEMU has a
processor, a UART and a flash controller that others wrote. It starts the image from
its vectors, carries the bytes of the UART, and keeps the flash memory over resets. It
has no temperature and no real-time counter, so `board_measure` and `board_sleep` are
replaced when the image is linked; it counts no cycles, takes no time for flash memory,
and tears no write. What the board sends is judged by the receiver of the project's own
node.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from firmware_boards import STEP, Receiving, plant_a_forgetful_store

from samara.bench.devices import device
from samara.firmware.making import new
from samara.firmware.planning import NewRequest
from samara.records import records_of

if TYPE_CHECKING:
    from collections.abc import Iterator

QEMU = "qemu-system-arm"
PAGES = 8 * 1024
FIRST = device("cortex-m0").flash_bytes - PAGES
WAIT_S = 60
SETTINGS = f"""#define SLEEPS 1
#define STEP {STEP}
#define UNIT_SIZE 60
"""
INSTEAD = """
int __wrap_board_measure(void);
void __wrap_board_sleep(void);
int __wrap_board_measure(void) { return -7; }
void __wrap_board_sleep(void) { for (volatile int i = 0; i < 200000; i++) { } }
"""
WRAP = "-Wl,--wrap=board_measure -Wl,--wrap=board_sleep instead.c"

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _emulator() -> None:
    if shutil.which(QEMU) is None:
        pytest.skip(f"NOT TRIED: {QEMU} is not installed")


class Microbit:
    """A micro:bit with a program in it, switched on."""

    def __init__(
        self, process: subprocess.Popen[bytes], monitor: socket.socket
    ) -> None:
        self._process, self._monitor = process, monitor
        self._lines = monitor.makefile("rb")
        json.loads(self._lines.readline())
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments: object) -> None:
        """Give QEMU a command, and wait until it is done."""
        request = {"execute": command, "arguments": arguments}
        self._monitor.sendall(json.dumps(request).encode() + b"\n")
        while True:
            answer = json.loads(self._lines.readline())
            assert "error" not in answer, answer
            if "return" in answer:
                return

    def sent(self, size: int) -> bytes:
        """Return so many bytes of its UART, when they have come."""
        assert self._process.stdout
        read = self._process.stdout.read(size)
        assert len(read) == size, "QEMU ended"
        return read

    def cut(self, flash: Path) -> bytes:
        """Cut its power; keep its flash memory, and return what it had still sent."""
        assert self._process.stdout
        self.ask("stop")
        self.ask("memsave", val=FIRST, size=PAGES, filename=str(flash))
        self.ask("quit")
        return self._process.stdout.read()


@contextmanager
def microbit(image: Path, flash: Path) -> Iterator[Microbit]:
    """Switch a board on, with the flash memory that it had when its power was cut."""
    words = ["-M", "microbit", "-display", "none", "-serial", "stdio"]
    if flash.exists():
        words += ["-device", f"loader,file={flash},addr={FIRST},force-raw=on"]
    ours, theirs = socket.socketpair()
    words += ["-chardev", f"socket,id=monitor,fd={theirs.fileno()}"]
    words += ["-mon", "chardev=monitor,mode=control", "-kernel", str(image)]
    with ExitStack() as stack:
        process = subprocess.Popen(
            [QEMU, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
        )
        stack.enter_context(process)
        stack.callback(process.kill)
        # One that sends nothing must not hold the tests.
        watch = threading.Timer(WAIT_S, process.kill)
        watch.start()
        stack.callback(watch.cancel)
        stack.enter_context(ours)
        theirs.close()
        ours.settimeout(WAIT_S)
        yield Microbit(process, ours)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a project; the clock and the reading that QEMU lacks are replaced."""
    folder = tmp_path_factory.mktemp("qemu") / "sensor"
    records_of(new(NewRequest(project=folder, device="nrf51822")))
    (folder / "settings.h").write_text(SETTINGS)
    (folder / "instead.c").write_text(INSTEAD)
    return folder


def image_of(folder: Path) -> Path:
    command = ["make", f"EXTRA={WRAP}"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "sensor.elf"


def receiving(folder: Path) -> Receiving:
    return Receiving(folder / "host", b"-7 C")


def resets(folder: Path, flash: Path, count: int) -> Receiving:
    """Press the reset button of one board so often, at many places of its program."""
    received = receiving(folder)
    with microbit(image_of(folder), flash) as board:
        for turn in range(count):
            received.take(board.sent(24 + 37 * (turn % 5)))
            board.ask("system_reset")
        received.take(board.sent(240))
    return received


def test_its_counters_survive_the_reset_button(project: Path, tmp_path: Path) -> None:
    received = resets(project, tmp_path / "flash", 20)
    # A reset leaves out no more than what one record reserved, and half a message.
    received.assert_fresh(at_least=61, skipped_most=20 * (STEP + 2))


def test_its_counters_survive_power_cuts(project: Path, tmp_path: Path) -> None:
    received, flash, image = receiving(project), tmp_path / "flash", image_of(project)
    for turn in range(6):
        with microbit(image, flash) as board:
            received.take(board.sent(100 + 61 * turn) + board.cut(flash))
        assert flash.stat().st_size == PAGES
    received.assert_fresh(at_least=41, skipped_most=6 * (STEP + 2))


def test_a_board_that_lost_its_memory_is_heard(project: Path, tmp_path: Path) -> None:
    """The judge: a chip that was erased, with the old key, repeats nonces."""
    received, image = receiving(project), image_of(project)
    for turn in range(2):
        with microbit(image, tmp_path / str(turn)) as board:
            received.take(board.sent(240))
    assert received.repeated > 0


def test_a_store_that_forgets_is_seen(project: Path, tmp_path: Path) -> None:
    """The judge: a store that gives one number more than it reserved."""
    folder = Path(shutil.copytree(project, tmp_path / "sensor"))
    plant_a_forgetful_store(folder)
    assert resets(folder, tmp_path / "flash", 20).repeated > 0
