# SPDX-License-Identifier: Apache-2.0
"""The Arduino library, by somebody who has its archive alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from arduino import BOARDS, compiled, printed_lines
from package_builds import expected, unpacked
from programs import ROOT, run

from samara.link import rfserial

if TYPE_CHECKING:
    from pathlib import Path
from source_packages.core import version

PACKAGE = ROOT / "tools" / "package"
EXCHANGE = ROOT / "tests" / "package" / "arduino" / "exchange.ino"
EXAMPLES = ("KnownAnswer", "Provision", "Receiver", "Sender")
# Of the sources of Arduino itself.
NOT_OURS = "/usr/share/arduino/"

KEY, OTHER_KEY = bytes(range(16)), bytes([7] * 16)


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory of libraries with ours alone."""
    made = tmp_path_factory.mktemp("made")
    run(PACKAGE, "arduino", "--out", made)
    folder = tmp_path_factory.mktemp("libraries")
    unpacked(made / f"samara-arduino-{version()}.zip", folder)
    return folder


@pytest.fixture(scope="module", params=BOARDS)
def board(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def build(board: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp(board)


@pytest.mark.parametrize("board", ["uno"], indirect=True)
def test_examples_compile_without_a_warning(
    board: str, build: Path, libraries: Path
) -> None:
    folder = libraries / "samara" / "examples"
    assert {path.name for path in folder.iterdir()} == set(EXAMPLES)
    for name in EXAMPLES:
        _, said = compiled(folder / name / f"{name}.ino", board, libraries, build)
        assert our_warnings(said) == []


def our_warnings(said: str) -> list[str]:
    """Return the warnings of a compiler, without those about Arduino's sources."""
    lines = (line for line in said.splitlines() if "warning:" in line)
    return [line for line in lines if not line.startswith(NOT_OURS)]


def test_a_board_gives_the_known_answer(
    board: str, build: Path, libraries: Path
) -> None:
    sketch = libraries / "samara" / "examples" / "KnownAnswer" / "KnownAnswer.ino"
    program, _ = compiled(sketch, board, libraries, build)
    first, second = printed_lines(program, board, "opened")
    sealed, opened = expected()
    assert (first.lower(), second) == (sealed, opened)
    # The comment of the example has it for who compares by eye.
    assert f"//     {first}\n//     {second}\n" in sketch.read_text(encoding="utf-8")


def units(direction: int, key: bytes, start: int, *messages: bytes) -> list[bytes]:
    """Return the units of messages, numbered from a start, as a host sends them."""
    sender = rfserial.Sender(
        "sealed",
        key=key,
        counter=start,
        suite="aes128-ccm-8",
        direction=direction,
        packet_size=12,
        tag_size=8,
        counter_size=4,
    )
    return [sender.encode(message) for message in messages]


def array(name: str, content: bytes, where: str = "") -> str:
    numbers = ", ".join(map(str, content))
    return f"const uint8_t {name}[] {where} = {{{numbers}}};\n"


@pytest.fixture(scope="module")
def exchange(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the sketch that exchanges messages, with those of the other end."""
    hello, world, _, again = units(1, KEY, 0, b"hello", b"world", b"lost", b"again")
    changed = bytearray(again)
    changed[6] ^= 1
    # Noise, two messages, one of them repeated, one changed, and then its original.
    frames = b"noise" + hello + world + hello + bytes(changed) + again
    folder = tmp_path_factory.mktemp("sketch") / "exchange"
    folder.mkdir()
    header = array("KEY", KEY) + array("OTHER_KEY", OTHER_KEY)
    header += array("FRAMES", frames, "PROGMEM")
    (folder / "frames.h").write_text(header, encoding="utf-8")
    (folder / EXCHANGE.name).write_bytes(EXCHANGE.read_bytes())
    return folder / EXCHANGE.name


def test_a_link_over_resets_and_keys(
    board: str, build: Path, libraries: Path, exchange: Path
) -> None:
    program, said = compiled(exchange, board, libraries, build)
    assert our_warnings(said) == []
    lines = printed_lines(program, board, "end")
    one, two = units(0, KEY, 0, b"one", b"two")
    # A reset skips what was reserved, and a new key lets the counter go on.
    (three,) = units(0, KEY, 16, b"three")
    (four,) = units(0, OTHER_KEY, 32, b"four")
    # Numbers of errors, in Samara.h and samara/store.h: SAMARA_STORE_ERROR_BLANK.
    not_ready, settings, blank = "false 1", "false 2", "false -128"
    assert lines == [
        not_ready,
        not_ready,
        blank,
        not_ready,
        "true 0",
        f"sent {one.hex().upper()}",
        f"sent {two.hex().upper()}",
        "received hello lost 0",
        "received world lost 0",
        "received again lost 1",
        "true 0",
        f"sent {three.hex().upper()}",
        # What was received before the reset is refused, and a message too long is.
        "0",
        "true 0",
        "true 0",
        f"sent {four.hex().upper()}",
        settings,
        "end",
    ]
