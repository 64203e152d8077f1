# SPDX-License-Identifier: Apache-2.0
"""What requests about networks have in common."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from samara.net.addresses import DEFAULT_PREFIX
from samara.records import Parameter

DEFAULT_PREFIX_TEXT = str(DEFAULT_PREFIX)

Prefix: TypeAlias = Annotated[
    str, Parameter(metavar="PREFIX", help="Prefix of the network, 64 bits.")
]
