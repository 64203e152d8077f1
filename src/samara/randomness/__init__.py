# SPDX-License-Identifier: Apache-2.0
"""Statistical tests of keystreams and of any other source of bits (docs/randomness.md).

A source that fails is not random. A source that passes is not thereby secure: a
generator that anyone can predict passes, too.
"""
