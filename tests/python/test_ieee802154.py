# SPDX-License-Identifier: Apache-2.0
"""Frames of IEEE 802.15.4 as Python values, and what a secured link does."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from frame_cases import KEY, KEY_IDS, PAN, PAYLOAD, A, B, Case, cases, data_frame, ends
from hypothesis import given
from hypothesis import strategies as st
from vectorfile import FOLDER, sections_of

from samara.bench.frames import HEADER_SIZES, MEASURED, MIC_SIZES, Form, Reference
from samara.link import ieee802154
from samara.link.ieee802154 import (
    Address,
    Element,
    Frame,
    FrameError,
    FrameType,
    KeyId,
    Role,
    Security,
    SecurityHeader,
    TableError,
    Version,
    build,
    parse,
)
from samara.link.ieee802154.frames.fields import Field, field_tree

if TYPE_CHECKING:
    from collections.abc import Callable

KNOWN = sections_of(FOLDER / "frames" / "ieee802154.txt")["ieee802154"]
CHANGED_BYTES = st.lists(
    st.tuples(st.integers(0, 126), st.integers(1, 255)), min_size=1, max_size=4
)


# ---- known frames -----------------------------------------------------------


@pytest.mark.parametrize("record", KNOWN, ids=str)
def test_known_frames_are_built_as_they_are_read(record: object) -> None:
    data = record.bytes_of("frame")  # type: ignore[attr-defined]
    assert build(parse(data)) == data


@pytest.mark.parametrize("record", KNOWN, ids=str)
def test_known_frames_open(record: object) -> None:
    data = record.bytes_of("frame")  # type: ignore[attr-defined]
    fields = record.fields  # type: ignore[attr-defined]
    sender = bytes.fromhex(fields["sender"])
    header = parse(data).security
    assert header is not None
    receiver = Security(bytes(8), PAN)
    receiver.require(0)
    receiver.add_key(bytes.fromhex(fields["key"]), header.key_id, encryption_only=True)
    device = receiver.add_device(sender, pan=PAN, short=1)
    if fields["result"] == "fail":
        with pytest.raises(FrameError) as refusal:
            receiver.open(data, device=device)
        assert refusal.value.reason == "authentication"
        return
    opened = receiver.open(data, device=device)
    assert opened.level == header.level
    if "clear" in fields:
        clear = build(replace(opened.frame, mic=b""))
        assert clear == bytes.fromhex(fields["clear"])


# ---- any frame --------------------------------------------------------------

shorts = st.builds(Address, st.integers(0, 0xFFFF), st.integers(0, 0xFFFF), st.none())
longs = st.builds(
    Address, st.integers(0, 0xFFFF), st.none(), st.binary(min_size=8, max_size=8)
)
addresses = st.one_of(st.just(Address()), shorts, longs)
key_ids = st.one_of(
    st.just(KeyId()),
    st.builds(KeyId, st.just(1), st.integers(0, 255)),
    st.builds(
        KeyId, st.just(2), st.integers(0, 255), st.binary(min_size=4, max_size=4)
    ),
    st.builds(
        KeyId, st.just(3), st.integers(0, 255), st.binary(min_size=8, max_size=8)
    ),
)
security_headers = st.builds(
    SecurityHeader, st.integers(0, 7), key_ids, st.integers(0, 0xFFFFFFFF)
)
suppressed = st.builds(
    SecurityHeader, st.integers(0, 7), key_ids, st.none(), st.booleans()
)
header_elements = st.lists(
    st.builds(Element, st.integers(0, 0x7D), st.binary(max_size=20)), max_size=3
)
payload_elements = st.lists(
    st.builds(Element, st.integers(0, 0xE), st.binary(max_size=20)), max_size=3
)


@st.composite
def frames_of_2015(draw: st.DrawFn) -> Frame:
    security = draw(st.one_of(st.none(), security_headers, suppressed))
    encrypted = security is not None and security.level >= 4
    inner = draw(st.one_of(st.none(), payload_elements))
    listed = (*draw(header_elements), Element(0x7F if inner is None else 0x7E))
    has_elements = draw(st.booleans())
    is_listed = inner is not None and has_elements and not encrypted
    return Frame(
        type=draw(st.sampled_from(list(FrameType))),
        sequence=draw(st.one_of(st.none(), st.integers(0, 255))),
        destination=draw(addresses),
        source=draw(addresses),
        payload=draw(st.binary(min_size=1, max_size=60)),
        security=security,
        pan_compression=draw(st.booleans()),
        pending=draw(st.booleans()),
        ack_request=draw(st.booleans()),
        header_elements=listed if has_elements else None,
        payload_elements=(*(inner or ()), Element(0xF)) if is_listed else (),
        encrypted=encrypted,
        reserved=draw(st.sampled_from([0, 0x80])),
    )


@st.composite
def frames_before_2015(draw: st.DrawFn) -> Frame:
    version = draw(st.sampled_from([Version.V2003, Version.V2006]))
    kind = draw(st.sampled_from([FrameType.DATA, FrameType.COMMAND, FrameType.BEACON]))
    beacon = bytes.fromhex("55cf 01 00 aabbcc 12 0100 0200") + bytes(8)
    opened = {FrameType.COMMAND: b"\x07", FrameType.BEACON: beacon}
    to, source = draw(addresses), draw(addresses)
    both = Address() not in (to, source)
    return Frame(
        type=kind,
        version=version,
        sequence=draw(st.integers(0, 255)),
        destination=to,
        source=source,
        payload=draw(st.binary(max_size=60)),
        security=draw(st.one_of(st.none(), security_headers)) if version else None,
        pan_compression=both and draw(st.booleans()),
        open_payload=opened.get(kind, b""),
        reserved=draw(st.sampled_from([0, 0x80, 0x380])),
    )


# Table 7-2 of 2015: whether PANs of destination and source are there, by their
# kinds (n: none, s: short, l: extended) and whether PANs are compressed.
PANS_2015 = {
    "nn": ((False, False), (True, False)),
    "sn": ((True, False), (False, False)),
    "ln": ((True, False), (False, False)),
    "ns": ((False, True), (False, False)),
    "nl": ((False, True), (False, False)),
    "ll": ((True, False), (False, False)),
    "ss": ((True, True), (True, False)),
    "sl": ((True, True), (True, False)),
    "ls": ((True, True), (True, False)),
}


def kind_of(address: Address) -> str:
    return "s" if address.short is not None else "l" if address.long else "n"


def with_its_pans(frame: Frame) -> Frame:
    """Return a frame with the PANs that its header has, and no others."""
    kinds = kind_of(frame.destination), kind_of(frame.source)
    there = PANS_2015["".join(kinds)][frame.pan_compression]
    if frame.version is not Version.V2015:
        there = kinds[0] != "n", kinds[1] != "n" and not frame.pan_compression
    ends = [
        replace(end, pan=(end.pan or 0) if is_there else None)
        for end, is_there in zip((frame.destination, frame.source), there, strict=True)
    ]
    return replace(frame, destination=ends[0], source=ends[1])


any_frame = st.one_of(frames_of_2015(), frames_before_2015()).map(with_its_pans)


@given(any_frame, st.binary(min_size=16, max_size=16))
def test_what_is_built_is_read_and_built_again(frame: Frame, mic: bytes) -> None:
    size = (0, 4, 8, 16)[frame.level % 4]
    data = build(replace(frame, mic=mic[:size], encrypted=frame.level >= 4))
    read = parse(data)
    assert build(read) == data
    assert (read.payload, read.mic) == (frame.payload, mic[:size])
    assert read.header_elements == frame.header_elements
    assert read.payload_elements == frame.payload_elements
    assert (read.type, read.version, read.security) == (
        frame.type,
        frame.version,
        frame.security,
    )
    assert (read.destination, read.source) == (frame.destination, frame.source)
    covered(field_tree(data), data)


@given(any_frame, st.integers(0, 0xFFFF))
def test_no_pan_is_changed_in_silence(frame: Frame, pan: int) -> None:
    """One too many is refused, unless it is the other address's; as is one too few."""
    mic = bytes((0, 4, 8, 16)[frame.level % 4])
    frame = replace(frame, mic=mic, encrypted=frame.level >= 4)
    for end, other in (("destination", "source"), ("source", "destination")):
        address: Address = getattr(frame, end)
        given = replace(frame, **{end: replace(address, pan=pan)})  # type: ignore[arg-type]
        lacking = replace(frame, **{end: replace(address, pan=None)})  # type: ignore[arg-type]
        if address.pan is not None:
            assert getattr(parse(build(given)), end).pan == pan
            with pytest.raises(ValueError, match=f"PAN of the {end}"):
                build(lacking)
        elif kind_of(address) != "n" and getattr(frame, other).pan == pan:
            assert build(given) == build(frame)
        else:
            with pytest.raises(ValueError, match=f"PAN {pan:04x} of the {end}"):
                build(given)


