# SPDX-License-Identifier: Apache-2.0
"""`samara frame`: single frames of IEEE 802.15.4, as hex digits."""

import re
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.tree import Tree

from samara.cli.frame_options import (
    Asn,
    FrameCounter,
    Level,
    Level4,
    check_asn,
    check_one_number,
)
from samara.cli.shared import files
from samara.cli.shared.completion import complete_cipher
from samara.cli.shared.diagnostics import MisuseError
from samara.cli.shared.inputs import KEY_HELP, key_of
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import console
from samara.hex_digits import bytes_of_hex
from samara.link.ieee802154 import Frame, FrameCipher, KeyId, SecurityHeader, parse
from samara.link.ieee802154.frames import tools as frame_tools
from samara.link.ieee802154.frames.clauses import STANDARD
from samara.link.ieee802154.frames.fields import Field, field_tree
from samara.link.ieee802154.frames.frame import ADDRESS_SIZE, FRAME_SIZE_MAX
from samara.link.ieee802154.frames.naming import frame_cipher_named
from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey

_HELP = """Protect, open and inspect single frames of IEEE 802.15.4.

Frames are hex digits without the frame check sequence (FCS).

\b
Examples:
  samara frame inspect 41882a2143020001003231
  samara frame protect --key @key --level 5 --frame-counter 7 --key-index 1 \\
    --address 0001=acde480000000001 41882a2143020001003231
"""

app = typer.Typer(help=_HELP, no_args_is_help=False)

_Frame = Annotated[
    str,
    typer.Argument(
        metavar="HEX|-",
        help="Frame without FCS, as hex digits; - reads them from stdin. Default: -.",
        show_default=False,
    ),
]
_Key = Annotated[
    str, typer.Option("--key", metavar="HEX|@FILE", help=KEY_HELP, show_default=False)
]
_KeyIndex = Annotated[
    int | None,
    typer.Option(
        min=0, max=255, metavar="N", help="Key index, by which frames name the key."
    ),
]
_KeySource = Annotated[
    str | None,
    typer.Option(
        metavar="HEX",
        help="Key source, 4 or 8 bytes in the order of the frame; needs --key-index.",
    ),
]
_Addresses = Annotated[
    list[str] | None,
    typer.Option(
        "--address",
        metavar="SHORT=EUI64",
        help="Extended address (EUI-64) of the sender with this short address "
        "(repeatable).",
    ),
]
_Sender = Annotated[
    str | None,
    typer.Option(
        metavar="EUI64",
        help="Extended address of the sender, for frames without a source address.",
    ),
]
_Suite = Annotated[
    str,
    typer.Option(
        metavar="SUITE",
        autocompletion=complete_cipher,
        help="Cipher of the key, such as aes128, or its suite, such as aes128-ccm-8, "
        "whose tag must have the size of the MIC. Default: aes128.",
        show_default=False,
    ),
]
_Json = Annotated[
    bool, typer.Option("--json", help="Print the frame's fields as a JSON line.")
]


@app.command("open")
def open_(  # noqa: PLR0913 - one parameter an option
    frame: _Frame = "-",
    *,
    key: _Key,
    key_index: _KeyIndex = None,
    key_source: _KeySource = None,
    address: _Addresses = None,
    sender: _Sender = None,
    suite: _Suite = "aes128",
    asn: Asn = None,
    level_4: Level4 = False,
    as_json: _Json = False,
) -> None:
    """Verify and decrypt a frame, and print its payload as hex digits.

    The exit status is 1 if the frame is not genuine, or not secured. Without
    --key-index and --key-source, any key identifier in the frame is accepted.

    The payload printed is the part that is encrypted at levels 4 to 7. A command
    identifier and the fixed fields of a beacon are in front of it; --json shows
    them too.

    A frame of TSCH that suppresses its frame counter needs --asn. Its nonce
    contains the short source address, so that --address is not needed.

    \b
    Examples:
      samara frame open --key @key --address 0001=acde480000000001 - <frame
      samara frame open --key @key --asn 123456 - <slotted-frame
    """
    data = _frame_bytes(frame)
    parsed = parse(data)
    key_id = _key_id(key_index, key_source) or _key_id_of(parsed)
    cipher = frame_cipher_named(suite, parsed.level if parsed.security else None)
    devices = _addresses(address)
    opener = frame_tools.Opener(
        [FrameKey(key_of(key, cipher), key_id, cipher.slug)],
        devices,
        encryption_only=level_4,
    )
    _check_asn_fits(parsed, asn, cipher)
    slotted = frame_tools.is_slotted(parsed)
    source = frame_tools.source_of(parsed, devices, slotted=slotted)
    if source is None and parsed.security is not None:
        source = _sender_of(parsed, sender)
    opened = opener.open(data, asn=asn, sender=source)
    if as_json:
        print_json("frame", frame_tools.fields_of(opened))
    else:
        print(frame_tools.secured_part(opened).hex())


