# SPDX-License-Identifier: Apache-2.0
"""Keys and plaintexts of test runs: made of the run's seed, so that it can be repeated.

They protect nothing.
"""

from __future__ import annotations

import hashlib


def drawn(size: int, *names: object) -> bytes:
    """Return bytes that look random, always the same for the same names.

    >>> drawn(4, 1, "key").hex() == drawn(8, 1, "key")[:4].hex()
    True
    """
    name = "\0".join(["samara randomness", *map(str, names)])
    return hashlib.shake_128(name.encode()).digest(size)
