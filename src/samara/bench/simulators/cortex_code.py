# SPDX-License-Identifier: Apache-2.0
"""Instructions of a Cortex-M, as a disassembler writes them, and blocks of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable


class Instruction(Protocol):
    """A disassembled instruction, with the attributes that capstone gives."""

    @property
    def mnemonic(self) -> str:
        """The operation, with its condition."""

    @property
    def op_str(self) -> str:
        """The operands."""

    @property
    def size(self) -> int:
        """Bytes: 2 or 4."""


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions that are run one after the other."""

    instructions: int
    cycles: int
    """Without what a branch at the end adds when it is taken."""
    taken: int
    """Cycles that it adds."""
    conditional: bool
    """Whether it may also not be taken."""


class Timing(Protocol):
    """How long a core takes."""

    @property
    def aligned_only(self) -> bool:
        """Whether it faults at a word that does not lie at a multiple of its size."""

    @property
    def model(self) -> str:
        """The core that unicorn knows and that has its instructions; "" if itself."""

    def block(self, instructions: Iterable[Instruction]) -> Block:
        """Return what a block takes."""


CONDITIONS = "eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le"
CONDITIONAL_BRANCH = re.compile(rf"b({CONDITIONS})(\.w)?|cbn?z")
BRANCH = re.compile(rf"(b|bx|blx)({CONDITIONS})?(\.w)?")
CALL = re.compile(r"bl")
REGISTER = re.compile(r"\b(?:r\d+|sp|lr|pc|ip|fp|sl|sb)\b")
_RANGE = re.compile(r"r(\d+)-r(\d+)")


def registers(operands: str) -> list[str]:
    """Return the registers of a list in braces, in the order of their addresses."""
    listed = operands[operands.find("{") :]
    whole = _RANGE.sub(lambda each: _spelled_out(*each.groups()), listed)
    return REGISTER.findall(whole)


def _spelled_out(first: str, last: str) -> str:
    return ", ".join(f"r{number}" for number in range(int(first), int(last) + 1))
