# SPDX-License-Identifier: Apache-2.0
"""What can be done to the nodes of a lab that runs: the actions of `--control`."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Annotated

from samara.records.parameters import Parameter, Request, request_class
from samara.steering import Action, ControlLines

if TYPE_CHECKING:
    from samara.net.lab import Lab, Member


@request_class
class OfNode(Request):
    """A node of the lab."""

    node: Annotated[str, Parameter(help="Name of the node, such as n2.")] = ""


class LabSteering:
    """Does what lines on standard input ask for.

    Parameters
    ----------
    lab
        It runs.
    """

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self.changed: deque[Member] = deque()
        """Nodes that are new, run again or have a new neighbour; not shown yet."""
        self.lines = ControlLines(self._actions())

    def _actions(self) -> dict[str, Action]:
        return {
            "kill": Action(OfNode, self._kill),
            "start": Action(OfNode, self._start),
            "move_away": Action(OfNode, self._move_away),
            "move_back": Action(OfNode, self._move_back),
            "invite": Action(OfNode, self._invite),
        }

    def _kill(self, wanted: OfNode) -> str:
        self._lab.kill(wanted.node)
        return f"The process of {wanted.node} was killed; its namespace is gone."

    def _start(self, wanted: OfNode) -> str:
        self.changed.append(self._lab.start(wanted.node))
        return (
            f"{wanted.node} runs again, in a new namespace; it uses no counter that it"
            " may have used before."
        )

    def _invite(self, wanted: OfNode) -> str:
        inviter, added = self._lab.invite(wanted.node)
        self.changed += (inviter, added)
        return (
            f"{wanted.node} has invited {added.name}, which was made from the"
            " invitation and asks to join, over the air."
        )

    def _move_away(self, wanted: OfNode) -> str:
        self._lab.steer_air("move_away", wanted.node)
        return f"{wanted.node} is out of range: nobody hears it, and it hears nobody."

    def _move_back(self, wanted: OfNode) -> str:
        self._lab.steer_air("move_back", wanted.node)
        return f"{wanted.node} is back in range of its neighbours."
