# SPDX-License-Identifier: Apache-2.0
"""Batteries that are programs: Dieharder and ent, as Debian has them.

The stream is piped into them, as much as they read. Their p-values are judged like
those of one sequence.
"""

from __future__ import annotations

import csv
import math
import shutil
import signal
import subprocess
import threading
from functools import partial
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from samara.errors import MisuseError
from samara.programs import package_of
from samara.randomness.functions import erfc, igamc
from samara.randomness.sources import computed
from samara.records import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from samara.randomness.settings import Settings
    from samara.randomness.sources import GivenSource

_PIECE = 1 << 20
_DIEHARDER_FIELDS = ("test_name", "ntuple", "tsamples", "psamples", "pvalues")


class Part(NamedTuple):
    """One of Dieharder's tests, as ``dieharder -l`` lists them."""

    number: int
    width: int | None = None
    """Its ``-n``: without one, test 200 is not run, and 201 fails any source."""


_WIDTHS = {200: (1, 2, 4, 8), 201: range(2, 6), 202: range(2, 6), 203: (0, 1, 2, 4, 8)}
_NUMBERS = (
    *range(5), *range(8, 14), *range(15, 18), *range(100, 103), *range(200, 210)
)  # fmt: skip
DIEHARDER_TESTS = tuple(
    Part(number, width) for number in _NUMBERS for width in _WIDTHS.get(number, [None])
)
"""Dieharder's tests, without those that it calls suspect, or not to be used."""
DIEHARDER_S = 240.0
"""About what all of them took on one processor (Xeon, 2.1 GHz)."""


class BatteryPValue(NamedTuple):
    """A p-value of a battery. It is small, and only small, where a test fails."""

    name: str
    p_value: float
    detail: str = ""


class Stream:
    """The bytes of a source, one after the other, as many as are wanted."""

    def __init__(self, settings: Settings, given: GivenSource | None) -> None:
        self._given = given
        self._settings = settings
        self._pieces = self._computed() if given is None else self._read(given)

    def _computed(self) -> Iterator[bytes]:
        source = computed(self._settings.source, self._settings.seed)
        index = 0
        while True:
            yield source.sequence(index, _PIECE)
            index += 1

    def _read(self, given: GivenSource) -> Iterator[bytes]:
        while piece := given.read(_PIECE):
            yield piece

    def pump(self, target: IO[bytes], size: int | None = None) -> None:
        """Write to a program until it has read enough, or so many bytes."""
        left = math.inf if size is None else size
        try:
            with target:
                while left > 0 and (piece := next(self._pieces, b"")):
                    target.write(piece[: int(min(left, len(piece)))])
                    left -= len(piece)
        except BrokenPipeError:
            # It has enough.
            pass


def need(program: str) -> str:
    """Return the path of a program; MisuseError when it is not installed."""
    found = shutil.which(program)
    if found is None:
        step = f"run apt-get install {package_of(program)}"
        message = f"{program} is not installed: {step}"
        raise MisuseError(message)
    return found


def dieharder(
    stream: Stream, tests: tuple[Part, ...] = DIEHARDER_TESTS
) -> Iterator[Progress | BatteryPValue]:
    """Run Dieharder's tests once each, with its own parameters.

    Yields
    ------
    What each test found, and how far it is. Nothing of a test for which the source has
    too few bytes, nor of those behind it.

    Raises
    ------
    MisuseError
        When a test finds nothing, although the source has enough.
    """
    flags = [word for name in _DIEHARDER_FIELDS for word in ("-D", name)]
    for done, test in enumerate(tests):
        yield Progress(done / len(tests), "tests")
        words = [need("dieharder"), "-g", "200", "-d", str(test.number)]
        words += [] if test.width is None else ["-n", str(test.width)]
        lines, said = _fed([*words, "-c", ",", *flags], stream)
        if "EOF" in said + "".join(lines):
            return
        found = list(_rows_of(lines, test.number))
        if not found:
            why = " ".join(f"{said} {' '.join(lines)}".split())
            message = f"dieharder gave no result of its test {test.number}: {why}"
            raise MisuseError(message)
        yield from found


