# SPDX-License-Identifier: Apache-2.0
"""The air of a lab: a channel for samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samara.link.node.simulated_air import SimulatedAir

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_EBN0_DB = 10.0
"""Bursts are lost only if that was asked for."""
_BITS_A_SAMPLE = 0.25
_BURST_POWER = 0.25**2


class Channel(SimulatedAir):
    """The channel between the radios of all nodes."""

    name = "the channel"

    def run(
        self, report: Callable[[dict[str, Any]], None], is_over: Callable[[], bool]
    ) -> None:
        """Pass samples on until told to stop."""
        # NumPy and ZeroMQ are loaded where they are needed: in this process.
        from samara.phy.air import Air  # noqa: PLC0415
        from samara.phy.channel import Impairments, noise_power  # noqa: PLC0415

        plan = self.plan
        paths = [Impairments(loss=plan.loss) for _ in range(plan.nodes)]
        with Air(
            self._address,
            paths,
            noise_power=noise_power(_EBN0_DB, _BITS_A_SAMPLE, _BURST_POWER),
            sample_rate=plan.settings["rate"],
            seed=plan.seed,
        ) as air:
            report({})
            air.run(lambda: not is_over())
            report({"late": air.statistics.late})

    def address_options(self, ready: Mapping[str, Any], node: int) -> Mapping[str, Any]:
        """Return the address of the channel: the same for all nodes."""
        del ready, node
        return {"radio": f"zmq:{self._address}"}

    @property
    def _address(self) -> str:
        return f"ipc://{self.plan.folder}/air"
