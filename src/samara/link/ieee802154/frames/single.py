# SPDX-License-Identifier: Apache-2.0
"""Single frames of IEEE 802.15.4, protected, opened and inspected as requests ask.

Frames are hex digits without the frame check sequence (FCS). Nothing is stored: who
asks chooses frame counters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from samara.crypto.keys import Key, key_of
from samara.errors import MisuseError
from samara.hex_digits import bytes_of_hex
from samara.link.ieee802154.frames import tools
from samara.link.ieee802154.frames.clauses import STANDARD
from samara.link.ieee802154.frames.fields import field_tree
from samara.link.ieee802154.frames.frame import (
    ADDRESS_SIZE,
    FRAME_SIZE_MAX,
    KeyId,
    SecurityHeader,
    parse,
)
from samara.link.ieee802154.frames.frame_record import FrameRecord, record_of
from samara.link.ieee802154.frames.naming import frame_cipher_named
from samara.link.ieee802154.frames.parameters import (
    Asn,
    FrameCounter,
    FrameText,
    Level,
    Level4,
    check_one_number,
)
from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Parameter,
    Record,
    Request,
    Verbatim,
    record_class,
    request_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.link.ieee802154.frames import fields
    from samara.link.ieee802154.frames.frame import Frame
    from samara.link.ieee802154.frames.security import FrameCipher


@request_class
class InspectRequest(Request):
    """A frame whose fields are shown."""

    frame: FrameText
    clauses: Annotated[
        bool,
        Parameter(help=f"Show the clause of {STANDARD} that defines each field."),
    ] = False


@request_class
class _SecuredRequest(Request):
    """A frame, its key, and who sent it."""

    frame: FrameText
    key: Key
    key_index: Annotated[
        int | None,
        Parameter(
            metavar="N",
            help="Key index, by which frames name the key.",
            values=Between(0, 255),
        ),
    ] = None
    key_source: Annotated[
        str | None,
        Parameter(
            metavar="HEX",
            help="Key source, 4 or 8 bytes in the order of the frame; needs "
            "--key-index.",
        ),
    ] = None
    address: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="SHORT=EUI64",
            help="Extended address (EUI-64) of the sender with this short address "
            "(repeatable).",
        ),
    ] = ()
    sender: Annotated[
        str | None,
        Parameter(
            metavar="EUI64",
            help="Extended address of the sender, for frames without a source address.",
        ),
    ] = None
    suite: Annotated[
        str,
        Parameter(
            metavar="SUITE",
            help="Cipher of the key, such as aes128, or its suite, such as "
            "aes128-ccm-8, whose tag must have the size of the MIC.",
        ),
    ] = "aes128"
    asn: Asn = None

    def key_id(self) -> KeyId | None:
        """Return the key identifier; None if nothing of it was given."""
        if self.key_source is None:
            return None if self.key_index is None else KeyId(1, self.key_index)
        source = bytes_of_hex("--key-source", self.key_source)
        mode = {4: 2, 8: 3}.get(len(source))
        if mode is None or self.key_index is None:
            message = "--key-source takes 4 or 8 bytes, together with --key-index"
            raise MisuseError(message)
        return KeyId(mode, self.key_index, source)

    def devices(self) -> list[FrameDevice]:
        """Return the senders with their short addresses."""
        return [_device(text) for text in self.address]

    def sender_of(self, frame: Frame) -> bytes:
        """Return the sender's extended address, which the frame does not contain."""
        if frame.source.short is not None:
            short = f"{frame.source.short:04x}"
            message = (
                f"the extended address of the sender {short} is not known: give "
                f"--address {short}=EUI64"
            )
            raise MisuseError(message)
        if self.sender is None:
            message = "the frame has no source address: give --sender EUI64"
            raise MisuseError(message)
        return _eui64("--sender", self.sender)


@request_class
class OpenRequest(_SecuredRequest):
    """A frame to be verified and decrypted."""

    level_4: Level4 = False


@request_class
class ProtectRequest(_SecuredRequest):
    """A frame to be secured.

    WARNING: two frames with the same key, sender and frame counter reveal the contents
    of both. The same is true of the absolute slot number.
    """

    level: Level
    frame_counter: FrameCounter = None