def _rows_of(lines: list[str], test: int) -> Iterator[BatteryPValue]:
    for row in csv.reader(lines):
        if len(row) != len(_DIEHARDER_FIELDS):
            continue
        name, width, samples, repeats, p = (cell.strip() for cell in row)
        # Its p-values are suspect at both ends.
        two_sided = 2 * min(float(p), 1 - float(p))
        detail = f"test {test}, {samples} samples, {repeats} times; p = {p}"
        yield BatteryPValue(
            f"{name} {width}" if width != "0" else name, two_sided, detail
        )


def ent(stream: Stream, size: int) -> list[BatteryPValue]:
    """Run ent on some bytes, and return p-values of what it measures.

    Raises
    ------
    MisuseError
        When the source has no bytes.
    """
    lines, _ = _fed([need("ent"), "-t"], stream, size)
    rows = list(csv.reader(lines))
    if len(rows) < 2 or int(rows[1][1]) < _LEAST:  # noqa: PLR2004 - a head, and values
        message = f"the source has fewer than {_LEAST} bytes, the least for ent"
        raise MisuseError(message)
    count = int(rows[1][1])
    _, square, mean, pi, correlation = (float(cell) for cell in rows[1][2:7])
    upper = float(igamc(_BYTES_FREEDOM / 2, square / 2))
    # A point is six bytes: two coordinates.
    hits = math.pi / 4
    pi_deviation = 4 * math.sqrt(hits * (1 - hits) / (count // 6))
    return [
        # Too even is no better than too uneven.
        BatteryPValue("chi-square", 2 * min(upper, 1 - upper), f"{square:g}"),
        _of_deviation("mean", mean - 127.5, math.sqrt((256**2 - 1) / 12 / count), mean),
        _of_deviation("Monte Carlo pi", pi - math.pi, pi_deviation, pi),
        _of_deviation(
            "serial correlation", correlation, 1 / math.sqrt(count), correlation
        ),
    ]


_LEAST = 10_000
_BYTES_FREEDOM = 255


def _of_deviation(
    name: str, off: float, deviation: float, value: float
) -> BatteryPValue:
    p = float(erfc(abs(off) / deviation / math.sqrt(2)))
    return BatteryPValue(name, p, f"{value:g}")


def _fed(
    words: list[str], stream: Stream, size: int | None = None
) -> tuple[list[str], str]:
    """Run a program on the stream; return its lines, and what it says on stderr."""
    program = subprocess.Popen(  # noqa: S603 - a battery, found in PATH
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdin is not None  # noqa: S101 - it is a pipe
    # It is fed while its answers are read: a full pipe of either would stop both.
    pump = _Pump(stream, program.stdin, size)
    program.stdin = None
    pump.start()
    try:
        out, said = program.communicate()
    except BaseException:
        program.kill()
        program.communicate()
        raise
    pump.join()
    if pump.error is not None:
        raise pump.error
    return out.decode(errors="replace").splitlines(), said.decode(errors="replace")


class _Pump(threading.Thread):
    """Feeds a program, and keeps the error of the source for the caller."""

    def __init__(self, stream: Stream, target: IO[bytes], size: int | None) -> None:
        # Daemon: a source that says nothing does not hold up the end of the command.
        super().__init__(daemon=True)
        self._call = partial(stream.pump, target, size)
        self.error: MisuseError | OSError | None = None

    def run(self) -> None:
        """Feed the program until it has enough."""
        # On the command line a broken pipe ends the process; here it is how a program
        # says that it has enough. The signal is sent to the thread that writes.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
        try:
            self._call()
        except (MisuseError, OSError) as error:
            self.error = error


def as_row(found: list[BatteryPValue]) -> NDArray[np.float64]:
    """Return the p-values as those of one sequence."""
    return np.array([[one.p_value for one in found]])
