# SPDX-License-Identifier: Apache-2.0
"""Makes frames to the bit, with OpenSSL's AES (by `cryptography`) for the tags.

The formats are written down here once more, from docs/rf-serial.md and from the
description of link type 283, by sizes and sums alone: no code of samara is used.
"""

from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from vectorfile import Record, draw, render

# ---- units of a serial radio ----

# Cipher and mode, its key's bytes.
KEY_SIZES = {"aes128-ccm": 16, "aes192-ccm": 24, "aes256-ccm": 32, "aes128-gcm": 16}

# Suite, tag, bytes of the number, packet, identity, direction, number, message.
# In packets of 1 the sizes go in steps of 5: 320 bytes are the last exact ones.
UNITS = [
    *(
        ("aes128-ccm", tag, 2, 12, 0x1234, 0, 5, 14)
        for tag in (4, 6, 8, 10, 12, 14, 16)
    ),
    *(("aes128-gcm", tag, 4, 60, 1, 1, 1 << 24, 31) for tag in range(12, 17)),
    *(
        ("aes256-ccm", 8, size, 12, 0xFFEE, 1, 0x0102030405060708, 20)
        for size in range(5)
    ),
    *(("aes192-ccm", 8, 1, packet, 0, 0, 255, 40) for packet in (1, 2, 3, 4, 5, 6, 7)),
    *(("aes128-ccm", 4, 0, 240, 0x0100, 0, 0, size) for size in (0, 1, 234, 235, 236)),
    # Without fill, with one byte of it, and with the most.
    *(("aes128-ccm", 8, 2, 12, 7, 1, 1000, size) for size in (0, 1, 2, 12, 13, 14)),
    # The last exact sizes, and the first in steps, of each length of the steps.
    *(("aes128-ccm", 8, 2, 1, 9, 0, 77, size) for size in range(306, 317)),
    *(("aes128-ccm", 8, 2, 1, 9, 0, 78, size) for size in (325, 326, 626, 627, 628)),
    *(
        ("aes128-ccm", 8, 2, 1, 9, 0, 79, size)
        for size in (633, 1266, 1267, 1268, 2600)
    ),
    *(("aes128-ccm", 16, 4, 12, 9, 1, (1 << 64) - 2, size) for size in (747, 748, 760)),
]


def make_units() -> str:
    """Return the text of frames/rfserial.txt."""
    header = [
        "Units of a serial radio, framing `sealed`, as docs/rf-serial.md has them",
        "Origin: written again from the document, tags by OpenSSL's AES-CCM and",
        "  AES-GCM; no code of samara is used",
        "Made by: tools/make-vectors frames/rfserial.txt",
        "`sizes` are bytes of tag, number and packet; `number` is the message's.",
    ]
    return render(header, (unit(*row) for row in UNITS))


def unit(  # noqa: PLR0913, PLR0917 - the columns of UNITS
    suite: str,
    tag: int,
    counter: int,
    packet: int,
    identity: int,
    direction: int,
    number: int,
    message_size: int,
) -> Record:
    """Return one unit."""
    label = f"{suite}-{tag}/{counter}/{packet}/{message_size}/{number}"
    key, message = draw(f"key {label}", KEY_SIZES[suite]), draw(label, message_size)
    code, size = header_and_size(1 + counter + message_size + tag, packet)
    nonce = (
        b"\x03" + bytes([direction]) + high_first(identity, 2) + high_first(number, 8)
    )
    data = bytes([code, packet, (tag - 1) * 16 + counter])
    if suite.endswith("ccm"):
        sealed = AESCCM(key, tag_length=tag).encrypt(nonce, message, data)
    else:
        sealed = AESGCM(key).encrypt(nonce, message, data)[: message_size + tag]
    wire = bytes([code]) + high_first(number, 8)[8 - counter :] + sealed
    fields = {
        "name": label,
        "key": key.hex(),
        "sizes": f"{tag} {counter} {packet}",
        "identity": high_first(identity, 2).hex(),
        "direction": bytes([direction]).hex(),
        "number": high_first(number, 8).hex(),
        "message": message.hex(),
        "wire": (wire + fill(size - len(wire), code)).hex(),
    }
    return Record(suite, fields)


def high_first(number: int, size: int) -> bytes:
    """Return a number of so many bytes."""
    return number.to_bytes(size, "big")


