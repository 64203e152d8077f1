# SPDX-License-Identifier: Apache-2.0
"""codec2's FSK_LDPC by its function calls: frequency shift keying, codes of LDPC.

A frame has a fixed size, with a CRC-16 in its last two bytes. A payload takes as many
frames behind one preamble as it needs; what is left over is filled.
"""

from __future__ import annotations

from contextlib import contextmanager
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_char_p,
    c_int,
    c_ushort,
    c_void_p,
    create_string_buffer,
)
from typing import TYPE_CHECKING, Any

import numpy as np

from phy_peers.libraries import load
from phy_peers.system import Kind, NotTriedError, System, energy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_FSK_LDPC = 9
_CHECK_BYTES = 2
_TONES, _SYMBOL_RATE, _SAMPLE_RATE = 4, 1000, 24_000
# Nearer tones are not told apart: some frames are lost without noise.
_SPACING = 2000
# The code that wastes least: bytes of a frame's payload, and its name.
_CODES = {30: b"H_256_512_4", 126: b"H_1024_2048_4f"}
# The receiver waits for two frames' bits; before the preamble it hears noise.
_BEFORE, _FRAMES_AFTER = 4000, 1.5
_LEVEL = 0.25  # so that noise stays within 16 bits
_HIGHEST = 32_767


class _Advanced(Structure):
    _fields_ = [
        ("interleave_frames", c_int),
        ("tones", c_int),
        ("symbol_rate", c_int),
        ("sample_rate", c_int),
        ("first_tone", c_int),
        ("tone_spacing", c_int),
        ("code", c_char_p),
    ]


def _codec2() -> Any:  # noqa: ANN401 - ctypes has no types
    number = (c_int, [c_void_p])
    return load(
        "codec2",
        "libcodec2-1.0",
        {
            "freedv_open_advanced": (c_void_p, [c_int, POINTER(_Advanced)]),
            "freedv_close": (None, [c_void_p]),
            "freedv_get_bits_per_modem_frame": number,
            "freedv_get_n_tx_modem_samples": number,
            "freedv_get_n_tx_preamble_modem_samples": number,
            "freedv_nin": number,
            "freedv_gen_crc16": (c_ushort, [c_char_p, c_int]),
            "freedv_rawdatapreambletx": (c_int, [c_void_p, c_void_p]),
            "freedv_rawdatatx": (None, [c_void_p, c_void_p, c_void_p]),
            "freedv_rawdatarx": (c_int, [c_void_p, c_void_p, c_void_p]),
        },
    )


class FskLdpc(System):
    """Bursts of 4-FSK with one code."""

    name, kind = "codec2, FSK_LDPC, 4-FSK", Kind.BURST

    def prepare(self, payload_bytes: int) -> None:
        """Choose a code."""
        self._size, self._codec2 = payload_bytes, _codec2()
        self._each = min(_CODES, key=lambda size: -(-payload_bytes // size) * size)
        self._code = _CODES[self._each]
        with self._modem() as modem:
            bits = self._codec2.freedv_get_bits_per_modem_frame(modem)
        if bits != 8 * (self._each + _CHECK_BYTES):
            message = f"this codec2 has frames of {bits} bits with {self._code!r}"
            raise NotTriedError(message)

    @contextmanager
    def _modem(self) -> Iterator[Any]:
        # A receiver keeps the clock of the burst before: a new one for each burst.
        advanced = _Advanced(
            0,
            _TONES,
            _SYMBOL_RATE,
            _SAMPLE_RATE,
            _SYMBOL_RATE,
            _SPACING,
            self._code,
        )
        modem = self._codec2.freedv_open_advanced(_FSK_LDPC, byref(advanced))
        if not modem:
            message = f"this codec2 has no code {self._code!r}"
            raise NotTriedError(message)
        try:
            yield modem
        finally:
            self._codec2.freedv_close(modem)

    def _frames_of(self, payload: bytes) -> list[bytes]:
        """Return the frames of a payload, with their checks."""
        count = -(-len(payload) // self._each)
        filled = payload.ljust(count * self._each, b"\0")
        parts = [filled[i * self._each : (i + 1) * self._each] for i in range(count)]
        return [
            part
            + self._codec2.freedv_gen_crc16(part, len(part)).to_bytes(
                _CHECK_BYTES, "big"
            )
            for part in parts
        ]

    def _burst(self, payload: bytes) -> NDArray[np.int16]:
        with self._modem() as modem:
            length = self._codec2.freedv_get_n_tx_preamble_modem_samples(modem)
            preamble = np.zeros(length, np.int16)
            self._codec2.freedv_rawdatapreambletx(modem, preamble.ctypes.data)
            pieces = [preamble]
            for frame in self._frames_of(payload):
                length = self._codec2.freedv_get_n_tx_modem_samples(modem)
                piece = np.zeros(length, np.int16)
                packed = create_string_buffer(frame, len(frame))
                self._codec2.freedv_rawdatatx(modem, piece.ctypes.data, packed)
                pieces.append(piece)
        self._after = int(_FRAMES_AFTER * len(pieces[-1]))
        return np.concatenate(pieces)

    def lost(self, ebn0_db: float, frames: int, random: np.random.Generator) -> int:
        """Send bursts, and count those of which a frame is not received."""
        return sum(not self._arrives(ebn0_db, random) for _ in range(frames))

    def _arrives(self, ebn0_db: float, random: np.random.Generator) -> bool:
        payload = random.bytes(self._size)
        burst = self._burst(payload).astype(np.float64)
        density = energy(burst) / (8 * self._size) / 10 ** (ebn0_db / 10)
        heard = np.pad(burst, (_BEFORE, self._after))
        # Real samples: half of the density each.
        heard += random.standard_normal(len(heard)) * np.sqrt(density / 2)
        heard = np.clip(np.rint(_LEVEL * heard), -_HIGHEST, _HIGHEST)
        return self._received(heard.astype(np.int16)) == self._frames_of(payload)

    def _received(self, heard: NDArray[np.int16]) -> list[bytes]:
        frames: list[bytes] = []
        first = 0
        answer = create_string_buffer(self._each + _CHECK_BYTES)
        with self._modem() as modem:
            while True:
                last = first + self._codec2.freedv_nin(modem)
                if last > len(heard):
                    return frames
                piece = np.ascontiguousarray(heard[first:last])
                if self._codec2.freedv_rawdatarx(modem, answer, piece.ctypes.data):
                    frames.append(answer.raw)
                first = last

    def waveform(self) -> NDArray[np.complex64]:
        """Return the analytic signal of a burst: half of its spectrum."""
        burst = self._burst(np.random.default_rng(1).bytes(self._size))
        spectrum = np.fft.fft(burst.astype(np.float64))
        spectrum[len(spectrum) // 2 :] = 0
        return np.fft.ifft(spectrum).astype(np.complex64)
