# SPDX-License-Identifier: Apache-2.0
"""Official answers of ciphers, and assembly on simulated devices that gives them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import vectorfile

from samara.bench import building, devices, simulators, subjects, ways
from samara.bench.jobs import Machine, Work
from samara.bench.results import Operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.simulators import Simulator
    from samara.bench.subjects import Subject

OFFICIAL = (
    ("aes128", "aes-fips197", "aes128"),
    ("aes192", "aes-fips197", "aes192"),
    ("aes256", "aes-fips197", "aes256"),
    ("aes128-ctr", "aes-modes-sp800-38a", "aes128-ctr"),
    ("aes128-ccm-16", "aes-ccm-wycheproof", "aes128-ccm-16"),
    ("ascon-aead128", "ascon-aead128-lwc", "ascon-aead128"),
    ("grain128aead", "grain128aead-lwc", "grain128aead"),
)
"""A suite, the file of its answers and which of its sections."""

_FEW = 100


@contextmanager
def assembly_of(
    name: str, subject: Subject, opt: str
) -> Iterator[tuple[Machine, Simulator]]:
    """Run the assembly of a cipher on a device, by name."""
    device = devices.device(name)
    assert "assembly" in ways.implementations(device, subject)
    image = building.build(ways.Build(device, "assembly", opt), subject).image
    with simulators.start(device, image.path) as simulator:
        yield Machine(simulator, device, image, subject), simulator


def assert_official(
    device: str, slug: str, file: str, section: str, *, every: int
) -> None:
    """Seal and open what a file of `vectors` has; of many records one in `every`."""
    records = vectorfile.sections_of(vectorfile.FOLDER / f"{file}.txt")[section]
    chosen = records[:: every if len(records) > _FEW else 1]
    assert chosen
    with assembly_of(device, subjects.subject(slug), "O2") as (machine, _):
        for record in chosen:
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