def header_and_size(needed: int, packet: int) -> tuple[int, int]:
    """Return the header and the size of the unit, for bytes that are no fill."""
    grain = packet * (-(-5 // packet)) if packet < 5 else packet
    packets = -(-needed // grain)
    if packets <= 64:
        return 2 * (packets - 1) + (needed < packets * grain), packets * grain
    for octave in range(8):
        for step in range(1, 65):
            size = (64 + step) * 2**octave * grain
            if size >= needed + 2:
                return 128 + 16 * octave + (step - 1) // 4, size
    message = f"{needed} bytes are too many"
    raise ValueError(message)


def fill(size: int, code: int) -> bytes:
    """Return the fill, which ends with its size."""
    if size == 0:
        return b""
    end = high_first(size, 2) if code >= 128 else high_first(size, 1)
    return bytes(size - len(end)) + end


# ---- TAP headers of captures ----

# What a field is: type and value. Values of other lengths than whole words are
# padded; the length is that of the value.
TAP_FIELDS = {
    "no FCS": ("0000", "00"),
    "16-bit FCS": ("0000", "01"),
    "RSSI of -30.5 dBm": ("0100", "0000f4c1"),
    "channel 26 of page 0": ("0300", "1a0000"),
    "SUN PHY": ("0400", "000102"),
    "start of frame": ("0500", "00ca9a3b00000000"),
    "end of frame": ("0600", "00d7a93b00000000"),
    "ASN 0x0102030405": ("0700", "0504030201000000"),
    "ASN 0": ("0700", "0000000000000000"),
    "start of slot": ("0800", "0000000000000000"),
    "slot of 10,000 us": ("0900", "10270000"),
    "LQI of 200": ("0a00", "c8"),
    "unknown, 5 bytes": ("ff7f", "0102030405"),
    "unknown, empty": ("fe7f", ""),
}
TAP_HEADERS = [
    [],
    ["no FCS"],
    ["16-bit FCS"],
    ["ASN 0x0102030405"],
    ["16-bit FCS", "RSSI of -30.5 dBm", "channel 26 of page 0", "ASN 0x0102030405"],
    ["channel 26 of page 0", "LQI of 200", "16-bit FCS"],
    ["unknown, 5 bytes", "16-bit FCS", "ASN 0"],
    ["unknown, empty", "SUN PHY", "16-bit FCS", "slot of 10,000 us", "start of slot"],
    ["LQI of 200", "unknown, 5 bytes", "SUN PHY", "ASN 0x0102030405", "no FCS"],
    ["start of frame", "end of frame", "16-bit FCS"],
]
# The standard's example (7.2.11 of 2015), with its check sequence.
TAP_FRAME = ("02006a", "e479")


def make_taps() -> str:
    """Return the text of frames/tap.txt."""
    header = [
        "Packets of link type 283: a TAP header, a frame, and its FCS if it has one",
        "Origin: written from the description of LINKTYPE_IEEE802_15_4_TAP; no code",
        "  of samara is used. The frame is the standard's example of an FCS",
        "Made by: tools/make-vectors frames/tap.txt",
        "`fcs` is its bytes, `asn` the slot number; empty where there is none.",
    ]
    return render(header, map(tap_packet, TAP_HEADERS))


def tap_packet(names: list[str]) -> Record:
    """Return one packet."""
    fields = b"".join(tap_field(*TAP_FIELDS[name]) for name in names)
    header = b"\0\0" + (4 + len(fields)).to_bytes(2, "little") + fields
    frame, fcs = TAP_FRAME
    if "16-bit FCS" not in names:
        fcs = ""
    asn = next((name.split()[1] for name in names if name.startswith("ASN")), "")
    return Record(
        "tap",
        {
            "name": "; ".join(names) or "no field",
            "packet": header.hex() + frame + fcs,
            "frame": frame,
            "fcs": fcs,
            "asn": high_first(int(asn, 0), 5).hex() if asn else "",
        },
    )


def tap_field(kind: str, value: str) -> bytes:
    """Return a field."""
    content = bytes.fromhex(value)
    padding = bytes((4 - len(content)) % 4)
    length = len(content).to_bytes(2, "little")
    return bytes.fromhex(kind) + length + content + padding
