# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, tags and flowgraphs for the tests of the blocks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pmt
from gnuradio import blocks, gr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

KEY = "000102030405060708090a0b0c0d0e0f"
OTHER_KEY = "ffeeddccbbaa99887766554433221100"


def frame_tag(offset: int, number: object, name: str = "frame") -> gr.tag_t:
    """Make the tag that begins frame `number` at item `offset`."""
    tag = gr.tag_t()
    tag.offset = offset
    tag.key = pmt.intern(name)
    tag.value = pmt.from_uint64(number) if isinstance(number, int) else number
    return tag


def post(block: gr.basic_block, message: object, port: str = "key") -> None:
    """Send a message to a block's port; it is read before the first item."""
    block.to_basic_block()._post(pmt.intern(port), message)  # noqa: SLF001


def run(
    block: gr.basic_block,
    items: Iterable[float],
    tags: Iterable[gr.tag_t],
    most: int = 8192,
) -> list[float]:
    """Send items through a block, at most `most` of them in one call of work()."""
    return run_tagged(block, items, tags, most)[0]


def run_tagged(
    block: gr.basic_block,
    items: Iterable[float],
    tags: Iterable[gr.tag_t],
    most: int = 8192,
) -> tuple[list[float], list[tuple[int, str, object]]]:
    """Do as `run`; return the tags too: offset, key, value, in order."""
    soft = block.input_signature().sizeof_stream_item(0) == gr.sizeof_float
    source, sink = (
        (blocks.vector_source_f, blocks.vector_sink_f)
        if soft
        else (blocks.vector_source_b, blocks.vector_sink_b)
    )
    top = gr.top_block()
    collected = sink()
    top.connect(source(list(items), False, 1, list(tags)), block, collected)
    top.run(most)
    passed = [
        (tag.offset, pmt.symbol_to_string(tag.key), pmt.to_python(tag.value))
        for tag in collected.tags()
    ]
    return list(collected.data()), sorted(passed, key=lambda tag: tag[:2])


def wait_until(is_so: Callable[[], bool], limit_s: float = 60) -> None:
    """Wait for a condition; after `limit_s` seconds the test goes on without."""
    deadline = time.monotonic() + limit_s
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.01)


def pdu(data: object, **metadata: object) -> object:
    """Make a PDU of a numpy array, or of any PMT; integers become numbers."""
    dictionary = pmt.make_dict()
    for name, value in metadata.items():
        number = pmt.from_uint64(value) if isinstance(value, int) else value
        dictionary = pmt.dict_add(dictionary, pmt.intern(name), number)
    if isinstance(data, np.ndarray):
        make = pmt.init_f32vector if data.dtype.kind == "f" else pmt.init_u8vector
        data = make(len(data), data.tolist())
    return pmt.cons(dictionary, data)


def metadata_of(message: object) -> dict[str, object]:
    """Read the metadata of a PDU."""
    return dict(pmt.to_python(pmt.car(message)) or {})


def exchange(
    block: gr.basic_block, messages: Iterable[object], wait_s: float = 60
) -> list[object]:
    """Send PDUs through a block and return those that come out.

    The last one has to come out within `wait_s` seconds: by then all others
    have been handled.
    """
    top = gr.top_block()
    store = blocks.message_debug()
    top.msg_connect(block, "pdus", store, "store")
    top.start()
    _wait_for_key(block)
    *_, last = messages = list(messages)
    mark = pmt.dict_add(pmt.car(last), pmt.intern("last"), pmt.PMT_T)
    for message in [*messages[:-1], pmt.cons(mark, pmt.cdr(last))]:
        post(block, message, "pdus")
    try:
        return _wait_for_last(store, wait_s)
    finally:
        top.stop()
        top.wait()


def _wait_for_key(block: gr.basic_block) -> None:
    """Wait until a key that was posted is read: ports have no order."""
    key = pmt.intern("key")
    while block.to_basic_block().nmsgs(key):
        time.sleep(0.001)


def _wait_for_last(store: blocks.message_debug, wait_s: float) -> list[object]:
    deadline = time.monotonic() + wait_s
    while time.monotonic() < deadline:
        got = [store.get_message(i) for i in range(store.num_messages())]
        if got and "last" in metadata_of(got[-1]):
            return got
        time.sleep(0.005)
    text = "the last PDU did not come out"
    raise AssertionError(text)
