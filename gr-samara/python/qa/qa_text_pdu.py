# SPDX-License-Identifier: GPL-3.0-or-later
"""Text to PDUs and back."""

from __future__ import annotations

import pmt
import pytest
from flowgraphs import post, wait_until
from gnuradio import blocks, gr, samara

SIZE = 12
END = "the end"


def handled(
    block: gr.basic_block, ports: tuple[str, str], sent: list[object], last: object
) -> list[object]:
    """Return what comes out of a block for these messages.

    After them goes a message that gives one other, so that all were handled when
    that one comes out.
    """
    collected = blocks.message_debug()
    top = gr.top_block()
    top.msg_connect((block, ports[1]), (collected, "store"))
    top.start()
    for message in [*sent, last]:
        post(block, message, ports[0])
    reference = pdu_of(END) if ports[1] == "pdus" else pmt.intern(END)
    wait_until(lambda: any(pmt.equal(reference, got) for got in stored(collected)))
    top.stop()
    top.wait()
    *found, end = stored(collected)
    assert pmt.equal(end, reference)
    return found


def stored(collected: blocks.message_debug) -> list[object]:
    return [collected.get_message(i) for i in range(collected.num_messages())]


def pdu_of(text: str) -> object:
    return octets_pdu(text.encode().ljust(SIZE, b"\0"))


def octets_pdu(octets: bytes) -> object:
    return pmt.cons(pmt.make_dict(), pmt.init_u8vector(len(octets), list(octets)))


def pdus_of(*sent: object) -> list[bytes]:
    block = samara.text_to_pdu(SIZE)
    pdus = handled(block, ("text", "pdus"), list(sent), pmt.intern(END))
    return [bytes(pmt.u8vector_elements(pmt.cdr(pdu))) for pdu in pdus]


def texts_of(*octets: bytes) -> list[str]:
    pdus = [octets_pdu(some) for some in octets]
    found = handled(samara.pdu_to_text(), ("pdus", "text"), pdus, pdu_of(END))
    return [pmt.symbol_to_string(text) for text in found]


def test_a_text_is_padded_to_the_size() -> None:
    assert pdus_of(pmt.intern("21.5 °C")) == [b"21.5 \xc2\xb0C".ljust(SIZE, b"\0")]


def test_a_long_text_becomes_several_pdus_between_characters() -> None:
    text = "€" * 9 + "abc"
    pdus = pdus_of(pmt.intern(text))
    assert [len(pdu) for pdu in pdus] == [SIZE] * 3
    assert [pdu.rstrip(b"\0").decode() for pdu in pdus] == ["€" * 4, "€" * 4, "€abc"]
    assert "".join(texts_of(*pdus)) == text


def test_what_is_no_text_makes_no_pdu() -> None:
    assert pdus_of(pmt.from_long(7), pmt.intern("")) == []


def test_bytes_that_are_not_utf_8_are_shown() -> None:
    assert texts_of(b"\xff\xfeok\0\0", b"\0\0") == ["\ufffd\ufffdok", ""]


def test_a_size_that_does_not_hold_a_character_is_refused() -> None:
    with pytest.raises(ValueError, match="3 bytes"):
        samara.text_to_pdu(3)
