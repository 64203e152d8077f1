# SPDX-License-Identifier: Apache-2.0
"""Show a node's settings, counters, and totals of what it has received.

\b
Examples:
  samara node status alice
  samara node status alice --json
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.markup import escape

from samara.cli.diagnostics import warn
from samara.cli.json_lines import print_json
from samara.cli.node.arguments import Directory, Json
from samara.cli.printable import printable_text
from samara.cli.tables import Column, console, print_table
from samara.link.node import folder as folders
from samara.link.node import health, networks, rekeying
from samara.link.node.inbox import kept_in
from samara.link.node.kinds import kind
from samara.link.node.local_client import RemoteNode
from samara.link.node.node import TOTALS
from samara.link.node.quantities import Number, Value
from samara.link.node.state import is_in_use
from samara.link.node.state_file import numbers_in


def _status(folder: Directory, *, as_json: Json = False) -> None:
    rekeying.finish(folder)
    node = folders.read(folder)
    numbers = numbers_in(folder)
    totals = {str(of): numbers.get(of, Value(0)).value for of in TOTALS}
    counters = _counters_of(numbers)
    kept = kept_in(folder)
    in_use = is_in_use(folder)
    refused = None if in_use else health.why_refused(folder, node.identity)
    service = _service_of(folder)
    known = networks.known(folder, node.link)
    if as_json:
        fields = {
            "node": str(folder),
            "link": node.link,
            "in_use": in_use,
            "service": service,
            "kept": kept,
            "refused": refused,
            "warning": folders.warning_of(node.link, node.end),
            "settings": node.end.settings,
            "totals": totals,
            "counters": counters,
            "neighbours": known.neighbours,
            "invitations": known.invitations,
        }
        print_json("node", fields)
        return
    shown = {"kind of link": node.link, "in use": "yes" if in_use else "no"}
    if service is not None:
        shown["kept up by"] = (
            f"process {service['pid']}, listeners: {service['listeners']}"
        )
        shown["messages to be sent"] = f"{service['waiting']:,}"
        shown |= _security_of(service["security"])
    shown["messages that nobody has taken yet"] = f"{kept:,}"
    if refused is not None:
        shown["cannot be used"] = refused
    # A kind may have a setting "link": rf-serial has, the number of the link.
    shown |= kind(node.link).described(node.end.settings)
    shown |= {
        f"neighbour {name or 'at the other end'}": text
        for name, text in known.described()
    }
    shown |= {f"messages {name}": f"{count:,}" for name, count in totals.items()}
    shown |= {name: f"{count:,}" for name, count in counters.items()}
    _print_status(folder, shown)
    _warn_of(folder)


def _counters_of(numbers: Mapping[Number, Value]) -> dict[str, int]:
    """Return the counters of a node in words, with the bounds that they continue at."""
    counters = {n: value for n, value in numbers.items() if n not in TOTALS}
    shown = {str(number): value.value for number, value in counters.items()}
    shown |= {
        f"skipped to {number}": value.value
        for number, value in counters.items()
        if value.is_bound
    }
    return dict(sorted(shown.items()))


def _service_of(folder: Path) -> dict[str, Any] | None:
    """Return what the process tells that keeps the node up, if there is one."""
    remote = RemoteNode.of(folder)
    if remote is None:
        return None
    with remote:
        return remote.status()


def _security_of(security: dict[str, Any]) -> dict[str, str]:
    """Return what a process has refused since its start, by kind."""
    last = {each["kind"]: each for each in security["last"]}
    return {
        f"refused since the start: {kind}": f"{count:,}; "
        f"{_at(last[kind]['time_s'])}: {last[kind]['reason']}"
        for kind, count in security["counts"].items()
    }


def _at(time_s: float) -> str:
    return f"{datetime.fromtimestamp(time_s, tz=UTC).astimezone():%Y-%m-%d %H:%M:%S}"


def _print_status(folder: Path, shown: dict[str, str]) -> None:
    rows = [
        (name.replace("_", " "), escape(printable_text(text)))
        for name, text in shown.items()
    ]
    columns = (Column("setting"), Column("value", rank=0, wraps=True))
    print_table(console(), columns, rows, empty="no settings", title=f"node {folder}")


def _warn_of(folder: Path) -> None:
    node = folders.read(folder)
    if text := folders.warning_of(node.link, node.end):
        warn(text)


command = _status
