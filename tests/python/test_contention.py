# SPDX-License-Identifier: Apache-2.0
"""CSMA-CA and collisions on the medium, in the model's own time."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from samara.link.ieee802154.air.channel import TURNAROUND_S, air_time_s
from samara.link.ieee802154.air.contention import (
    BACKOFF_PERIOD_S,
    CCA_S,
    QUEUE_MAX,
    Contention,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 100
AIR_S = air_time_s(SIZE)


class Chosen(random.Random):
    """Backoffs that a test has chosen, in periods; then always the last."""

    def __init__(self, *periods: int) -> None:
        super().__init__(0)
        self._periods = list(periods)
        self.asked: list[int] = []

    def randrange(self, stop: int) -> int:  # type: ignore[override]
        self.asked.append(stop)
        return self._periods.pop(0) if len(self._periods) > 1 else self._periods[0]


def all_hear(_receiver: str, _sender: str) -> bool:
    return True


def hidden(receiver: str, sender: str) -> bool:
    """Two ends that hear the middle, and not each other."""
    return "middle" in (receiver, sender)


def contention(
    *periods: int,
    hears: Callable[[str, str], bool] = all_hear,
    csma: bool = True,
) -> tuple[Contention[str], Chosen]:
    chance = Chosen(*(periods or (0,)))
    return Contention(hears, chance, csma=csma), chance


def ends(air: Contention[str], until_s: float = 10.0) -> list[tuple[str, float]]:
    return [(each.content, each.end_s) for each in air.advance(until_s)]


def test_a_frame_waits_for_its_backoff_assessment_and_turnaround() -> None:
    # Of the standard, in symbols of 16 µs.
    assert [each / 16e-6 for each in (BACKOFF_PERIOD_S, CCA_S, TURNAROUND_S)] == [
        pytest.approx(symbols) for symbols in (20, 8, 12)
    ]
    air, chance = contention(5)
    air.offer(1.0, "a", 26, SIZE, "frame")
    assert air.next_s == pytest.approx(1.0 + 5 * BACKOFF_PERIOD_S + CCA_S)
    ((content, end_s),) = ends(air)
    assert content == "frame"
    expected_s = 1.0 + 5 * BACKOFF_PERIOD_S + CCA_S + TURNAROUND_S + AIR_S
    assert end_s == pytest.approx(expected_s)
    assert chance.asked == [8]


def test_without_csma_a_frame_is_sent_at_once() -> None:
    air, chance = contention(csma=False)
    air.offer(1.0, "a", 26, SIZE, "frame")
    ((_, end_s),) = ends(air)
    assert end_s == pytest.approx(1.0 + AIR_S)
    assert chance.asked == []


def test_a_busy_channel_makes_exponents_grow_until_the_frame_is_given_up() -> None:
    air, chance = contention(0, csma=True)
    # Frames of another node keep the channel busy.
    air.offer(0.0, "b", 26, 127, "long")
    air.offer(0.0, "b", 26, 127, "after")
    list(air.advance(CCA_S + TURNAROUND_S))
    chance.asked.clear()
    air.offer(0.0005, "a", 26, SIZE, "frame")
    contents = [content for content, _ in ends(air)]
    assert contents == ["long", "after"]
    assert chance.asked[:5] == [8, 16, 32, 32, 32]
    assert air.access_failures == 1


def test_a_node_senses_frames_until_they_end() -> None:
    air, _ = contention(0, 13, 0)
    air.offer(0.0, "b", 26, SIZE, "first")
    # Its assessment begins while the first is on the air, and it backs off by 0 periods
    # again until that is over.
    air.offer(CCA_S + TURNAROUND_S, "a", 26, SIZE, "second")
    (_, first_s), (_, second_s) = ends(air)
    assert second_s - AIR_S >= first_s + TURNAROUND_S


def assessed(begun_s: float, *, hears: bool = True) -> float | None:
    """Return when a frame begins whose assessment begins then; None: it backs off.

    Another is on the air from 0 to AIR_S.
    """
    air, chance = contention(0, 0, 7, hears=lambda *_: hears)
    # An acknowledgement has no assessment of its own.
    air.offer(0.0, "b", 26, SIZE, "other", is_ack=True)
    list(air.advance(begun_s))
    air.offer(begun_s, "a", 26, SIZE, "frame")
    end_s = dict(ends(air))["frame"]
    return None if len(chance.asked) > 1 else end_s - AIR_S


def test_a_channel_is_busy_for_the_whole_of_an_assessment() -> None:
    one_us = 1e-6
    # The other's last 128 µs, all of the assessment in it, and what is not in it.
    for begun_s in (0.0, AIR_S / 2, AIR_S - CCA_S, AIR_S - one_us):
        assert assessed(begun_s) is None, begun_s
        assert assessed(begun_s, hears=False) is not None
    for begun_s in (AIR_S, AIR_S + one_us, 1.0):
        begins_s = begun_s + CCA_S + TURNAROUND_S
        assert assessed(begun_s) == pytest.approx(begins_s)
    # The other begins as an assessment ends, or before.
    air, chance = contention(0, 0)
    air.offer(1.0, "b", 26, SIZE, "other", is_ack=True)
    air.offer(1.0 - CCA_S - one_us, "a", 26, SIZE, "before")
    assert len(ends(air)) == 2
    assert chance.asked == [8]
    air, chance = contention(0, 7)
    air.offer(1.0, "b", 26, SIZE, "other", is_ack=True)
    air.offer(1.0 - CCA_S + one_us, "a", 26, SIZE, "while")
    assert len(ends(air)) == 2
    assert chance.asked[:2] == [8, 16]


def test_nodes_that_begin_in_the_same_turnaround_overlap() -> None:
    air, _ = contention(0)
    air.offer(0.0, "a", 26, SIZE, "of a")
    air.offer(TURNAROUND_S / 2, "b", 26, SIZE, "of b")
    frames = list(air.advance(1.0))
    assert [frame.content for frame in frames] == ["of a", "of b"]
    assert all(air.is_lost(frame, "middle") for frame in frames)


def test_other_channels_are_not_busy_and_do_not_collide() -> None:
    air, _ = contention(0)
    air.offer(0.0, "a", 26, SIZE, "26")
    air.offer(2 * CCA_S, "b", 25, SIZE, "25")
    frames = list(air.advance(1.0))
    assert air.access_failures == 0
    assert not any(air.is_lost(frame, "middle") for frame in frames)


@pytest.mark.parametrize("csma", [False, True])
def test_hidden_nodes_collide_where_both_are_heard(*, csma: bool) -> None:
    air, _ = contention(0, hears=hidden, csma=csma)
    air.offer(0.0, "left", 26, SIZE, "of left")
    air.offer(AIR_S / 2, "right", 26, SIZE, "of right")
    frames = list(air.advance(1.0))
    assert len(frames) == 2
    assert all(air.is_lost(frame, "middle") for frame in frames)
    # An end is deaf while it sends; a fourth node that hears only one loses nothing.
    assert air.is_lost(frames[0], "right")
    quiet, _ = contention(
        0, hears=lambda of, to: (of, to) == ("far", "left"), csma=csma
    )
    quiet.offer(0.0, "left", 26, SIZE, "of left")
    quiet.offer(AIR_S / 2, "right", 26, SIZE, "of right")
    assert not quiet.is_lost(next(quiet.advance(1.0)), "far")


def test_frames_that_follow_each_other_do_not_collide() -> None:
    air, _ = contention(csma=False)
    air.offer(0.0, "a", 26, SIZE, "first")
    air.offer(AIR_S, "b", 26, SIZE, "second")
    frames = list(air.advance(1.0))
    assert not any(air.is_lost(frame, "middle") for frame in frames)


def test_a_node_has_one_radio_and_an_acknowledgement_goes_first() -> None:
    air, _ = contention(7)
    for name in ("first", "second"):
        air.offer(0.0, "a", 26, SIZE, name)
    air.offer(0.0, "a", 26, 5, "ack", is_ack=True)
    assert [content for content, _ in ends(air)] == ["ack", "first", "second"]
    air, _ = contention(csma=False)
    air.offer(0.0, "a", 26, SIZE, "first")
    air.offer(AIR_S / 2, "a", 26, 5, "ack", is_ack=True)
    frames = list(air.advance(1.0))
    assert frames[1].end_s == pytest.approx(AIR_S + air_time_s(5))
    assert not any(air.is_lost(frame, "b") for frame in frames)


def test_a_queue_is_bounded() -> None:
    air, _ = contention()
    taken = [air.offer(0.0, "a", 26, SIZE, each) for each in range(QUEUE_MAX + 3)]
    assert taken == [True] * QUEUE_MAX + [False] * 3
    assert len(ends(air)) == QUEUE_MAX
    assert air.next_s is None


def test_nothing_is_kept_of_what_is_over() -> None:
    for csma in (False, True):
        air, _ = contention(csma=csma)
        for number in range(100):
            air.offer(float(number), f"node {number}", 26, SIZE, number)
            assert len(list(air.advance(number + 0.5))) == 1
        sizes = {name: value for name, value in vars(air).items() if name[0] == "_"}
        assert all(
            len(value) <= 100 for value in sizes.values() if hasattr(value, "__len__")
        )
        assert not air._queues  # noqa: SLF001
        assert not air._on_air  # noqa: SLF001
        assert len(air._ended) <= 1  # noqa: SLF001
        assert not air._busy_until_s  # noqa: SLF001
