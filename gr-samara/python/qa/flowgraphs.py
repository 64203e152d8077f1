# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, tags and flowgraphs for the tests of the blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pmt
from gnuradio import blocks, gr

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    return list(collected.data())
