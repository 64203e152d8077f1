# SPDX-License-Identifier: Apache-2.0
"""Messages over a serial radio: framings, bad lines, and what they cost."""

import csv
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from samara import crypto
from samara.errors import MisuseError
from samara.link import rfserial
from samara.link.rfserial import Lost, Message, Noise, Receiver, Repeated, Sender
from samara.link.rfserial import settings as rfserial_settings

KEY = bytes(range(32))
PUBLISHED = Path(__file__).parents[2] / "published" / "rf_serial_size.csv"
PAPER_SIZES = (14, 26, 40, 50, 62, 74, 86, 98, 112, 126)


def ends(framing: str = "sealed", **given: object) -> tuple[Sender, Receiver]:
    """Make both ends of one direction."""
    suite = crypto.suite(str(given.get("suite", rfserial.DEFAULT_SUITE)))
    size = suite.key_size if framing == "sealed" else 32
    key = KEY[:size]
    longest = given.pop("longest", 1000)
    sender = Sender(framing, key=key, **given)  # type: ignore[arg-type]
    return sender, Receiver(framing, key=key, longest=longest, **given)  # type: ignore[arg-type]


def messages_of(events: list[rfserial.Event]) -> list[bytes]:
    """Return the payloads among events."""
    return [event.payload for event in events if isinstance(event, Message)]


@pytest.mark.parametrize("framing", list(rfserial.FRAMINGS))
@given(payloads=st.lists(st.binary(min_size=1, max_size=300), max_size=6))
def test_round_trip(framing: str, payloads: list[bytes]) -> None:
    """Every framing carries messages, and says beforehand what they become."""
    sender, receiver = ends(framing)
    for number, payload in enumerate(payloads):
        encoded = sender.encode(payload)
        sizes = sender.sizes(len(payload))
        assert sizes.total == len(encoded)
        assert sizes.message == len(payload)
        events = receiver.feed(encoded) + receiver.pause()
        assert events == [Message(number, payload, encoded)]
        assert receiver.needs_pauses == (framing != "sealed")
        assert receiver.waiting == 0


@pytest.mark.slow
@pytest.mark.parametrize("packet_size", [1, 3, 12, 240])
@pytest.mark.parametrize("counter_size", range(5))
@pytest.mark.parametrize("size", [0, 1, 14, 126, 600, 5000, 65_536])
def test_sealed_cost(packet_size: int, counter_size: int, size: int) -> None:
    """One byte of framing; whole packets, and no more of them than it takes."""
    sender, receiver = ends(
        counter_size=counter_size, packet_size=packet_size, longest=size
    )
    sizes = sender.sizes(size)
    assert (sizes.framing, sizes.counter, sizes.tag) == (1, counter_size, 8)
    assert (sizes.coding, sizes.padding) == (0, 0)
    assert sizes.total % packet_size == 0
    needed = sizes.total - sizes.fill
    if needed <= 64 * packet_size and packet_size >= 5:
        assert sizes.fill < packet_size
    else:
        assert sizes.fill <= needed / 64 + max(packet_size, 9)
    payload = random.Random(size).randbytes(size)  # noqa: S311 - repeatable
    assert messages_of(receiver.feed(sender.encode(payload))) == [payload]


def test_published_sizes() -> None:
    """The paper's framings have the paper's sizes, but for its roundings.

    31, 95, 226, 170 and 266 stand there for 32, 96, 256, 168 and 264: no whole
    number of blocks in hex digits, or of packets of 12, has those.
    """
    misprints = {31: 32, 95: 96, 226: 256, 170: 168, 266: 264}
    with PUBLISHED.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for size, row in zip(PAPER_SIZES, rows, strict=True):
        for framing, column in (
            ("plain", "plaintext_kb"),
            ("cbc-hex", "ciphertext_kb"),
            ("cbc-hex-padded", "padded_ciphertext_kb"),
        ):
            published = round(float(row[column]) * 1000)
            sender, _ = ends(framing)
            wanted = misprints.get(published, published)
            assert len(sender.encode(bytes(size))) == wanted


def damaged(
    source: random.Random, data: bytes, lost: float, inserted: float, flipped: float
) -> bytes:
    """Return what a bad line makes of bytes; the rates are per byte."""
    received = bytearray()
    for byte in data:
        while source.random() < inserted:
            received.append(source.randrange(256))
        if source.random() >= lost:
            bit = 1 << source.randrange(8)
            received.append(byte ^ bit if source.random() < flipped else byte)
    return bytes(received)


