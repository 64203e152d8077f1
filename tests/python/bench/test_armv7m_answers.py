# SPDX-License-Identifier: Apache-2.0
"""Assembly of Cortex-M on the simulator: official answers, one trace for all keys."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
import vectorfile

from samara.bench import building, devices, simulators, subjects, ways
from samara.bench.jobs import Machine, Work
from samara.bench.results import Operation
from samara.extras import need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.simulators import Simulator
    from samara.bench.subjects import Subject

# A suite, the file of its answers and which of its sections, on a Cortex-M3.
_OFFICIAL = (
    ("aes128", "aes-fips197", "aes128"),
    ("aes192", "aes-fips197", "aes192"),
    ("aes256", "aes-fips197", "aes256"),
    ("aes128-ctr", "aes-modes-sp800-38a", "aes128-ctr"),
    ("aes128-ccm-16", "aes-ccm-wycheproof", "aes128-ccm-16"),
    ("ascon-aead128", "ascon-aead128-lwc", "ascon-aead128"),
    ("grain128aead", "grain128aead-lwc", "grain128aead"),
)
# Those files have every pair of lengths up to 32.
_EVERY = 5
_FEW = 100
_TRACED = ("aes128-ctr", "aes128-ccm-16", "ascon-aead128", "grain128aead")
# What a Cortex-M0 has of these.
_ON_M0 = ("ascon-aead128",)


@contextmanager
def _machine(
    name: str, subject: Subject, opt: str
) -> Iterator[tuple[Machine, Simulator]]:
    device = devices.device(name)
    assert "assembly" in ways.implementations(device, subject)
    image = building.build(ways.Build(device, "assembly", opt), subject).image
    with simulators.start(device, image.path) as simulator:
        yield Machine(simulator, device, image, subject), simulator


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "slug", "file", "section"),
    [
        *(("cortex-m3", *row) for row in _OFFICIAL),
        *(("cortex-m0", *row) for row in _OFFICIAL if row[0] in _ON_M0),
    ],
)
def test_official_answers(device: str, slug: str, file: str, section: str) -> None:
    records = vectorfile.sections_of(vectorfile.FOLDER / f"{file}.txt")[section]
    subject = subjects.subject(slug)
    with _machine(device, subject, "O2") as (machine, _):
        for record in records[:: _EVERY if len(records) > _FEW else 1]:
            fields = record.fields
            if fields.get("result", "pass") != "pass":
                continue
            key, nonce, ad, tag = (
                bytes.fromhex(fields.get(name, ""))
                for name in ("key", "nonce", "ad", "tag")
            )
            message = bytes.fromhex(fields.get("message", fields.get("plaintext", "")))
            ciphertext = record.bytes_of("ciphertext")
            work = Work(key, nonce, ad, message, ciphertext + tag)
            machine.do(Operation.SET_UP, work)
            sealed = machine.do(Operation.SEAL, work)
            assert (sealed.result, sealed.output, sealed.tag) == (0, ciphertext, tag)
            machine.do(Operation.SET_UP, work)
            opened = machine.do(Operation.OPEN, work)
            assert (opened.result, opened.output) == (0, message), record


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
        with _machine(device, subject, "Os") as (machine, simulator):
            accesses = _trace(simulator)
            for operation in (Operation.SET_UP, Operation.SEAL, Operation.OPEN):
                machine.do(operation, work)
        traces.append(accesses)
    assert len(traces[0]) > 100
    assert traces[0] == traces[1] == traces[2]
