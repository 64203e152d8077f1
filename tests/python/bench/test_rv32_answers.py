# SPDX-License-Identifier: Apache-2.0
"""Assembly of RISC-V on Ibex: official answers, and one time for all keys."""

from __future__ import annotations

import random

import pytest
from bench.official_answers import OFFICIAL, assembly_of, assert_official

from samara.bench import subjects
from samara.bench.jobs import Work
from samara.bench.results import Operation

DEVICE = "ibex"
# Two files have every pair of lengths up to 32: some of them.
_EVERY = 13


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "file", "section"), OFFICIAL)
def test_official_answers(slug: str, file: str, section: str) -> None:
    assert_official(DEVICE, slug, file, section, every=_EVERY)


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
    with assembly_of(DEVICE, subject, "Os") as (machine, _):
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
