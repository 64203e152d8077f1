# SPDX-License-Identifier: Apache-2.0
"""Known answers through the serial port, and its rules (loaded by cocotb)."""

import os
import random

import cocotb
import messages
import spi_driver as spi
from vectorfile import FOLDER, sections_of

EACH = int(os.environ.get("RTL_EACH", "1"))


@cocotb.test()
async def known_answers(dut):
    port = spi.Port(dut)
    await port.begin()
    records = sections_of(FOLDER / "grain128aead-lwc.txt")["grain128aead"]
    dice = random.Random(1)
    for record in records[::EACH]:
        # sck at random ratios, and never in step with clk.
        port.half_ns = spi.SHORTEST_HALF_NS + dice.randrange(60)
        key, nonce, ad, message, ciphertext, tag = map(
            record.bytes_of, ("key", "nonce", "ad", "message", "ciphertext", "tag")
        )
        await port.transaction(spi.KEY, key)
        assert await port.seal(nonce, ad, message) == ciphertext + tag, str(record)
        # The key is still there.
        opened = await port.open(nonce, ad, ciphertext, tag)
        assert opened == (message, True), str(record)
        bad = tag[:7] + bytes([tag[7] ^ 0x80])
        assert await port.open(nonce, ad, ciphertext, bad) == (message, False)


@cocotb.test()
async def rules(dut):
    port = spi.Port(dut)
    await port.begin()
    secret = bytes(range(1, 17))
    # No message without a key: not under the zero key of reset, nor under a part of a
    # key.
    await port.transaction(spi.NONCE, bytes(12))
    await refuses(port, spi.HAS_NONCE)
    for size in (1, 4, 15):
        await port.transaction(spi.KEY, secret)
        await refuses(port, spi.HAS_KEY)
        await port.transaction(spi.KEY, secret[:size])
        await port.transaction(spi.NONCE, bytes(12))
        await refuses(port, spi.HAS_NONCE)
    # A new key takes the nonce away, and a nonce has 12 bytes.
    await port.transaction(spi.KEY, secret)
    await refuses(port, spi.HAS_KEY)
    await port.transaction(spi.NONCE, bytes(12))
    assert await port.status() == spi.READY | spi.HAS_KEY | spi.HAS_NONCE
    await port.transaction(spi.NONCE, bytes(11))
    await refuses(port, spi.HAS_KEY)
    # No command answers with the key, at any time.
    for command in (*range(16), 0x81, 0xFF):
        if command in (spi.KEY, spi.SEAL, spi.OPEN, spi.CLEAR):
            continue
        _, answers = await port.transaction(command, bytes(16))
        assert not any(answers), command
    # What comes behind the last byte of key and nonce is ignored.
    await port.transaction(spi.KEY, secret + bytes(range(100, 117)))
    await port.transaction(spi.NONCE, bytes(12) + bytes(range(100, 117)))
    await port.transaction(spi.SEAL, bytes((0, 0, 7, 0)))
    await port.wait_for(spi.TAKES_DATA)
    _, answers = await port.transaction(spi.DATA, b"message" + bytes(2))
    # No more data is taken while the tag waits.
    assert await port.wait_for(spi.HAS_TAG) == spi.HAS_TAG | spi.HAS_KEY
    _, tag = await port.transaction(spi.TAG, bytes(8))
    sealed = messages.SUITE.seal(secret, bytes(12), b"message", b"")
    assert answers[2:] + tag == sealed
    await refuses(port, spi.HAS_KEY)
    # At N = 4 start-up ends at about the time of the first byte.
    if int(dut.N.value) != 4:
        await overruns(port, is_slow=int(dut.N.value) <= 2)
    # A clear leaves no key behind, in the middle of a message too.
    await port.transaction(spi.CLEAR)
    if int(dut.N.value) == 1:
        # Clearing lasts longer than the command: all of the key is ignored.
        await port.transaction(spi.KEY, secret)
    status = await port.wait_for(spi.READY)
    assert status == spi.READY
    await port.transaction(spi.KEY, secret)
    await port.start(spi.SEAL, bytes(12), 3, 5)
    await port.wait_for(spi.TAKES_DATA)
    await port.transaction(spi.DATA, bytes(4))
    await port.transaction(spi.CLEAR)
    await port.wait_for(spi.READY)
    assert int(dut.source.key.value) == 0
    await port.transaction(spi.NONCE, bytes(12))
    await refuses(port, spi.HAS_NONCE)


async def overruns(port, *, is_slow):
    """Send data during start-up: an overrun, and no tag, until a clear.

    From N = 8 on start-up ends before data can come.
    """
    await port.start(spi.SEAL, bytes(12), 0, 40 if is_slow else 1)
    await port.transaction(spi.DATA, bytes(16))
    status = await port.status()
    has_overrun = bool(status & spi.OVERRUN)
    assert has_overrun == is_slow
    # What comes behind the bytes that were lost is not taken either.
    assert not status & spi.TAKES_DATA
    _, tag = await port.transaction(spi.TAG, bytes(8))
    assert any(tag) != has_overrun


async def refuses(port, there):
    """Check what is there of key and nonce, and that no message begins."""
    for command in (spi.SEAL, spi.OPEN):
        await port.transaction(command, bytes(4))
        assert await port.status() == spi.READY | there