def covered(fields: list[Field], data: bytes) -> None:
    """Each byte belongs to one field, and to one of its parts if it has some."""
    at = 0
    for field in fields:
        assert field.offset == at
        at += field.size
    assert at == len(data)


@given(st.binary(max_size=127))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        frame = parse(data)
    except FrameError as error:
        assert error.reason  # noqa: PT017 - one outcome of two
        return
    assert build(frame) == data


@given(any_frame, CHANGED_BYTES)
def test_changed_frames_are_read_or_refused(
    frame: Frame, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(build(frame))
    for place, change in changes:
        data[place % len(data)] ^= change
    test_any_bytes_are_read_or_refused.hypothesis.inner_test(bytes(data))  # type: ignore[attr-defined]


# ---- protect and open -------------------------------------------------------


@pytest.mark.parametrize("case", [c for c in cases() if c.frame.level], ids=str)
def test_every_frame_opens_once(case: Case) -> None:
    assert case.frame.security is not None
    _, receiver = ends(case.frame.security.key_id)
    data = case.protect()
    opened = receiver.open(data)
    assert opened.frame.payload == case.frame.payload
    assert opened.frame.open_payload == case.frame.open_payload
    assert opened.level == case.frame.level
    if case.frame.level == 4:
        assert receiver.receive_counter(0, 0) == 0
    else:
        assert receiver.receive_counter(0, 0) == 1001
        refused(lambda: receiver.open(data), "replay")


def refused(call: Callable[[], object], reason: str) -> None:
    with pytest.raises(FrameError) as refusal:
        call()
    assert refusal.value.reason == reason


@given(CHANGED_BYTES)
def test_no_changed_frame_opens(changes: list[tuple[int, int]]) -> None:
    sender, receiver = ends(KEY_IDS[1])
    # Of strangers, too: a change may make the frame one of theirs.
    receiver.require(1)
    receiver.require(1, device=0)
    data = sender.protect(data_frame())
    changed = bytearray(data)
    for place, change in changes:
        changed[place % len(data)] ^= change
    if bytes(changed) != data:
        with pytest.raises(FrameError):
            receiver.open(changed)
    assert receiver.open(data).frame.payload == PAYLOAD


def test_a_forged_high_counter_does_not_lock_the_sender_out() -> None:
    sender, receiver = ends(KEY_IDS[1])
    data = sender.protect(data_frame())
    frame = parse(data)
    assert frame.security is not None
    high = replace(frame, security=replace(frame.security, counter=0xFFFFFFFE))
    refused(lambda: receiver.open(build(high)), "authentication")
    assert receiver.receive_counter(0, 0) == 0
    assert receiver.open(data).frame.payload == PAYLOAD


def test_a_replay_after_a_restart_is_refused_with_the_stored_counter() -> None:
    sender, receiver = ends(KEY_IDS[1])
    data = [sender.protect(data_frame()) for _ in range(3)]
    receiver.open(data[1])
    stored = receiver.receive_counter(0, 0)
    _, restarted = ends(KEY_IDS[1])
    restarted.set_receive_counter(0, 0, stored)
    refused(lambda: restarted.open(data[0]), "replay")
    refused(lambda: restarted.open(data[1]), "replay")
    assert restarted.open(data[2]).frame.payload == PAYLOAD


def test_a_restarted_sender_goes_on_where_it_stored() -> None:
    sender, _ = ends(KEY_IDS[1])
    first = parse(sender.protect(data_frame()))
    stored = sender.transmit_counter(0)
    restarted, _ = ends(KEY_IDS[1])
    restarted.set_transmit_counter(0, stored)
    second = parse(restarted.protect(data_frame()))
    assert first.security is not None
    assert second.security is not None
    assert (first.security.counter, second.security.counter) == (0, 1)
    with pytest.raises(TableError, match="only goes up"):
        restarted.set_transmit_counter(0, 1)


def test_rotation_keeps_each_key_with_its_counters() -> None:
    sender, receiver = ends(KEY_IDS[1])
    for one in (sender, receiver):
        one.add_key(bytes(16), KeyId(1, 2), role=Role.NEXT, family=0)
    new = data_frame(key_id=KeyId(1, 2))
    late = sender.protect(data_frame())
    refused(lambda: sender.protect(new), "key-role")
    sender.rotate(0)
    assert sender.current_key(0) == 1
    refused(lambda: sender.protect(data_frame()), "key-role")
    assert receiver.open(sender.protect(new)).key == 1
    assert receiver.open(late).key == 0
    receiver.rotate(0)
    refused(lambda: receiver.open(late), "replay")
    with pytest.raises(TableError) as none_left:
        receiver.rotate(0)
    assert none_left.value.reason == "no-next-key"


def test_the_last_counter_is_not_used() -> None:
    sender, receiver = ends(KEY_IDS[1])
    sender.set_transmit_counter(0, 0xFFFFFFFE)
    receiver.open(sender.protect(data_frame()))
    refused(lambda: sender.protect(data_frame()), "counter-end")


def test_slots_take_the_place_of_counters() -> None:
    key_id = KeyId(1, 1)
    sender, receiver = Security(A), Security(B)
    for one, other in ((sender, B), (receiver, A)):
        one.add_key(KEY, key_id, asn=True)
        one.add_device(other)
    header = SecurityHeader(5, key_id, counter=None, asn_in_nonce=True)
    frame = replace(data_frame(), security=header)
    data = sender.protect(frame, asn=1 << 32)
    refused(lambda: receiver.open(data), "no-asn")
    refused(lambda: receiver.open(data, asn=(1 << 32) + 1), "authentication")
    assert receiver.open(data, asn=1 << 32).frame.payload == PAYLOAD
    refused(lambda: receiver.open(data, asn=1 << 32), "replay")
    refused(lambda: sender.protect(frame, asn=1 << 32), "asn-used")
    with pytest.raises(ValueError, match=r"below 2\^40"):
        sender.protect(frame, asn=1 << 40)


def test_slots_make_the_nonce_of_the_standard() -> None:
    sender = Security(A)
    sender.add_key(KEY, KeyId(1, 1), asn=True)
    header = SecurityHeader(6, KeyId(1, 1), counter=None, asn_in_nonce=True)
    frame = replace(data_frame(), security=header)
    data = sender.protect(frame, asn=0x0102030405)
    split = len(data) - 8 - len(PAYLOAD)
    nonce = A + bytes.fromhex("0102030405")
    sealed = AESCCM(KEY, tag_length=8).encrypt(nonce, PAYLOAD, data[:split])
    assert data[split:] == sealed


@pytest.mark.parametrize(("cipher", "level"), MEASURED)
@pytest.mark.parametrize("header_size", HEADER_SIZES)
def test_other_ciphers_are_mapped_as_documented(
    cipher: str, level: int, header_size: int
) -> None:
    reference, form = Reference(cipher, level), Form(level)
    nonce, header = form.begin(A + bytes.fromhex("00000102 00"), header_size)
    assert len(header) == header_size
    security = parse(header + PAYLOAD + bytes(MIC_SIZES[level & 3])).security
    assert security is not None
    assert security.level == level
    sender = Security(nonce[:8], PAN)
    sender.add_key(KEY, security.key_id, cipher=cipher, encryption_only=level == 4)
    sender.set_transmit_counter(0, 0x0102)
    want = header + reference.seal(KEY, nonce, PAYLOAD, header)
    assert sender.protect(header + PAYLOAD) == want


def test_an_acknowledgement_is_opened_and_compared() -> None:
    sender, receiver = ends(KEY_IDS[1])
    sent = sender.protect(data_frame())
    receiver.open(sent)
    header = SecurityHeader(5, KEY_IDS[1])
    ack = Frame(type=FrameType.ACKNOWLEDGEMENT, sequence=7, security=header)
    data = receiver.protect(ack)
    refused(lambda: sender.open(data), "no-device")
    sender.open(data, device=0)
    ieee802154.acknowledges(data, sent)
    other = sender.protect(replace(data_frame(), sequence=8))
    refused(lambda: ieee802154.acknowledges(data, other), "other-frame")
    plain = build(replace(ack, security=None))
    refused(lambda: ieee802154.acknowledges(plain, sent), "unsecured")


@pytest.mark.parametrize("cipher", ieee802154.frame_ciphers(), ids=lambda c: c.slug)
def test_every_cipher_secures_frames(cipher: ieee802154.FrameCipher) -> None:
    sender, receiver = Security(A), Security(B)
    for one, other in ((sender, B), (receiver, A)):
        one.add_key(bytes(cipher.key_size), KEY_IDS[1], cipher=cipher.slug)
        one.add_device(other)
    for level in (1, 2, 3, 5, 6, 7):
        if (0, 4, 8, 16)[level % 4] > cipher.tag_size:
            refused(lambda: sender.protect(data_frame(level)), "mic-size")  # noqa: B023
        else:
            opened = receiver.open(sender.protect(data_frame(level)))
            assert opened.frame.payload == PAYLOAD


# ---- what is refused at once ------------------------------------------------


def test_frames_that_cannot_be_are_not_built() -> None:
    # Payload behind a list without an end, or in the place of one.
    with pytest.raises(FrameError, match="element"):
        build(Frame(payload=b"x", header_elements=(Element(1),)))
    one = (Element(1),)
    with pytest.raises(ValueError, match="are ambiguous"):
        build(Frame(header_elements=(Element(0x7F),), payload_elements=one))
    more = build(Frame(payload=b"\1\x88x"))[3:]
    with pytest.raises(ValueError, match="are ambiguous"):
        build(
            Frame(header_elements=(Element(0x7E),), payload_elements=one, payload=more)
        )
    with pytest.raises(ValueError, match="sequence number"):
        build(Frame(version=Version.V2006, sequence=None))
    with pytest.raises(ValueError, match="no auxiliary security header"):
        build(Frame(version=Version.V2003, security=SecurityHeader(5)))
    with pytest.raises(ValueError, match="the PAN must be 0 to 65535, not"):
        build(Frame(source=Address(pan=70000, short=1)))
    with pytest.raises(ValueError, match="the sequence number must be 0 to 255, not"):
        build(Frame(sequence=256))
    with pytest.raises(FrameError) as refusal:
        build(
            replace(
                data_frame(0),
                version=Version.V2003,
                pan_compression=True,
                destination=Address(),
            )
        )
    assert refusal.value.reason == "pan-compression"
    with pytest.raises(ValueError, match="short or long"):
        Address(short=1, long=A)
    with pytest.raises(ValueError, match="8 bytes, not 2"):
        Address(long=b"ab")
    with pytest.raises(ValueError, match="source of 4 bytes"):
        KeyId(2, 1)
    with pytest.raises(ValueError, match="0 to 3"):
        KeyId(4)


def test_tables_refuse_what_would_break_them() -> None:
    security = Security(A, keys=2, devices=1)
    security.add_key(KEY, KEY_IDS[1])
    for key, key_id in ((KEY, KeyId(1, 2)), (bytes(16), KEY_IDS[1])):
        with pytest.raises(TableError) as repeated:
            security.add_key(key, key_id)
        assert repeated.value.reason == "key-repeated"
    with pytest.raises(ValueError, match="takes a key of 16 bytes"):
        security.add_key(b"short", KeyId(1, 3))
    with pytest.raises(TableError) as own:
        security.add_device(A)
    assert own.value.reason == "own-address"
    place = security.add_device(B)
    assert security.add_device(B, pan=PAN, short=2) == place
    assert security.device(B) == place
    with pytest.raises(TableError) as full:
        security.add_device(bytes(8))
    assert full.value.reason == "place"
    security.remove_device(place)
    assert security.device(B) is None
    with pytest.raises(TableError, match="no such place"):
        security.receive_counter(place, 0)


def test_grain_has_no_keys_for_slots() -> None:
    with pytest.raises(TableError) as refusal:
        Security(A).add_key(KEY, KeyId(1, 1), cipher="grain128aead", asn=True)
    assert refusal.value.reason == "key-settings"


def test_a_given_frame_is_not_changed() -> None:
    sender, receiver = ends(KEY_IDS[1])
    data = bytearray(sender.protect(data_frame()))
    before = copy.copy(data)
    receiver.open(data)
    assert data == before


def test_errors_and_frames_are_values() -> None:
    assert copy.deepcopy(data_frame()) == data_frame()
    again = pickle.loads(pickle.dumps(data_frame()))  # noqa: S301 - our own
    assert again == data_frame()
    with pytest.raises(FrameError) as refusal:
        parse(b"\1")
    assert refusal.value.reason == "truncated"
    assert str(refusal.value) == "the frame ends within a field"
