# SPDX-License-Identifier: Apache-2.0
"""`samara frame`: one frame of IEEE 802.15.4, as hex digits."""

import json
import re
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.tree import Tree

from samara.cli import files
from samara.cli.ciphers import console
from samara.cli.inputs import KEY_HELP, bytes_of_hex, key_of
from samara.cli.outcome import MisuseError
from samara.link.ieee802154 import (
    Frame,
    FrameCipher,
    KeyId,
    SecurityHeader,
    frame_cipher,
    parse,
)
from samara.link.ieee802154 import tools as frame_tools
from samara.link.ieee802154.fields import Field, field_tree
from samara.link.ieee802154.tools import ADDRESS_SIZE, FrameDevice, FrameKey

app = typer.Typer(
    help="Protect, open and read single frames of IEEE 802.15.4.",
    no_args_is_help=False,
)

_Frame = Annotated[
    str,
    typer.Argument(
        metavar="[HEX|-]", help="The frame without FCS, as hex digits; - is stdin."
    ),
]
_Key = Annotated[
    str, typer.Option("--key", metavar="HEX|@FILE", help=KEY_HELP, show_default=False)
]
_KeyIndex = Annotated[
    int | None,
    typer.Option(min=0, max=255, help="The key's index, which frames name it by."),
]
_KeySource = Annotated[
    str | None,
    typer.Option(metavar="HEX", help="The key's source, 4 or 8 bytes as on the air."),
]
_Addresses = Annotated[
    list[str] | None,
    typer.Option(
        "--address",
        metavar="SHORT=EUI64",
        help="The extended address of who has a short one; repeat for others.",
    ),
]
_Sender = Annotated[
    str | None,
    typer.Option(
        metavar="EUI64", help="Who sent it, for frames without a source address."
    ),
]
_Suite = Annotated[
    str, typer.Option(metavar="CIPHER", help="What secures frames with this key.")
]
_Asn = Annotated[
    int | None,
    typer.Option(
        "--asn",
        min=0,
        metavar="N",
        help="The absolute slot number (TSCH) that the nonce is made of.",
        show_default=False,
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="All fields, as JSON.")]

_SIZE_MAX = 2045


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
    asn: _Asn = None,
    level_4: Annotated[
        bool,
        typer.Option("--level-4", help="Open level 4, too, which proves nothing."),
    ] = False,
    as_json: _Json = False,
) -> None:
    """Verify and decrypt a frame, and print its payload as hex digits.

    A frame that is not secured is refused, with exit code 1, as is one that is
    not genuine. Without --key-index and --key-source, the key is the one that
    the frame names, whichever that is. The payload begins behind what is never
    encrypted (a command's id, a beacon's start); --json has all.

    A frame that suppresses its frame counter (TSCH) needs --asn, and then no
    --address: its short source address is in the nonce as it is.

    \b
    Examples:
      samara frame open --key @key --address 0001=acde480000000001 - <frame
      samara frame open --key @key --asn 123456 - <slotted-frame
    """
    data = _frame_bytes(frame)
    parsed = parse(data)
    key_id = _key_id(key_index, key_source) or _named_by(parsed)
    cipher = frame_cipher(suite)
    devices = _addresses(address)
    opener = frame_tools.Opener(
        [FrameKey(key_of(key, cipher), key_id, cipher.slug)],
        devices,
        encryption_only=level_4,
    )
    _check_asn(parsed, asn, cipher)
    slotted = frame_tools.is_slotted(parsed)
    source = frame_tools.source_of(parsed, devices, slotted=slotted)
    if source is None and parsed.security is not None:
        source = _told_sender(parsed, sender)
    opened = opener.open(data, asn=asn, sender=source)
    if as_json:
        print(json.dumps(frame_tools.fields_of(opened), indent=2))
    else:
        print(frame_tools.secured_part(opened).hex())