rates = st.sampled_from([0.0, 0.001, 0.01, 0.1])


@pytest.mark.slow
@given(
    seed=st.integers(0, 2**32),
    line_rates=st.tuples(rates, rates, rates),
    counter_size=st.integers(0, 4),
    packet_size=st.sampled_from([1, 7, 12, 240]),
    data=st.data(),
)
@settings(max_examples=60)
def test_bad_line(
    seed: int,
    line_rates: tuple[float, float, float],
    counter_size: int,
    packet_size: int,
    data: st.DataObject,
) -> None:
    """Only what was sent arrives, once, in order; then all of a good line does."""
    sender, receiver = ends(
        counter_size=counter_size, packet_size=packet_size, longest=300
    )
    source = random.Random(seed)  # noqa: S311 - repeatable
    sent = [source.randbytes(source.randrange(300)) for _ in range(10)]
    # Without a number on the wire, 11 messages in a row may be lost.
    line = b"".join(map(sender.encode, sent))
    line = damaged(source, line, *line_rates)
    events = []
    while line:
        cut = data.draw(st.integers(1, len(line)))
        events += receiver.feed(line[:cut])
        line = line[cut:]
    check_honest(events, sent)
    # Long enough for any unit that the bad line began to come to its end.
    events = receiver.feed(bytes(400) + sender.encode(b"good again"))
    assert messages_of(events) == [b"good again"]


def check_honest(events: list[rfserial.Event], sent: list[bytes]) -> None:
    """Every message is what was sent under its number; the lost add up."""
    expected = 0
    for event in events:
        match event:
            case Lost(count):
                expected += count
            case Message(number, payload, _):
                assert number == expected
                assert payload == sent[number]
                expected = number + 1
            case Repeated():
                pytest.fail("nothing was repeated")


@example(flips=[0])
@given(flips=st.lists(st.integers(0, 8 * 36 - 1), min_size=1, max_size=8, unique=True))
def test_nothing_forged(flips: list[int]) -> None:
    """A unit with any changed bits is refused, but for those of plain fill."""
    sender, receiver = ends(suite="grain128aead", tag_size=8)
    unit = bytearray(sender.encode(b"21.5 C, 48 % r"))
    assert len(unit) == 36
    fill = range(1 + 2 + 14 + 8, 35)
    for flip in flips:
        unit[flip // 8] ^= 1 << flip % 8
    expected = all(flip // 8 in fill for flip in flips)
    assert bool(messages_of(receiver.feed(unit))) == expected
    assert receiver.counter == int(expected)


def test_other_way_and_other_link() -> None:
    """A message sent back, or carried to another link, is refused."""
    sender, _ = ends(direction=0, link=7)
    unit = sender.encode(b"open the gate")
    for direction, link in ((1, 7), (0, 8)):
        _, receiver = ends(direction=direction, link=link)
        assert receiver.feed(unit) == []
    _, receiver = ends(direction=0, link=7)
    assert messages_of(receiver.feed(unit)) == [b"open the gate"]


def test_lost_repeated_noise() -> None:
    """What is not delivered is told, in order."""
    sender, receiver = ends()
    units = [sender.encode(bytes([i])) for i in range(5)]
    line = units[0] + b"??" + units[3] + units[1] + units[4]
    assert receiver.feed(line) == [
        Message(0, b"\0", units[0]),
        Noise(2),
        Lost(2),
        Message(3, b"\3", units[3]),
        Repeated(1),
        Message(4, b"\4", units[4]),
    ]


def test_restart() -> None:
    """Counters can be read and set; older messages are then old."""
    sender, receiver = ends()
    first = sender.encode(b"first")
    receiver.feed(first)
    again = Receiver("sealed", key=KEY[:16], counter=receiver.counter)
    assert again.feed(first) == [Repeated(0)]
    sender.counter = 1001
    assert again.feed(sender.encode(b"later"))[0] == Lost(1000)
    again.counter = 2000
    assert again.counter == 2000
    assert again.feed(sender.encode(b"too old")) == [Repeated(1002)]


def test_counter_end() -> None:
    """The last number is never used."""
    sender, receiver = ends()
    sender.counter = receiver.counter = rfserial.COUNTER_END - 1
    assert messages_of(receiver.feed(sender.encode(b"last"))) == [b"last"]
    with pytest.raises(rfserial.CounterEndError, match="needs a new key"):
        sender.encode(b"one more")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"packet_size": 0}, "packet size must be 1 to 240"),
        ({"packet_size": 241}, "packet size must be 1 to 240"),
        ({"counter_size": 5}, "counter size must be 0 to 4"),
        ({"tag_size": 3}, "tag size must be 4 to 16"),
        ({"tag_size": 5}, "no tag of 5 bytes"),
        ({"suite": "aes128-gcm", "tag_size": 8}, "no tag of 8 bytes"),
        ({"suite": "aes128-ctr"}, "does not authenticate"),
        ({"suite": "aes999"}, "aes999"),
        ({"link": 65_536}, "link must be 0 to 65535"),
        ({"direction": 2}, "direction must be 0 to 1"),
        ({"counter": 2**64}, "counter must be 0 to"),
        ({"key": b"short"}, "takes a key of 16 bytes"),
    ],
)
def test_refused_settings(given: dict[str, object], reason: str) -> None:
    """Settings out of their range are named."""
    with pytest.raises((MisuseError, ValueError), match=reason):
        Sender("sealed", **{"key": KEY[:16], **given})  # type: ignore[arg-type]


