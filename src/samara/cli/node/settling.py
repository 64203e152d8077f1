# SPDX-License-Identifier: Apache-2.0
"""Commands that wait until something is settled with neighbours."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from samara.cli.diagnostics import ExitCode, say
from samara.cli.json_lines import print_json
from samara.cli.node.output import Output
from samara.link.node.local_client import RemoteNode
from samara.link.node.node import Event, Node, Notice, Refused


def settled(
    folder: Path,
    timeout_s: float,
    begin: Callable[[Node | RemoteNode], None],
    about: Collection[str] | None = None,
    *,
    as_json: bool,
) -> int:
    """Begin something with neighbours, and wait until it is settled."""
    output = Output(as_json=as_json, receipts=False, device=None)
    told: set[str] = set()

    def hand_on(event: Event) -> None:
        if isinstance(event, Notice):
            told.add(event.text)
        if isinstance(event, Refused):
            told.add(event.reason)
        output.event(event)

    with RemoteNode.of(folder) or Node(folder) as node:
        begin(node)
        unsettled = node.settle(timeout_s, hand_on, about)
        refused = node.refused(about or ())
    for text in refused:
        # Without --json an event has said it.
        if as_json or text not in told:
            say(text)
    return ended(folder, unsettled, refused, as_json=as_json)


def ended(
    folder: Path, unsettled: Sequence[str], refused: Sequence[str], *, as_json: bool
) -> int:
    """Say whether all is settled; return the exit status."""
    for text in unsettled:
        say(f"{text}; {folder} asks again whenever it listens or sends")
    is_done = not (unsettled or refused)
    if as_json:
        fields = {"node": folder, "done": is_done}
        print_json("settled", {**fields, "unsettled": unsettled, "refused": refused})
    elif is_done:
        print(f"{folder}: done")
    return ExitCode.DONE if is_done else ExitCode.REFUSED
