# SPDX-License-Identifier: Apache-2.0
"""Options of commands that draw random numbers, and that compute in parallel."""

from __future__ import annotations

import os
from typing import Annotated

import typer

PROCESSORS = os.cpu_count() or 1

Seed = Annotated[
    int, typer.Option(min=0, help="Random seed. The same seed gives the same result.")
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        "--jobs",
        min=1,
        help="Parallel processes on this machine. Results do not depend on it.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Dask scheduler, such as tcp://HOST:8786. Default: this machine.",
    ),
]
