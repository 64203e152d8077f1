# SPDX-License-Identifier: Apache-2.0
"""
The C library as Python objects, which the package's modules wrap.

Sizes are in bytes. A bytes-like argument may be any object with a
C-contiguous buffer; no other thread may change it during the call.
"""

from collections.abc import Sequence
import enum

from samara.crypto.bytes_like import BytesLike

VERSION: str = "0.2.0"

GRAIN128PLE_KEY_SIZE: int = 16

GRAIN128PLE_NONCE_SIZE: int = 12

PLE_AIR_VERSION: int = 2

PLE_LOCKED_WINDOW: int = 8

PLE_WIDE_WINDOW: int = 4096

IEEE802154_FRAME_SIZE_MAX: int = 2045

IEEE802154_PSDU_SIZE_MAX: int = 127

IEEE802154_FCS_SIZE: int = 2

IEEE802154_MIC_SIZE_MAX: int = 16

IEEE802154_ADDRESS_SIZE: int = 8

IEEE802154_NONCE_SIZE: int = 13

IEEE802154_ENCRYPTION_ONLY: int = 4

RFSERIAL_MESSAGE_SIZE_MAX: int = 65536

RFSERIAL_PACKET_SIZE_MAX: int = 240

RFSERIAL_TAG_SIZE_MIN: int = 4

RFSERIAL_TAG_SIZE_MAX: int = 16

RFSERIAL_COUNTER_SIZE_MAX: int = 4

