# SPDX-License-Identifier: Apache-2.0
"""A refusal is told once, at once, although its node tells one every ten seconds."""

from __future__ import annotations

from samara.console.refusals import Refusals

RULES = {"replay": "the rule"}


def reported(refusals: Refusals, kind: str, count: int = 1) -> list[tuple[str, str]]:
    event = {"kind": kind, "reason": "because", "count": count}
    return [(each.kind, each.sentence) for each in refusals.reported(event)]


def counted(refusals: Refusals, **counts: int) -> list[str]:
    return [each.kind for each in refusals.counted(counts)]


def test_what_the_node_tells_is_reported_with_its_rule() -> None:
    refusals = Refusals("right", RULES)
    (refusal,) = refusals.reported({"kind": "replay", "reason": "old", "count": 1})
    assert (refusal.end, refusal.sentence, refusal.rule) == ("right", "old", "the rule")
    assert counted(refusals, replay=1) == [], "it was told, and is told again"


def test_what_is_counted_is_told_before_the_node_tells_it() -> None:
    refusals = Refusals("right", RULES)
    assert counted(refusals, replay=2, other=0) == ["replay"]
    assert counted(refusals, replay=2) == []
    assert reported(refusals, "replay", 2) == [], "the node's own word came later"
    assert reported(refusals, "replay") == [("replay", "because")]
    assert counted(refusals, replay=3) == []


def test_a_word_that_stands_for_more_than_was_counted_is_reported() -> None:
    refusals = Refusals("right", {})
    assert counted(refusals, other=1) == ["other"]
    assert reported(refusals, "other", 3) == [("other", "because")]
    assert counted(refusals, other=3) == []
    assert counted(refusals, other=4) == ["other"]
