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
    ("aes128", "aes-fips197", "aes128"),
    ("aes192", "aes-fips197", "aes192"),
    ("aes256", "aes-fips197", "aes256"),
    ("aes128-ctr", "aes-modes-sp800-38a", "aes128-ctr"),
    ("aes128-ccm-16", "aes-ccm-wycheproof", "aes128-ccm-16"),
    ("ascon-aead128", "ascon-aead128-lwc", "ascon-aead128"),
    ("grain128aead", "grain128aead-lwc", "grain128aead"),
)
# The last two files have every pair of lengths up to 32: some of them.
_EVERY = 13
_FEW = 100


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
    chosen = records[:: _EVERY if len(records) > _FEW else 1]
    assert chosen
    with _machine(subjects.subject(slug), "O2") as machine:
        for record in chosen:
            if record.fields.get("result", "pass") != "pass":
                continue
            key, nonce, ad, tag = (
                bytes.fromhex(record.fields.get(name, ""))
                for name in ("key", "nonce", "ad", "tag")
            )
            fields = record.fields
            message = bytes.fromhex(fields.get("message", fields.get("plaintext", "")))
            ciphertext = record.bytes_of("ciphertext")
            work = Work(key, nonce, ad, message, ciphertext + tag)
            machine.do(Operation.SET_UP, work)
            sealed = machine.do(Operation.SEAL, work)
            assert (sealed.result, sealed.output, sealed.tag) == (0, ciphertext, tag)
            machine.do(Operation.SET_UP, work)
            opened = machine.do(Operation.OPEN, work)
            assert (opened.result, opened.output) == (0, message), record


@pytest.mark.slow
@pytest.mark.parametrize(
    "slug", ["aes128-ctr", "aes128-ccm-16", "ascon-aead128", "grain128aead"]
)
def test_cycles_do_not_depend_on_secrets(slug: str) -> None:
    subject = subjects.subject(slug)
    assert subject.reference is not None
    chance = random.Random(slug)  # noqa: S311 - repeatable, not for secrets
    nonce, ad = chance.randbytes(subject.nonce_size), chance.randbytes(21)
    ad = ad if subject.takes_associated_data else b""
    times = set()
    with _machine(subject, "Os") as machine:
        for _ in range(8):
            key, message = chance.randbytes(subject.key_size), chance.randbytes(75)
            sealed = subject.reference.seal(key, nonce, message, ad)
            work = Work(key, nonce, ad, message, sealed)
            kinds = (Operation.SET_UP, Operation.SEAL, Operation.OPEN)
            times.add(tuple(machine.do(kind, work).runs[kind].cycles for kind in kinds))
    assert len(times) == 1
    # Ascon's and Grain's set-up is part of each message.
    _, *messages = times.pop()
    assert all(cycles > 1_000 for cycles in messages)
