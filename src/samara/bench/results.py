# SPDX-License-Identifier: Apache-2.0
"""Results: what one cipher, compiled in one way, takes for one size of message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from typing import Any, NamedTuple, Self, TypeAlias

from samara.figure import Origin


class Operation(StrEnum):
    """What a device does with a message or a block. The values are JSON keys."""

    SET_UP = "set_up"
    SEAL = "seal"
    OPEN = "open"
    ENCRYPT = "encrypt"
    DECRYPT = "decrypt"
    # The transformations of CCM*, IEEE 802.15.4, annex B.4: those of sealing ...
    INPUT_TRANSFORMATION = "input_transformation"
    AUTHENTICATION = "authentication"
    ENCRYPTION = "encryption"
    # ... and those of opening.
    DECRYPTION = "decryption"
    INVERSE_INPUT_TRANSFORMATION = "inverse_input_transformation"
    VERIFICATION = "verification"


class Verbs(NamedTuple):
    """The operations of one kind of program, in the order in which they run."""

    set_up: Operation
    protect: Operation
    """Seals a message, or encrypts a block."""
    unprotect: Operation
    """Opens what was sealed, or decrypts a block."""


OF_MESSAGES = Verbs(Operation.SET_UP, Operation.SEAL, Operation.OPEN)
OF_BLOCKS = Verbs(Operation.SET_UP, Operation.ENCRYPT, Operation.DECRYPT)

SEALING_PARTS = (
    Operation.INPUT_TRANSFORMATION,
    Operation.AUTHENTICATION,
    Operation.ENCRYPTION,
)
OPENING_PARTS = (
    Operation.DECRYPTION,
    Operation.INVERSE_INPUT_TRANSFORMATION,
    Operation.VERIFICATION,
)

Counts: TypeAlias = Mapping[Operation, int]
Amounts: TypeAlias = Mapping[Operation, float]


class ProgramName(NamedTuple):
    """The identity of a measured program."""

    device: str
    suite: str
    implementation: str
    opt: str


class Sizes(NamedTuple):
    """Bytes of a message and of its associated data."""

    message: int
    ad: int


_BY_OPERATION = ("cycles", "instructions", "time_us", "energy_uj", "varies")
_BY_NAME = {operation.value: operation for operation in Operation}


_WRONG = "a result has wrong or missing fields: {}"


def enumerated(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields from JSON with `Origin` and `Operation` for their names.

    Raises
    ------
    ValueError
        If there is no origin, or an unknown name.
    """
    given = dict(values)
    try:
        given["origin"] = Origin(given["origin"])
        for name in _BY_OPERATION:
            if given.get(name):
                each = given[name].items()
                given[name] = {_BY_NAME[key]: value for key, value in each}
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(_WRONG.format(error)) from None
    return given


