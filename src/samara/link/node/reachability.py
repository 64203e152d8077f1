# SPDX-License-Identifier: Apache-2.0
"""What carries a link may be away for a while: that is said once, and once again after.

A node that stays up outlives its medium, modem or channel. While that is away nothing
can be sent; then the node goes on, with the counters that it had.
"""

from __future__ import annotations


class Reachability:
    """Whether what carries a link can be reached, and what is to be said of it.

    Parameters
    ----------
    carrier
        What carries the link, in words.
    """

    def __init__(self, carrier: str) -> None:
        self._carrier = carrier
        self.is_reachable = True
        """Whether it can be reached, as far as this is known."""
        self._notices: list[str] = []

    @property
    def has_notices(self) -> bool:
        """Whether `notices` has something to return."""
        return bool(self._notices)

    def lost(self, reason: str) -> None:
        """Note that the carrier of the link cannot be reached."""
        if self.is_reachable:
            self.is_reachable = False
            self._notices.append(
                f"{self._carrier} is away ({reason}): nothing is heard until it is back"
            )

    def regained(self) -> None:
        """Note that the carrier of the link can be reached again."""
        if not self.is_reachable:
            self.is_reachable = True
            self._notices.append(
                f"{self._carrier} is back;"
                " what was sent while it was away was not heard"
            )

    def notices(self) -> list[str]:
        """Return what happened since the last call."""
        notices, self._notices = self._notices, []
        return notices
