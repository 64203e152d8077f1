# SPDX-License-Identifier: Apache-2.0
"""Parameters that requests of several rooms have."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from samara.records.parameters import Between, Parameter
from samara.units import SECONDS


def parallel_processes(default_text: str) -> Parameter:
    """Return the parameter that says how many processes work at the same time."""
    return Parameter(
        name="workers",
        synonym="jobs",
        help="Parallel processes on this machine. Results do not depend on it.",
        values=Between(1),
        default_text=default_text,
        of_machine=True,
    )


def seconds_until_end(
    name: str, default_text: str = "", *, details: str = ""
) -> Parameter:
    """Return the parameter that ends work after a time.

    Parameters
    ----------
    name
        Name of the parameter, without the unit that its field may have.
    default_text
        When the work ends without it.
    details
        Added to the sentence of the help.
    """
    return Parameter(
        name=name,
        help=f"Stop after this many seconds{details}.",
        unit=SECONDS,
        values=Between(0),
        default_text=default_text,
    )


Seed: TypeAlias = Annotated[
    int,
    Parameter(
        help="Random seed. The same seed gives the same result.", values=Between(0)
    ),
]
Workers: TypeAlias = Annotated[int | None, parallel_processes("one for each processor")]
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