@app.command("protect")
def protect(  # noqa: PLR0913 - one parameter an option
    frame: _Frame = "-",
    *,
    key: _Key,
    level: Level,
    frame_counter: FrameCounter = None,
    asn: Asn = None,
    key_index: _KeyIndex = None,
    key_source: _KeySource = None,
    address: _Addresses = None,
    sender: _Sender = None,
    suite: _Suite = "aes128",
) -> None:
    """Secure a frame, and print it as hex digits, without FCS.

    The key identifier mode follows from the options: mode 0 without any, mode 1
    with --key-index, mode 2 or 3 with a --key-source of 4 or 8 bytes as well. A
    frame of version 2003 becomes one of version 2006.

    WARNING: the frame counter is not stored. Two frames with the same key, sender
    and frame counter reveal the contents of both. The same is true of --asn.

    With --asn instead of --frame-counter, the frame counter is suppressed, and the
    nonce contains the absolute slot number, as in TSCH. This needs a frame of
    version 2015. The nonce then contains the short source address, so that
    --address is not needed.

    \b
    Examples:
      samara frame protect --key @key --level 5 --frame-counter 7 --key-index 1 \\
        --address 0001=acde480000000001 41882a2143020001003231
      samara frame protect --key @key --level 6 --asn 123456 --key-index 1 \\
        41a82a2143020001003231
    """
    check_one_number(frame_counter, asn)
    parsed = parse(_frame_bytes(frame))
    cipher = frame_cipher_named(suite, level)
    source = frame_tools.source_of(parsed, _addresses(address), slotted=asn is not None)
    if source is None:
        source = _sender_of(parsed, sender)
    key_id = _key_id(key_index, key_source) or KeyId()
    data = frame_tools.protected(
        parsed,
        SecurityHeader(level, key_id, frame_counter, asn_in_nonce=asn is not None),
        FrameKey(key_of(key, cipher), key_id, cipher.slug),
        source,
        asn=asn,
    )
    print(data.hex())


@app.command("inspect")
def inspect(
    frame: _Frame = "-",
    *,
    clauses: Annotated[
        bool,
        typer.Option(
            "--clauses", help=f"Show the clause of {STANDARD} that defines each field."
        ),
    ] = False,
    as_json: _Json = False,
) -> None:
    """Show the fields of a frame.

    No key is needed, and nothing is verified or decrypted.

    \b
    Examples:
      samara frame inspect 41882a2143020001003231
      samara frame inspect --clauses 41882a2143020001003231
      samara frame inspect --json 41882a2143020001003231
    """
    data = _frame_bytes(frame)
    if as_json:
        print_json("frame", frame_tools.fields_of(parse(data)))
        return
    tree = Tree(f"frame of {len(data)} bytes")
    _grow(tree, field_tree(data), clauses=clauses)
    console().print(tree, highlight=False, markup=False)


def _check_asn_fits(frame: Frame, asn: int | None, cipher: FrameCipher) -> None:
    """Check that --asn was given if, and only if, the frame's nonce contains it."""
    check_asn(asn)
    if not frame_tools.is_slotted(frame):
        if asn is not None and frame.security is not None:
            message = "the frame has a frame counter: leave out --asn"
            raise MisuseError(message)
        return
    if not cipher.takes_asn:
        message = (
            f"the frame suppresses its frame counter, and {cipher.slug} does not "
            "support nonces with the absolute slot number"
        )
        raise MisuseError(message)
    if asn is None:
        message = (
            "the frame suppresses its frame counter: give the absolute slot number "
            "with --asn"
        )
        raise MisuseError(message)


def _grow(tree: Tree, fields: Sequence[Field], *, clauses: bool) -> None:
    for field in fields:
        value = f": {field.value}" if field.value else ""
        clause = f" ({field.clause})" if clauses and field.clause else ""
        branch = tree.add(f"{field.name}{value}{clause}")
        _grow(branch, field.fields, clauses=clauses)


def _frame_bytes(text: str) -> bytes:
    if text == "-":
        with files.reading(files.STANDARD_STREAM) as file:
            text = file.read(4 * FRAME_SIZE_MAX).decode("ascii", "replace")
    # As some programs print bytes: AA:BB, AA-BB or AA BB.
    data = bytes_of_hex("FRAME", re.sub("[:\\s-]", "", text))
    if len(data) > FRAME_SIZE_MAX:
        message = f"a frame has at most {FRAME_SIZE_MAX} bytes, not {len(data)}"
        raise MisuseError(message)
    return data


def _key_id(index: int | None, source: str | None) -> KeyId | None:
    if source is None:
        return None if index is None else KeyId(1, index)
    source_bytes = bytes_of_hex("--key-source", source)
    mode = {4: 2, 8: 3}.get(len(source_bytes))
    if mode is None or index is None:
        message = "--key-source takes 4 or 8 bytes, together with --key-index"
        raise MisuseError(message)
    return KeyId(mode, index, source_bytes)


def _key_id_of(frame: Frame) -> KeyId:
    return KeyId() if frame.security is None else frame.security.key_id


def _addresses(texts: Sequence[str] | None) -> list[FrameDevice]:
    return [_address(text) for text in texts or ()]


def _address(text: str) -> FrameDevice:
    short, equals, extended = text.partition("=")
    if not equals or not re.fullmatch("[0-9A-Fa-f]{1,4}", short):
        message = f"--address takes SHORT=EUI64, both as hex digits, not {text!r}"
        raise MisuseError(message)
    return FrameDevice(_eui64("--address", extended), int(short, 16))


def _eui64(option: str, text: str) -> bytes:
    address = bytes_of_hex(option, text.replace(":", "").replace("-", ""))
    if len(address) != ADDRESS_SIZE:
        message = (
            f"{option} takes an extended address of {ADDRESS_SIZE} bytes, not "
            f"{len(address)}"
        )
        raise MisuseError(message)
    return address


def _sender_of(frame: Frame, sender: str | None) -> bytes:
    """Return the sender's extended address, which the frame does not contain."""
    if frame.source.short is not None:
        short = f"{frame.source.short:04x}"
        message = (
            f"the extended address of the sender {short} is not known: give --address "
            f"{short}=EUI64"
        )
        raise MisuseError(message)
    if sender is None:
        message = "the frame has no source address: give --sender EUI64"
        raise MisuseError(message)
    return _eui64("--sender", sender)
