# SPDX-License-Identifier: Apache-2.0
"""Assembly of Cortex-M on the simulator: official answers, one trace for all keys."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from bench.official_answers import OFFICIAL, assembly_of, assert_official

from samara.bench import subjects
from samara.bench.jobs import Work
from samara.bench.results import Operation
from samara.extras import need

if TYPE_CHECKING:
    from samara.bench.simulators import Simulator

# Files of Ascon and Grain have every pair of lengths up to 32.
_EVERY = 5
_TRACED = ("aes128-ctr", "aes128-ccm-16", "ascon-aead128", "grain128aead")
# What a Cortex-M0 has of these.
_ON_M0 = ("ascon-aead128",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "slug", "file", "section"),
    [
        *(("cortex-m3", *row) for row in OFFICIAL),
        *(("cortex-m0", *row) for row in OFFICIAL if row[0] in _ON_M0),
    ],
)
def test_official_answers(device: str, slug: str, file: str, section: str) -> None:
    assert_official(device, slug, file, section, every=_EVERY)


def _trace(simulator: Simulator) -> list[tuple[int, int]]:
    """Return a list that will have each access to memory: instruction, address."""
    unicorn, registers = need("unicorn", "bench"), need("unicorn.arm_const", "bench")
    accesses: list[tuple[int, int]] = []

    def note(machine: Any, _kind: int, address: int, *_: object) -> None:  # noqa: ANN401
        place = machine.reg_read(registers.UC_ARM_REG_PC)
        accesses.append((place, address))

    machine: Any = simulator
    kinds = unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE
    machine._machine.hook_add(kinds, note)  # noqa: SLF001 - a test looks inside
    return accesses


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "slug"),
    [
        *(("cortex-m3", slug) for slug in _TRACED),
        *(("cortex-m0", slug) for slug in _ON_M0),
    ],
)
def test_addresses_do_not_depend_on_secrets(device: str, slug: str) -> None:
    subject = subjects.subject(slug)
    assert subject.reference is not None
    chance = random.Random(slug)  # noqa: S311 - repeatable, not for secrets
    nonce, ad = chance.randbytes(subject.nonce_size), chance.randbytes(21)
    ad = ad if subject.takes_associated_data else b""
    traces = []
    for _ in range(3):
        key, message = chance.randbytes(subject.key_size), chance.randbytes(75)
        sealed = subject.reference.seal(key, nonce, message, ad)
        work = Work(key, nonce, ad, message, sealed)
        with assembly_of(device, subject, "Os") as (machine, simulator):
            accesses = _trace(simulator)
            for operation in (Operation.SET_UP, Operation.SEAL, Operation.OPEN):
                machine.do(operation, work)
        traces.append(accesses)
    assert len(traces[0]) > 100
    assert traces[0] == traces[1] == traces[2]
