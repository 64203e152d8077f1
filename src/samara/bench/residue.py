# SPDX-License-Identifier: Apache-2.0
"""Finding secrets that calls leave in the memory of a device.

Two devices run the same program and make the same calls; only key and message differ.
After a call, a byte that differs between their memories, or between their registers,
and is not in a buffer of the caller was computed from a secret: it is residue. On an
AVR, registers and flags are in memory. This needs no knowledge of how a
cipher keeps its secrets. Bytes that differ and are public, pieces of ciphertext or
tag, are recognised by their values.

`python -m samara.bench.residue --help` is the command behind `./test residue`.
"""

from __future__ import annotations

import argparse
import random
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from samara import _core
from samara.bench import building, devices, simulators, surviving, toolchain, ways
from samara.bench.jobs import Layout, Machine, Work
from samara.bench.results import Operation
from samara.bench.simulators import CrashError, StackOverflowError
from samara.bench.subjects import subject, subjects
from samara.workers import processes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.images import Image
    from samara.bench.simulators import Simulator
    from samara.bench.subjects import Subject
    from samara.bench.ways import Build

SIZES = (37, 21)
"""Bytes of message and associated data: whole blocks and a rest of each."""

PLANTED = "planted-residue"
"""Calls that leave a key on the stack and in a register: both must be found."""

_PLANTED_IN = {Operation.SEAL: "the stack", Operation.OPEN: "a register"}

_FRAME_HEADER_BYTES = 14

_FRAME_BYTES = _core.IEEE802154_PSDU_SIZE_MAX - _core.IEEE802154_FCS_SIZE
"""Bytes of the frame that firmware/measure/ciphers/ieee802154.c secures in place."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A call, and the fault in its arguments if there is one."""

    operation: Operation
    fault: str = ""
    """`forged`: the tag is wrong; `overlap`: the output overlaps the input."""

    def __str__(self) -> str:
        return f"{self.operation}, {self.fault}" if self.fault else self.operation


@dataclass(frozen=True, slots=True)
class Residue:
    """Bytes that a call left. Sizes are in bytes."""

    trial: Trial
    count: int
    """How many differ."""
    where: str
    """The first and the last of them: addresses, or bytes of the registers."""

    def __str__(self) -> str:
        return f"{self.trial}: {self.count} bytes of secrets are left in {self.where}"


class _Twin(Machine):
    """One of two devices, whose secrets are its own."""

    def __init__(
        self, simulator: Simulator, device: Device, image: Image, of: Subject, seed: int
    ) -> None:
        super().__init__(simulator, device, image, of)
        self._registers = simulator.registers
        self.register_bytes = 1
        """Bytes of a register of those that have no address."""
        public = random.Random(of.slug)  # noqa: S311 - repeatable, not for secrets
        secret = random.Random(f"{of.slug} {seed}")  # noqa: S311
        self._work = _work(of, public, secret)

    def memory_after(self, trial: Trial) -> bytes:
        """Make a call and return all that is looked at as the call leaves it.

        That is all of `_seen`, with the registers that have no address behind it.
        """
        work = self._work
        layout = self.layout(len(work.message), len(work.associated_data))
        size = self._write_buffers(trial.operation, work, layout)
        if trial.fault == "forged":
            self._forge(layout)
        if trial.fault == "overlap":
            layout.output += 1
        self._write_job(trial.operation, work, layout, size)
        for mark in ("start", "stop"):
            self._go(f"{mark}_{trial.operation}", floor=layout.end)
        memory = b"".join(
            self._simulator.read(part.start, len(part)) for part in _seen(self._device)
        )
        registers = self._registers()
        self.register_bytes = len(registers[0]) if registers else 1
        memory += b"".join(registers)
        self._go("ready", floor=layout.end)
        return memory

    def _forge(self, layout: Layout) -> None:
        if self._subject.tag_in_output:
            # The last byte of the tag.
            place = self._subject.tag_size + len(self._work.message) - 1
            changed = self._work.sealed[place] ^ 1
            self._simulator.write(layout.input + place, bytes([changed]))
        else:
            self._simulator.write(layout.tag, bytes(len(self._tag)))

    @property
    def _tag(self) -> bytes:
        size = self._subject.tag_size
        return self._work.sealed[len(self._work.sealed) - size :]

    @property
    def public(self) -> bytes:
        """What goes over the air."""
        return self._work.sealed

    def is_callers(self, address: int) -> bool:
        """Whether a byte is in an object that the caller has to look after."""
        work = self._work
        layout = self.layout(len(work.message), len(work.associated_data))
        return any(address in place for place in self._places(layout))

    def _places(self, layout: Layout) -> Iterator[range]:
        symbols, offset = self._image.symbols, self._device.family.data_offset
        yield range(symbols["_end"] - offset, layout.end)
        if "measure_state" in symbols:
            state = symbols["measure_state"] - offset
            yield range(state, state + self._image.state_bytes)
        if "measure_frame" in symbols:
            frame = symbols["measure_frame"] - offset
            yield range(frame, frame + _FRAME_BYTES)


