# SPDX-License-Identifier: Apache-2.0
"""What an exception means to the person who called.

Each package has exceptions of its own. Those that the caller can do something
about derive from one of these, so that the command line tells them in one
sentence without knowing the package, or importing it.
"""


class MisuseError(Exception):
    """What was asked for cannot work; the text tells what is wrong with it."""


class RefusedError(Exception):
    """What was given is not genuine."""


class DamagedWarning(UserWarning):
    """A part of a file cannot be read; the rest is used."""
