# SPDX-License-Identifier: Apache-2.0
"""Makes the answers of Simon and Speck in modes, and those of ModSpeck."""

from collections.abc import Iterator

from blockmodes import KEY_BITS, TAG_SIZES, ccm_records, ctr_records, forged_ccm_records
from blocks import Blocks, modspeck_key
from modes import BLOCK_SIZE
from vectorfile import Record, SelfCheckError, draw, flip, read, render


def check_blocks(blocks: Blocks) -> None:
    """Compare Crypto++ with the designers' answers for 128-bit blocks."""
    for record in read("simon-speck.txt"):
        cipher = record.slug.partition("-")[0]
        if cipher in ("simon128", "speck128"):
            function = blocks.function(cipher, record.octets("key"))
            if function(record.octets("plaintext")) != record.octets("ciphertext"):
                raise SelfCheckError(f"Crypto++ fails {record['name']}")


def mode_records(blocks: Blocks, cipher: str) -> Iterator[Record]:
    """Yield the records of every mode, key and tag size of one cipher."""
    for key_bits in KEY_BITS:
        yield from ctr_records(blocks, cipher, key_bits)
        for tag_size in TAG_SIZES:
            yield from ccm_records(blocks, cipher, key_bits, tag_size)
            yield from forged_ccm_records(blocks, cipher, key_bits, tag_size)


def modspeck_inputs(key_bits: int) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield name, key and plaintext of the block records of one key size."""
    size, zeros = key_bits // 8, bytes(BLOCK_SIZE)
    yield "all zero", bytes(size), zeros
    yield "all ones", b"\xff" * size, b"\xff" * BLOCK_SIZE
    for record in read("simon-speck.txt"):
        if record.slug == f"speck128-{key_bits}":
            plaintext = record.octets("plaintext")
            yield "key and plaintext of Speck", record.octets("key"), plaintext
    for part in range(4):
        key = flip(bytes(size), 2 * size * part)
        yield f"lowest bit of key part {part + 1}", key, zeros
    for number in range(1, 6):
        label = f"modspeck128-{key_bits}/random/{number}"
        yield (
            f"random {number}",
            draw(f"{label}/key", size),
            draw(f"{label}/plaintext", BLOCK_SIZE),
        )


def modspeck_block_records(blocks: Blocks) -> Iterator[Record]:
    """Yield the block records of ModSpeck."""
    for key_bits in KEY_BITS:
        slug = f"modspeck128-{key_bits}"
        for text, key, plaintext in modspeck_inputs(key_bits):
            ciphertext = blocks.function("modspeck128", key)(plaintext)
            fields = {
                "name": f"{slug}/{text}",
                "key": key.hex(),
                "plaintext": plaintext.hex(),
                "ciphertext": ciphertext.hex(),
            }
            yield Record(slug, fields, f"Speck key: {modspeck_key(key).hex()}")


def make_modes(blocks: Blocks) -> str:
    """Return the text of simon-speck-modes.txt."""
    header = [
        "Simon128 and Speck128 in CTR and CCM",
        "Origin: this project; there are no official answers",
        "Made by: tools/make-vectors/make-vectors simon-speck-modes.txt",
        "Blocks are encrypted by Crypto++ 8.7, which shares no code with core/ and",
        "passes the designers' answers; the modes are plain Python that passes",
        "AES-CCM of Wycheproof and AES-CTR of SP 800-38A.",
    ]
    ciphers = ("simon128", "speck128")
    return render(
        header, (r for cipher in ciphers for r in mode_records(blocks, cipher))
    )


def make_modspeck(blocks: Blocks) -> str:
    """Return the text of modspeck.txt."""
    header = [
        "ModSpeck128 (k-SPECK): blocks, CTR and CCM",
        "Origin: this project; the cipher's authors published no answers, and",
        "  their pseudo-code leaves a choice: these answers fix our reading of it",
        "Made by: tools/make-vectors/make-vectors modspeck.txt",
        "The key is split into four equal parts in byte order, each a little-endian",
        "number: P1 ^= P2, P2 ^= P3, P3 ^= P4, P4 ^= P1 (the new one), then part a",
        "(0 to 3) is rotated right by 7a bits within its width. The parts joined are",
        "the Speck key, which the comment above each block record shows. Speck128 is",
        "that of Crypto++ 8.7; the modes are those of simon-speck-modes.txt.",
    ]
    records = [*modspeck_block_records(blocks), *mode_records(blocks, "modspeck128")]
    return render(header, records)
