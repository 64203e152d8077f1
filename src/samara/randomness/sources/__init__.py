# SPDX-License-Identifier: Apache-2.0
"""Where the bits come from: ciphers, other generators, files and programs."""

from samara.randomness.sources.given import GivenSource, is_given
from samara.randomness.sources.kinds import BAD, KINDS, SUITE, computed

__all__ = ["BAD", "KINDS", "SUITE", "GivenSource", "computed", "is_given"]