def _seen(device: Device) -> list[range]:
    """Return the addresses that are looked at: those of registers, and of RAM."""
    registers = range(device.family.register_bytes)
    ram = range(device.ram_start, device.ram_start + device.ram_bytes)
    return [part for part in (registers, ram) if part]


def _work(of: Subject, public: random.Random, secret: random.Random) -> Work:
    message_size, ad_size = SIZES
    if of.block_size:
        message_size, ad_size = of.block_size, 0
    elif not of.takes_associated_data:
        ad_size = 0
    nonce, ad = public.randbytes(of.nonce_size), public.randbytes(ad_size)
    if of.frame is not None:
        nonce, ad = of.frame.begin(nonce, _FRAME_HEADER_BYTES)
    key, message = secret.randbytes(of.key_size), secret.randbytes(message_size)
    if of.reference is None:
        message_text = f"{of.slug} has nothing that its answers are compared with"
        raise ValueError(message_text)
    sealed = of.reference.seal(key, nonce, message, ad)
    return Work(key, nonce, ad, message, sealed)


def trials(of: Subject) -> list[Trial]:
    """Return the calls that are made, in their order."""
    all_ends = [Trial(Operation.SET_UP), Trial(Operation.SEAL)]
    if of.set_up_takes_nonce:
        return [*all_ends, Trial(Operation.SET_UP), Trial(Operation.OPEN)]
    all_ends.append(Trial(Operation.OPEN))
    if of.tag_size:
        all_ends.append(Trial(Operation.OPEN, "forged"))
        if of.frame is None and not of.tag_in_output:
            all_ends += [
                Trial(Operation.SEAL, "overlap"),
                Trial(Operation.OPEN, "overlap"),
            ]
    return all_ends


def scan(build: Build, of: Subject) -> list[Residue]:
    """Return what is left in memory by the calls of a subject's program.

    Raises
    ------
    samara.bench.simulators.CrashError
        When the program does what it must not.
    samara.bench.toolchain.BuildError, samara.bench.toolchain.TooLargeError
        When it cannot be built, or is too large for the device.
    """
    image = building.build(build, of).image
    found: list[Residue] = []
    with ExitStack() as stack:
        twins = [
            _Twin(
                stack.enter_context(simulators.start(build.device, image.path)),
                build.device,
                image,
                of,
                seed,
            )
            for seed in (1, 2)
        ]
        before: list[tuple[int, int]] = []
        for trial in trials(of):
            memories = [twin.memory_after(trial) for twin in twins]
            if places := _residue(build.device, twins, before, memories):
                where = f"{_named(places[0])} to {_named(places[-1])}"
                found.append(Residue(trial, len(places), where))
            before = list(zip(*memories, strict=True))
    return found


_NO_ADDRESS = 1 << 32
"""Where the registers are that have no address: behind all of the memory."""


def _named(address: int) -> str:
    if address < _NO_ADDRESS:
        return f"{address:#x}"
    return f"byte {address - _NO_ADDRESS} of the registers"


def _residue(
    device: Device,
    twins: Sequence[_Twin],
    before: Sequence[tuple[int, int]],
    memories: Sequence[bytes],
) -> list[int]:
    """Return the addresses of new bytes that differ and are in no buffer."""
    addresses = [address for part in _seen(device) for address in part]
    others = len(memories[0]) - len(addresses)
    addresses += range(_NO_ADDRESS, _NO_ADDRESS + others)
    bytes_now = list(zip(*memories, strict=True))
    return [
        address
        for place, (address, pair) in enumerate(zip(addresses, bytes_now, strict=True))
        if len(set(pair)) > 1
        and (not before or before[place] != pair)
        and not twins[0].is_callers(address)
        and not _is_public(place, twins, memories)
        and not (_is_register(address, device) and _is_sent(place, twins, memories))
    ]


def _is_register(address: int, device: Device) -> bool:
    return address < device.family.register_bytes or address >= _NO_ADDRESS


_RECOGNISED = 4
"""Bytes of ciphertext or tag, side by side, that are no coincidence."""


