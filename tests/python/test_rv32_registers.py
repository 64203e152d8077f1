# SPDX-License-Identifier: Apache-2.0
"""RISC-V assembly: the registers of the calling convention, wiping, and alignment."""

from __future__ import annotations

import random
import struct
from itertools import product
from typing import TYPE_CHECKING

import pytest
from rv32_calls import ARGUMENTS, BEFORE, BUFFER_BYTES, BUFFERS, FREE, Calls, linked

from samara.bench import devices, images, simulators, subjects

if TYPE_CHECKING:
    from collections.abc import Iterator

# Arguments in a0, a1 ...: a string is a buffer's number, a number itself.
_RESULT = 0x12345678
_MESSAGE = "samara_ascon_rv32_message"
_FUNCTIONS: dict[str, tuple[str | int, ...]] = {
    _MESSAGE: ("0", "1", "2", 21, "3", "4", 40, "5"),
    "samara_rv32_wipe": ("0", 23),
    "samara_leave": (_RESULT, 50),
    "samara_grain128_next": ("0",),
    "samara_grain128aead_rv32_authenticate": ("0", 0x12345678, 0x9ABCDEF0),
}
_NAMES = ("ascon", "bytes", "grain128")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> images.Image:
    return linked(tmp_path_factory.mktemp("rv32"), list(_FUNCTIONS), _NAMES)


@pytest.fixture
def calls(image: images.Image) -> Iterator[Calls]:
    with simulators.start(devices.device("ibex"), image.path) as simulator:
        yield Calls(image, simulator, list(_FUNCTIONS))


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_the_registers_of_the_caller_are_kept(calls: Calls, name: str) -> None:
    calls.check_registers(name, _FUNCTIONS[name])


def test_wiping_zeros_these_bytes_and_no_others(calls: Calls) -> None:
    place = calls.place(0)
    for size, offset in product([*range(36), 64, 101], range(4)):
        begin = 16 + offset
        calls.simulator.write(place, b"\xff" * BUFFER_BYTES)
        calls.call("samara_rv32_wipe", [place + begin, size])
        wanted = bytearray(b"\xff" * BUFFER_BYTES)
        wanted[begin : begin + size] = bytes(size)
        assert calls.simulator.read(place, BUFFER_BYTES) == bytes(wanted)


@pytest.mark.parametrize("size", [1, 4, 32, 33, 224, 300])
def test_leaving_zeros_the_stack_below(calls: Calls, size: int) -> None:
    calls.begin("samara_leave", (_RESULT, size), [7] * len(BEFORE))
    stack = calls.stack()
    calls.simulator.write(stack - 1024, b"\xff" * 1024)
    after = calls.end("samara_leave")
    assert after["a0"] == _RESULT
    assert {after[free] for free in (*ARGUMENTS[1:], *FREE)} == {0}
    below = calls.simulator.read(stack - 1024, 1024)
    wiped = len(below) - len(below.rstrip(b"\0"))
    assert size <= wiped < size + 32
    assert set(below[: 1024 - wiped]) == {0xFF}


@pytest.mark.parametrize("opening", [False, True])
@pytest.mark.parametrize("aligned", ["none", "input", "output", "key", "all"])
def test_ascon_at_any_address_is_that_of_this_machine(
    calls: Calls, aligned: str, *, opening: bool
) -> None:
    """Sizes around blocks; what is aligned is at a word, the others in between."""
    chance = random.Random(aligned)  # noqa: S311 - any bytes
    reference = subjects.subject("ascon-aead128").reference
    assert reference is not None
    names = ("key", "nonce", "data", "input", "output", "tag")
    for size, data_size in (
        (0, 0),
        (1, 16),
        (15, 1),
        (16, 15),
        (17, 0),
        (32, 33),
        (47, 7),
    ):
        offsets = {
            name: 0 if aligned in (name, "all") else chance.randrange(1, 4)
            for name in names
        }
        places = [calls.place(n) + offsets[name] for n, name in enumerate(names)]
        key, nonce = chance.randbytes(16), chance.randbytes(16)
        data, message = chance.randbytes(data_size), chance.randbytes(size)
        sealed = reference.seal(key, nonce, message, data)
        ciphertext, tag = sealed[:size], sealed[size:]
        given, wanted = (ciphertext, message) if opening else (message, ciphertext)
        calls.simulator.write(calls.place(0), b"\xee" * (BUFFERS * BUFFER_BYTES))
        for place, content in zip(places, (key, nonce, data, given), strict=False):
            if content:
                calls.simulator.write(place, content)
        ninth = struct.pack("<I", 0xFFFFFFFF if opening else 0)
        calls.simulator.write(calls.symbols["ninth"], ninth)
        key_at, nonce_at, data_at, input_at, output_at, tag_at = places
        arguments = (
            key_at,
            nonce_at,
            data_at,
            data_size,
            input_at,
            output_at,
            size,
            tag_at,
        )
        calls.call(_MESSAGE, arguments)
        # And nothing behind them.
        assert calls.simulator.read(output_at, size + 1) == wanted + b"\xee"
        assert calls.simulator.read(tag_at, len(tag) + 1) == tag + b"\xee"


@pytest.mark.parametrize("size", [5, 16, 39])
def test_ascon_in_place_is_that_of_two_buffers(calls: Calls, size: int) -> None:
    chance = random.Random(size)  # noqa: S311 - any bytes
    reference = subjects.subject("ascon-aead128").reference
    assert reference is not None
    key, nonce, message = (chance.randbytes(n) for n in (16, 16, size))
    sealed = reference.seal(key, nonce, message, b"")
    for opening in (False, True):
        given, wanted = (
            (sealed[:size], message) if opening else (message, sealed[:size])
        )
        for buffer, content in enumerate((key, nonce, given)):
            calls.simulator.write(calls.place(buffer), content)
        ninth = struct.pack("<I", 0xFFFFFFFF if opening else 0)
        calls.simulator.write(calls.symbols["ninth"], ninth)
        text = calls.place(2)
        arguments = (
            calls.place(0),
            calls.place(1),
            text,
            0,
            text,
            text,
            size,
            calls.place(5),
        )
        calls.call(_MESSAGE, arguments)
        assert calls.simulator.read(text, size) == wanted
        assert calls.simulator.read(calls.place(5), 16) == sealed[size:]


def test_ascon_leaves_no_last_block_on_the_stack(calls: Calls) -> None:
    """Two messages that differ leave the same bytes below the stack pointer."""
    left = []
    for message in (b"\x00" * 21, b"\xa5" * 21):
        calls.simulator.write(calls.place(0), message + b"\x11" * 60)
        text, out = calls.place(0), calls.place(1)
        arguments = (text + 32, text + 32, text, 0, text, out, 21, calls.place(2))
        calls.call(_MESSAGE, arguments)
        left.append(calls.simulator.read(calls.stack() - 512, 512))
    assert left[0] == left[1]