def test_refused_calls() -> None:
    """So are framings that do not exist, and messages that are too long."""
    with pytest.raises(rfserial.FramingError, match="no framing 'slip'"):
        Sender("slip")
    with pytest.raises(rfserial.FramingError, match="a key of 32 bytes, not 16"):
        Sender("cbc-hex", key=KEY[:16])
    sender, _ = ends()
    with pytest.raises(rfserial.FramingError, match="at most 65536 bytes"):
        sender.encode(bytes(65_537))


@pytest.mark.parametrize("framing", list(rfserial.FRAMINGS))
def test_limits_of_sizes_and_counters(framing: str) -> None:
    """The greatest and least of each is taken, and nothing beyond."""
    sender, receiver = ends(framing, longest=65_536)
    assert sender.sizes(65_536).message == 65_536
    for size in (-1, 65_537):
        with pytest.raises(rfserial.FramingError, match="at most 65536 bytes"):
            rfserial.sizes_of(sender.settings, size)
    with pytest.raises(rfserial.FramingError, match="at most 65536 bytes"):
        ends(framing, longest=65_537)
    end: Sender | Receiver
    for end in (sender, receiver):
        assert end.counter == 0
        for number in (rfserial.COUNTER_END, 0):
            end.counter = number
            assert end.counter == number
        for number in (-1, rfserial.COUNTER_END + 1):
            with pytest.raises(rfserial.FramingError, match="the counter must be 0 to"):
                end.counter = number
    sender.counter = rfserial.COUNTER_END
    with pytest.raises(rfserial.CounterEndError, match="needs a new key"):
        sender.encode(b"")


def test_a_key_that_nobody_gave_is_empty() -> None:
    """It is refused where one is needed, with its size."""
    for framing in ("sealed", "cbc-hex"):
        for end in (Sender, Receiver):
            with pytest.raises((MisuseError, ValueError), match="not 0"):
                end(framing)


def test_parts_of_the_framings() -> None:
    """What each byte on the wire is for, counted by hand."""
    parts = {
        framing: rfserial.sizes_of(rfserial.Settings.of(framing), 14)
        for framing in rfserial.FRAMINGS
    }
    assert parts == {
        "sealed": rfserial.WireSize(message=14, framing=1, counter=2, tag=8, fill=11),
        "plain": rfserial.WireSize(message=14),
        "cbc-hex": rfserial.WireSize(message=14, coding=16, padding=2),
        "cbc-hex-padded": rfserial.WireSize(message=14, coding=16, padding=2, fill=4),
    }


