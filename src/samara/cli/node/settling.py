# SPDX-License-Identifier: Apache-2.0
"""Commands that wait until something is settled with neighbours."""

from collections.abc import Callable, Collection
from pathlib import Path

from samara.cli.node.output import Output
from samara.cli.shared.diagnostics import ExitCode, say
from samara.cli.shared.json_lines import print_record
from samara.link.node.events import Event, Notice, Refused
from samara.link.node.local_client import RemoteNode
from samara.link.node.node import Node
from samara.link.node.settling import Settled, settle


def settled(
    folder: Path,
    timeout_s: float,
    begin: Callable[[Node | RemoteNode], None] = lambda _: None,
    about: Collection[str] | None = None,
    *,
    as_json: bool,
) -> int:
    """Show what happens until something is settled with neighbours."""
    output = Output(as_json=as_json, receipts=False, device=None)
    told: set[str] = set()

    def hand_on(event: Event) -> None:
        if isinstance(event, Notice):
            told.add(event.text)
        if isinstance(event, Refused):
            told.add(event.reason)
        output.event(event)

    found = settle(folder, timeout_s, hand_on, begin=begin, about=about)
    for text in found.refused:
        # Without --json an event has said it.
        if as_json or text not in told:
            say(text)
    return _ended(found, as_json=as_json)


def _ended(found: Settled, *, as_json: bool) -> int:
    """Say whether all is settled; return the exit status."""
    for text in found.unsettled:
        say(f"{text}; {found.node} asks again whenever it listens or sends")
    if as_json:
        print_record(found)
    elif found.done:
        print(f"{found.node}: done")
    return ExitCode.DONE if found.done else ExitCode.REFUSED
