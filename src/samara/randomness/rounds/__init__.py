# SPDX-License-Identifier: Apache-2.0
"""Ciphers round by round, in NumPy: for avalanche pictures and for weakened ciphers.

The C library runs all rounds or none, as a shipped cipher should. These models run as
many as asked for, on many keys and blocks at once. At full rounds they are compared
with the C library by the tests. They are not constant time: for public data only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.crypto.names import find
from samara.randomness.rounds import aes, simon, speck

if TYPE_CHECKING:
    from samara.randomness.rounds.model import Model

MODELS: dict[str, Model] = {
    model.slug: model for model in (*aes.MODELS, *speck.MODELS, *simon.MODELS)
}


def model(slug: str) -> Model:
    """Return the model of a block cipher.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is none.
    """
    return find("block cipher", slug, MODELS)


__all__ = ["MODELS", "model"]
