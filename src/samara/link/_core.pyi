# SPDX-License-Identifier: Apache-2.0
# The extension module; what it means is documented where Python wraps it.
from samara.crypto.bytes_like import BytesLike
from samara.errors import MisuseError, RefusedError

# IEEE 802.15.4

class FrameError(RefusedError):
    reason: str

class TableError(MisuseError):
    reason: str

class RawAddress:
    kind: int
    has_pan: bool
    pan: int
    short_address: int
    long_address: bytes
    def __init__(self) -> None: ...

class RawFrame:
    control: int
    sequence: int
    destination: RawAddress
    source: RawAddress
    security_control: int
    key_index: int
    frame_counter: int
    key_source: bytes
    def __init__(self) -> None: ...
    @property
    def header_size(self) -> int: ...
    @property
    def elements_size(self) -> int: ...
    @property
    def open_size(self) -> int: ...
    @property
    def payload_size(self) -> int: ...
    @property
    def mic_size(self) -> int: ...
    @property
    def payload_elements(self) -> bool: ...
    @property
    def level(self) -> int: ...
    def write_header(self) -> bytes: ...
    def acknowledges(self, sent: RawFrame, /) -> None: ...

class RawSecurity:
    def __init__(
        self, address: BytesLike, pan: int, key_count: int, device_count: int, /
    ) -> None: ...
    def set_key(
        self,
        place: int,
        cipher: str,
        key: BytesLike,
        mode: int,
        source: BytesLike,
        index: int,
        role: int,
        family: int,
        device: int,
        flags: int,
        /,
    ) -> None: ...
    def remove_key(self, place: int, /) -> None: ...
    def rotate(self, family: int, /) -> None: ...
    def current_key(self, family: int, /) -> int: ...
    def set_device(
        self, place: int, address: BytesLike, pan: int, short_address: int, /
    ) -> None: ...
    def remove_device(self, place: int, /) -> None: ...
    def require(self, device: int, type: int, level: int, /) -> None: ...  # noqa: A002
    def transmit_counter(self, key: int, /) -> int: ...
    def set_transmit_counter(self, key: int, counter: int, /) -> None: ...
    def receive_counter(self, device: int, key: int, /) -> int: ...
    def set_receive_counter(self, device: int, key: int, counter: int, /) -> None: ...
    def protect(self, frame: BytesLike, asn: int | None, /) -> bytes: ...
    def open(
        self, frame: BytesLike, asn: int | None, device: int, /
    ) -> tuple[bytes, int, int, int]: ...

def parse_frame(frame: BytesLike, has_mic: bool, /) -> RawFrame: ...
def elements(
    listed: BytesLike,
    payload: bool,
    /,
) -> list[tuple[int, bytes]]: ...
def payload_elements_size(payload: BytesLike, /) -> int: ...
def frame_ciphers() -> list[tuple[str, int, int, bool]]: ...

# RF serial

class SealedSender:
    def __init__(
        self,
        suite: str,
        key: BytesLike,
        identity: int,
        direction: int,
        packet_size: int,
        tag_size: int,
        counter_size: int,
        counter: int,
        /,
    ) -> None: ...
    def seal(self, message: BytesLike, /) -> bytes: ...
    def wire_size(self, message_size: int, /) -> int: ...
    counter: int

class SealedReceiver:
    def __init__(
        self,
        suite: str,
        key: BytesLike,
        identity: int,
        direction: int,
        packet_size: int,
        tag_size: int,
        counter_size: int,
        counter: int,
        longest: int,
        effort: int,
        /,
    ) -> None: ...
    def receive(
        self, received: BytesLike, offset: int, /
    ) -> tuple[int, int | None, int, int, bytes | None, bytes | None]: ...
    counter: int
    @property
    def waiting(self) -> int: ...
    @property
    def attempts(self) -> int: ...
    @property
    def skipped(self) -> int: ...
