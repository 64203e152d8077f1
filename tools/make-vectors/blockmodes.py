# SPDX-License-Identifier: Apache-2.0
"""Records of CTR and CCM over any block cipher that blocks.cpp knows."""

from collections.abc import Iterator
from dataclasses import replace

from blocks import Blocks
from modes import BLOCK_SIZE, BlockFunction, ccm_crypt, ccm_tag, ctr
from vectorfile import (
    Record,
    SelfCheckError,
    SuiteValues,
    draw,
    flip,
    read,
    suite_values,
)

KEY_BITS = (128, 192, 256)
TAG_SIZES = (4, 6, 8, 10, 12, 14, 16)

# Sizes in bytes of message, associated data and nonce; a nonce of 0 stands for
# a size from 7 to 12 that differs from suite to suite.
CCM_SHAPES = (
    (0, 0, 13),
    (0, 14, 13),
    (1, 5, 13),
    (15, 14, 13),
    (16, 0, 13),
    (17, 40, 13),
    (33, 5, 0),
    (64, 14, 13),
    (64, 40, 0),
)

# The shape whose answer is forged, and the bits inverted, counted from the end
# of the field where negative.
FORGED_SHAPE = (17, 14, 13)
FORGED_BITS = (("tag", 0), ("tag", -1), ("ciphertext", 64), ("ad", -1), ("nonce", 0))

CTR_SIZES = (0, 1, 15, 16, 17, 33, 64)

# Counter blocks that carry out of their last 4, 8 and 16 bytes.
CTR_CARRIES = (4, 8, 16)


def check_modes(blocks: Blocks) -> None:
    """Compare the modes, over AES, with Wycheproof (CCM) and SP 800-38A (CTR)."""
    for record in read("aes-ccm-wycheproof.txt"):
        if record["result"] == "pass":
            values = suite_values(record)
            function = blocks.function("aes", values.key)
            if seal_ccm(function, values, len(values.tag)) != values:
                raise SelfCheckError(f"CCM fails {record['name']}")
    for record in read("aes-modes-sp800-38a.txt"):
        if record.slug.endswith("-ctr"):
            values = suite_values(record)
            function = blocks.function("aes", values.key)
            if ctr(function, values.nonce, values.message) != values.ciphertext:
                raise SelfCheckError(f"CTR fails {record['name']}")


def seal_ccm(
    function: BlockFunction, inputs: SuiteValues, tag_size: int
) -> SuiteValues:
    """Return the inputs with ciphertext and tag filled in."""
    nonce, message = inputs.nonce, inputs.message
    tag = ccm_tag(function, nonce, inputs.ad, message, tag_size)
    ciphertext = ccm_crypt(function, nonce, message)
    return replace(inputs, ciphertext=ciphertext, tag=tag)


def ccm_accepts(function: BlockFunction, values: SuiteValues) -> bool:
    """Tell whether opening these values with CCM succeeds."""
    message = ccm_crypt(function, values.nonce, values.ciphertext)
    tag_size = len(values.tag)
    return values.tag == ccm_tag(function, values.nonce, values.ad, message, tag_size)


def draw_inputs(label: str, key_size: int, shape: tuple[int, int, int]) -> SuiteValues:
    """Return key, nonce, associated data and message of the given sizes."""
    message_size, ad_size, nonce_size = shape
    return SuiteValues(
        key=draw(f"{label}/key", key_size),
        nonce=draw(f"{label}/nonce", nonce_size),
        ad=draw(f"{label}/ad", ad_size),
        message=draw(f"{label}/message", message_size),
        ciphertext=b"",
        tag=b"",
    )


def ctr_records(blocks: Blocks, cipher: str, key_bits: int) -> Iterator[Record]:
    """Yield the CTR records of one cipher and key size."""
    slug = f"{cipher}-{key_bits}-ctr"
    cases = [(f"{size} bytes", size, 0) for size in CTR_SIZES]
    cases += [
        (f"counter carries out of {carry} bytes", 33, carry) for carry in CTR_CARRIES
    ]
    for number, (text, size, carry) in enumerate(cases, start=1):
        label = f"{slug}/{number}"
        inputs = draw_inputs(label, key_bits // 8, (size, 0, BLOCK_SIZE))
        nonce = inputs.nonce[: BLOCK_SIZE - carry] + b"\xff" * carry
        function = blocks.function(cipher, inputs.key)
        ciphertext = ctr(function, nonce, inputs.message)
        values = replace(inputs, nonce=nonce, ciphertext=ciphertext)
        yield values.record(slug, f"{label} {text}", "pass")


def ccm_shapes(key_bits: int, tag_size: int) -> Iterator[tuple[int, int, int]]:
    """Yield the sizes for one suite, with every nonce size chosen."""
    for number, (message, ad, nonce) in enumerate(CCM_SHAPES):
        varied = 7 + (number // 2 + tag_size // 2 + key_bits // 64) % 6
        yield message, ad, nonce or varied


def ccm_records(
    blocks: Blocks, cipher: str, key_bits: int, tag_size: int
) -> Iterator[Record]:
    """Yield the genuine CCM records of one suite."""
    slug = f"{cipher}-{key_bits}-ccm-{tag_size}"
    for number, shape in enumerate(ccm_shapes(key_bits, tag_size), start=1):
        label = f"{slug}/{number}"
        inputs = draw_inputs(label, key_bits // 8, shape)
        values = seal_ccm(blocks.function(cipher, inputs.key), inputs, tag_size)
        message, ad, nonce = shape
        text = f"message {message}, ad {ad}, nonce {nonce}"
        yield values.record(slug, f"{label} {text}", "pass")


def forged_ccm_records(
    blocks: Blocks, cipher: str, key_bits: int, tag_size: int
) -> Iterator[Record]:
    """Yield CCM records of one suite that have one bit inverted."""
    joint = "" if cipher == "aes" else "-"
    slug = f"{cipher}{joint}{key_bits}-ccm-{tag_size}"
    inputs = draw_inputs(f"{slug}/forged", key_bits // 8, FORGED_SHAPE)
    function = blocks.function(cipher, inputs.key)
    genuine = seal_ccm(function, inputs, tag_size)
    for field, position in FORGED_BITS:
        octets = getattr(genuine, field)
        bit = position % (8 * len(octets))
        values = replace(genuine, **{field: flip(octets, bit)})
        if ccm_accepts(function, values):
            raise SelfCheckError(f"{slug} accepts a forgery")
        yield values.record(slug, f"{slug}/forged {field} bit {bit}", "fail")
