# SPDX-License-Identifier: Apache-2.0
"""Makes AES answers: FIPS 197, SP 800-38A (checked with OpenSSL), forged CCM."""

import subprocess
from collections.abc import Iterator

from blockmodes import KEY_BITS, TAG_SIZES, forged_ccm_records
from blocks import Blocks
from modes import ccm_counter
from vectorfile import Record, SuiteValues, draw, render

KEYS = {
    128: "2b7e151628aed2a6abf7158809cf4f3c",
    192: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    256: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
}

PLAINTEXT = (
    "6bc1bee22e409f96e93d7e117393172a",
    "ae2d8a571e03ac9c9eb76fac45af8e51",
    "30c81c46a35ce411e5fbc1191a0a52ef",
    "f69f2445df4f9b17ad2b417be66c3710",
)

ECB = {
    128: (
        "3ad77bb40d7a3660a89ecaf32466ef97",
        "f5d3d58503b9699de785895a96fdbaaf",
        "43b1cd7f598ece23881b00e3ed030688",
        "7b0c785e27e8ad3f8223207104725dd4",
    ),
    192: (
        "bd334f1d6e45f25ff712a214571fa5cc",
        "974104846d0ad3ad7734ecb3ecee4eef",
        "ef7afd2270e2e60adce0ba2face6444e",
        "9a4b41ba738d6c72fb16691603c18e0e",
    ),
    256: (
        "f3eed1bdb5d2a03c064b5a7e3db181f8",
        "591ccb10d410ed26dc5ba74a31362870",
        "b6ed21b99ca6f4f9f153e7b1beafed1d",
        "23304b7a39f9f3ff067d8d8f9e24ecc7",
    ),
}

CBC_IV = "000102030405060708090a0b0c0d0e0f"

CBC = {
    128: "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
    "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
    192: "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
    "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
    256: "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
    "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
}

CTR_COUNTER = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"

CTR = {
    128: "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
    "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
    192: "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
    "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
    256: "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
    "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
}

