# SPDX-License-Identifier: Apache-2.0
"""What names of recordings tell: sample format, sample rate and carrier frequency."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.phy.sample_formats import SampleFormat

if TYPE_CHECKING:
    from pathlib import Path

_FORMATS = {
    # rtl_sdr, rtl_433, hackrf_transfer, inspectrum
    ".cu8": "cu8",
    ".cs8": "ci8",
    ".ci8": "ci8",
    ".cu16": "cu16_le",
    ".cs16": "ci16_le",
    ".ci16": "ci16_le",
    ".sc16": "ci16_le",
    ".cs32": "ci32_le",
    ".ci32": "ci32_le",
    ".cf32": "cf32_le",
    ".cf64": "cf64_le",
    # GNU Radio
    ".cfile": "cf32_le",
    ".fc32": "cf32_le",
    # Universal Radio Hacker, whose numbers are bits of a sample
    ".complex16u": "cu8",
    ".complex16s": "ci8",
    ".complex32u": "cu16_le",
    ".complex32s": "ci16_le",
    ".complex": "cf32_le",
}
_NUMBER = r"\d+(?:[._]\d+)?"
_NAMES = (
    # gqrx_20261128_120000_868300000_1800000_fc.raw
    re.compile(r"gqrx_\d+_\d+_(?P<hz>\d+)_(?P<rate>\d+)_(?P<format>fc)\b"),
    # g001_433.92M_250k.cu8, of rtl_433
    re.compile(rf"_(?P<hz>{_NUMBER}[kMG]?)_(?P<rate>{_NUMBER}[kM])(?:\.|_|$)"),
    # HackRF-20261128_120000-868_3MHz-1MSps-1MHz.complex16s, of URH
    re.compile(rf"-(?P<hz>{_NUMBER}[kMG]?)Hz-(?P<rate>{_NUMBER}[kM]?)Sps"),
    # SDRSharp_20261128_120000Z_868300000Hz_IQ.wav, HDSDR_..._868300kHz_RF.wav,
    # baseband_868300000Hz_12-00-00_28-11-2026.wav, of SDR++
    re.compile(rf"_(?P<hz>{_NUMBER}[kMG]?)Hz(?:_|\.|$)"),
)
_FACTORS = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}


@dataclass(frozen=True, slots=True)
class StatedByName:
    """What the name of a recording states; None for what it does not."""

    sample_format: SampleFormat | None = None
    sample_rate: float | None = None
    frequency: float | None = None


def stated_by_name(path: Path) -> StatedByName:
    """Return what the name of a file tells.

    >>> from pathlib import Path
    >>> stated = stated_by_name(Path("g001_433.92M_250k.cu8"))
    >>> stated.sample_format.name, stated.sample_rate, stated.frequency
    ('cu8', 250000.0, 433920000.0)
    """
    name = _FORMATS.get(path.suffix.lower())
    rate = hertz = None
    for pattern in _NAMES:
        if found := pattern.search(path.name):
            groups = found.groupdict()
            hertz = _number(groups["hz"])
            rate = _number(groups["rate"]) if groups.get("rate") else None
            name = name or ("cf32_le" if groups.get("format") else None)
            break
    return StatedByName(SampleFormat.parse(name) if name else None, rate, hertz)


def _number(text: str) -> float:
    digits = text.rstrip("kMG")
    return float(digits.replace("_", ".")) * _FACTORS[text[len(digits) :]]
