# SPDX-License-Identifier: GPL-3.0-or-later
"""Text to PDUs of one size and back, for flowgraphs in which a person types."""

# Names of classes are those of GNU Radio's blocks.
from __future__ import annotations

import pmt
from gnuradio import gr

_TEXT = pmt.intern("text")
_PDUS = pmt.intern("pdus")


def parts(text: str, size: int) -> list[bytes]:
    """Cut UTF-8 into parts of at most `size` bytes, between characters."""
    found = [b""]
    for character in text:
        octets = character.encode(errors="replace")
        if len(found[-1]) + len(octets) > size:
            found.append(b"")
        found[-1] += octets
    return found


class text_to_pdu(gr.basic_block):  # noqa: N801
    """Makes PDUs of a fixed size of each text.

    Message port "text": symbols. Message port "pdus": u8vectors of `size` bytes,
    UTF-8 and then zeros, as burst_tx wants bursts of one length. A longer text
    becomes several PDUs, and an empty one none. Characters U+0000 are removed:
    they could not be told from the zeros.

    Args:
        size: bytes of a PDU, at least 4, which is the longest character
    """

    LONGEST_CHARACTER = 4

    def __init__(self, size: int) -> None:
        gr.basic_block.__init__(self, name="text_to_pdu", in_sig=None, out_sig=None)
        if size < self.LONGEST_CHARACTER:
            message = f"a PDU of {size} bytes does not hold every character of UTF-8"
            raise ValueError(message)
        self._size = size
        self.message_port_register_in(_TEXT)
        self.message_port_register_out(_PDUS)
        self.set_msg_handler(_TEXT, self._handle)

    def _handle(self, message: object) -> None:
        if not pmt.is_symbol(message):
            gr.log.warn("a message that is no text was dropped")
            return
        text = pmt.symbol_to_string(message).replace("\0", "")
        for part in parts(text, self._size):
            if part:
                octets = part.ljust(self._size, b"\0")
                data = pmt.init_u8vector(len(octets), list(octets))
                self.message_port_pub(_PDUS, pmt.cons(pmt.make_dict(), data))


class pdu_to_text(gr.basic_block):  # noqa: N801
    """Gives the text of each PDU that text_to_pdu made.

    Message port "pdus": u8vectors. Message port "text": symbols. Bytes that are
    not UTF-8 become U+FFFD. Whatever is not a PDU of bytes is dropped, and the log
    says so.
    """

    def __init__(self) -> None:
        gr.basic_block.__init__(self, name="pdu_to_text", in_sig=None, out_sig=None)
        self.message_port_register_in(_PDUS)
        self.message_port_register_out(_TEXT)
        self.set_msg_handler(_PDUS, self._handle)

    def _handle(self, message: object) -> None:
        if not (pmt.is_pair(message) and pmt.is_u8vector(pmt.cdr(message))):
            gr.log.warn("a message that is no PDU of bytes was dropped")
            return
        octets = bytes(pmt.u8vector_elements(pmt.cdr(message))).rstrip(b"\0")
        text = octets.decode(errors="replace")
        self.message_port_pub(_TEXT, pmt.intern(text))
