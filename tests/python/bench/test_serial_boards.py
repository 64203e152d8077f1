# SPDX-License-Identifier: Apache-2.0
"""Boards at serial ports: what is read of their line, and what is refused."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.bench import boards, devices, places
from samara.bench.serial_boards import ports
from samara.bench.serial_boards.board import Board, Timer, greeting
from samara.bench.serial_boards.comparing import BoardRequest, compare
from samara.bench.serial_boards.line import (
    PAYLOAD_MAX,
    BoardError,
    Line,
    answer_in,
    framed,
    number,
)
from samara.errors import ArgumentError, MisuseError
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path

ANSWER = 0x5A
SYMBOLS = {"measure_ready": 2, "measure_start_seal": 4, "measure_stop_seal": 6}


class Script:
    """A serial port whose other end answers by a function; time passes as it is read.

    Nothing comes twice: each request is answered once.
    """

    def __init__(self, answers: dict[str, list[bytes]]) -> None:
        self._answers, self._unread = answers, b""
        self.sent: list[bytes] = []
        self.now = 0.0

    def clock(self) -> float:
        """Return the time."""
        return self.now

    def read(self, _size: int) -> bytes:
        """Return what is due, one byte less than half of it at a time."""
        self.now += 0.1
        part = len(self._unread) // 2 + 1
        read, self._unread = self._unread[:part], self._unread[part:]
        return read

    def write(self, data: bytes) -> int:
        """Take a request."""
        self.sent.append(data)
        due = self._answers.get(chr(data[1]), [])
        self._unread += due.pop(0) if due else b""
        return len(data)

    def close(self) -> None:
        """Do nothing."""


def line_with(**answers: list[bytes]) -> tuple[Line, Script]:
    script = Script(answers)
    return Line(script, clock=script.clock), script


def answer(command: str, payload: bytes = b"") -> bytes:
    return framed(ANSWER, ord(command), payload)


def test_a_request_is_what_the_program_reads() -> None:
    # CRC-16/CCITT-FALSE of "i", 0, counted by hand with the polynomial 0x1021.
    crc = 0xFFFF
    for byte in (ord("i"), 0):
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    assert framed(0xA5, ord("i"), b"") == bytes((0xA5, ord("i"), 0)) + crc.to_bytes(2)


@given(st.binary(max_size=40), st.integers(0, 255), st.binary(max_size=PAYLOAD_MAX))
def test_an_answer_is_found_behind_anything(
    noise: bytes, command: int, payload: bytes
) -> None:
    # Noise may look like the head of an answer, which more noise then ends.
    rest = b"\0" * (PAYLOAD_MAX + 5)
    whole = framed(ANSWER, command, payload)
    came = bytearray(noise.replace(b"\x5a", b"") + whole + rest)
    assert answer_in(came) == (command, payload)
    assert came == rest


@given(st.binary(max_size=200))
def test_noise_is_no_answer(noise: bytes) -> None:
    came = bytearray(noise)
    while found := answer_in(came):
        # By chance, one in 65,536: then it is one.
        assert framed(ANSWER, *found) in noise
    assert noise.endswith(bytes(came))


@given(st.binary(min_size=1, max_size=PAYLOAD_MAX), st.data())
def test_a_changed_bit_is_refused(payload: bytes, data: st.DataObject) -> None:
    whole = bytearray(answer("r", payload))
    at = data.draw(st.integers(0, 8 * len(whole) - 1))
    whole[at // 8] ^= 1 << at % 8
    assert answer_in(whole) is None


def test_a_damaged_answer_is_asked_for_again() -> None:
    damaged = bytearray(answer("r", b"\x11"))
    damaged[3] ^= 1
    line, script = line_with(r=[bytes(damaged), answer("r", b"\x11")])
    assert line.ask("r", number(8) + b"\1") == b"\x11"
    assert len(script.sent) == 2


def test_a_job_is_not_started_again_when_its_answer_is_late() -> None:
    line, script = line_with()
    with pytest.raises(BoardError, match=r"^the board did not answer within 3 s"):
        line.ask("g", b"\0", 3.0)
    assert len(script.sent) == 1


def test_a_refused_request_is_sent_again() -> None:
    line, script = line_with(w=[framed(ANSWER, 0, b""), answer("w")])
    assert line.ask("w", number(8) + b"\1") == b""
    assert script.sent[0] == script.sent[1]


def test_a_silent_board_and_one_with_another_rate_are_told_apart() -> None:
    line, script = line_with()
    with pytest.raises(BoardError, match=r"^the board is silent: write the measuring"):
        line.greet()
    assert 8 <= script.now < 9
    line, _ = line_with(i=[b"\x80\x00\xfe"] * 3)
    with pytest.raises(
        BoardError, match=r"^the board sent 9 bytes, and no answer.*baud"
    ):
        line.greet()


@pytest.mark.parametrize("expected", [b"", b"\x10", b"\x10\x0a", b"\7\0a", b"\x21\0a"])
def test_what_is_no_greeting_is_refused(expected: bytes) -> None:
    with pytest.raises(BoardError, match=r"not as the measuring program does$"):
        greeting(expected)


def test_a_greeting_has_timer_and_program() -> None:
    assert greeting(b"\x10\x0aaes128 portable Os 0") == (
        Timer(16, 10),
        "aes128 portable Os 0",
    )


@given(st.integers(0, 2**28), st.integers(-1, 1))
def test_two_passes_make_one_long_count(cycles: int, late: int) -> None:
    coarse = max(0, cycles // 1024 + late)
    assert Timer(16, 10).cycles(cycles % 65_536, coarse) == cycles


def test_passes_that_contradict_are_refused() -> None:
    timer = Timer(16, 10)
    assert timer.cycles(10, 64 + 4) == 65_546
    with pytest.raises(BoardError, match=r"^the board counted differently twice"):
        timer.cycles(10, 64 + 5)


def test_what_a_timer_cannot_count_is_refused() -> None:
    Timer(24, 0).check(2**23 - 1)
    with pytest.raises(
        BoardError, match=r"timer counts 16,777,215 cycles, .* 8,388,608"
    ):
        Timer(24, 0).check(2**23)
    Timer(16, 10).check(2**28)


def test_one_pass_counts_within_its_bits() -> None:
    assert Timer(24, 0).cycles(-1 + 5, None) == 4
    assert Timer(24, 0).cycles(-3, None) == 2**24 - 3


def test_both_passes_get_the_same_input_and_the_marks_are_subtracted() -> None:
    counts = [number(1_000) + number(20), number(65) + number(0)]
    line, script = line_with(
        w=[answer("w")] * 9, g=[answer("g", each) for each in counts]
    )
    # 1,000 - 20 in 16 bits; 65 groups of 1,024.
    with Board(line, Timer(16, 10), SYMBOLS, 1.0) as board:
        board.write(100, bytes(70))
        assert board.go(4, limit=0, floor=0).cycles == 0
        assert board.go(6, limit=0, floor=0).cycles == 980 + 65_536
        assert board.go(2, limit=0, floor=0).cycles == 0
    kinds = [chr(each[1]) for each in script.sent]
    assert kinds == ["w", "w", "g", "w", "w", "g"]
    assert script.sent[:2] == script.sent[3:5]
    first, second = (each[3:-2] for each in script.sent[:2])
    assert first == number(100) + bytes(60)
    assert second == number(160) + bytes(10)


def test_memory_is_read_in_parts_of_the_right_size() -> None:
    line, _ = line_with(r=[answer("r", b"a" * 64), answer("r", b"b" * 6)])
    board = Board(line, Timer(16, 10), SYMBOLS, 1.0)
    assert board.read(0, 70) == b"a" * 64 + b"b" * 6
    line, _ = line_with(r=[answer("r", b"a" * 5)])
    with pytest.raises(BoardError, match=r"answered with 5 bytes, not 6$"):
        Board(line, Timer(16, 10), SYMBOLS, 1.0).read(0, 6)


def test_each_row_is_of_a_device_and_has_its_sources() -> None:
    for row in ports.ports():
        for name in row.names:
            device = ports.device_with(name, row)
            assert device.clock_hz == (row.clock_hz or devices.device(name).clock_hz)
            for source in row.sources:
                assert (device.family.folder / "serial" / source).is_file()
    every = ports.names()
    assert len(every) == len(set(every))


@pytest.mark.parametrize(
    ("name", "row", "device"),
    [
        ("uno", "atmega328p", "atmega328p"),
        ("Arduino Mega", "atmega2560", "atmega2560"),
        ("micro:bit".replace(":", ""), "microbit", "cortex-m0"),
        ("Blue Pill", "bluepill", "cortex-m3"),
    ],
)
def test_boards_have_the_port_of_their_chip(name: str, row: str, device: str) -> None:
    found = ports.port_of(name)
    assert row in found.names
    assert ports.device_with(name, found).name == device


@pytest.mark.parametrize("name", ["leonardo", "pico", "esp32-c3", "telosb", "nothing"])
def test_a_board_without_a_row_is_refused(name: str) -> None:
    with pytest.raises(ArgumentError, match=f"serial port of {name}: --device must be"):
        ports.port_of(name)


def test_memory_and_clock_of_a_row_are_the_boards() -> None:
    row = ports.port_of("stm32vldiscovery")
    device = ports.device_with("stm32vldiscovery", row)
    assert (device.clock_hz, device.ram_bytes) == (8_000_000, 8_192)


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (BoardRequest(device="uno"), "nothing to do: give the board's serial port"),
        (
            BoardRequest(device="uno", port="/dev/no", opts=("Os", "O2")),
            "4 programs are selected, and a board has one at a time",
        ),
        (
            BoardRequest(
                device="uno", port="/dev/no", suites=("aes128-ccm-16-phases",)
            ),
            "aes128-ccm-16-phases is timed in parts",
        ),
    ],
)
def test_requests_that_cannot_work_are_refused(
    request_: BoardRequest, text: str
) -> None:
    with pytest.raises(MisuseError, match=re.escape(text)):
        records_of(compare(request_))


def test_a_port_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match=r"no-port cannot be opened: No such file"):
        Line.opened(str(tmp_path / "no-port"), 38_400)


def test_the_sources_tell_the_same_numbers() -> None:
    program = places.root() / "firmware" / "measure" / "board" / "board.c"
    text = program.read_text(encoding="utf-8")
    assert f"payload_max = {PAYLOAD_MAX}," in text
    assert f"begin_answer = 0x{ANSWER:x}" in text
    assert all(a.names != b.names for a, b in pairwise(boards.boards()))
