# SPDX-License-Identifier: Apache-2.0
"""liquid-dsp: the codes of its packetizer, and the frames of flexframegen.

Debian's build has no convolutional codes, because these need libfec; Golay's is its
best one of rate 1/2. Decoders take soft bits. The header of flexframe carries nothing.
"""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_float,
    c_int,
    c_ubyte,
    c_uint,
    c_void_p,
)
from typing import TYPE_CHECKING, Any

import numpy as np

from phy_peers.libraries import load
from phy_peers.system import Kind, System, energy
from samara.phy.trial import white_noise

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CODE, _CHECK, _MODULATION = b"g2412", b"crc32", b"qpsk"
# Before a frame, and after it: more than the synchronizer is late.
_BEFORE, _AFTER = 200, 400
_STEPS = 127.5  # a soft bit is 0 to 255
_LLR_REACH = 8.0  # log-likelihood ratios from there on are certain


class _Properties(Structure):
    _fields_ = [(name, c_uint) for name in ("check", "fec0", "fec1", "modulation")]


class _Statistics(Structure):
    _fields_ = [
        *((name, c_float) for name in ("evm", "rssi", "cfo")),
        ("symbols", c_void_p),
        *((name, c_uint) for name in ("count", "scheme", "bits", "check")),
        *((name, c_uint) for name in ("fec0", "fec1")),
    ]


_CALLBACK = CFUNCTYPE(
    c_int,
    POINTER(c_ubyte),
    c_int,
    POINTER(c_ubyte),
    c_uint,
    c_int,
    _Statistics,
    c_void_p,
)


def _liquid() -> Any:  # noqa: ANN401 - ctypes has no types
    names = (c_int, [c_char_p])
    return load(
        "liquid",
        "libliquid-dev",
        {
            "liquid_getopt_str2crc": names,
            "liquid_getopt_str2fec": names,
            "liquid_getopt_str2mod": names,
            "flexframegen_create": (c_void_p, [POINTER(_Properties)]),
            "flexframegen_set_header_len": (c_int, [c_void_p, c_uint]),
            "flexframegen_assemble": (c_int, [c_void_p, c_void_p, c_char_p, c_uint]),
            "flexframegen_getframelen": (c_uint, [c_void_p]),
            "flexframegen_write_samples": (c_int, [c_void_p, c_void_p, c_uint]),
            "flexframesync_create": (c_void_p, [_CALLBACK, c_void_p]),
            "flexframesync_set_header_len": (c_int, [c_void_p, c_uint]),
            "flexframesync_decode_header_soft": (c_int, [c_void_p, c_int]),
            "flexframesync_decode_payload_soft": (c_int, [c_void_p, c_int]),
            "flexframesync_execute": (c_int, [c_void_p, c_void_p, c_uint]),
            "flexframesync_reset": (c_int, [c_void_p]),
            "packetizer_create": (c_void_p, [c_uint, c_int, c_int, c_int]),
            "packetizer_get_enc_msg_len": (c_uint, [c_void_p]),
            "packetizer_encode": (c_int, [c_void_p, c_char_p, c_void_p]),
            "packetizer_decode_soft": (c_int, [c_void_p, c_void_p, c_void_p]),
        },
    )


