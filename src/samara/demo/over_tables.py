# SPDX-License-Identifier: Apache-2.0
"""Tables of what programs above a link cost, and of what protects them from whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.demo.cells import cell_of
from samara.figure import Origin
from samara.tables import Column, Row, Table, label, number, significant, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.demo.over import Run
    from samara.tables import Cell

_LAYERS = ("mac", "security", "6lowpan", "transport", "payload", "repeated")
_MILLIJOULES = 1e3
_BITS = 8e-3


def costs(application: str, runs: Sequence[Run]) -> Table:
    """Return the table of what the files cost."""
    columns = (
        label("protection", rank=0),
        label("file", rank=0),
        Column("bytes on the air", rank=0),
        Column("times the file", rank=0),
        Column("time", "s", rank=0),
        Column("throughput", "kbit/s"),
        Column("energy", "mJ"),
        Column("packets", rank=2),
        Column("frames", rank=2),
        *(Column(name, "bytes", rank=3) for name in _LAYERS),
    )
    rows = [Row(list(_cells(run))) for run in runs]
    caption = (
        "Bytes are those of frames with check sequences and acknowledgements. `payload`"
        " is what UDP carries: headers of the protocol, the file, and DTLS. Times are"
        " by the clock of this machine and depend on its load. The energy is that of"
        " both ends, for radio and link security; what DTLS and the encryption of the"
        " file take on a device is not in it."
    )
    return Table(f"over-{application}", "What files cost", columns, rows, caption)


def _cells(run: Run) -> Iterator[Cell]:
    emulated, size = Origin.EMULATED, run.step.size
    total = sum(run.layers.values())
    yield words(run.case.name)
    yield words(f"{run.step.verb} {size:,} bytes" + ("" if run.crossed else " (lost)"))
    yield number(total, emulated)
    yield significant(total / size, emulated)
    yield significant(run.seconds, emulated)
    yield significant(_BITS * size / run.seconds if run.seconds else None, emulated)
    yield cell_of(run.energy, _MILLIJOULES)
    yield number(run.packets, emulated)
    yield number(run.frames, emulated)
    for name in _LAYERS:
        yield number(run.layers[name], emulated)


def protection() -> Table:
    """Return what each way protects, from whom and on which hops."""
    columns = (
        label("protection", rank=0),
        label("outsiders who hear the air", rank=0),
        label("nodes that forward", rank=0),
        label("changes and replays", rank=0),
        label("hops", rank=0),
    )
    rows = [
        Row([words(text) for text in texts])
        for texts in (
            ("no security", "read everything", "read everything", "accepted", "none"),
            (
                "link, levels 5 to 7",
                "see who, when and how much",
                "read everything, could change it",
                "of outsiders refused",
                "each by itself",
            ),
            (
                "payload, AES-256-CBC in hex",
                "see names, sizes and addresses",
                "see names, sizes and addresses",
                "not noticed",
                "end to end",
            ),
            (
                "DTLS with a shared key",
                "see addresses and sizes",
                "see addresses and sizes",
                "refused",
                "end to end",
            ),
            (
                "link and DTLS together",
                "see who, when and how much",
                "see addresses and sizes",
                "refused",
                "both",
            ),
        )
    ]
    title = "What protects from whom"
    return Table("over-protection", title, columns, rows)
