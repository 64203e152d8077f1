# SPDX-License-Identifier: Apache-2.0
# The extension module; what it means is documented where Python wraps it.
from samara.crypto.bytes_like import BytesLike

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
