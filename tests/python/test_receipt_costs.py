# SPDX-License-Identifier: Apache-2.0
"""What receipts tell of 200 random messages, beside fresh runs of just these.

The results that receipts are told from are measured here, too: the sizes of a run
of everything, of today's sources, so that nothing else than the telling is tried.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from samara import energy
from samara.bench import devices, frames, store, subjects
from samara.bench.measuring import Task, measure
from samara.bench.results import Operation
from samara.bench.sizes import sizes_of
from samara.bench.ways import Build
from samara.energy.receipt_costs import with_costs
from samara.figure import Origin
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.bench.results import Result

ERROR_MAX = 0.02
KEY_ID_SIZES = (0, 1, 5, 9)
MIC_SIZES = (0, 4, 8, 16)
PART_OVERHEAD = 8
FRAME_ROOM = 125


@dataclass(frozen=True)
class Case:
    """A device, a way to compile, and what secures messages there."""

    device: str
    opt: str
    """That of other tests, which have compiled it."""
    frames: tuple[tuple[str, int], ...]
    """Ciphers and levels."""
    serial: tuple[str, ...]
    messages: int
    """How many of each."""
    implementation: str = "portable"


CASES = (
    Case(
        "atmega128rfa1",
        "Os",
        (("aes128", 6), ("aes128", 2), ("aes128", 4)),
        ("aes128-ccm-8",),
        messages=20,
        implementation="engine",
    ),
    Case(
        "atmega328p",
        "Os",
        (("ascon-aead128", 6),),
        ("grain128aead", "ascon-aead128"),
        messages=10,
    ),
    Case(
        "msp430f1611",
        "Os",
        (("aes128", 7), ("aes128", 1)),
        ("speck128-128-ccm-8",),
        messages=10,
    ),
    Case(
        "cortex-m4",
        "Os",
        (("aes128", 5), ("grain128aead", 6), ("grain128aead", 2)),
        ("aes128-gcm",),
        messages=15,
    ),
)


@dataclass
class Message:
    """A message to be sent, and the calls of a suite that it takes."""

    given: dict[str, object]
    size: int
    direction: Direction
    slug: str
    calls: list[tuple[int, int]] = field(default_factory=list)


def random_messages(case: Case, draw: random.Random) -> Iterator[Message]:
    """Yield messages with their calls, worked out by hand from the formats."""
    for cipher, level in case.frames:
        for _ in range(case.messages):
            mode, size = draw.randrange(4), draw.randrange(250)
            given = {"suite": cipher, "level": level, "key_id_mode": mode}
            slug = frames.name_of(cipher, level)
            message = Message(given, size, draw.choice(list(Direction)), slug)
            header = 9 + 5 + KEY_ID_SIZES[mode]
            room = FRAME_ROOM - header - MIC_SIZES[level & 3]
            payloads = [size]
            if size > room:
                whole, rest = divmod(size, room - PART_OVERHEAD)
                payloads = [room] * whole + [rest + PART_OVERHEAD] * (rest > 0)
            message.calls = [(payload, header) for payload in payloads]
            yield message
    for suite in case.serial:
        for _ in range(case.messages):
            size = draw.randrange(400)
            direction = draw.choice(list(Direction))
            message = Message({"suite": suite}, size, direction, suite)
            message.calls = [(size, 3)]
            yield message


def measured(case: Case, slug: str, sizes: tuple[tuple[int, int], ...]) -> list[Result]:
    build = Build(devices.device(case.device), case.implementation, case.opt)
    return measure(Task(build, subjects.subject(slug), sizes, samples=1))


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a file that is all results there are."""
    monkeypatch.setattr(store, "committed", lambda: tmp_path / "nothing")
    monkeypatch.setattr(store, "own", lambda: tmp_path / "own.jsonl")
    energy.cryptography.programs.cache_clear()
    yield tmp_path / "own.jsonl"
    energy.cryptography.programs.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.device))
def test_receipts_beside_fresh_runs(case: Case, own: Path) -> None:
    drawn = list(random_messages(case, random.Random(case.device)))  # noqa: S311
    fresh: dict[tuple[str, str, int, int], int] = {}
    for slug in {message.slug for message in drawn}:
        subject = subjects.subject(slug)
        sizes = sizes_of(subject, devices.device(case.device).family)
        store.append(own, measured(case, slug, sizes))
        calls = {call for m in drawn if m.slug == slug for call in m.calls}
        for row in measured(case, slug, tuple(calls)):
            for verb in (Operation.SEAL, Operation.OPEN):
                place = (slug, verb, row.message_bytes, row.ad_bytes)
                fresh[place] = row.cycles_of(verb)
    for message in drawn:
        link = "ieee802154" if message.slug.startswith("ieee") else "rf-serial"
        receipt = planned_receipt(link, message.direction, message.size, message.given)
        cycles = with_costs(receipt, case.device).figures["crypto_cycles"]
        sent = message.direction is Direction.SENT
        verb = Operation.SEAL if sent else Operation.OPEN
        counted = sum(fresh[message.slug, verb, *call] for call in message.calls)
        assert cycles.value == pytest.approx(counted, rel=ERROR_MAX), message
        assert cycles.origin in {Origin.MEASURED, Origin.ESTIMATED}
        assert f"the bench on {case.device}" in cycles.source


def test_there_are_200_messages_on_three_families() -> None:
    draw = random.Random(0)  # noqa: S311
    assert sum(len(list(random_messages(case, draw))) for case in CASES) >= 200
    families = {devices.device(case.device).family.name for case in CASES}
    assert families == {"avr", "msp430", "cortex-m"}
