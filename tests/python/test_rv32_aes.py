# SPDX-License-Identifier: Apache-2.0
"""AES in RISC-V assembly: registers, any address, and nothing that is left."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest
from rv32_calls import ARGUMENTS, BUFFER_BYTES, FREE, Calls, linked

from samara.bench import devices, images, simulators, subjects

if TYPE_CHECKING:
    from collections.abc import Iterator

# Arguments in a0, a1 ...: a string is a buffer's number, a number itself.
_FUNCTIONS: dict[str, tuple[str | int, ...]] = {
    "samara_aes_rv32_expand_key": ("0", "1", 8),
    "samara_aes_rv32_encrypt_two": ("0", 12, "1", "2", 16),
    "samara_aes_rv32_decrypt_two": ("0", 12, "1", "2", 16),
    "samara_rv32_xor_bytes": ("0", "1", "2", 39),
    "samara_rv32_copy_bytes": ("0", "1", 39),
}
_NAMES = ("aes", "aes_decrypt", "bytes")
_AES_STACK = 112
"""SAMARA_AES_STACK of core/block/aes_rounds.h."""
_BELOW = 512


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


def _stack_after(calls: Calls, name: str, arguments: list[int]) -> bytes:
    """Make a call; return the stack below it. Registers are left as zeros."""
    calls.begin(name, arguments, [0] * 32)
    stack = calls.stack()
    calls.simulator.write(stack - _BELOW, b"\xff" * _BELOW)
    after = calls.end(name)
    assert {after[free] for free in (*ARGUMENTS, *FREE)} == {0}
    return calls.simulator.read(stack - _BELOW, _BELOW)


def _expand(calls: Calls, key: bytes, offset: int) -> bytes:
    """Expand a key at an offset into buffer 0; return the stack below."""
    place = calls.place(1) + offset
    calls.simulator.write(place, key)
    words = len(key) // 4
    name = "samara_aes_rv32_expand_key"
    below = _stack_after(calls, name, [calls.place(0), place, words])
    assert calls.simulator.read(place, len(key)) == key
    return below


@pytest.mark.parametrize("key_bytes", [16, 24, 32])
@pytest.mark.parametrize("distance", [0, 16, 48])
def test_blocks_at_any_address_are_those_of_this_machine(
    calls: Calls, key_bytes: int, distance: int
) -> None:
    """Of any two offsets, in two buffers and in place; nothing is left of them."""
    chance = random.Random(f"{key_bytes} {distance}")  # noqa: S311 - any bytes
    reference = subjects.subject(f"aes{8 * key_bytes}").reference
    assert reference is not None
    for put, get, in_place in product(range(4), range(4), (False, True)):
        source = calls.place(2) + 8 + put
        to = source if in_place else calls.place(3) + 8 + get
        left: dict[str, set[bytes]] = {
            "expand": set(),
            "encrypt": set(),
            "decrypt": set(),
        }
        for _ in range(2):
            key = chance.randbytes(key_bytes)
            left["expand"].add(_expand(calls, key, put))
            blocks = [chance.randbytes(16) for _ in range(2 if distance else 1)]
            sealed = [reference.seal(key, b"", block, b"") for block in blocks]
            pairs = {"encrypt": (blocks, sealed), "decrypt": (sealed, blocks)}
            for verb, (given, wanted) in pairs.items():
                calls.simulator.write(calls.place(2), b"\xee" * (2 * BUFFER_BYTES))
                for n, block in enumerate(given):
                    calls.simulator.write(source + n * distance, block)
                name = f"samara_aes_rv32_{verb}_two"
                arguments = [calls.place(0), key_bytes // 4 + 6, to, source, distance]
                left[verb].add(_stack_after(calls, name, arguments))
                for n, block in enumerate(wanted):
                    assert calls.simulator.read(to + n * distance, 16) == block
                end = to + (len(wanted) - 1) * distance + 16
                around = calls.simulator.read(to - 1, 1) + calls.simulator.read(end, 1)
                assert around == b"\xee\xee"
        for stacks in left.values():
            # Other keys and blocks left the same, and no more than is wiped.
            (below,) = stacks
            assert 0 < len(below.lstrip(b"\xff")) <= _AES_STACK


@pytest.mark.parametrize("size", [0, 1, 3, 4, 15, 16, 17, 33, 64])
def test_bytes_are_added_and_copied_from_any_address(calls: Calls, size: int) -> None:
    chance = random.Random(size)  # noqa: S311 - any bytes
    for offsets in [(0, 0, 0), (1, 1, 1), (0, 0, 2), (0, 3, 0), (2, 0, 0)]:
        to, left, right = (calls.place(n) + 8 + each for n, each in enumerate(offsets))
        one, other = chance.randbytes(size), chance.randbytes(size)
        for name, arguments, wanted in (
            (
                "samara_rv32_xor_bytes",
                [to, left, right, size],
                bytes(a ^ b for a, b in zip(one, other, strict=True)),
            ),
            ("samara_rv32_copy_bytes", [to, left, size], one),
        ):
            calls.simulator.write(calls.place(0), b"\xee" * BUFFER_BYTES)
            if size:
                calls.simulator.write(left, one)
                calls.simulator.write(right, other)
            calls.call(name, arguments)
            found = calls.simulator.read(to - 1, size + 2)
            assert found == b"\xee" + wanted + b"\xee"
