# SPDX-License-Identifier: Apache-2.0
"""One run of EDHOC: who begins it, and who answers.

    Initiator: message_1     ephemeral key of the initiator
    Responder: message_2     ephemeral key of the responder, proof of its static key
    Initiator: message_3     proof of the initiator's static key

Each end knows the credential of the other before. A run is used once: after an error it
is of no use, and another one begins.

lakers 0.6.2 ends with a panic, which is no `Exception`, where a message has another
length than it expects or a public key is none of the curve. So lengths and points are
checked here before, and whatever it raises otherwise becomes an `EdhocError`.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from samara.edhoc import MESSAGE_1_SIZE, MESSAGE_2_SIZE, MESSAGE_3_SIZE
from samara.edhoc.credentials import KEY_SIZE, StaticKey, credential, is_point
from samara.edhoc.exporting import Exporter
from samara.extras import needed

with needed("edhoc"):
    import lakers

if TYPE_CHECKING:
    from collections.abc import Iterator

INITIATOR, RESPONDER = b"\x00", b"\x01"
"""Connection identifiers, and key identifiers of the two credentials."""

# Method 3, suite 2, and a byte string of 32 bytes.
_MESSAGE_1 = bytes.fromhex("03025820")
# A byte string of 43 bytes, and one of 18.
_MESSAGE_2, _MESSAGE_3 = bytes.fromhex("582b"), bytes.fromhex("52")
_PANIC = "PanicException"


class EdhocError(ValueError):
    """A message of EDHOC that does not come from whom it has to come from."""


class Initiator:
    """The end that begins.

    Parameters
    ----------
    own
        Its static key.
    other
        The public static key of the responder.
    """

    def __init__(self, own: StaticKey, other: bytes) -> None:
        self._own, self._other = own, other
        self._run = lakers.EdhocInitiator()
        self.message_1: bytes = bytes(self._run.prepare_message_1(INITIATOR))

    def answer(self, message_2: bytes) -> tuple[bytes, Exporter]:
        """Check message_2; return message_3 and the exporter of the run.

        Raises
        ------
        EdhocError
            When the responder has not proved to have its static key.
        """
        _check(message_2, MESSAGE_2_SIZE, _MESSAGE_2)
        _check_point(message_2[len(_MESSAGE_2) :][:KEY_SIZE])
        with _refusing():
            responder, name, extra = self._run.parse_message_2(message_2)
            _check_names(responder, name, extra, RESPONDER)
            self._run.verify_message_2(
                self._own.private,
                credential(self._own.public, INITIATOR[0]),
                credential(self._other, RESPONDER[0]),
            )
            by_reference = lakers.CredentialTransfer.ByReference
            message_3, secret = self._run.prepare_message_3(by_reference)
        return bytes(message_3), Exporter(bytes(secret))


class Responder:
    """The end that answers.

    Parameters
    ----------
    own
        Its static key.
    other
        The public static key of the initiator.
    message_1
        What the initiator has begun with.

    Raises
    ------
    EdhocError
        When that is no such message.
    """

    def __init__(self, own: StaticKey, other: bytes, message_1: bytes) -> None:
        _check(message_1, MESSAGE_1_SIZE, _MESSAGE_1)
        _check_point(message_1[len(_MESSAGE_1) :][:KEY_SIZE])
        self._other = other
        with _refusing():
            self._run = lakers.EdhocResponder(
                own.private, credential(own.public, RESPONDER[0])
            )
            initiator, extra = self._run.process_message_1(message_1)
            _check_names(initiator, None, extra, INITIATOR)
            by_reference = lakers.CredentialTransfer.ByReference
            message_2 = self._run.prepare_message_2(by_reference, RESPONDER)
        self.message_2: bytes = bytes(message_2)

    def accept(self, message_3: bytes) -> Exporter:
        """Check message_3; return the exporter of the run.

        Raises
        ------
        EdhocError
            When the initiator has not proved to have its static key.
        """
        _check(message_3, MESSAGE_3_SIZE, _MESSAGE_3)
        with _refusing():
            name, extra = self._run.parse_message_3(message_3)
            _check_names(INITIATOR, name, extra, INITIATOR)
            expected = credential(self._other, INITIATOR[0])
            secret = self._run.verify_message_3(expected)
        return Exporter(bytes(secret))


def _check(message: bytes, size: int, begins: bytes) -> None:
    if len(message) != size or not message.startswith(begins):
        text = f"a message of EDHOC has {size} bytes and begins with {begins.hex()}"
        raise EdhocError(text)


def _check_point(public: bytes) -> None:
    if not is_point(public):
        text = "an ephemeral key of EDHOC that is no point of the curve P-256"
        raise EdhocError(text)


def _check_names(
    connection: bytes, name: bytes | None, extra: object, expected: bytes
) -> None:
    """Refuse other identifiers, and data beside those of EDHOC."""
    # A map with the key identifier: {4: kid}.
    names = (None, b"\xa1\x04\x41" + expected)
    if bytes(connection) != expected or name not in names or extra:
        text = "a message of EDHOC with other identifiers than those of samara"
        raise EdhocError(text)


@contextlib.contextmanager
def _refusing() -> Iterator[None]:
    """Turn what lakers raises into an error of the message."""
    try:
        yield
    except EdhocError:
        raise
    except BaseException as error:
        is_panic = type(error).__name__ == _PANIC
        if not is_panic and not isinstance(error, ValueError | RuntimeError):
            raise
        text = "the other end of EDHOC has not proved to have its static key"
        raise EdhocError(text) from None