class Packetizer(System):
    """Golay's code with CRC-32."""

    name, kind = "liquid-dsp, Golay", Kind.CODE

    def prepare(self, payload_bytes: int) -> None:
        """Make a packetizer."""
        self._size, self._liquid = payload_bytes, _liquid()
        self._packetizer = self._liquid.packetizer_create(
            payload_bytes,
            self._liquid.liquid_getopt_str2crc(_CHECK),
            self._liquid.liquid_getopt_str2fec(_CODE),
            self._liquid.liquid_getopt_str2fec(b"none"),
        )
        self._coded = self._liquid.packetizer_get_enc_msg_len(self._packetizer)

    def lost(self, ebn0_db: float, frames: int, random: np.random.Generator) -> int:
        """Send packets as BPSK, and count those that differ."""
        ratio = 10 ** (ebn0_db / 10) * self._size / self._coded
        return sum(not self._arrives(ratio, random) for _ in range(frames))

    def _arrives(self, ratio: float, random: np.random.Generator) -> bool:
        payload = random.bytes(self._size)
        packet = np.zeros(self._coded, np.uint8)
        self._liquid.packetizer_encode(self._packetizer, payload, packet.ctypes.data)
        levels = 2.0 * np.unpackbits(packet) - 1
        heard = levels + random.standard_normal(len(levels)) * np.sqrt(0.5 / ratio)
        soft = np.clip(4 * ratio * heard / _LLR_REACH, -1, 1)
        steps = np.rint(_STEPS * (soft + 1)).astype(np.uint8)
        answer = ctypes.create_string_buffer(self._size)
        valid = self._liquid.packetizer_decode_soft(
            self._packetizer, steps.ctypes.data, answer
        )
        return bool(valid) and answer.raw == payload


class FlexFrame(System):
    """Bursts of flexframegen, received by flexframesync."""

    name, kind = "liquid-dsp, flexframe, QPSK, Golay", Kind.BURST

    def prepare(self, payload_bytes: int) -> None:
        """Make a generator and a synchronizer."""
        self._size, self._liquid = payload_bytes, _liquid()
        properties = _Properties(
            self._liquid.liquid_getopt_str2crc(_CHECK),
            self._liquid.liquid_getopt_str2fec(_CODE),
            self._liquid.liquid_getopt_str2fec(b"none"),
            self._liquid.liquid_getopt_str2mod(_MODULATION),
        )
        self._generator = self._liquid.flexframegen_create(byref(properties))
        self._liquid.flexframegen_set_header_len(self._generator, 0)
        self._received: list[bytes] = []
        # Kept: the library calls it.
        self._callback = _CALLBACK(self._take)
        self._receiver = self._liquid.flexframesync_create(self._callback, None)
        self._liquid.flexframesync_set_header_len(self._receiver, 0)
        self._liquid.flexframesync_decode_header_soft(self._receiver, 1)
        self._liquid.flexframesync_decode_payload_soft(self._receiver, 1)

    def _take(self, *arguments: Any) -> int:  # noqa: ANN401 - of ctypes
        _, _, payload, size, valid, _, _ = arguments
        if valid:
            self._received.append(bytes(payload[:size]))
        return 0

    def lost(self, ebn0_db: float, frames: int, random: np.random.Generator) -> int:
        """Send bursts, and count those that are not received."""
        return sum(not self._arrives(ebn0_db, random) for _ in range(frames))

    def _arrives(self, ebn0_db: float, random: np.random.Generator) -> bool:
        payload = random.bytes(self._size)
        burst = self._burst(payload)
        noise = energy(burst) / (8 * self._size) / 10 ** (ebn0_db / 10)
        heard = np.pad(burst, (_BEFORE, _AFTER))
        heard += white_noise(random, heard.shape) * np.float32(np.sqrt(noise))
        self._received.clear()
        self._liquid.flexframesync_reset(self._receiver)
        self._liquid.flexframesync_execute(
            self._receiver, heard.ctypes.data, len(heard)
        )
        return payload in self._received

    def _burst(self, payload: bytes) -> NDArray[np.complex64]:
        self._liquid.flexframegen_assemble(self._generator, None, payload, self._size)
        length = self._liquid.flexframegen_getframelen(self._generator)
        burst = np.zeros(length, np.complex64)
        self._liquid.flexframegen_write_samples(
            self._generator, burst.ctypes.data, length
        )
        return burst

    def waveform(self) -> NDArray[np.complex64]:
        """Return a burst."""
        return self._burst(np.random.default_rng(1).bytes(self._size))
