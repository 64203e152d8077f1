# SPDX-License-Identifier: Apache-2.0
"""Makes Grain-128AEAD answers: longer ones, forgeries, and those of version 1."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from grain import seal, tag_of_ciphertext
from vectorfile import (
    Record,
    SelfCheckError,
    SuiteValues,
    draw,
    flip,
    read,
    render,
    suite_values,
)

SLUG = "grain128aead"

# Which fields are forged, how often.
FORGERIES = {"tag": 16, "ciphertext": 8, "ad": 6, "nonce": 6, "key": 4}

# Answers of version 1, count: ciphertext with tag, in the NIST LWC KAT format
# (nicosilverx/SECube-Grain-128AEAD, API/test/LWC_AEAD_KAT_128_96.txt).
VERSION_1_ANSWERS = {
    1: "F879CF00B4AFA099",
    2: "5FFC2734F4A6C668",
    9: "2E71E59761A18CD4",
    17: "2BAAC762EF2C63E7",
    18: "C1CD29E354F28F71",
    34: "B7646A2D2D0F70ABDA",
    51: "565E7EADF7D93EBA58",
    67: "B7127D91FB40BDC9519D",
    100: "B7126C13C1ABA96FD611AD",
    104: "E0FE16ED9BDC3B57AADD16",
    116: "6757421E968114830AB70F",
    345: "470865554458915203B56749206B46306F3D",
    1047: "BC822EE8DF8130DF0B965C84E0555A8D6C88BAB7E1A06C7CAFF25D4C2FBE5D"
    "0B5DFF7CEB209A80",
    1057: "B7126C67E4FA12307A19185ADF3449067747524E83401DAB9B35F1C0982BC61C"
    "C3A141A63A203B8F",
    1058: "136F66E3FB113175181B5BD8354A076846514F84411EAA9434F2C19F2AC51D80"
    "877281BA7B3DD049",
    1066: "101353D03D420F605E49579C5906B28C3CFAC99722CD15884E96F643489F6286"
    "900B0C9C94648100",
    1074: "56415F94510EBA8424E2D18F3AD50D90469EFE4B40976A8EB0BDEFAE6676A9F4"
    "CF6A2BA952B9DA99",
    1088: "039E548CE85D52857490A2AFF9B87464A7FA554427B65549A0F0BA102E2DD029"
    "8BC4AB7DD4C2521A",
    1089: "9F578DEF5C51847B91A1AEFEB97765B8FB564520B75648AFF1B911292CD328AE"
    "E2A0C635CC63E1EE",
}

# The designers' reference code of 2019 read the bits of a byte in the opposite
# order (Noxet/Grain-128AEAD, crypto_aead/grain128aead/ref/LWC_AEAD_KAT_128_96.txt).
# The two compared have no bit set in message or associated data; in the others
# its ciphertexts agree and its tags do not.
VERSION_1_REVERSED = {
    1: "97CE60C2F47910E8",
    34: "F0675373BD7136ADEC",
}

# Sizes in bytes of message and associated data; the last ones need a DER
# length of two and of three bytes.
VERSION_1_SHAPES = (
    *((message, ad) for message in (0, 1, 7, 8, 15, 16, 31, 64) for ad in (0, 5, 40)),
    (16, 127),
    (16, 128),
    (0, 200),
    (1, 200),
    (33, 128),
    (64, 127),
    (8, 256),
)

# The same for answers of version 2 that the official ones do not cover.
LONG_SHAPES = (
    (33, 0),
    (64, 33),
    (255, 127),
    (0, 128),
    (17, 129),
    (102, 255),
    (116, 256),
    (1000, 300),
)


def kat_inputs(count: int) -> SuiteValues:
    """Return the inputs of an entry of the NIST LWC known answers."""
    message_size, ad_size = divmod(count - 1, 33)
    return SuiteValues(
        key=bytes(range(16)),
        nonce=bytes(range(12)),
        ad=bytes(range(ad_size)),
        message=bytes(range(message_size)),
        ciphertext=b"",
        tag=b"",
    )


def draw_inputs(label: str, message_size: int, ad_size: int) -> SuiteValues:
    """Return key, nonce, associated data and message of the given sizes."""
    return SuiteValues(
        key=draw(f"{label}/key", 16),
        nonce=draw(f"{label}/nonce", 12),
        ad=draw(f"{label}/ad", ad_size),
        message=draw(f"{label}/message", message_size),
        ciphertext=b"",
        tag=b"",
    )


def size_name(label: str, message_size: int, ad_size: int) -> str:
    """Return the name of a record with the given sizes."""
    return f"{label} message {message_size}, ad {ad_size}"


def sealed(version: int, inputs: SuiteValues) -> SuiteValues:
    """Return the inputs with ciphertext and tag filled in."""
    key, nonce, ad, message = inputs.key, inputs.nonce, inputs.ad, inputs.message
    ciphertext, tag = seal(version, key, nonce, ad, message)
    return replace(inputs, ciphertext=ciphertext, tag=tag)


def reversed_bits(octets: bytes) -> bytes:
    """Reverse the bits within each byte."""
    return bytes(int(f"{octet:08b}"[::-1], 2) for octet in octets)


@cache
def check_version_1() -> None:
    """Compare the model of version 1 with published answers."""
    for count, expected in VERSION_1_ANSWERS.items():
        values = sealed(1, kat_inputs(count))
        if values.ciphertext + values.tag != bytes.fromhex(expected):
            raise SelfCheckError(f"version 1 fails count {count}")
    for count, expected in VERSION_1_REVERSED.items():
        given = kat_inputs(count)
        texts = {field: reversed_bits(value) for field, value in vars(given).items()}
        values = sealed(1, SuiteValues(**texts))
        if reversed_bits(values.ciphertext + values.tag) != bytes.fromhex(expected):
            raise SelfCheckError(f"version 1 fails count {count}, bits reversed")


@cache
def check_version_2() -> None:
    """Compare the model of version 2 with all official answers."""
    for record in read("grain128aead-lwc.txt"):
        values = suite_values(record)
        if sealed(2, values) != values:
            raise SelfCheckError(f"version 2 fails {record['name']}")


def refused(values: SuiteValues, name: str) -> Record:
    """Return a must-fail record after checking that version 2 refuses it."""
    key, nonce, ad = values.key, values.nonce, values.ad
    if tag_of_ciphertext(2, key, nonce, ad, values.ciphertext) == values.tag:
        raise SelfCheckError(f"version 2 accepts {name}")
    return values.record(SLUG, name, "fail")


def forged_records() -> Iterator[Record]:
    """Yield official answers with one bit inverted, spread over their sizes."""
    answers = [r for r in read("grain128aead-lwc.txt") if r["message"] and r["ad"]]
    step = len(answers) // sum(FORGERIES.values())
    chosen = iter(answers[::step])
    for field, count in FORGERIES.items():
        for number in range(count):
            answer = next(chosen)
            octets = answer.octets(field)
            bit = (8 * len(octets) - 1) * number // (count - 1)
            values = replace(suite_values(answer), **{field: flip(octets, bit)})
            yield refused(values, f"forged/{answer['name']} {field} bit {bit}")


def version_1_records() -> Iterator[Record]:
    """Yield answers of version 1: the published ones, then others of ours."""
    for count in VERSION_1_ANSWERS:
        yield refused(sealed(1, kat_inputs(count)), f"v1-kat/{count}")
    for number, (message_size, ad_size) in enumerate(VERSION_1_SHAPES, start=1):
        label = f"v1/{number}"
        values = sealed(1, draw_inputs(label, message_size, ad_size))
        yield refused(values, size_name(label, message_size, ad_size))


def long_records() -> Iterator[Record]:
    """Yield answers of version 2 for sizes beyond the official ones."""
    for number, (message_size, ad_size) in enumerate(LONG_SHAPES, start=1):
        label = f"long/{number}"
        values = sealed(2, draw_inputs(label, message_size, ad_size))
        yield values.record(SLUG, size_name(label, message_size, ad_size), "pass")


def make_long() -> str:
    """Return the text of grain128aead-long.txt."""
    header = [
        "Grain-128AEADv2 with longer inputs, and a DER length of 1, 2 and 3 bytes",
        "Origin: this project's bit-level model, which passes all 1089 official",
        "  answers; those stop at 32 bytes",
        "Made by: tools/make-vectors/make-vectors grain128aead-long.txt",
    ]
    return render(header, long_records())


def make_forged() -> str:
    """Return the text of grain128aead-forged.txt."""
    header = [
        "Grain-128AEADv2: forgeries, all to be refused",
        "Origin: the official answers (grain128aead-lwc.txt), one bit inverted",
        "Made by: tools/make-vectors/make-vectors grain128aead-forged.txt",
        "The name says which answer, which field and which bit (bit i is bit i mod",
        "8, from the least significant, of byte i div 8). A bit-level model, which",
        "passes all official answers, refuses each. The message is the genuine one.",
    ]
    return render(header, forged_records())


def make_version_1() -> str:
    """Return the text of grain128aead-v1.txt."""
    header = [
        "Grain-128AEAD version 1: answers that our version 2 must refuse",
        "Origin: this project's bit-level model of version 1 (NIST LWC, second",
        "  round). The submission itself was not at hand. Records named v1-kat/ are",
        "  entries of its known answers, by their count, as carried by",
        "  nicosilverx/SECube-Grain-128AEAD API/test/LWC_AEAD_KAT_128_96.txt; the",
        "  model reproduces them. It also reproduces, with the bits of each byte",
        "  reversed, counts 1 and 34 of the designers' own",
        "  Noxet/Grain-128AEAD crypto_aead/grain128aead/ref/LWC_AEAD_KAT_128_96.txt",
        "Made by: tools/make-vectors/make-vectors grain128aead-v1.txt",
        "These are correct seals by version 1. Version 2 changed the start-up only:",
        "with that exchanged, the same model passes all 1089 official answers of",
        "version 2. Key and nonce as everywhere, least significant bit first.",
    ]
    return render(header, version_1_records())