def _is_public(place: int, twins: Sequence[_Twin], memories: Sequence[bytes]) -> bool:
    """Whether a byte belongs to a piece of what each device sent."""
    return any(
        all(
            twin.public.find(memory[first : first + _RECOGNISED]) >= 0
            for twin, memory in zip(twins, memories, strict=True)
        )
        for first in range(place - _RECOGNISED + 1, place + 1)
        if first >= 0 and first + _RECOGNISED <= len(memories[0])
    )


def _is_sent(place: int, twins: Sequence[_Twin], memories: Sequence[bytes]) -> bool:
    """Whether a byte of a register belongs to the same one of what each device sent.

    A register has one byte of what was copied last, and its sign above it. Of bytes
    that are none of those, one in a thousand is taken for one.
    """
    pairs = list(zip(*(twin.public for twin in twins), strict=True))
    if tuple(memory[place] for memory in memories) in pairs:
        return True
    width = twins[0].register_bytes
    behind = len(memories[0]) - place
    first = len(memories[0]) - -(-behind // width) * width
    lowest = tuple(memory[first] for memory in memories)
    signs = tuple(0xFF if byte & 0x80 else 0 for byte in lowest)
    return lowest in pairs and all(
        tuple(memory[above] for memory in memories) == signs
        for above in range(first + 1, first + width)
    )


def _subject(slug: str) -> Subject:
    if slug != PLANTED:
        return subject(slug)
    return replace(subject("aes128"), slug=slug, binding="planted_residue")


@dataclass(frozen=True, slots=True)
class _Check:
    device: str
    opt: str
    slug: str
    implementation: str

    def __str__(self) -> str:
        way = "" if self.implementation == ways.PORTABLE else self.implementation
        return " ".join(filter(None, [self.device, f"-{self.opt}", self.slug, way]))


def _run(check: _Check) -> tuple[str, str]:
    """Return `passed`, `failed` or `skipped`, and why."""
    build = ways.Build(devices.device(check.device), check.implementation, check.opt)
    try:
        found = scan(build, _subject(check.slug))
    except (toolchain.TooLargeError, StackOverflowError) as error:
        # The device has too little memory, as the bench says of it, too.
        return "skipped", str(error)
    except (CrashError, toolchain.BuildError) as error:
        return "failed", str(error)
    if check.slug == PLANTED:
        seen = {residue.trial.operation for residue in found}
        missed = {Operation.SEAL, Operation.OPEN} - seen
        where = " and ".join(sorted(_PLANTED_IN[operation] for operation in missed))
        return ("failed", f"not seen: a key in {where}") if missed else ("passed", "")
    return ("failed", "; ".join(map(str, found))) if found else ("passed", "")


def _checks(arguments: argparse.Namespace) -> list[_Check]:
    slugs = arguments.suite or [PLANTED, *(one.slug for one in _distinct_subjects())]
    names = arguments.device or [device.name for device in devices.devices()]
    return [
        _Check(name, opt, slug, implementation)
        for name in names
        for opt in arguments.opt or ways.OPTIMISATIONS
        for slug in slugs
        for implementation in _implementations(name, slug)
    ]


def _implementations(device: str, slug: str) -> list[str]:
    return ways.implementations(devices.device(device), _subject(slug))


def _distinct_subjects() -> list[Subject]:
    """Return one subject for each program, nodes too: tag sizes make no other."""
    alone = [one for one in subjects() if not one.parts]
    alone += map(subject, surviving.NODE_NAMES)
    return list({one.image_name: one for one in alone}.values())


def main(words: Sequence[str] | None = None) -> int:
    """Check what is asked for; print a line for each fault, and the tally."""
    parser = argparse.ArgumentParser(
        prog="python -m samara.bench.residue",
        description="Check that no call leaves secrets in the memory of a device.",
    )
    parser.add_argument("--device", action="append", help="default: all (repeatable)")
    parser.add_argument(
        "--opt",
        action="append",
        choices=ways.OPTIMISATIONS,
        help="default: all (repeatable)",
    )
    parser.add_argument("--suite", action="append", help="default: all (repeatable)")
    parser.add_argument("--jobs", type=int, default=1, help="default: %(default)s")
    checks = _checks(parser.parse_args(words))
    counts = dict.fromkeys(("passed", "failed", "skipped"), 0)
    jobs = parser.parse_args(words).jobs
    with processes(jobs) as pool:
        for check, (end, why) in zip(checks, pool.map(_run, checks), strict=True):
            counts[end] += 1
            if why:
                print(f"{end}: {check}: {why}", flush=True)
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    print(f"{counts['passed']} passed, {counts['failed']} failed{skipped}")
    return int(counts["failed"] > 0 or counts["passed"] == 0)


if __name__ == "__main__":
    sys.exit(main())
