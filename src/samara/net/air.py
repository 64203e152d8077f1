# SPDX-License-Identifier: Apache-2.0
"""What is between the nodes of a lab: a process that stands for air and radios.

Over IEEE 802.15.4 that is the medium, over rf-serial two modems with their serial
ports, over sdr a channel for samples.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.link.ieee802154.kind import KIND
from samara.link.rfserial import modem
from samara.link.rfserial.modem_ports import Ports
from samara.net.children import Child

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from samara.link.ieee802154.air.topology import Topology
    from samara.net.plan import Plan

    Tell = Callable[[dict[str, Any]], None]
    Where = dict[int, dict[str, Any]]

_START_S = 60.0
_LOCALHOST = "127.0.0.1"
_EBN0_DB = 10.0
"""Of the channel of a lab: bursts are lost only if that was asked for."""
_BITS_A_SAMPLE = 0.25
_BURST_POWER = 0.25**2


def check_air(plan: Plan) -> None:
    """Check that there is air for what a lab is to be.

    Raises
    ------
    MisuseError
        When there is none.
    """
    if plan.link not in _STARTERS:
        message = f"a lab runs over {', '.join(_STARTERS)}, not over {plan.link}"
        raise MisuseError(message)
    if plan.capture is not None and plan.link != KIND.name:
        message = (
            f"a capture file has frames of {KIND.name}, and {plan.link} has none: "
            "leave out --pcap"
        )
        raise MisuseError(message)


def start_air(
    plan: Plan, settings: Mapping[str, Any], hears: Topology | None, folder: Path
) -> tuple[Child, Where]:
    """Start the air of a lab that `check_air` has nothing against.

    Parameters
    ----------
    settings
        Of the first node: what all nodes have in common.
    hears
        Who hears whom, where the link has addresses.
    folder
        Where the air may have files.

    Returns
    -------
    tuple
        Its process, and for each node the options that say where its link is.

    Raises
    ------
    MisuseError
        When it cannot be started.
    """
    return _STARTERS[plan.link](plan, settings, hears, folder)


def _start_medium(
    plan: Plan, settings: Mapping[str, Any], hears: Topology | None, folder: Path
) -> tuple[Child, Where]:
    del settings, folder

    def run(tell: Tell, is_over: Callable[[], bool]) -> None:
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


def _start_modems(
    plan: Plan, settings: Mapping[str, Any], hears: Topology | None, folder: Path
) -> tuple[Child, Where]:
    del hears, folder

    def run(tell: Tell, is_over: Callable[[], bool]) -> None:
        options = modem.Settings(
            baud=settings["baud"],
            packet_size=settings["packet_size"],
            timeout_ms=settings["modem_timeout_ms"],
        )
        pair = modem.Pair(options, modem.Air(loss=plan.loss), plan.seed)
        with Ports(pair) as ports:
            tell({"ports": ports.paths})
            ports.run(is_over)
            tell({**pair.as_json(), "overruns": ports.overruns})

    child = Child("the modems", run)
    ports = child.hear(_START_S)["ports"]
    return child, {number: {"port": port} for number, port in enumerate(ports, 1)}


def _start_channel(
    plan: Plan, settings: Mapping[str, Any], hears: Topology | None, folder: Path
) -> tuple[Child, Where]:
    del hears
    address = f"ipc://{folder}/air"

    def run(tell: Tell, is_over: Callable[[], bool]) -> None:
        # NumPy and ZeroMQ are loaded where they are needed.
        from samara.phy.air import Air  # noqa: PLC0415
        from samara.phy.channel import Impairments, noise_power  # noqa: PLC0415

        paths = [Impairments(loss=plan.loss) for _ in range(plan.network.nodes)]
        power = noise_power(_EBN0_DB, _BITS_A_SAMPLE, _BURST_POWER)
        with Air(
            address,
            paths,
            noise_power=power,
            sample_rate=settings["rate"],
            seed=plan.seed,
        ) as air:
            tell({"address": address})
            air.run(lambda: not is_over())
            tell({"late": air.statistics.late})

    child = Child("the channel", run)
    where = {"radio": f"zmq:{child.hear(_START_S)['address']}"}
    return child, dict.fromkeys(range(1, plan.network.nodes + 1), where)


_STARTERS = {
    KIND.name: _start_medium,
    "rf-serial": _start_modems,
    "sdr": _start_channel,
}


@contextlib.contextmanager
def _sniffer(path: Path | None) -> Iterator[Writer | None]:
    if path is None:
        yield None
        return
    with path.open("wb") as file:
        yield Writer(file, LinkType.WITH_FCS)
