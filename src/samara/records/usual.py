# SPDX-License-Identifier: Apache-2.0
"""Parameters that requests of several rooms have."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from samara.records.parameters import Between, Parameter

Seed: TypeAlias = Annotated[
    int,
    Parameter(
        help="Random seed. The same seed gives the same result.", values=Between(0)
    ),
]
