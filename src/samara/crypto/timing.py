# SPDX-License-Identifier: Apache-2.0
"""Timing within C, where no call from Python counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from samara.crypto.registry import Suite


def time_seal(suite: Suite, message_size: int, repetitions: int) -> tuple[int, int]:
    """Seal messages of `message_size` bytes one after the other.

    Returns
    -------
    nanoseconds, ticks
        How long all of them took together, by the steady clock and by the
        processor's time stamp counter (0 where there is none). The key is set
        up for each message.

    Raises
    ------
    ValueError
        When the suite does not take so long a message.
    """
    return suite._row.time_seal(message_size, repetitions)  # noqa: SLF001 - one package
