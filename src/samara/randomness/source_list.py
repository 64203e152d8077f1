# SPDX-License-Identifier: Apache-2.0
"""The sources that can be tested, and how they are named."""

from __future__ import annotations

from typing import Annotated

from samara.randomness.sources.given import PATTERNS
from samara.randomness.sources.kinds import BAD, KINDS, SUITE
from samara.records import (
    Answer,
    Field,
    Record,
    Remark,
    Request,
    record_class,
    request_class,
)


@request_class
class SourcesRequest(Request):
    """Which sources there are: all of them are listed."""


@record_class
class RandomnessSource(Record):
    """A source of bits, or sources that are named alike."""

    pattern: Annotated[
        str,
        Field(
            "Its name; capital letters stand for what a user chooses.", heading="source"
        ),
    ]
    what: Annotated[
        str,
        Field("What its bits are.", heading="what\xa0it\xa0is", wraps=True),
    ]
    names: Annotated[
        tuple[str, ...],
        Field("What may stand for the capital letters, where that is a list."),
    ] = ()
    bad: Annotated[bool, Field("Whether it is bad on purpose.")] = False


def list_sources(_: SourcesRequest) -> Answer[RandomnessSource]:
    """Yield the sources: those that are computed, those that are read, the bad ones."""
    for kind in (SUITE, *(kind for name, kind in KINDS.items() if name != "bad")):
        yield RandomnessSource(kind.pattern, kind.description, tuple(kind.names()))
    for pattern, what in PATTERNS.items():
        yield RandomnessSource(pattern, what)
    for name, bad in BAD.items():
        yield RandomnessSource(f"bad:{name}", bad.description, bad=True)
    yield Remark(
        "CIPHER is a block cipher and SUITE a suite with a keystream, as samara suites"
        " lists them; --json has all names."
    )
