# SPDX-License-Identifier: Apache-2.0
"""Base classes of the exceptions and warnings that a caller can act on.

Each package derives exceptions of its own from these. The command line turns them
into one sentence and an exit status, without importing the package.
"""


class MisuseError(Exception):
    """The request cannot work. The text says what is wrong and what to do."""


class RefusedError(Exception):
    """The input is not genuine."""


class DamagedWarning(UserWarning):
    """A part of a file cannot be read; the rest is used."""
