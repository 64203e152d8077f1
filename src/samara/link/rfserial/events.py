# SPDX-License-Identifier: Apache-2.0
"""What a receiver of a serial radio finds in the bytes that it is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Message:
    """A message that arrived; genuine and new when the framing is `sealed`."""

    number: int
    """The sender's; counted by the receiver where none is sent."""
    payload: bytes
    encoded: bytes
    """The bytes that it arrived as."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Messages between the last one and the next did not arrive."""

    count: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """A genuine message came again, and was not released again."""

    number: int


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes that belong to no genuine message."""

    size: int


Event: TypeAlias = Message | Lost | Repeated | Noise
