# SPDX-License-Identifier: Apache-2.0
"""One end of a link, as a node keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.link.node.options import Settings


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link, as it is kept in the folder of a node."""

    settings: Settings
    """Names, addresses and ways: nothing secret."""
    keys: Mapping[str, bytes]