@dataclass(frozen=True, slots=True)
class Result:
    """One result. None means that a value is not known."""

    device: str
    suite: str
    """A suite, a block cipher, or the name of a cipher that was added."""
    implementation: str
    opt: str
    """Optimisation: `Os`, `O2` or `O3`."""
    message_bytes: int
    ad_bytes: int
    compiler: str
    samples: int
    """Random keys, nonces and messages whose times were compared."""
    origin: Origin
    """Of cycles and time: measured, or estimated where a model gives the cycles."""
    revision: str
    """Commit of the sources."""
    sources: str
    """Hash of what is compiled of the source files: `samara.bench.sources`. Empty if
    there is no program."""
    flags: str | None = None
    """Arguments of the compiler."""
    code_bytes: int | None = None
    """What the linker keeps for the cipher, constants included."""
    static_ram_bytes: int | None = None
    """Variables of the cipher, its expanded key among them."""
    stack_bytes: int | None = None
    """The most that any operation puts on the stack."""
    cycles: Counts | None = None
    """None if the cipher does not fit into the device: see `problem`."""
    instructions: Counts | None = None
    """Where they are exact and the cycles are not."""
    time_us: Amounts | None = None
    energy_uj: Amounts | None = None
    constant_time: bool | None = None
    """Whether all samples took the same number of cycles."""
    varies: Counts = field(default_factory=dict)
    """Difference of the slowest and the fastest sample, where there is one."""
    problem: str | None = None
    """Why there are no figures."""
    files: tuple[str, ...] = field(default=(), compare=False)
    """Source files of the program, if they are known; not a part of `as_json`."""

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return what `as_json` gave, from the fields of one JSON object.

        Raises
        ------
        ValueError
            If a field is missing, is unknown, or has an unknown name in it.
        """
        return cls.of_fields(enumerated(values))

    @classmethod
    def of_fields(cls, values: Mapping[str, Any]) -> Self:
        """Return the result with these fields, from `enumerated`.

        Raises
        ------
        ValueError
            If a field is missing or unknown.
        """
        try:
            return cls(**values)
        except TypeError as error:
            raise ValueError(_WRONG.format(error)) from None

    def as_json(self) -> dict[str, Any]:
        """Return all fields as plain values, for JSON."""
        names = (each.name for each in fields(self) if each.name != "files")
        found = {name: getattr(self, name) for name in names}
        for name in _BY_OPERATION:
            if found[name] is not None:
                found[name] = {key.value: value for key, value in found[name].items()}
        return found | {"origin": self.origin.value}

    @property
    def program(self) -> ProgramName:
        """The program that was measured."""
        return ProgramName(self.device, self.suite, self.implementation, self.opt)

    @property
    def sizes(self) -> Sizes:
        """Bytes of message and associated data."""
        return Sizes(self.message_bytes, self.ad_bytes)

    @property
    def identity(self) -> tuple[ProgramName, Sizes]:
        """What the result is about. A later result about the same replaces it."""
        return self.program, self.sizes

    @property
    def has_figures(self) -> bool:
        """Whether the cipher ran; if not, `problem` says why."""
        return self.cycles is not None

    @property
    def verbs(self) -> Verbs:
        """The operations that the result has figures of."""
        return OF_BLOCKS if Operation.ENCRYPT in self.counts else OF_MESSAGES

    @property
    def counts(self) -> Counts:
        """The cycles of each operation; empty without figures."""
        return self.cycles or {}

    @property
    def parts(self) -> Counts:
        """The cycles of the parts of operations, where these are timed in parts."""
        return {key: n for key, n in self.counts.items() if key not in self.verbs}

    def cycles_of(self, operation: Operation) -> int:
        """Return the cycles of an operation.

        Raises
        ------
        KeyError
            If the result has no figures, or not of this operation.
        """
        return self.counts[operation]

    @property
    def set_up_cycles(self) -> int:
        """Cycles of the key's set-up. KeyError without figures."""
        return self.cycles_of(Operation.SET_UP)

    @property
    def protect_cycles(self) -> int:
        """Cycles to seal, or to encrypt a block. KeyError without figures."""
        return self.cycles_of(self.verbs.protect)

    @property
    def unprotect_cycles(self) -> int:
        """Cycles to open, or to decrypt a block. KeyError without figures."""
        return self.cycles_of(self.verbs.unprotect)

    @property
    def total_cycles(self) -> int:
        """Cycles of set-up and of sealing (or encrypting) together."""
        return self.set_up_cycles + self.protect_cycles

    @property
    def protect_time_us(self) -> float | None:
        """Microseconds to seal, or to encrypt a block."""
        return (self.time_us or {}).get(self.verbs.protect)

    @property
    def protect_energy_uj(self) -> float | None:
        """Microjoules to seal, or to encrypt a block."""
        return (self.energy_uj or {}).get(self.verbs.protect)

    @property
    def compiled(self) -> str:
        """Optimisation and implementation, in words."""
        return f"-{self.opt}, {self.implementation}"

    @property
    def memory_bytes(self) -> int:
        """Bytes of RAM: variables and stack. 0 for what is not known."""
        return (self.static_ram_bytes or 0) + (self.stack_bytes or 0)

    @property
    def cost(self) -> int:
        """Code size times cycles, set-up included."""
        return (self.code_bytes or 0) * self.total_cycles


DEFAULTS: dict[str, Any] = {
    each.name: {} if each.default is MISSING else each.default
    for each in fields(Result)
    if each.name != "files"
    and not (each.default is MISSING and each.default_factory is MISSING)
}
"""Values of the fields that files leave out: most lines would have the same."""
