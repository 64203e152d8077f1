# SPDX-License-Identifier: Apache-2.0
"""What is between the nodes of a lab: a process that stands for the air."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.link.ieee802154.air import Conditions
from samara.link.ieee802154.medium import Medium
from samara.link.ieee802154.pcap import LinkType, Writer
from samara.net.children import Child

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from samara.link.ieee802154.topology import Topology
    from samara.net.plan import Plan

_START_S = 60.0
_LOCALHOST = "127.0.0.1"


def start_air(plan: Plan, hears: Topology) -> tuple[Child, dict[int, dict[str, Any]]]:
    """Start the air of a lab.

    Parameters
    ----------
    hears
        Who hears whom, where the link has addresses.

    Returns
    -------
    tuple
        Its process, and for each node the options that say where its link is.

    Raises
    ------
    MisuseError
        When there is no air for the kind of link.
    """
    if plan.link != "ieee802154":
        message = f"a lab runs over ieee802154, not over {plan.link}"
        raise MisuseError(message)

    def run(
        tell: Callable[[dict[str, Any]], None], is_over: Callable[[], bool]
    ) -> None:
        conditions = Conditions(loss=plan.loss, seed=plan.seed)
        with (
            _sniffer(plan.capture) as sniffer,
            Medium(_LOCALHOST, 0, conditions, sniffer, hears) as medium,
        ):
            tell({"port": medium.port})
            medium.run(is_over)
            tell(medium.statistics.as_json())

    child = Child("the medium", run)
    where = {"medium": f"{_LOCALHOST}:{child.hear(_START_S)['port']}"}
    return child, dict.fromkeys(range(1, plan.network.nodes + 1), where)


@contextlib.contextmanager
def _sniffer(path: Path | None) -> Iterator[Writer | None]:
    if path is None:
        yield None
        return
    with path.open("wb") as file:
        yield Writer(file, LinkType.WITH_FCS)
