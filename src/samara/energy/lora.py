# SPDX-License-Identifier: Apache-2.0
"""LoRa: how long a frame is on the air, and which spreading factor reaches how far.

A symbol takes ``Ts = 2^SF / BW``. With ``b`` bytes, ``H`` 20 with a header and else 0,
``C`` 16 with a check sequence and else 0, ``D`` 2 where symbols take more than 16 ms
and else 0, a frame takes

    Ts (preamble + 4.25 + 8 + n (CR + 4))
    n = max(ceil((8 b - 4 SF + 8 + H + C) / (4 (SF - D))), 0)

At SF5 and SF6 the SX126x has 6.25 in place of 4.25, and no 8 in the numerator; the
SX127x has the formula above at SF6, and no SF5.

Sources: Semtech AN1200.13 (LoRa Modem Designer's Guide), p. 7; SX1261/2 data sheet,
6.1.4. A packet of an RFM96 was measured to take 0.17 to 0.18 ms more than the formula
says, for the ramps of the amplifier: `RAMP_S`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.quantity import Value

RAMP_S = 0.17e-3
LEAST_SF, MOST_SF = 5, 12
_SLOW_SYMBOL_S = 16e-3
SENSITIVITY_DBM = {7: -123, 8: -126, 9: -129, 10: -132, 11: -134.5, 12: -137}
"""Of an SX1276 at 125 kHz (its data sheet, as documents about LoRaWAN quote it)."""
_LOSS_AT_1_KM_DB, _EXPONENT = 128.95, 2.32
"""Petäjäjärvi et al., "On the coverage of LPWANs", ITST 2015: a town at 868 MHz, the
node on a car; from memory of the paper."""


@dataclass(frozen=True, slots=True)
class Lora:
    """How frames are sent."""

    spreading_factor: int
    bandwidth_hz: float = 125e3
    coding_rate: int = 1
    """1 to 4: 4/5 to 4/8."""
    preamble_symbols: int = 8
    has_header: bool = True
    has_check: bool = True
    is_sx127x: bool = False
    """Whether SF6 is that of the SX127x."""

    def __post_init__(self) -> None:
        """Refuse what no radio does."""
        least = 6 if self.is_sx127x else LEAST_SF
        if not least <= self.spreading_factor <= MOST_SF:
            message = (
                f"a spreading factor of LoRa is from {least} to {MOST_SF}, not "
                f"{self.spreading_factor:g}"
            )
            raise MisuseError(message)
        if not 1 <= self.coding_rate <= 4:  # noqa: PLR2004 - as the field says
            message = f"a coding rate of LoRa is from 1 to 4, not {self.coding_rate:g}"
            raise MisuseError(message)

    @property
    def symbol_s(self) -> float:
        """How long a symbol is."""
        return float(2**self.spreading_factor / self.bandwidth_hz)

    @property
    def _is_short(self) -> bool:
        """Whether frames are as those of the SX126x at SF5 and SF6."""
        return self.spreading_factor <= 6 and not self.is_sx127x  # noqa: PLR2004

    def air_s(self, frame_bytes: Value) -> Value:
        """Return how long a frame is on the air.

        Parameters
        ----------
        frame_bytes
            Without LoRa's own header and check sequence.

        >>> round(Lora(7).air_s(23), 6), round(Lora(12).air_s(23), 6)
        (0.061696, 1.482752)
        """
        slow = 2 if self.symbol_s > _SLOW_SYMBOL_S else 0
        bits = 8 * frame_bytes - 4 * self.spreading_factor
        bits = bits + 20 * self.has_header + 16 * self.has_check
        bits = bits + (0 if self._is_short else 8)
        blocks = np.maximum(np.ceil(bits / (4 * (self.spreading_factor - slow))), 0)
        synchronizing = 6.25 if self._is_short else 4.25
        symbols = self.preamble_symbols + synchronizing + 8
        air_s: Value = self.symbol_s * (symbols + blocks * (self.coding_rate + 4))
        return air_s


def spreading_factor_at(distance_m: float, power_dbm: float = 14.0) -> int:
    """Return the least spreading factor that reaches a gateway so far away.

    In a town, without a margin for fading.

    >>> [spreading_factor_at(each) for each in (500, 3000, 8000)]
    [7, 9, 12]

    Raises
    ------
    MisuseError
        When none does.
    """
    loss_db = _LOSS_AT_1_KM_DB + 10 * _EXPONENT * math.log10(distance_m / 1000)
    for factor, least_dbm in SENSITIVITY_DBM.items():
        if power_dbm - loss_db >= least_dbm:
            return factor
    most_db = power_dbm - SENSITIVITY_DBM[MOST_SF]
    most_m = 1000 * 10 ** ((most_db - _LOSS_AT_1_KM_DB) / (10 * _EXPONENT))
    message = (
        f"no spreading factor reaches {distance_m:,.0f} m with {power_dbm:g} dBm: SF12 "
        f"reaches {most_m:,.0f} m in a town; give a shorter distance"
    )
    raise MisuseError(message)