# Appendices B and C of FIPS 197: name, key, plaintext, ciphertext.
FIPS_197 = (
    (
        "fips197/B",
        KEYS[128],
        "3243f6a8885a308d313198a2e0370734",
        "3925841d02dc09fbdc118597196a0b32",
    ),
    *(
        (name, bytes(range(size)).hex(), "00112233445566778899aabbccddeeff", answer)
        for name, size, answer in (
            ("fips197/C.1", 16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
            ("fips197/C.2", 24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
            ("fips197/C.3", 32, "8ea2b7ca516745bfeafc49904b496089"),
        )
    ),
)


def openssl(cipher: str, key: bytes, nonce: bytes, data: bytes) -> bytes:
    """Encrypt with the openssl program; CBC with padding, ECB without."""
    command = ["openssl", "enc", f"-aes-{8 * len(key)}-{cipher}", "-K", key.hex()]
    command += ["-iv", nonce.hex()] if nonce else ["-nopad"]
    run = subprocess.run(command, input=data, capture_output=True, check=True)
    return run.stdout


def block_record(name: str, key: str, plaintext: str, ciphertext: str) -> Record:
    """Return a block record after comparing it with OpenSSL."""
    answer = openssl("ecb", bytes.fromhex(key), b"", bytes.fromhex(plaintext))
    if answer.hex() != ciphertext:
        raise ValueError(f"OpenSSL disagrees with {name}")
    fields = {
        "name": name,
        "key": key,
        "plaintext": plaintext,
        "ciphertext": ciphertext,
    }
    return Record(f"aes{4 * len(key)}", fields)


def block_records() -> Iterator[Record]:
    """Yield the block records of both standards."""
    for entry in FIPS_197:
        yield block_record(*entry)
    for section, bits in enumerate((128, 192, 256)):
        blocks = zip(PLAINTEXT, ECB[bits], strict=True)
        for number, (plaintext, ciphertext) in enumerate(blocks, start=1):
            name = f"sp800-38a/F.1.{2 * section + 1} ECB-AES{bits} block {number}"
            yield block_record(name, KEYS[bits], plaintext, ciphertext)


def mode_record(
    name: str, mode: str, key: bytes, nonce: bytes, message: bytes
) -> Record:
    """Return a record of CBC or CTR with OpenSSL's answer."""
    ciphertext = openssl(mode, key, nonce, message)
    values = SuiteValues(key, nonce, b"", message, ciphertext, b"")
    return values.record(f"aes{8 * len(key)}-{mode}", name, "pass")


def published_records() -> Iterator[Record]:
    """Yield CBC and CTR of SP 800-38A, with CBC's padding block appended."""
    message = bytes.fromhex("".join(PLAINTEXT))
    for mode, part, nonce, answers in (
        ("cbc", "F.2", CBC_IV, CBC),
        ("ctr", "F.5", CTR_COUNTER, CTR),
    ):
        for section, bits in enumerate((128, 192, 256)):
            name = f"sp800-38a/{part}.{2 * section + 1} {mode.upper()}-AES{bits}"
            key = bytes.fromhex(KEYS[bits])
            record = mode_record(name, mode, key, bytes.fromhex(nonce), message)
            if not record["ciphertext"].startswith(answers[bits]):
                raise ValueError(f"OpenSSL disagrees with {name}")
            yield record


def counter_records() -> Iterator[Record]:
    """Yield CTR with odd sizes and with counters that carry, by OpenSSL."""
    for bits in KEYS:
        for size, carry in ((0, 0), (1, 0), (17, 0), (33, 4), (33, 8), (33, 16)):
            name = f"openssl/aes{bits}-ctr {size} bytes"
            name += f", counter carries out of {carry} bytes" if carry else ""
            key, message = draw(f"{name}/key", bits // 8), draw(f"{name}/m", size)
            nonce = draw(f"{name}/nonce", 16 - carry) + b"\xff" * carry
            yield mode_record(name, "ctr", key, nonce, message)


def make_blocks() -> str:
    """Return the text of aes-fips197.txt."""
    header = [
        "AES blocks",
        "Origin: NIST FIPS 197, appendices B and C; NIST SP 800-38A, appendix F.1",
        "Made by: tools/make-vectors/make-vectors aes-fips197.txt, which checks",
        "  them with OpenSSL",
    ]
    return render(header, block_records())


def make_modes() -> str:
    """Return the text of aes-modes-sp800-38a.txt."""
    header = [
        "AES-CBC and AES-CTR",
        "Origin: NIST SP 800-38A, appendices F.2 (CBC) and F.5 (CTR); records named",
        "  openssl/ were computed by OpenSSL for sizes and carries that it lacks",
        "Made by: tools/make-vectors/make-vectors aes-modes-sp800-38a.txt",
        "Our CBC pads with PKCS#7, the standard's examples are not padded: the last",
        "block of each CBC ciphertext is the padding block, computed by OpenSSL.",
        "The nonce of CTR is the whole first counter block.",
    ]
    return render(header, [*published_records(), *counter_records()])


def star_records() -> Iterator[Record]:
    """Yield CCM* without a tag: CTR from CCM's counter 1 on, by OpenSSL."""
    for bits in KEYS:
        for size in (0, 1, 15, 16, 17, 64, 127):
            name = f"openssl/aes{bits}-ccm-0 {size} bytes"
            key, message = draw(f"{name}/key", bits // 8), draw(f"{name}/m", size)
            nonce = draw(f"{name}/nonce", 13)
            ciphertext = openssl("ctr", key, ccm_counter(nonce, 1), message)
            values = SuiteValues(key, nonce, b"", message, ciphertext, b"")
            yield values.record(f"aes{bits}-ccm-0", name, "pass")


def make_star() -> str:
    """Return the text of aes-ccm-star.txt."""
    header = [
        "AES-CCM*: encryption without a tag (level 4 of IEEE 802.15.4)",
        "Origin: OpenSSL's CTR from the counter blocks of SP 800-38C, A.3",
        "Made by: tools/make-vectors/make-vectors aes-ccm-star.txt",
    ]
    return render(header, star_records())


def make_forged(blocks: Blocks) -> str:
    """Return the text of aes-ccm-forged.txt."""
    header = [
        "AES-CCM: forgeries for every key and tag size, all to be refused",
        "Origin: this project; Wycheproof has wrong tags of 16 bytes only",
        "Made by: tools/make-vectors/make-vectors aes-ccm-forged.txt",
        "One bit is inverted, as the name says; the message is the genuine one.",
    ]
    records = [
        record
        for key_bits in KEY_BITS
        for tag_size in TAG_SIZES
        for record in forged_ccm_records(blocks, "aes", key_bits, tag_size)
    ]
    return render(header, records)
