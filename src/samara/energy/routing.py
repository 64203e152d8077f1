# SPDX-License-Identifier: Apache-2.0
"""What RPL sends while a network is at rest: DIO by Trickle, DAO to the root.

Sources: RFC 6550 (RPL), RFC 6206 (Trickle); the defaults of Contiki's rpl-conf.h:
intervals from 2^12 ms, doubled 8 times. How often a DAO is sent, and the sizes of
frames, are assumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.errors import MisuseError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rpl:
    """The settings of RPL. Sizes are of frames without security, with their FCS.

    Raises
    ------
    MisuseError
        When a number is not above zero.
    """

    interval_min_s: float = 4.096
    doublings: int = 8
    redundancy: int = 10
    """A node is silent when it has heard so many others in an interval."""
    dao_interval_s: float = 1800.0
    dio_bytes: int = 96
    dao_bytes: int = 64

    def __post_init__(self) -> None:
        for name in ("interval_min_s", "redundancy", "dao_interval_s", "dio_bytes"):
            if getattr(self, name) <= 0:
                message = f"{name} is above 0, not {getattr(self, name)}"
                raise MisuseError(message)

    @property
    def interval_max_s(self) -> float:
        """The longest Trickle interval: that of a network at rest.

        >>> Rpl().interval_max_s
        1048.576
        """
        return float(self.interval_min_s * 2**self.doublings)

    def dio_per_s(self, neighbours: Counts) -> Counts:
        """Return how often each node sends a DIO in a network at rest.

        Of nodes that all hear each other, the first `redundancy` of each interval
        send, and all are as likely to be among them.
        """
        share = np.minimum(1.0, self.redundancy / (neighbours + 1))
        return np.asarray(share / self.interval_max_s)

    @property
    def dao_per_s(self) -> float:
        """How often each node sends a DAO."""
        return 1 / self.dao_interval_s
