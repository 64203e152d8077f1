# SPDX-License-Identifier: Apache-2.0
"""Was there an alarm? From when the air has power.

A node reports in the first of eight slots. In half of the periods it also sends an
alarm in one of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.attacks.lengths import HALF_POWER
from samara.phy.secrecy.estimates import advantage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.mappers import Symbols
    from samara.phy.secrecy.attack import Air
    from samara.phy.secrecy.estimates import Estimate

_SLOTS = 8
_MOST_PERIODS = 250


def _listen(air: Air) -> Iterator[Estimate]:
    periods = min(_MOST_PERIODS, air.setting.frames)
    alarm = air.random.integers(0, 2, periods) == 1
    slots = air.random.integers(1, _SLOTS, periods)
    reports, alarms = (
        air.scheme.send(air.link.payloads(air.random, periods), counters)
        for counters in np.arange(2 * periods).reshape(2, -1)
    )
    right = [
        _has_alarm(air, reports[i], alarms[i] * alarm[i], slots[i]) == alarm[i]
        for i in range(periods)
    ]
    yield advantage("advantage", np.array(right), air.setting.confidence)


def _has_alarm(air: Air, report: Symbols, alarm: Symbols, slot: int) -> bool:
    period = np.zeros((_SLOTS, len(report)), np.complex64)
    period[0], period[slot] = report, alarm
    power = (np.abs(air.noisy(period)) ** 2).mean(axis=1)
    return bool((power[1:] > air.variance + HALF_POWER).any())


ATTACK = Attack("whether a node sent an alarm beside its report", 1, _listen)
