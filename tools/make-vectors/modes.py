# SPDX-License-Identifier: Apache-2.0
"""CTR and CCM over any 128-bit block cipher, written to be read."""

from collections.abc import Callable

BLOCK_SIZE = 16

# From this size on CCM encodes the size of associated data in more bytes.
LONG_AD = 0xFF00

BlockFunction = Callable[[bytes], bytes]


def exclusive_or(left: bytes, right: bytes) -> bytes:
    """Return the sum of two strings, as long as the shorter one."""
    return bytes(a ^ b for a, b in zip(left, right, strict=False))


def ctr(encrypt: BlockFunction, counter_block: bytes, data: bytes) -> bytes:
    """Encrypt or decrypt in CTR mode (SP 800-38A, 6.5).

    The whole counter block is incremented as a big-endian number.
    """
    counter, output = int.from_bytes(counter_block, "big"), b""
    for start in range(0, len(data), BLOCK_SIZE):
        block = (counter % 2**128).to_bytes(BLOCK_SIZE, "big")
        output += exclusive_or(data[start : start + BLOCK_SIZE], encrypt(block))
        counter += 1
    return output


def pad(data: bytes) -> bytes:
    """Append zeros up to a whole number of blocks."""
    return data + bytes(-len(data) % BLOCK_SIZE)


def authentication_blocks(
    nonce: bytes, ad: bytes, message: bytes, tag_size: int
) -> bytes:
    """Return what CCM authenticates, formatted (SP 800-38C, A.2)."""
    length_size = 15 - len(nonce)
    flags = 64 * bool(ad) + 8 * ((tag_size - 2) // 2) + length_size - 1
    first = bytes([flags]) + nonce + len(message).to_bytes(length_size, "big")
    if len(ad) >= LONG_AD:
        raise ValueError("associated data this long is not supported")
    prefix = len(ad).to_bytes(2, "big") if ad else b""
    return first + pad(prefix + ad) + pad(message)


def ccm_tag(
    encrypt: BlockFunction, nonce: bytes, ad: bytes, message: bytes, tag_size: int
) -> bytes:
    """Return the encrypted tag of CCM."""
    blocks = authentication_blocks(nonce, ad, message, tag_size)
    mac = bytes(BLOCK_SIZE)
    for start in range(0, len(blocks), BLOCK_SIZE):
        mac = encrypt(exclusive_or(mac, blocks[start : start + BLOCK_SIZE]))
    return ctr(encrypt, ccm_counter(nonce, 0), mac[:tag_size])


def ccm_counter(nonce: bytes, number: int) -> bytes:
    """Return a counter block of CCM (SP 800-38C, A.3)."""
    length_size = 15 - len(nonce)
    return bytes([length_size - 1]) + nonce + number.to_bytes(length_size, "big")


def ccm_crypt(encrypt: BlockFunction, nonce: bytes, data: bytes) -> bytes:
    """Encrypt or decrypt with the key stream of CCM."""
    return ctr(encrypt, ccm_counter(nonce, 1), data)