@app.command("protect")
def protect(  # noqa: PLR0913 - one parameter an option
    frame: _Frame = "-",
    *,
    key: _Key,
    level: Annotated[
        int, typer.Option(min=1, max=7, help="The security level, 1 to 7.")
    ],
    frame_counter: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Never twice under one key by one sender.",
            show_default=False,
        ),
    ] = None,
    asn: _Asn = None,
    key_index: _KeyIndex = None,
    key_source: _KeySource = None,
    address: _Addresses = None,
    sender: _Sender = None,
    suite: _Suite = "aes128",
) -> None:
    """Secure a frame, and print it as hex digits, without FCS.

    The key id mode follows from what is given: none is mode 0, --key-index mode
    1, a --key-source of 4 or 8 bytes mode 2 or 3. A frame of 2003 becomes one of
    2006. THE FRAME COUNTER IS YOURS TO KEEP: the same one under the same key
    gives both frames away.

    With --asn in place of --frame-counter, the counter is suppressed and the
    nonce is made of the absolute slot number, as in TSCH. The frame must be one
    of 2015. A short source address is then in the nonce as it is and needs no
    --address. THE SLOT IS YOURS TO KEEP, too: one frame a slot by one sender.

    \b
    Examples:
      samara frame protect --key @key --level 5 --frame-counter 7 --key-index 1 \\
        --address 0001=acde480000000001 41882a2143020001003231
      samara frame protect --key @key --level 6 --asn 123456 --key-index 1 \\
        41a82a2143020001003231
    """
    check_one_number(frame_counter, asn)
    parsed = parse(_frame_bytes(frame))
    source = frame_tools.source_of(parsed, _addresses(address), slotted=asn is not None)
    if source is None:
        source = _told_sender(parsed, sender)
    cipher = frame_cipher(suite)
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
def inspect(frame: _Frame = "-", *, as_json: _Json = False) -> None:
    """Show the fields of a frame; no key is needed, and nothing is verified.

    \b
    Examples:
      samara frame inspect 41882a2143020001003231
      samara frame inspect --json 41882a2143020001003231
    """
    data = _frame_bytes(frame)
    if as_json:
        print(json.dumps(frame_tools.fields_of(parse(data)), indent=2))
        return
    tree = Tree(f"frame of {len(data)} bytes")
    _grow(tree, field_tree(data))
    console().print(tree, highlight=False, markup=False)


def check_one_number(frame_counter: int | None, asn: int | None) -> None:
    """Refuse --frame-counter and --asn where there are both, or neither."""
    if frame_counter is not None and asn is not None:
        message = "a nonce is made of --frame-counter or of --asn; give one of them"
        raise MisuseError(message)
    if frame_counter is None and asn is None:
        message = "give --frame-counter, or --asn for a frame of a slot (TSCH)"
        raise MisuseError(message)


def _check_asn(frame: Frame, asn: int | None, cipher: FrameCipher) -> None:
    """Refuse an ASN that is missing, or that the frame or cipher does not take."""
    if asn is not None and asn >= frame_tools.ASN_END:
        message = f"--asn is 0 to {frame_tools.ASN_END - 1}, not {asn}"
        raise MisuseError(message)
    if not frame_tools.is_slotted(frame):
        if asn is not None and frame.security is not None:
            message = "the frame has a frame counter; open it without --asn"
            raise MisuseError(message)
        return
    if not cipher.takes_asn:
        message = f"{cipher.slug} takes no nonces of the ASN, as this frame has one"
        raise MisuseError(message)
    if asn is None:
        message = (
            "the frame suppresses its counter: its nonce is made of the absolute "
            "slot number; give --asn"
        )
        raise MisuseError(message)


def _grow(tree: Tree, fields: Sequence[Field]) -> None:
    for field in fields:
        value = f": {field.value}" if field.value else ""
        _grow(tree.add(f"{field.name}{value}"), field.fields)


def _frame_bytes(text: str) -> bytes:
    if text == "-":
        with files.reading(files.STANDARD_STREAM) as file:
            text = file.read(4 * _SIZE_MAX).decode("ascii", "replace")
    data = bytes_of_hex("the frame", "".join(text.split()))
    if len(data) > _SIZE_MAX:
        message = f"a frame has at most {_SIZE_MAX} bytes"
        raise MisuseError(message)
    return data


def _key_id(index: int | None, source: str | None) -> KeyId | None:
    if source is None:
        return None if index is None else KeyId(1, index)
    source_bytes = bytes_of_hex("--key-source", source)
    mode = {4: 2, 8: 3}.get(len(source_bytes))
    if mode is None or index is None:
        message = "--key-source takes 4 or 8 bytes, and goes with --key-index"
        raise MisuseError(message)
    return KeyId(mode, index, source_bytes)


def _named_by(frame: Frame) -> KeyId:
    return KeyId() if frame.security is None else frame.security.key_id


def _addresses(texts: Sequence[str] | None) -> list[FrameDevice]:
    return [_address(text) for text in texts or ()]


def _address(text: str) -> FrameDevice:
    short, equals, extended = text.partition("=")
    if not equals or not re.fullmatch("[0-9A-Fa-f]{1,4}", short):
        message = f"--address takes SHORT=EUI64, both hex digits, not {text!r}"
        raise MisuseError(message)
    return FrameDevice(_eui64("--address", extended), int(short, 16))


def _eui64(option: str, text: str) -> bytes:
    address = bytes_of_hex(option, text.replace(":", "").replace("-", ""))
    if len(address) != ADDRESS_SIZE:
        message = f"{option} takes an extended address of {ADDRESS_SIZE} bytes"
        raise MisuseError(message)
    return address


def _told_sender(frame: Frame, sender: str | None) -> bytes:
    """Return the extended address of who sent a frame that does not tell it."""
    if frame.source.short is not None:
        short = f"{frame.source.short:04x}"
        message = f"who is {short}? give --address {short}=EUI64"
        raise MisuseError(message)
    if sender is None:
        message = "the frame does not tell who sent it; give --sender EUI64"
        raise MisuseError(message)
    return _eui64("--sender", sender)
