# SPDX-License-Identifier: Apache-2.0
"""Encrypt, authenticate, verify and decrypt messages with the C library's ciphers.

>>> from samara import crypto
>>> suite = crypto.suite("ascon-aead128")
>>> suite.key_size, suite.nonce_size, suite.tag_size
(16, 16, 16)
>>> sealed = suite.seal(bytes(16), bytes(16), b"21.5 C")
>>> suite.open(bytes(16), bytes(16), sealed)
b'21.5 C'
"""

from typing import TYPE_CHECKING, Any

from samara.crypto.block import BlockCipher, block_cipher, block_ciphers
from samara.crypto.names import Standing, UnknownNameError
from samara.crypto.registry import Message, Suite, suite, suites
from samara.crypto.resolving import suite_named
from samara.crypto.stream import Sealer, UnverifiedOpener
from samara.errors import AuthenticationError

if TYPE_CHECKING:
    from samara.crypto import grain128ple

__all__ = [
    "AuthenticationError",
    "BlockCipher",
    "Message",
    "Sealer",
    "Standing",
    "Suite",
    "UnknownNameError",
    "UnverifiedOpener",
    "block_cipher",
    "block_ciphers",
    "grain128ple",
    "suite",
    "suite_named",
    "suites",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as Python has it
    # Importing NumPy takes longer than sealing most messages, so it is imported only
    # when it is needed.
    if name == "grain128ple":
        import samara.crypto.grain128ple as module  # noqa: PLC0415

        return module
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
