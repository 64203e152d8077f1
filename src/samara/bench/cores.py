# SPDX-License-Identifier: Apache-2.0
"""Which processor a chip has that the bench does not know: devices/cores.toml."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from samara.bench import places
from samara.toml_rows import row_of, tables_of


@dataclass(frozen=True, slots=True)
class Core:
    """A processor, and which device has it or comes near to it."""

    title: str
    """With an article: "a Cortex-M4"."""
    chips: tuple[str, ...]
    """Beginnings of the names of chips that have it, as `plain_name` writes them."""
    device: str = ""
    """Device with this processor; "" if none was measured."""
    nearest: str = ""
    """Device whose instructions it has, in other numbers of cycles; "" if none."""

    @property
    def answer(self) -> str:
        """What to give for a chip with this processor, after the chip's name."""
        return self.answer_of("it")

    def answer_of(self, what: str) -> str:
        """Return what to give for something with this processor."""
        if self.device:
            return f"{what} has {self.title}: give {self.device}"
        text = f"{what} has {self.title}, which samara has not measured"
        if not self.nearest:
            return f"{text}, nor one that runs its code"
        return (
            f"{text}; nearest is {self.nearest}, whose instructions it has, in other"
            " numbers of cycles"
        )


@cache
def cores() -> tuple[Core, ...]:
    """Return the rows of devices/cores.toml."""
    place = "devices/cores.toml"
    rows = tables_of(places.root() / "devices" / "cores.toml", place)["core"]
    return tuple(
        row_of(Core, f"core {number} of {place}", row)
        for number, row in enumerate(rows, start=1)
    )


def core_of(chip: str) -> Core | None:
    """Return the processor of a chip; None if no row has a beginning of its name.

    Parameters
    ----------
    chip
        Such as ``"samd21g18a"`` or ``"ESP32-C3"``.
    """
    plain = plain_name(chip)
    found = [
        (len(beginning), core)
        for core in cores()
        for beginning in core.chips
        if plain.startswith(beginning)
    ]
    return max(found, key=lambda each: each[0])[1] if found else None


def plain_name(chip: str) -> str:
    """Return a chip's name without what only some writers put into it."""
    plain = chip.lower().translate(str.maketrans("", "", "-_ "))
    return plain.removeprefix("at") if plain.startswith("atsam") else plain
