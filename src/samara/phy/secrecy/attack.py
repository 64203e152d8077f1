# SPDX-License-Identifier: Apache-2.0
"""What an attack is, and the air that it listens to.

An eavesdropper knows all but the key: the modulation, the code, the pilots, the
scheme, the channel and its noise. It is synchronised. So what it does not find, one
with a worse receiver does not find by the same method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.phy.secrecy.checking import checked
from samara.phy.secrecy.link import Link, noisy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from samara.phy.mappers import Bits, Symbols
    from samara.phy.secrecy.estimates import Estimate
    from samara.phy.secrecy.scheme import Counters, Scheme


@dataclass(frozen=True, slots=True)
class Setting:
    """How a scheme is attacked."""

    modulation: str
    payload_size: int
    ebn0_db: float
    frames: int
    """Frames that the eavesdropper hears in a game."""
    confidence: float
    """Of each interval."""


class Air:
    """Frames of one link with one scheme and a random key, as they are heard.

    Parameters
    ----------
    kind
        Class of the scheme.
    setting
        How it is attacked.
    random
        Draws keys, payloads, secrets of games and noise.
    """

    def __init__(
        self, kind: type[Scheme], setting: Setting, random: np.random.Generator
    ) -> None:
        self.kind, self.setting, self.random = kind, setting, random
        self.scheme = self.secured(setting.payload_size)
        self.link = self.scheme.link
        self.variance = self.link.variance(setting.ebn0_db)

    def secured(self, payload_size: int) -> Scheme:
        """Return the scheme with a new key, for frames of this size."""
        key = self.random.bytes(16)
        return checked(self.kind, Link(self.setting.modulation, payload_size, key))

    def hear(self, payloads: Bits, counters: Counters) -> Symbols:
        """Return the symbols that an eavesdropper observes, one row a frame."""
        return self.scheme.observe(self.noisy(self.scheme.send(payloads, counters)))

    def noisy(self, sent: Symbols) -> Symbols:
        """Return samples under the noise of this air."""
        return noisy(sent, self.variance, self.random)


@dataclass(frozen=True, slots=True)
class Attack:
    """One method of an eavesdropper."""

    title: str
    """What it tries, in a few words."""
    measures: int
    """Number of estimates that it yields."""
    listen: Callable[[Air], Iterator[Estimate]]
    """Listens to the air, and yields an estimate for each measure."""