@record_class
class ProtectedFrame(Record):
    """A frame that was secured."""

    frame: Annotated[bytes, Field("The frame, without FCS.")]


def inspect_frame(request: InspectRequest) -> Answer[FrameRecord]:
    """Yield the fields of a frame; nothing is verified or decrypted.

    Raises
    ------
    MisuseError
        When the text is not that of a frame.
    """
    data = _frame_bytes(request.frame)
    tree = [f"frame of {len(data)} bytes", *_lines(field_tree(data), request)]
    yield Digest([record_of(parse(data))], [Verbatim("\n".join(tree))])


def open_frame(request: OpenRequest) -> Answer[FrameRecord]:
    """Yield a frame that was verified and decrypted.

    People are shown the part that levels 4 to 7 encrypt.

    Raises
    ------
    MisuseError
        When the frame cannot be opened with what was given.
    FrameError
        When it is not genuine, or not secured.
    """
    data = _frame_bytes(request.frame)
    frame = parse(data)
    key_id = request.key_id() or _key_id_of(frame)
    cipher = frame_cipher_named(request.suite, frame.level if frame.security else None)
    devices = request.devices()
    key = yield from key_of(request.key, cipher)
    opener = tools.Opener(
        [FrameKey(key, key_id, cipher.slug)], devices, encryption_only=request.level_4
    )
    _check_asn_fits(frame, request.asn, cipher)
    source = tools.source_of(frame, devices, slotted=tools.is_slotted(frame))
    if source is None and frame.security is not None:
        source = request.sender_of(frame)
    opened = opener.open(data, asn=request.asn, sender=source)
    yield Digest([record_of(opened)], _secured_part(opened))


def _secured_part(frame: Frame) -> Iterator[Verbatim]:
    # Made only for people: a frame whose command identifier is missing has none.
    yield Verbatim(tools.secured_part(frame).hex())


def protect_frame(request: ProtectRequest) -> Answer[ProtectedFrame]:
    """Yield a frame, secured.

    Raises
    ------
    MisuseError, FrameError
        When it cannot be secured in this way.
    """
    check_one_number(request.frame_counter, request.asn)
    frame = parse(_frame_bytes(request.frame))
    cipher = frame_cipher_named(request.suite, request.level)
    is_slotted = request.asn is not None
    source = tools.source_of(frame, request.devices(), slotted=is_slotted)
    if source is None:
        source = request.sender_of(frame)
    key_id = request.key_id() or KeyId()
    key = yield from key_of(request.key, cipher)
    data = tools.protected(
        frame,
        SecurityHeader(
            request.level, key_id, request.frame_counter, asn_in_nonce=is_slotted
        ),
        FrameKey(key, key_id, cipher.slug),
        source,
        asn=request.asn,
    )
    yield Digest([ProtectedFrame(data)], [Verbatim(data.hex())])


def _lines(
    tree: Sequence[fields.Field], request: InspectRequest, before: str = ""
) -> Iterator[str]:
    """Yield a line for each field and each one in it."""
    for number, field in enumerate(tree, 1):
        is_last = number == len(tree)
        value = f": {field.value}" if field.value else ""
        clause = f" ({field.clause})" if request.clauses and field.clause else ""
        yield f"{before}{'└── ' if is_last else '├── '}{field.name}{value}{clause}"
        below = before + ("    " if is_last else "│   ")
        yield from _lines(field.fields, request, below)


def _check_asn_fits(frame: Frame, asn: int | None, cipher: FrameCipher) -> None:
    """Check that --asn was given if, and only if, the frame's nonce contains it."""
    if not tools.is_slotted(frame):
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


def _frame_bytes(text: str) -> bytes:
    # As some programs print bytes: AA:BB, AA-BB or AA BB.
    data = bytes_of_hex("FRAME", re.sub("[:\\s-]", "", text))
    if not data:
        message = "there is no frame: give its hex digits, without the FCS"
        raise MisuseError(message)
    if len(data) > FRAME_SIZE_MAX:
        message = f"a frame has at most {FRAME_SIZE_MAX} bytes, not {len(data)}"
        raise MisuseError(message)
    return data


def _key_id_of(frame: Frame) -> KeyId:
    return KeyId() if frame.security is None else frame.security.key_id


def _device(text: str) -> FrameDevice:
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