class BlockCipherRow:
    """A block cipher of the registry: a row of samara/suite.h."""

    @property
    def slug(self) -> str: ...
    @property
    def standing(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def key_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def encrypt(self, key: BytesLike, block: BytesLike) -> bytes:
        """Encrypt one block. ValueError for another size."""

    def decrypt(self, key: BytesLike, block: BytesLike) -> bytes:
        """Decrypt one block. ValueError for another size."""

def block_cipher_rows() -> list[BlockCipherRow]:
    """Return all block ciphers, in the order of the registry."""

class Timing:
    """How long a number of calls took together."""

    @property
    def nanoseconds(self) -> int:
        """Of the steady clock."""

    @property
    def ticks(self) -> int:
        """Of the processor's time stamp counter; 0 where there is none."""

class SuiteRow:
    """A suite of the registry: a row of samara/suite.h."""

    @property
    def slug(self) -> str: ...
    @property
    def standing(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def key_size(self) -> int: ...
    @property
    def nonce_size(self) -> int: ...
    @property
    def nonce_size_min(self) -> int: ...
    @property
    def nonce_size_max(self) -> int: ...
    @property
    def tag_size(self) -> int: ...
    @property
    def padding_size(self) -> int: ...
    @property
    def streams(self) -> bool: ...
    def sealed_size(self, message_size: int) -> int:
        """Return the size of a sealed message: ciphertext and tag."""

    def seal(
        self,
        key: BytesLike,
        nonce: BytesLike,
        message: BytesLike,
        associated_data: BytesLike,
    ) -> bytes:
        """Return ciphertext and tag."""

    def open(
        self,
        key: BytesLike,
        nonce: BytesLike,
        sealed: BytesLike,
        associated_data: BytesLike,
    ) -> bytes:
        """Return the message. AuthenticationError when it is not genuine."""

    def seal_into(
        self,
        output: BytesLike,
        key: BytesLike,
        nonce: BytesLike,
        message: BytesLike,
        associated_data: BytesLike,
    ) -> int:
        """Seal into a writable buffer; return how many bytes were written."""

    def open_into(
        self,
        output: BytesLike,
        key: BytesLike,
        nonce: BytesLike,
        sealed: BytesLike,
        associated_data: BytesLike,
    ) -> int:
        """Open into a writable buffer; return how many bytes were written."""

    def seal_batch(
        self, messages: list[tuple[BytesLike, BytesLike, BytesLike, BytesLike]]
    ) -> list[bytes]:
        """Seal tuples of key, nonce, message and associated data."""

    def open_batch(
        self, messages: list[tuple[BytesLike, BytesLike, BytesLike, BytesLike]]
    ) -> list[bytes | None]:
        """
        Open tuples of key, nonce, sealed message and associated data;
        None stands for a message that is not genuine.
        """

    def time_seal(self, message_size: int, repetitions: int) -> Timing:
        """
        Seal messages of one size, one after the other, each with its own
        key set-up; return how long they took together.
        """

    def time_seal_batch(
        self, message_size: int, count: int, repetitions: int
    ) -> Timing:
        """
        Seal batches of `count` messages of one size, each message with its
        own key; return how long they took together.
        """

def suite_rows() -> list[SuiteRow]:
    """Return all suites, in the order of the registry."""

class Stream:
    """
    A message that is sealed or opened in pieces. RuntimeError when two
    threads use it at once.
    """

    def __init__(
        self,
        suite: SuiteRow,
        key: BytesLike,
        nonce: BytesLike,
        associated_data: BytesLike,
        *,
        opening: bool,
    ) -> None:
        """
        ValueError for a size that the suite does not accept, and for a
        suite that cannot work in pieces.
        """

    def update(self, piece: BytesLike) -> bytes:
        """Process the next piece; return its output."""

    def finish_sealing(self) -> bytes:
        """Return what was held back, and the tag."""

    def finish_opening(self, tag: BytesLike) -> bytes:
        """Check the tag; return what was held back."""

class Keystream:
    """
    A position in a keystream of Grain-128PLE: every call goes on where the
    last one stopped. RuntimeError when two threads use it at once.
    """

    def __init__(self, key: BytesLike, nonce: BytesLike) -> None: ...
    def skip(self, bit_count: int) -> None:
        """Pass over bits; the time grows with their number."""

    def keystream_into(self, output: BytesLike, bit_count: int) -> None:
        """Write keystream bits, packed, into a writable buffer."""

    def xor_bits(self, bits: BytesLike, bit_offset: int, bit_count: int) -> None:
        """Encrypt or decrypt packed bits in place."""

    def flip_int8(self, values: BytesLike) -> None:
        """Decrypt soft values of 8 bits in place."""

    def flip_int16(self, values: BytesLike) -> None:
        """Decrypt soft values of 16 bits in place."""

    def flip_float32(self, values: BytesLike) -> None:
        """Decrypt soft values of 32-bit floating point in place."""

def keystream_batch(streams: list[tuple[BytesLike, BytesLike, int]]) -> list[bytes]:
    """
    Return the first bits of keystreams, packed, for tuples of key,
    nonce and number of bits.
    """

def time_keystream_batch(size: int, count: int, repetitions: int) -> Timing:
    """
    Compute batches of `count` keystreams of `size` bytes, each with its
    own key; return how long they took together.
    """

def keystream_state_size() -> int:
    """Return the memory of a keystream's state on this machine."""

class Domain(enum.IntEnum):
    """What a nonce is for."""

    KEYSTREAM = 1

    TAG = 2

class Stage(enum.IntEnum):
    """How far a receiver looks."""

    LOCKED = 0

    WIDE = 1

    COLD = 2

class Found:
    """What a search proposes; the frame's tag decides."""

    def __init__(self, counter: int, tested: int, margin: float) -> None: ...
    @property
    def counter(self) -> int:
        """The frame's counter."""

    @property
    def tested(self) -> int:
        """Candidates of the search."""

    @property
    def margin(self) -> float:
        """
        By how much the likelihood ratio is above its threshold, as a
        natural logarithm.
        """

class PleReceiver:
    """One direction of a link, at the end that receives."""

    def __init__(
        self, key: BytesLike, *, direction: int, link_id: int, next_counter: int = 0
    ) -> None: ...
    def search_bytes(self, soft: BytesLike) -> Found | None:
        """
        Return the counter that explains the soft values (int8) of one
        frame, if any. Nothing changes before accept or miss is called.
        """

    def accept(self, counter: int) -> None:
        """
        Tell that the tag was right under `counter`. ValueError when the
        counter is below next_counter, or is the last one, 2^64 - 1.
        """

    def miss(self) -> None:
        """Tell that nothing was found, or that the tag was wrong."""

    @property
    def windows(self) -> list[tuple[int, int]]:
        """
        The first counter, and how many, of each window that the
        next search looks at.
        """

    @property
    def next_counter(self) -> int:
        """The lowest counter that may be accepted."""

    @property
    def stage(self) -> Stage:
        """How far the next search looks."""

def ple_scan(
    key: BytesLike,
    *,
    direction: int,
    link_id: int,
    first: int,
    count: int,
    soft: BytesLike,
) -> Found | None:
    """Search `count` counters from `first` on, without a receiver."""

def ple_nonce(domain: Domain, direction: int, link_id: int, counter: int) -> bytes:
    """Return the nonce of a frame."""

def ple_stride(count: int) -> int:
    """
    Return how many places coded bits that follow one another are
    apart on the air, in a frame with `count` of them.
    """

class FrameType(enum.IntEnum):
    """The types of frames that are read and written."""

    BEACON = 0

    DATA = 1

    ACKNOWLEDGEMENT = 2

    COMMAND = 3

class Version(enum.IntEnum):
    """The format of a frame, by the year of the standard; 2020 keeps 2015's."""

    V2003 = 0

    V2006 = 1

    V2015 = 2

class RawAddress:
    """
    An address in a frame's header: a short one, a long
    one, or none.
    """

    def __init__(
        self, *, pan: int | None, short: int | None, long: bytes | None
    ) -> None: ...
    @property
    def pan(self) -> int | None:
        """None where the frame does not tell it."""

    @property
    def short(self) -> int | None: ...
    @property
    def long(self) -> bytes | None:
        """The extended address, highest byte first."""

class RawFrame:
    """
    A frame's header, and where the parts behind it are:
    samara/ieee802154_frame.h.
    """

    def __init__(self) -> None: ...
    @property
    def type(self) -> FrameType: ...
    @type.setter
    def type(self, arg: FrameType, /) -> None: ...
    @property
    def version(self) -> Version:
        """Set before the fields whose meaning depends on it."""

    @version.setter
    def version(self, arg: Version, /) -> None: ...
    @property
    def secured(self) -> bool: ...
    @secured.setter
    def secured(self, arg: bool, /) -> None: ...
    @property
    def pending(self) -> bool: ...
    @pending.setter
    def pending(self, arg: bool, /) -> None: ...
    @property
    def ack_request(self) -> bool: ...
    @ack_request.setter
    def ack_request(self, arg: bool, /) -> None: ...
    @property
    def pan_compression(self) -> bool: ...
    @pan_compression.setter
    def pan_compression(self, arg: bool, /) -> None: ...
    @property
    def has_elements(self) -> bool: ...
    @has_elements.setter
    def has_elements(self, arg: bool, /) -> None: ...
    @property
    def reserved(self) -> int:
        """Bits of the frame control that the version reserves."""

    @reserved.setter
    def reserved(self, arg: int, /) -> None: ...
    @property
    def sequence(self) -> int | None:
        """None where it is suppressed."""

    @sequence.setter
    def sequence(self, value: int | None) -> None: ...
    @property
    def destination(self) -> RawAddress: ...
    @destination.setter
    def destination(self, arg: RawAddress, /) -> None: ...
    @property
    def source(self) -> RawAddress: ...
    @source.setter
    def source(self, arg: RawAddress, /) -> None: ...
    @property
    def level(self) -> int:
        """The security level; 0 of a frame that is not secured."""

    @level.setter
    def level(self, arg: int, /) -> None: ...
    @property
    def key_id_mode(self) -> int:
        """0 to 3; set before the key source."""

    @key_id_mode.setter
    def key_id_mode(self, arg: int, /) -> None: ...
    @property
    def key_source(self) -> bytes: ...
    @key_source.setter
    def key_source(self, arg: BytesLike, /) -> None: ...
    @property
    def key_index(self) -> int: ...
    @key_index.setter
    def key_index(self, arg: int, /) -> None: ...
    @property
    def frame_counter(self) -> int | None:
        """None where it is suppressed."""

    @frame_counter.setter
    def frame_counter(self, value: int | None) -> None: ...
    @property
    def asn_in_nonce(self) -> bool: ...
    @asn_in_nonce.setter
    def asn_in_nonce(self, arg: bool, /) -> None: ...
    @property
    def security_reserved(self) -> int:
        """Bits of the security control that the version reserves."""

    @security_reserved.setter
    def security_reserved(self, arg: int, /) -> None: ...
    @property
    def header_size(self) -> int: ...
    @property
    def elements_size(self) -> int:
        """The size of the header information elements."""

    @property
    def open_size(self) -> int:
        """The size of what is never encrypted."""

    @property
    def payload_size(self) -> int: ...
    @property
    def mic_size(self) -> int: ...
    @property
    def has_payload_elements(self) -> bool:
        """Whether the payload begins with information elements."""

    def write_header(self) -> bytes:
        """Return the bytes of the header."""

    def acknowledges(self, sent: RawFrame) -> None:
        """Raise FrameError unless this frame acknowledges the one sent."""

class RawElement:
    """An information element."""

    @property
    def id(self) -> int: ...
    @property
    def content(self) -> bytes: ...

def parse_frame(frame: BytesLike, *, is_protected: bool = True) -> RawFrame:
    """Read a frame without FCS; one not protected yet has no MIC."""

def header_elements(listed: BytesLike) -> list[RawElement]:
    """Return the elements of a list of header elements."""

def payload_elements(listed: BytesLike) -> list[RawElement]:
    """Return the elements of a list of payload elements."""

def payload_elements_size(payload: BytesLike) -> int:
    """Return the size of the elements that a payload begins with."""

def mic_size(level: int) -> int:
    """Return the size of the MIC of a security level."""

def key_source_size(mode: int) -> int:
    """Return the size of the key source of a mode."""

class FrameCipher:
    """A cipher that may secure frames."""

    @property
    def slug(self) -> str: ...
    @property
    def key_size(self) -> int: ...
    @property
    def tag_size(self) -> int:
        """The size of the longest MIC."""

    @property
    def takes_asn(self) -> bool:
        """Whether nonces may be made of the ASN."""

def frame_ciphers() -> list[FrameCipher]:
    """Return the ciphers for frames, in the order of the registry."""

class Role(enum.IntEnum):
    """
    What a key does while keys are rotated: the current one
    sends, all open.
    """

    PREVIOUS = 1

    CURRENT = 2

    NEXT = 3

class RawOpened:
    """A frame that was accepted."""

    @property
    def frame(self) -> bytes:
        """The frame, opened."""

    @property
    def level(self) -> int:
        """Its security level."""

    @property
    def device(self) -> int | None:
        """The place of the device that sent it; None only at level 0."""

    @property
    def key(self) -> int | None:
        """The place of its key; None at level 0."""

    @property
    def lost(self) -> int:
        """How many counters left the window of late frames by it."""

class SecurityState:
    """
    Keys, devices and counters of one end of a link:
    samara/ieee802154.h.
    """

    def __init__(
        self,
        address: BytesLike,
        pan: int,
        *,
        keys: int,
        devices: int,
        late: bool = False,
    ) -> None: ...
    def set_key(
        self,
        place: int,
        *,
        cipher: str,
        key: BytesLike,
        mode: int,
        source: BytesLike,
        index: int,
        role: int,
        family: int,
        device: int | None,
        asn: bool,
        encryption_only: bool,
    ) -> None:
        """Put a key into a place of the table, its counters at 0."""

    def remove_key(self, place: int) -> None:
        """Wipe a key and its counters."""

    def rotate(self, family: int) -> None:
        """
        Make a family's next key current and its current key previous.

        The previous one is wiped. Each key keeps its own counters.
        TableError ("no-next-key"), and nothing changes, without a next
        key.
        """

    def current_key(self, family: int) -> int | None:
        """Return the place of the key that a family sends with, if any."""

    def set_device(
        self, place: int, address: BytesLike, *, pan: int, short_address: int | None
    ) -> None:
        """
        Put a device into a place of the table. The same device there
        keeps its receive counters.
        """

    def remove_device(self, place: int) -> None:
        """Forget a device and its receive counters."""

    def require_level(self, device: int | None, type: int, level: int) -> None:
        """
        Require a level of frames of a type, from a device or, with None,
        from all that are not in the table.
        """

    def transmit_counter(self, key: int) -> int:
        """Return the lowest counter (or ASN) that a key has not sent with."""

    def set_transmit_counter(self, key: int, counter: int) -> None:
        """Raise the transmit counter of a key; TableError if it would fall."""

    def receive_counter(self, device: int, key: int) -> int:
        """Return the lowest counter that is accepted from a device."""

    def set_receive_counter(self, device: int, key: int, counter: int) -> None:
        """Raise the receive counter of a device; TableError if it would fall."""

    def missing(self, device: int, key: int) -> int:
        """
        Return which counters below a receive counter are still accepted,
        late: bit i stands for the one that is i + 2 below.
        """

    def set_missing(self, device: int, key: int, missing: int) -> None:
        """Set what `missing` returned, after the receive counter was set."""

    def protect_bytes(self, frame: BytesLike, *, asn: int | None) -> bytes:
        """Return a frame with its MIC."""

    def open_bytes(
        self, frame: BytesLike, *, asn: int | None, device: int | None
    ) -> RawOpened:
        """Open a frame, and count it as received once its MIC was right."""

    def open_many_bytes(
        self, frames: list[BytesLike], *, asns: BytesLike
    ) -> tuple[bytes, bytes]:
        """
        Open frames in their order; the bytes of all, one behind the other,
        and a row for each: samara.link.ieee802154.frames.batch.
        """

    def open_packed_bytes(
        self, data: BytesLike, sizes: BytesLike, *, asns: BytesLike
    ) -> tuple[bytes, bytes]:
        """
        The same for frames that lie one behind the other, with the size
        of each as a number of 32 bits.
        """

    def protect_many_bytes(
        self, frames: list[BytesLike], *, asns: BytesLike
    ) -> tuple[bytes, bytes]:
        """
        Protect frames in their order; the bytes of those that were not
        refused, one behind the other, and a row for each.
        """

    def protect_packed_bytes(
        self, data: BytesLike, sizes: BytesLike, *, asns: BytesLike
    ) -> tuple[bytes, bytes]:
        """
        The same for frames that lie one behind the other, with the size
        of each as a number of 32 bits.
        """

def frame_reason(result: int) -> str:
    """Return the name of a result, such as "replay"."""

class SealedLink:
    """
    What both ends of one direction agree on:
    samara/rfserial.h.
    """

    def __init__(
        self,
        suite: str,
        key: BytesLike,
        *,
        identity: int,
        direction: int,
        packet_size: int,
        tag_size: int,
        counter_size: int,
    ) -> None: ...
    def wire_size(self, message_size: int) -> int:
        """Return how many bytes a message takes on the wire."""

class SealedUnit:
    """A genuine unit, as a receiver found it."""

    @property
    def number(self) -> int:
        """The number of its message."""

    @property
    def lost(self) -> int:
        """Messages between the last unit's and this one."""

    @property
    def noise(self) -> int:
        """Bytes since the last unit that belong to none."""

    @property
    def unit(self) -> bytes:
        """The unit as it was received."""

    @property
    def message(self) -> bytes | None:
        """None when it was received before."""

class SealedSender:
    """
    The sending end of a link. RuntimeError when two threads use it at once.
    """

    def __init__(self, link: SealedLink, counter: int) -> None: ...
    def encode(self, message: BytesLike) -> bytes:
        """Return one message for the wire, and count it."""

    @property
    def counter(self) -> int:
        """The number of the next message."""

    @counter.setter
    def counter(self, arg: int, /) -> None: ...

class SealedReceiver:
    """
    The receiving end of a link. RuntimeError when two threads use it at once.
    """

    def __init__(
        self, link: SealedLink, counter: int, *, longest: int, effort: int
    ) -> None: ...
    def receive(self, received: BytesLike) -> list[SealedUnit]:
        """Take bytes; return the genuine units that end in them."""

    @property
    def counter(self) -> int:
        """The number of the next message, if none is lost."""

    @counter.setter
    def counter(self, arg: int, /) -> None: ...
    @property
    def waiting(self) -> int:
        """Bytes received since the last unit."""

    @property
    def attempts(self) -> int:
        """How often a tag was checked, modulo 2^32."""

    @property
    def skipped(self) -> int:
        """How often there was no credit to check a tag, modulo 2^32."""

class LowpanHop:
    """What both ends of a hop know of a frame: samara/6lowpan.h."""

    def __init__(
        self,
        source: BytesLike,
        destination: BytesLike,
        contexts: list[tuple[bytes, int, bool]],
    ) -> None: ...

def lowpan_payloads(
    hop: LowpanHop, packet: BytesLike, *, tag: int, payload_size: int
) -> list[bytes]:
    """Return the payloads of frames that carry an IPv6 packet."""

def lowpan_identifier(address: BytesLike) -> bytes:
    """Return the interface identifier of a link address."""

class LowpanReceiver:
    """Packets that are being put together."""

    def __init__(self, *, slots: int, slots_each: int, lifetime_ms: int) -> None: ...
    def receive(self, hop: LowpanHop, payload: BytesLike, now_ms: int) -> bytes | None:
        """Take one payload; return the packet that it completes, if any."""

    @property
    def expired(self) -> int:
        """Packets that were given up, modulo 2^32."""

    @property
    def incomplete(self) -> int:
        """Packets that wait for fragments."""

class NetworkEvents:
    """
    A network that collects messages at a sink, event by event. Times are
    in seconds; node 0 is the sink. samara.energy.events has the model.
    """

    def __init__(
        self,
        *,
        parents: Sequence[int],
        neighbours: Sequence[Sequence[int]],
        delivery: Sequence[float],
        ack_delivery: Sequence[float],
        medium_s: Sequence[float],
        service_s: Sequence[float],
        arrival_s: Sequence[float],
        cell_s: Sequence[float],
        cell_takes_sender: bool = True,
        acknowledges: bool = True,
        shares_medium: bool,
        air_s: float = 0.0,
        air_period_s: float = 0.0,
        air_copies: int = 1,
        frequencies: int = 1,
        interval_s: float,
        dao_interval_s: float,
        messages: Sequence[int] = [],
        trickle_interval_s: float,
        redundancy: int,
        queue_max: int,
        log_max: int = 0,
        seed: int,
    ) -> None:
        """
        ValueError when sizes differ, a node is not there, or a time or a
        share is not possible. With a dao_interval_s of 0, nothing routes.
        """

    def advance(self, until_s: float) -> None:
        """Handle all events before this time."""

    def counts(self) -> list[list[list[int]]]:
        """
        Return how often each node sent, sent first, received, received
        first and overheard: lists for data, DIO and DAO, by node.
        """

    def take_log(self) -> list[tuple[float, int, int, int, int]]:
        """
        Return the first `log_max` transmissions since the last call: when
        each ended, who sent to whom, the kind of frame, and its fate: 0 for
        lost, 1 for arrived, 2 for acknowledged too, 3 for broadcast.
        """

    @property
    def made(self) -> int:
        """Messages of nodes."""

    @property
    def delivered(self) -> int:
        """Messages that reached the sink."""

    @property
    def lost(self) -> int:
        """Frames that found no room in a queue."""

    @property
    def collided(self) -> int:
        """Messages of which each copy met another's at the sink."""

    @property
    def lost_on_links(self) -> int:
        """Messages that did not arrive, and are not sent again."""

    @property
    def waiting(self) -> int:
        """Frames in queues, or on the way."""

    @property
    def latency_sum_s(self) -> float:
        """Of all messages that reached the sink."""

    @property
    def events(self) -> int:
        """Events so far."""

def send_datagram(
    descriptor: int, datagram: BytesLike, addresses: list[bytes]
) -> list[int]:
    """
    Send a datagram from a socket to many addresses.

    An address is the system's structure of it. Nothing is waited for. Returns the
    indexes of those to which it could not be sent.
    """
