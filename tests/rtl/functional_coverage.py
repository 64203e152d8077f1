# SPDX-License-Identifier: Apache-2.0
"""Functional coverage of the core: what has to be seen, and what must never be.

station.v notes what it saw in wide registers; here each bit gets a name. What has to be
seen is told from N and the variant alone.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samara.chip.clocks import isolates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stations import Job

    from samara.chip.design import Core

_SOURCE = Path(__file__).parents[2] / "rtl" / "samara_grain128.v"
_STATE = re.compile(r"^\s+([A-Z]+(?:_[A-Z])?(?:_\d)?)\s*= 5'd(\d+)[,;]", re.MULTILINE)

_WAYS = ("sealed", "opened")
# Registers with a bit for each state.
_BY_STATE = {
    "cleared": "clear in",
    "was_reset": "reset in",
    "lacks": "input stalled in",
    "refused": "word waits in",
    "out_stalled": "output stalled in",
}


def all_states() -> dict[str, int]:
    """Return the numbers of the states, as the source of the core has them."""
    states = {name: int(number) for name, number in _STATE.findall(_SOURCE.read_text())}
    assert "CLEAR_0" in states, "no states found in the core's source"
    return states


def edges(core: Core) -> set[tuple[str, str]]:
    """Return the transitions from one state to another, `clear` left out."""
    one_unit = core.n == 1 or not core.authenticates
    start = "CLEAR_0 CLEAR_1 IDLE LOAD_0 LOAD_1 MIX_0 MIX_1 MIX_2 MIX_3 MIX_4 KEY_0"
    fill = "FILL_A_0 FILL_R_0" if one_unit else "FILL_A_0 FILL_A_1 FILL_R_0 FILL_R_1"
    found = set(_chain(f"{start} {fill} RUN"))
    if not core.authenticates:
        return found
    end = "SETTLE END" if isolates(core) else "END"
    receive = "RECEIVE_0" if one_unit else "RECEIVE_0 RECEIVE_1"
    found |= {*_chain(f"RUN PAD {receive} ADD {end} IDLE"), *_chain(f"PAD {end}")}
    if core.n >= 32:
        # Words of several bytes: the bit behind the message may have room.
        found |= {*_chain(f"RUN {receive}"), *_chain(f"RUN {end}")}
    return found


def _chain(names: str) -> Iterator[tuple[str, str]]:
    listed = names.split()
    return pairwise(listed)


class Coverage:
    """What one station has seen."""

    def __init__(self, core: Core, dut: Any) -> None:
        self.core = core
        self._dut = dut
        self._lengths: Counter[str] = Counter()
        self._word_bytes = max(1, core.n // 16)
        self._states = {
            name: all_states()[name]
            for name in {n for edge in edges(core) for n in edge}
        }

    @property
    def states(self) -> dict[str, int]:
        """The states that the core can have, in order."""
        return dict(sorted(self._states.items(), key=lambda item: item[1]))

    def note(self, job: Job) -> None:
        """Count the lengths of a job that ran."""
        if job.abort is not None or job.keystream is not None:
            return
        way = "sealed" if job.tag is None else "opened"
        head = len(job.stream) - len(job.data) - len(job.ad)
        self._lengths[f"length of {head} bytes in DER"] += 1
        self._lengths.update(
            (
                f"{way}, {_some(job.ad)} associated data, {_some(job.data)} message",
                _lengths(
                    way,
                    len(job.ad) % self._word_bytes,
                    len(job.data) % self._word_bytes,
                ),
            )
        )

    def result(self) -> tuple[int, list[str]]:
        """Return the number of things to be seen, and what is wrong about them."""
        needed = set(self._needed())
        seen = set(self._seen())
        missing = [f"never seen: {text}" for text in sorted(needed - seen)]
        strange = [f"must not be: {text}" for text in self._strange()]
        return len(needed), missing + strange

    # --- What has to be seen ---------------------------------------------------

    def _needed(self) -> Iterator[str]:
        for name in self._states:
            yield f"clear in {name}"
            yield f"reset in {name}"
        for here, there in edges(self.core):
            yield f"from {here} to {there}"
        yield "output stalled in RUN"
        if self.core.authenticates:
            yield from self._needed_words()

    def _needed_words(self) -> Iterator[str]:
        early = ("LOAD", "MIX", "KEY", "FILL", "RUN", "PAD")
        for name in self._states:
            if name.startswith(("RUN", "RECEIVE")):
                yield f"input stalled in {name}"
            if name.startswith(early):
                yield f"word waits in {name}"
        for first in range(self._word_bytes + 1):
            yield f"in_message {2**self._word_bytes - 2**first:b}"
        for count in (1, 2, 3):
            yield f"length of {count} bytes in DER"
        yield from ("tag stalled", "sealed", "opened, verified", "opened, refused")
        for way, other in product(_WAYS, _WAYS):
            yield f"{way} directly behind {other}"
        for way in _WAYS:
            yield from self._needed_lengths(way)

    def _needed_lengths(self, way: str) -> Iterator[str]:
        size = self._word_bytes
        for last in range(size):
            yield f"{way}, last in_keep {2 ** (last + 1) - 1:b}"
            for first in range(last + 1):
                yield f"{way}, out_keep {2 ** (last + 1) - 2**first:b}"
        for ad, rest in product(range(size), range(size)):
            yield _lengths(way, ad, rest)
        for ad_some, some in product(("no", "some"), ("no", "some")):
            yield f"{way}, {ad_some} associated data, {some} message"

    # --- What was seen ----------------------------------------------------------

    def _value(self, register: str) -> int:
        return int(getattr(self._dut, register).value.resolve("zeros"))

    def _bits(self, register: str) -> Iterator[int]:
        value = self._value(register)
        return (i for i in range(value.bit_length()) if value >> i & 1)

    def _seen(self) -> Iterator[str]:
        yield from self._lengths
        for here, there in self._transitions():
            yield f"from {here} to {there}"
        names = {number: name for name, number in self._states.items()}
        for register, text in _BY_STATE.items():
            for number in self._bits(register):
                yield f"{text} {names.get(number, number)}"
        if self._value("tag_stalled"):
            yield "tag stalled"
        for bit in self._bits("messages"):
            yield f"in_message {bit:b}"
        ends = ("sealed", "sealed and verified", "opened, refused", "opened, verified")
        for bit in self._bits("outcomes"):
            yield ends[bit]
        yield from self._seen_ways()

    def _seen_ways(self) -> Iterator[str]:
        for register, text in (
            ("last_keeps", "last in_keep"),
            ("out_keeps", "out_keep"),
        ):
            for bit in self._bits(register):
                yield f"{_WAYS[bit >> 4]}, {text} {bit & 15:b}"
        for bit in self._bits("directly"):
            yield f"{_WAYS[bit & 1]} directly behind {_WAYS[bit >> 1]}"

    def _transitions(self) -> Iterator[tuple[str, str]]:
        names = {number: name for name, number in all_states().items()}
        for bit in self._bits("follows"):
            here, there = bit >> 5, bit & 31
            yield names.get(here, f"state {here}"), names.get(there, f"state {there}")

    def _strange(self) -> Iterator[str]:
        allowed = edges(self.core)
        for here, there in self._transitions():
            known = here in self._states and there in self._states
            usual = there in {here, "CLEAR_0"} or (here, there) in allowed
            if not (known and usual):
                yield f"from {here} to {there}"
        if self._value("outcomes") >> 1 & 1:
            yield "verified when sealing"


def _lengths(way: str, ad_size: int, size: int) -> str:
    return f"{way}, {ad_size} bytes of associated data, {size} of message, mod a word"


def _some(data: bytes) -> str:
    return "some" if data else "no"


def table(results: Iterable[tuple[str, int, list[str]]]) -> str:
    """Return the lines that say how complete the coverage is."""
    lines = []
    for name, count, wrong in results:
        missing = sum(text.startswith("never") for text in wrong)
        lines.append(f"coverage  {name:22} {count - missing} of {count}")
        lines += [f"  {text}" for text in wrong]
    return "\n".join(lines)
