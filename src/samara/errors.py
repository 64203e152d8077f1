# SPDX-License-Identifier: Apache-2.0
"""Base classes of the exceptions and warnings that a caller can act on.

Each package derives exceptions of its own from these. The command line turns them
into one sentence and an exit status, without importing the package.

The exceptions that the extension module raises are here too: it imports them while
the package that documents them is being imported. Import them from that package.
"""


class MisuseError(Exception):
    """The request cannot work. The text says what is wrong and what to do."""


class ArgumentError(MisuseError, ValueError):
    """A value is none of those that a function takes. The text says which it takes.

    It is the ValueError of functions that get values as a user gave them: a key of
    another size, a loss above 1. Any other ValueError is a defect.
    """


class RefusedError(Exception):
    """The input is not genuine."""


class DamagedWarning(UserWarning):
    """A part of a file cannot be read; the rest is used."""


class AuthenticationError(RefusedError):
    """The message is not genuine, or key, nonce or associated data are wrong.

    The error does not tell which, nor whether the tag, the padding or the length
    was wrong.
    """

    __module__ = "samara.crypto"


class _ReasonError(Exception):
    def __init__(self, text: str, reason: str = "") -> None:
        super().__init__(text, reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


class FrameError(_ReasonError, RefusedError):
    """A frame is refused.

    Parameters
    ----------
    text
        Why, in a sentence.
    reason
        The same in a word, for programs, such as ``"replay"``.
    """

    __module__ = "samara.link.ieee802154"


class PacketError(_ReasonError, RefusedError):
    """A packet cannot be sent, or the payload of a frame is refused.

    Parameters
    ----------
    text
        Why, in a sentence.
    reason
        The same in a word, for programs, such as ``"truncated"``.
    """

    __module__ = "samara.net"


class TableError(_ReasonError, MisuseError):
    """A table of keys or devices does not take a change.

    Parameters
    ----------
    text
        Why, in a sentence.
    reason
        The same in a word, for programs, such as ``"key-repeated"``.
    """

    __module__ = "samara.link.ieee802154"
