# SPDX-License-Identifier: Apache-2.0
"""Parameters of requests that draw random numbers, or that compute in parallel."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from samara.records.parameters import Between, Parameter

Seed: TypeAlias = Annotated[
    int,
    Parameter(
        help="Random seed. The same seed gives the same result.", values=Between(0)
    ),
]
Workers: TypeAlias = Annotated[
    int | None,
    Parameter(
        name="workers",
        synonym="jobs",
        help="Parallel processes on this machine. Results do not depend on it.",
        values=Between(1),
        default_text="one for each processor",
        of_machine=True,
    ),
]
Cluster: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="cluster",
        help="Dask scheduler, such as tcp://HOST:8786.",
        metavar="ADDRESS",
        default_text="this machine",
        of_machine=True,
    ),
]
