# SPDX-License-Identifier: Apache-2.0
"""What the nodes of a conversation refuse, told at once.

A node tells one refusal of each kind every ten seconds, with the number of those that
it stands for (docs/nodes.md). Somebody who has just pressed a button wants to see what
came of it: so the counts of the node are read, too.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from samara.console.conversation_records import ConversationRefusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Refusals:
    """The refusals of one node since the start of its process.

    Parameters
    ----------
    end
        The end of the node.
    rules
        The rule behind each kind of refusal.
    """

    def __init__(self, end: str, rules: Mapping[str, str]) -> None:
        self._end, self._rules = end, rules
        self._seen: Counter[str] = Counter()
        self._counted_early: Counter[str] = Counter()

    def reported(self, event: Mapping[str, Any]) -> Iterator[ConversationRefusal]:
        """Yield a refusal that the node has told, unless it was counted before."""
        kind, count = event["kind"], event["count"]
        early = min(self._counted_early[kind], count)
        self._counted_early[kind] -= early
        self._seen[kind] += count - early
        if count > early:
            yield self._refusal(kind, event["reason"])

    def counted(self, counts: Mapping[str, int]) -> Iterator[ConversationRefusal]:
        """Yield a refusal for each kind of which the node has counted more."""
        for kind, count in counts.items():
            more = count - self._seen[kind]
            if more <= 0:
                continue
            self._seen[kind] += more
            self._counted_early[kind] += more
            reason = f"{more} more of this kind, of which the node tells no details"
            yield self._refusal(kind, reason)

    def _refusal(self, kind: str, reason: str) -> ConversationRefusal:
        return ConversationRefusal(self._end, kind, reason, self._rules.get(kind, ""))
