# SPDX-License-Identifier: Apache-2.0
"""Wrong sizes, wrong types and wrong memory are refused, each with its reason."""

from __future__ import annotations

import array
import mmap
import sys
import threading
import time

import numpy as np
import pytest

from samara import crypto
from samara.crypto import AuthenticationError, grain128ple

CCM = crypto.suite("aes128-ccm-8")
KEY, NONCE = bytes(16), bytes(13)
LONG = 1 << 25


@pytest.mark.parametrize(
    ("slug", "key_size", "nonce_size", "text"),
    [
        ("aes128-ccm-8", 15, 13, "aes128-ccm-8 takes a key of 16 bytes, not 15"),
        ("aes256-gcm", 16, 12, "aes256-gcm takes a key of 32 bytes, not 16"),
        ("aes128-ccm-8", 16, 14, "takes a nonce of 7 to 13 bytes, not 14"),
        ("aes128-ccm-8", 16, 6, "takes a nonce of 7 to 13 bytes, not 6"),
        ("aes128-gcm", 16, 0, "takes a nonce of at least 1 byte, not 0"),
        ("grain128aead", 16, 13, "takes a nonce of 12 bytes, not 13"),
        ("ascon-aead128", 0, 16, "takes a key of 16 bytes, not 0"),
    ],
)
def test_wrong_sizes_are_named(
    slug: str, key_size: int, nonce_size: int, text: str
) -> None:
    suite, key, nonce = crypto.suite(slug), bytes(key_size), bytes(nonce_size)
    message = (key, nonce, bytes(40), b"")
    with pytest.raises(ValueError, match=text):
        suite.seal(*message)
    with pytest.raises(ValueError, match=text):
        suite.open(*message)
    with pytest.raises(ValueError, match=text):
        suite.seal_batch([message])
    with pytest.raises(ValueError, match=text):
        suite.open_batch([message])


def test_block_sizes_are_named() -> None:
    speck = crypto.block_cipher("speck64-96")
    with pytest.raises(ValueError, match="speck64-96 takes a key of 12 bytes, not 16"):
        speck.encrypt(bytes(16), bytes(8))
    with pytest.raises(ValueError, match="speck64-96 takes a block of 8 bytes, not 7"):
        speck.decrypt(bytes(12), bytes(7))


def test_associated_data_that_would_not_count_is_refused() -> None:
    for slug in ("aes128-ctr", "aes128-cbc", "aes128-ccm-0", "grain128ple"):
        suite = crypto.suite(slug)
        key, nonce = bytes(suite.key_size), bytes(suite.nonce_size)
        with pytest.raises(ValueError, match="does not authenticate"):
            suite.seal(key, nonce, b"", b"header")


def test_a_message_longer_than_its_nonce_allows_is_refused() -> None:
    assert len(CCM.seal(KEY, NONCE, bytes(65535))) == 65543
    with pytest.raises(ValueError, match="aes128-ccm-8: the message is too long"):
        CCM.seal(KEY, NONCE, bytes(65536))
    with pytest.raises(AuthenticationError):
        CCM.open(KEY, NONCE, bytes(65536 + 8))


@pytest.mark.parametrize("wrong", ["text", 5, None, [1, 2]])
def test_what_is_not_bytes_is_a_type_error(wrong: object) -> None:
    with pytest.raises(TypeError, match="bytes-like"):
        CCM.seal(KEY, NONCE, wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="bytes-like"):
        CCM.seal(wrong, NONCE, b"")  # type: ignore[arg-type]


def test_any_contiguous_buffer_is_taken() -> None:
    message = bytes(range(48))
    sealed = CCM.seal(KEY, NONCE, message)
    memory = mmap.mmap(-1, 48)
    memory.write(message)
    for same in (
        bytearray(message),
        memoryview(message),
        memory,
        array.array("I", message),
        np.frombuffer(message, dtype=np.uint8),
        np.frombuffer(message, dtype=">i4").reshape(3, 4),
    ):
        assert CCM.seal(KEY, NONCE, same) == sealed
    assert CCM.seal(np.zeros(4, np.int32), bytearray(13), message) == sealed


def test_memory_with_gaps_is_refused() -> None:
    for gaps in (np.zeros(20, np.uint8)[::2], memoryview(bytes(20))[::2]):
        with pytest.raises(ValueError, match="message must be a C-contiguous buffer"):
            CCM.seal(KEY, NONCE, gaps)


def test_output_must_be_writable_and_large_enough() -> None:
    with pytest.raises(ValueError, match="output must be a writable"):
        CCM.seal_into(bytes(40), KEY, NONCE, bytes(8))
    with pytest.raises(ValueError, match="needs an output of 16 bytes, not 15"):
        CCM.seal_into(bytearray(15), KEY, NONCE, bytes(8))
    with pytest.raises(ValueError, match="needs an output of 8 bytes, not 7"):
        CCM.open_into(bytearray(7), KEY, NONCE, bytes(16))


@pytest.mark.parametrize("shift", [-20, -1, 1, 20])
def test_partial_overlap_is_refused(shift: int) -> None:
    memory = memoryview(bytearray(200))
    message, output = memory[64:104], memory[64 + shift : 64 + shift + 48]
    with pytest.raises(ValueError, match="overlap"):
        CCM.seal_into(output, KEY, NONCE, message)
    with pytest.raises(ValueError, match="overlap"):
        CCM.open_into(output, KEY, NONCE, message)
    assert memory == bytes(200)


def test_the_output_may_not_cover_key_nonce_or_associated_data() -> None:
    memory = bytearray(64)
    view = memoryview(memory)
    for key, nonce, ad in (
        (view[:16], NONCE, b""),
        (KEY, view[20:33], b""),
        (KEY, NONCE, view[40:41]),
    ):
        with pytest.raises(ValueError, match="overlap"):
            CCM.seal_into(memory, key, nonce, bytes(56), ad)


def test_the_tag_may_not_be_written_over_the_message() -> None:
    memory = memoryview(bytearray(100))
    # Output begins before the message and its tag would end within it.
    with pytest.raises(ValueError, match="overlap"):
        CCM.seal_into(memory[:24], KEY, NONCE, memory[20:36])


def test_long_work_lets_other_threads_run() -> None:
    suite = crypto.suite("grain128aead")
    message = bytes(LONG)
    began, ticks = threading.Event(), 0
    done: list[int] = []

    def work() -> None:
        began.set()
        done.append(len(suite.seal(KEY, bytes(12), message)))

    thread = threading.Thread(target=work)
    thread.start()
    began.wait()
    while thread.is_alive():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert done == [LONG + 8]
    # With the GIL held, this thread would not have come to its turn.
    assert ticks > 10


def test_two_threads_cannot_use_one_keystream() -> None:
    stream = grain128ple.Keystream(KEY, bytes(12))
    bits = np.zeros(LONG, np.uint8)
    thread = threading.Thread(target=stream.xor, args=(bits,))
    thread.start()
    refused = False
    while thread.is_alive() and not refused:
        try:
            stream.skip(1)
        except RuntimeError as error:
            refused = "another thread" in str(error)
    thread.join()
    assert refused


def test_the_result_owns_its_memory() -> None:
    sealed = CCM.seal(KEY, NONCE, b"message")
    # Referred to by the name and by the call of getrefcount.
    assert sys.getrefcount(sealed) == 2
