# SPDX-License-Identifier: Apache-2.0
"""A program with three errors of types, which mypy has to find."""

from samara.crypto import suite

size: str = suite("ascon-aead128").key_size
sealed: bytes = suite(16).seal(bytes(16), bytes(16), "text")
