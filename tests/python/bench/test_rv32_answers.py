# SPDX-License-Identifier: Apache-2.0
"""Assembly of RISC-V on Ibex: official answers, and one time for all keys."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
import vectorfile

from samara.bench import building, devices, simulators, subjects, ways
from samara.bench.jobs import Machine, Work
from samara.bench.results import Operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.subjects import Subject

DEVICE = "ibex"
# A suite, the file of its answers and which of its sections.
_OFFICIAL = (
    ("ascon-aead128", "ascon-aead128-lwc", "ascon-aead128"),
    ("grain128aead", "grain128aead-lwc", "grain128aead"),
)
# Those files have every pair of lengths up to 32: some of them.
_EVERY = 13


@contextmanager
def _machine(subject: Subject, opt: str) -> Iterator[Machine]:
    device = devices.device(DEVICE)
    assert "assembly" in ways.implementations(device, subject)
    image = building.build(ways.Build(device, "assembly", opt), subject).image
    with simulators.start(device, image.path) as simulator:
        yield Machine(simulator, device, image, subject)


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "file", "section"), _OFFICIAL)
def test_official_answers(slug: str, file: str, section: str) -> None:
    records = vectorfile.sections_of(vectorfile.FOLDER / f"{file}.txt")[section]
    chosen = records[::_EVERY]
    assert len(chosen) > _EVERY
    with _machine(subjects.subject(slug), "O2") as machine:
        for record in chosen:
            key, nonce, ad, tag = (
                bytes.fromhex(record.fields.get(name, ""))
                for name in ("key", "nonce", "ad", "tag")
            )
            fields = record.fields
            message = bytes.fromhex(fields.get("message", fields.get("plaintext", "")))
            ciphertext = record.bytes_of("ciphertext")
            work = Work(key, nonce, ad, message, ciphertext + tag)
            sealed = machine.do(Operation.SEAL, work)
            assert (sealed.result, sealed.output, sealed.tag) == (0, ciphertext, tag)
            opened = machine.do(Operation.OPEN, work)
            assert (opened.result, opened.output) == (0, message), record


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["ascon-aead128", "grain128aead"])
def test_cycles_do_not_depend_on_secrets(slug: str) -> None:
    subject = subjects.subject(slug)
    assert subject.reference is not None
    chance = random.Random(slug)  # noqa: S311 - repeatable, not for secrets
    nonce, ad = chance.randbytes(subject.nonce_size), chance.randbytes(21)
    times = set()
    with _machine(subject, "Os") as machine:
        for _ in range(8):
            key, message = chance.randbytes(subject.key_size), chance.randbytes(75)
            sealed = subject.reference.seal(key, nonce, message, ad)
            work = Work(key, nonce, ad, message, sealed)
            kinds = (Operation.SEAL, Operation.OPEN)
            times.add(tuple(machine.do(kind, work).runs[kind].cycles for kind in kinds))
    assert len(times) == 1
    assert all(cycles > 1_000 for cycles in times.pop())
