# SPDX-License-Identifier: Apache-2.0
"""Refused frames are told of, but a flood of them fills no log."""

from __future__ import annotations

from samara.net.refusals import INTERVAL_S, Refusals


def test_a_flood_of_refused_frames_takes_few_lines() -> None:
    told: list[str] = []
    refusals = Refusals(told.append)
    for number in range(1000):
        refusals.add("not genuine", now_s=number / 1000)
    assert told == ["refused: not genuine"]
    refusals.add("seen before", now_s=INTERVAL_S)
    refusals.add("seen before", now_s=INTERVAL_S + 1)
    assert told[1:] == [
        "refused since then: 999",
        "refused: seen before",
    ]
    refusals.tell_rest()
    refusals.tell_rest()
    assert told[3:] == ["refused since then: 1"]


def test_frames_that_are_refused_seldom_are_all_told() -> None:
    told: list[str] = []
    refusals = Refusals(told.append)
    for number in range(3):
        refusals.add(f"reason {number}", now_s=number * INTERVAL_S)
    assert told == [f"refused: reason {number}" for number in range(3)]
