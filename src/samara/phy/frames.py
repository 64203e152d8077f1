# SPDX-License-Identifier: Apache-2.0
"""Frames: payloads to coded and encrypted bits, and soft values to payloads.

A frame has the payload, a tag of 32 bits by Grain-128AEADv2 and a convolutional code of
rate 1/2 with K = 7; Grain-128PLE encrypts the coded bits. `gnuradio.samara` does all of
it, and is loaded when a codec is made.

Soft values are log-likelihood ratios, positive for bit 0, as everywhere in samara.phy
and in the C library. `gnuradio.samara` has the sign of GNU Radio, positive for bit 1:
`sign_changed` converts all soft values between the two.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from samara.crypto import grain128ple
from samara.errors import MisuseError
from samara.phy.modulation import find
from samara.phy.radio import need_gnuradio
from samara.phy.tuning import RadioError

if TYPE_CHECKING:
    from types import ModuleType

Bits: TypeAlias = npt.NDArray[np.uint8]
Soft: TypeAlias = npt.NDArray[np.float32]

KEY_SIZE = grain128ple.KEY_SIZE


def gnuradio_samara() -> ModuleType:
    """Return `gnuradio.samara`.

    Raises
    ------
    RadioError
        If it is not installed.
    """
    need_gnuradio()
    try:
        from gnuradio import samara as blocks  # noqa: PLC0415
    except ImportError as error:
        message = (
            f"gr-samara, the blocks of samara for GNU Radio, is not installed ({error})"
            ": its sources, gr-samara, are no part of a package of pip; clone samara "
            "and run tools/setup, or build gr-samara with CMake"
        )
        raise RadioError(message) from None
    found: ModuleType = blocks
    return found


def burst_modulation(name: str) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return gr-samara's value for a modulation of `samara.phy.modulation`.

    Raises
    ------
    MisuseError
        If there is no such modulation, or it cannot be sent in bursts.
    RadioError
        If GNU Radio or gr-samara is not installed.
    """
    waveform = find(name).waveform
    for row in gnuradio_samara().burst_modulations():
        if row.name == waveform:
            return row.modulation
    message = f"the modulation {name} can be simulated, but not sent in bursts"
    raise MisuseError(message)


def sign_changed(soft: Soft) -> Soft:
    """Return soft values with the other sign: from that of GNU Radio, or to it."""
    changed: Soft = np.negative(soft)
    return changed


def make_codec(
    key: bytes,
    *,
    code: str = "CONVOLUTIONAL",
    direction: int = 0,
    link_id: int = 0,
    encrypts: bool = True,
) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return gr-samara's codec of frames with a keyed tag.

    Parameters
    ----------
    code
        Name of a value of its enumeration `frame_code`.

    Raises
    ------
    RadioError
        If it is not installed.
    """
    blocks = gnuradio_samara()
    ciphers = blocks.frame_cipher
    return blocks.frame_codec(
        getattr(blocks.frame_code, code),
        blocks.frame_check.TAG,
        key.hex(),
        direction,
        link_id,
        ciphers.PLE if encrypts else ciphers.NONE,
    )


def bits_added_by_encryption(payload_size: int) -> int:
    """Return how many bits encryption adds to a frame, by encoding one."""
    payload = np.zeros((1, payload_size), np.uint8)
    # Random keys: the frames are not sent.
    encrypting, plain = (
        make_codec(secrets.token_bytes(KEY_SIZE), encrypts=encrypts)
        for encrypts in (True, False)
    )
    with_it: int = encrypting.encode(payload, 0).size
    without: int = plain.encode(payload, 0).size
    return with_it - without


class Codec:
    """Payloads of one direction of a link to bits, and soft values to payloads.

    The caller chooses the frame counters, and must never encode twice with the same
    key and counter.

    Parameters
    ----------
    key
        16 bytes.
    direction, link_id
        0 to 255, and 0 to 65535.
    """

    def __init__(self, key: bytes, *, direction: int, link_id: int) -> None:
        self._codec = make_codec(key, direction=direction, link_id=link_id)

    @property
    def cipher_s(self) -> float:
        """Time spent in the cipher so far, in seconds."""
        seconds: float = self._codec.cipher_seconds
        return seconds

    def coded_bits(self, payload_size: int) -> int:
        """Return the number of coded bits of a payload of this many bytes."""
        count: int = self._codec.coded_bits(payload_size)
        return count

    def encode(self, payload: bytes, counter: int) -> Bits:
        """Return the coded bits of a payload, one per byte, with a frame counter."""
        row = np.frombuffer(payload, np.uint8)[None]
        bits: Bits = self._codec.encode(row, counter)[0]
        return bits

    def decode(self, soft: Soft, counter: int) -> bytes | None:
        """Return the payload of soft values; None if the tag is wrong."""
        counters = np.array([counter], np.uint64)
        payloads, good = self._codec.decode(sign_changed(soft[None]), counters)
        return bytes(payloads[0]) if good[0] else None


class Unencrypted:
    """A codec with the same format and code, without encryption."""

    def __init__(self) -> None:
        # The tag cannot be checked without the key, so any key will do.
        self._codec = make_codec(bytes(KEY_SIZE), encrypts=False)

    def coded_bits(self, payload_size: int) -> int:
        """Return the number of coded bits of a payload of this many bytes."""
        count: int = self._codec.coded_bits(payload_size)
        return count

    def decode_unverified(self, soft: Soft) -> bytes:
        """Return the most likely payload of soft values."""
        counters = np.zeros(1, np.uint64)
        turned = sign_changed(soft[None])
        payloads, _ = self._codec.decode_unverified(turned, counters)
        return bytes(payloads[0])
