# SPDX-License-Identifier: Apache-2.0
"""Values that a shell completes, for arguments and options that take a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.crypto import block_ciphers, suites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def one_of(values: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return the `autocompletion` of a parameter that takes one of these values.

    Parameters
    ----------
    values
        Returns the values. It is called only when a shell asks.
    """

    def beginning(incomplete: str) -> list[str]:
        return [value for value in values() if value.startswith(incomplete)]

    return beginning


def _ciphers() -> list[str]:
    return [*(each.slug for each in block_ciphers()), *(each.slug for each in suites())]


def _devices() -> list[str]:
    # It reads the files of all devices, which the other commands start without.
    from samara.bench import devices  # noqa: PLC0415

    return devices.names()


complete_cipher = one_of(_ciphers)
"""Suites, and block ciphers alone where these are measured too."""
complete_device = one_of(_devices)
"""Devices of the bench, and chips."""
