# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pmt
import pytest
import reference
from flowgraphs import KEY, OTHER_KEY, frame_tag, post, run
from gnuradio import samara

SOFT = np.random.default_rng(4).standard_normal(10_000).astype(np.float32)


def signs(number: int, count: int, key: str = KEY, **link: int) -> np.ndarray:
    bits = reference.keystream(number, count, key, **link)
    return (1 - 2 * bits.astype(np.float32)).astype(np.float32)


@pytest.mark.parametrize("most", [1, 3, 64, 999, 8192])
def test_signs_are_flipped_where_the_keystream_is_1(most: int) -> None:
    tags = [frame_tag(0, 3), frame_tag(1, 2), frame_tag(5000, 3)]
    link = {"direction": 255, "link_id": 65535}
    pads = [signs(3, 1, **link), signs(2, 4999, **link), signs(3, 5000, **link)]
    got = run(samara.ple_llr_ff(KEY, **link), SOFT, tags, most)
    assert got == (SOFT * np.concatenate(pads)).tolist()


@pytest.mark.parametrize("most", [1, 8192])
def test_what_belongs_to_no_frame_becomes_zero(most: int) -> None:
    tags = [frame_tag(3, 1), frame_tag(6, pmt.PMT_NIL), frame_tag(8, 2)]
    got = run(samara.ple_llr_ff(KEY), SOFT[:10], tags, most)
    pads = [[0] * 3, signs(1, 3), [0] * 2, signs(2, 2)]
    assert got == (SOFT[:10] * np.concatenate(pads)).tolist()


def test_it_does_not_start_without_a_key() -> None:
    with pytest.raises(RuntimeError, match="cannot start without a key"):
        run(samara.ple_llr_ff(""), SOFT[:10], [frame_tag(0, 1)])


def test_a_new_key_holds_from_the_next_frame_on() -> None:
    block = samara.ple_llr_ff(KEY)
    tags = [frame_tag(0, 1), frame_tag(5, 2)]
    first = run(block, SOFT[:10], tags)
    post(block, pmt.intern(OTHER_KEY))
    second = run(block, SOFT[:10], [frame_tag(0, 2), frame_tag(5, 3)])
    assert first == (SOFT[:10] * np.concatenate([signs(1, 5), signs(2, 5)])).tolist()
    pads = [signs(2, 5), signs(3, 5, OTHER_KEY)]
    assert second == (SOFT[:10] * np.concatenate(pads)).tolist()


@pytest.mark.parametrize("most", [1, 8192])
def test_a_tag_within_a_packet_is_refused(most: int) -> None:
    tags = [frame_tag(0, 10, "packet_len"), frame_tag(10, 10, "packet_len")]
    tags += [frame_tag(0, 1), frame_tag(8, 2), frame_tag(20, 3)]
    got = run(samara.ple_llr_ff(KEY), SOFT[:25], tags, most)
    pads = [signs(1, 10), [0] * 10, signs(3, 5)]
    assert got == (SOFT[:25] * np.concatenate(pads)).tolist()
    got = run(samara.ple_llr_ff(KEY, length_tag=""), SOFT[:25], tags, most)
    pads = [signs(1, 8), signs(2, 12), signs(3, 5)]
    assert got == (SOFT[:25] * np.concatenate(pads)).tolist()


def test_a_second_run_begins_without_a_frame() -> None:
    block = samara.ple_llr_ff(KEY)
    assert any(run(block, SOFT[:9], [frame_tag(0, 1)]))
    assert not any(run(block, SOFT[:9], []))