@pytest.mark.parametrize("framing", ["plain", "cbc-hex", "cbc-hex-padded"])
def test_framings_that_need_pauses(framing: str) -> None:
    """The bytes are those of the cipher alone; pauses and numbers are counted."""
    sender, receiver = ends(framing, longest=14)
    message = b"21.5 C, 48 % r"
    sealed = crypto.suite("aes256-cbc").seal(KEY, bytes(16), message).hex().encode()
    wanted = {
        "plain": message,
        "cbc-hex": sealed,
        "cbc-hex-padded": sealed + b"++++",
    }[framing]
    assert [sender.encode(message) for _ in range(2)] == [wanted] * 2
    assert sender.counter == 2
    receiver.counter = 6
    assert receiver.pause() == []
    for number in (6, 7):
        assert receiver.feed(wanted[:5]) == []
        assert receiver.waiting == 5
        # The longest that is waited for is still taken.
        assert receiver.feed(wanted[5:]) == []
        assert receiver.pause() == [Message(number, message, wanted)]
        assert (receiver.waiting, receiver.counter) == (0, number + 1)
    assert receiver.feed(wanted + b"?") == [Noise(len(wanted) + 1)]
    assert (receiver.waiting, receiver.counter) == (0, 8)


def test_events_cannot_be_changed() -> None:
    """What was received stays what was received."""
    for event in (Message(0, b"", b""), Lost(1), Repeated(0), Noise(1)):
        name = event.__slots__[0]
        with pytest.raises(AttributeError):
            setattr(event, name, 5)


def test_sealed_is_never_silent() -> None:
    """Its units need no pause; one that has begun goes on after it."""
    sender, receiver = ends()
    unit = sender.encode(b"21.5 C")
    assert receiver.feed(unit[:9]) == []
    assert receiver.waiting == 9
    assert receiver.pause() == []
    assert receiver.feed(unit[9:]) == [Message(0, b"21.5 C", unit)]
    assert (receiver.waiting, receiver.counter) == (0, 1)


def test_what_both_ends_start_from() -> None:
    """Who sets nothing is understood by who sets all of it."""
    given = rfserial.Settings.of(
        "sealed",
        suite="aes128-ccm-8",
        link=0,
        direction=0,
        packet_size=12,
        tag_size=None,
        counter_size=2,
    )
    assert rfserial.Settings.of("sealed") == given
    assert rfserial.COUNTER_END == 0xFFFF_FFFF_FFFF_FFFF
    assert rfserial_settings.DEFAULT_BAUD == 115_200


@pytest.mark.parametrize("framing", ["plain", "cbc-hex", "cbc-hex-padded"])
def test_endless_line(framing: str) -> None:
    """A line that is never silent fills no memory."""
    _, receiver = ends(framing, longest=100)
    events = receiver.feed(bytes(10_000))
    assert events == [Noise(10_000)]
    assert receiver.waiting == 0


def test_damaged_hex() -> None:
    """What cannot be decrypted is noise."""
    sender, receiver = ends("cbc-hex-padded")
    digits = bytearray(sender.encode(b"21.5 C"))
    digits[3] = ord("x")
    assert receiver.feed(digits) + receiver.pause() == [Noise(len(digits))]


def units_of(
    source: random.Random, sender: Sender, count: int
) -> Iterator[tuple[bytes, bytes]]:
    """Draw messages as sensors send them, and a long one now and then."""
    for _ in range(count):
        size = source.choice([3, 14, 20, 50, 126, 126, 700])
        payload = source.randbytes(size)
        yield payload, sender.encode(payload)


@pytest.mark.parametrize("counter_size", [0, 2])
def test_long_run(
    counter_size: int, record_property: Callable[[str, object], None]
) -> None:
    """Thousands of messages over a line of changing quality; the goodput is told."""
    source = random.Random(2016)  # noqa: S311 - repeatable
    sender, receiver = ends(counter_size=counter_size)
    delivered = carried = clean = 0
    for round_ in range(60):
        rate = (0.0, 0.0003, 0.003)[round_ % 3]
        before = sender.counter
        units = list(units_of(source, sender, 50))
        line = b"".join(unit for _, unit in units)
        kind = [0.0, 0.0, 0.0]
        kind[round_ // 3 % 3] = rate
        events = receiver.feed(damaged(source, line, *kind))
        for event in events:
            if isinstance(event, Message):
                assert event.payload == units[event.number - before][0]
                delivered += len(event.payload)
        clean += rate == 0 and len(messages_of(events)) >= 49
        carried += len(line)
    assert sender.counter == 3000
    # A round without damage loses at most the message that a loss reached into.
    assert clean == 20
    goodput = delivered / carried
    record_property("goodput", f"{goodput:.3f} bytes of message a byte on the line")
    assert goodput > 0.6
