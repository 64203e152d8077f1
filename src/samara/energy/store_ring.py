# SPDX-License-Identifier: Apache-2.0
"""Rings of records in a memory, as core/store lays them out.

The counts here are those of core/store/layout.c; a test compares them with the C code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.energy.catalogue import Memory

PAYLOAD_MAX = 80
"""Bytes; as `samara_store_payload_size_max`."""
_SEQUENCE_AND_CHECK = 8 + 4
_SLOTS_LEAST = 4
_ENDURANCE_MOST = 1e18
"""Cycles; FRAM, which has most, has 1e15."""
_PAGES_LEAST = 2
_SLOTS_OF_PAGE_LEAST = 2


@dataclass(frozen=True, slots=True)
class Ring:
    """A part of a memory that holds one value.

    Raises
    ------
    MisuseError
        When the store refuses such a ring, or the memory is smaller.
    """

    memory: Memory
    size: int
    """Bytes."""
    payload: int = 0
    """Bytes; 0 for a counter."""

    def __post_init__(self) -> None:
        if self.size > self.memory.size_bytes.value:
            has = f"{self.memory.size_bytes.value:,.0f} bytes"
            message = f"a ring of {self.size:,} bytes: {self.memory.name} has {has}"
            raise MisuseError(message)
        if self.is_erased and (
            self.size % self.page_size or self.size < _PAGES_LEAST * self.page_size
        ):
            message = f"a ring of {self.size:,} bytes: expected whole pages of "
            message += f"{self.page_size:,} bytes, two or more, in {self.memory.name}"
            raise MisuseError(message)
        few_in_page = self.is_erased and self.slots_of_page < _SLOTS_OF_PAGE_LEAST
        if few_in_page or self.slots < _SLOTS_LEAST:
            message = f"a ring of {self.size:,} bytes has room for {self.slots} records"
            message += f" of {self.slot_size} bytes: expected {_SLOTS_LEAST} or more"
            raise MisuseError(message)
        if self.memory.endurance_cycles.value > _ENDURANCE_MOST:
            message = f"endurance_cycles of {self.memory.name} is "
            message += f"{self.memory.endurance_cycles.value:g}: expected at most "
            message += f"{_ENDURANCE_MOST:g}"
            raise MisuseError(message)

    @property
    def is_erased(self) -> bool:
        """Whether pages are erased before they are written again."""
        return self.memory.page_bytes.value > 0

    @property
    def page_size(self) -> int:
        """Bytes erased at once; of a memory that is not erased, the ring."""
        return int(self.memory.page_bytes.value) or self.size

    @property
    def slot_size(self) -> int:
        """Bytes of a record with its filler."""
        return slot_size(self.memory, self.payload)

    @property
    def slots_of_page(self) -> int:
        """Records of a page."""
        return self.page_size // self.slot_size

    @property
    def slots(self) -> int:
        """Records of the ring."""
        return self.size // self.page_size * self.slots_of_page

    @property
    def records(self) -> int:
        """Records that can be written until the endurance of each slot is used."""
        return self.slots * int(self.memory.endurance_cycles.value)

    @property
    def writes_of_record(self) -> float:
        """Blocks that are written for a record; the mean over the slots."""
        block, size = int(self.memory.write_bytes.value), self.slot_size
        ends = (((slot + 1) * size - 1) // block for slot in range(self.slots_of_page))
        begins = (slot * size // block for slot in range(self.slots_of_page))
        return (sum(ends) - sum(begins)) / self.slots_of_page + 1


def slot_size(memory: Memory, payload: int) -> int:
    """Return the bytes of a record, up to a multiple of the memory's write unit."""
    unit = int(memory.unit_bytes.value)
    return -(-(_SEQUENCE_AND_CHECK + payload) // unit) * unit


def ring_of(memory: Memory, payload: int, records: int) -> Ring:
    """Return the smallest ring with room for a number of records.

    Raises
    ------
    MisuseError
        As `Ring`.
    """
    size, page = slot_size(memory, payload), int(memory.page_bytes.value)
    if not page:
        return Ring(memory, records * size, payload)
    # A page without room for a record is refused as a ring of two of them.
    pages = -(-records // max(page // size, 1))
    return Ring(memory, max(pages, _PAGES_LEAST) * page, payload)
