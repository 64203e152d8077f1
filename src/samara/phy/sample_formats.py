# SPDX-License-Identifier: Apache-2.0
"""Sample formats: how the bytes of a recording are numbers.

Names are those of SigMF: ``cu8``, ``ci16_le``, ``cf32_be``. Other programs write ``s``
in place of ``i`` and leave out the byte order, which is little-endian then: ``cs16`` is
``ci16_le``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from samara.errors import ArgumentError

if TYPE_CHECKING:
    from samara.phy.channel import Samples

Bytes = NDArray[np.uint8]

_NAME = re.compile(r"([cr])(?:(f)(32|64)|([isu])(8|16|24|32))(?:_(le|be))?", re.ASCII)
# NumPy has no integers of 24 bits: they become the upper bytes of 32.
_PACKED = 3


@dataclass(frozen=True, slots=True)
class SampleFormat:
    """Numbers of one kind, alone or in pairs."""

    is_complex: bool
    """Whether a sample is a pair of real and imaginary part."""
    kind: str
    """``f``: floating point; ``i``: signed; ``u``: unsigned."""
    size: int
    """Bytes of a number."""
    is_big_endian: bool = False

    @classmethod
    def parse(cls, name: str) -> Self:
        """Return the format with this name.

        Raises
        ------
        ArgumentError
            If there is none.

        Examples
        --------
        >>> SampleFormat.parse("cs16").name
        'ci16_le'
        """
        found = _NAME.fullmatch(name)
        if found is None:
            message = (
                f"{name!r} is not a sample format: expected cu8, cs8, cs16, cf32, cf64 "
                "or another name of SigMF, such as ci16_be"
            )
            raise ArgumentError(message)
        shape, is_float, float_bits, kind, bits, order = found.groups()
        return cls(
            shape == "c",
            is_float or kind.replace("s", "i"),
            int(float_bits or bits) // 8,
            order == "be",
        )

    @property
    def name(self) -> str:
        """Name in SigMF."""
        order = "" if self.size == 1 else "_be" if self.is_big_endian else "_le"
        return f"{'c' if self.is_complex else 'r'}{self.kind}{8 * self.size}{order}"

    @property
    def sample_size(self) -> int:
        """Bytes of a sample."""
        return self.size * (2 if self.is_complex else 1)

    def samples(self, raw: Bytes) -> Samples:
        """Return complex samples of bytes; integers become magnitudes up to 1.

        An integer of n bits is divided by 2^(n-1), after 2^(n-1) is subtracted if it
        is unsigned, as SigMF's own library does. An incomplete sample at the end is
        left out.
        """
        whole = raw[: len(raw) // self.sample_size * self.sample_size]
        numbers = self._scaled(self._numbers(whole))
        if not self.is_complex:
            return numbers.astype(np.complex64)
        pairs: Samples = numbers.view(np.complex64)
        return pairs

    def _numbers(self, raw: Bytes) -> NDArray[Any]:
        order = ">" if self.is_big_endian else "<"
        if self.size != _PACKED:
            return raw.view(f"{order}{self.kind}{self.size}")
        wide = np.zeros((len(raw) // _PACKED, 4), np.uint8)
        first = 0 if self.is_big_endian else 1
        wide[:, first : first + _PACKED] = raw.reshape(-1, _PACKED)
        return wide.reshape(-1).view(f"{order}{self.kind}4")

    def _scaled(self, numbers: NDArray[Any]) -> NDArray[np.float32]:
        if self.kind == "f":
            with np.errstate(over="ignore"):
                return numbers.astype(np.float32)
        half = 2.0 ** (8 * numbers.itemsize - 1)
        # Single precision has all numbers of 16 bits.
        wide = np.float32 if half < 1 << 16 else np.float64
        precise: NDArray[Any] = numbers.astype(wide)
        if self.kind == "u":
            precise -= half
        precise /= half
        return precise.astype(np.float32, copy=False)
