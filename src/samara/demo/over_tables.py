# SPDX-License-Identifier: Apache-2.0
"""Tables of what programs above a link cost, and of what protects them from whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.demo.cells import cell_of
from samara.figure import Origin
from samara.records.tables import Column, Row, Table, label, number, significant, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.demo.over import Run
    from samara.records.tables import Cell

_LAYERS = {
    "mac": "mac",
    "security": "security",
    "6lowpan": "6lowpan",
    "transport": "udp",
    "payload": "data",
    "repeated": "repeated",
}
"""What layers are called in the table, by their names in `Exchange.layers`."""
_MILLIJOULES = 1e3
_BITS = 8e-3


def costs(application: str, runs: Sequence[Run]) -> list[Table]:
    """Return the tables of what the files cost."""
    return [_totals(application, runs), _layers(application, runs)]


def _totals(application: str, runs: Sequence[Run]) -> Table:
    columns = (
        label("protection", rank=0),
        label("what", rank=0),
        Column("on the air", "bytes", rank=0),
        Column("times the file", rank=0),
        Column("time", "s", rank=0),
        Column("rate", "kbit/s", rank=0),
        Column("energy", "mJ", rank=0),
    )
    rows = [Row(list(_total_cells(run))) for run in runs]
    caption = (
        "Bytes are those of frames with check sequences and acknowledgements. Times are"
        " by the clock of this machine and depend on its load. The energy is that of"
        " both ends, for radio and link security; what DTLS, OSCORE and the encryption"
        " of the file take on a device is not in it. `(part)`: this machine was too"
        " busy to hear all frames."
    )
    if application == "coap":
        caption += (
            " OBSERVE: a value that is read, then told of whenever it changes; its time"
            " is mostly that of the program that changes it."
        )
    return Table(f"over-{application}", "What files cost", columns, rows, caption)


def _total_cells(run: Run) -> Iterator[Cell]:
    emulated, size = Origin.EMULATED, run.step.total
    total = sum(run.layers.values())
    yield from _names(run)
    yield number(total, emulated)
    yield significant(total / size, emulated)
    yield significant(run.seconds, emulated)
    yield significant(_BITS * size / run.seconds if run.seconds else None, emulated)
    yield cell_of(run.energy, _MILLIJOULES)


def _layers(application: str, runs: Sequence[Run]) -> Table:
    columns = (
        label("protection", rank=0),
        label("what", rank=0),
        *(
            Column(name, "bytes", rank=int(layer == "repeated"))
            for layer, name in _LAYERS.items()
        ),
        Column("frames", rank=2),
        Column("packets", rank=3),
    )
    rows = []
    for run in runs:
        counts = [run.layers[name] for name in _LAYERS] + [run.frames, run.packets]
        cells = [number(count, Origin.EMULATED) for count in counts]
        rows.append(Row([*_names(run), *cells]))
    caption = (
        "`mac`: headers and check sequences of frames and acknowledgements. `security`:"
        " headers and MICs of link security. `6lowpan`: compressed IPv6 headers,"
        " fragments. `udp`: UDP headers. `data`: the rest, with the headers of CoAP or"
        " TFTP, DTLS and OSCORE. `repeated`: frames that were sent again. Over"
        " rf-serial and sdr, frames are packets of the modem and bursts, and `mac` is"
        " framing, padding and channel code."
    )
    title = "Bytes on the air by layer"
    return Table(f"over-{application}-layers", title, columns, rows, caption)


def _names(run: Run) -> Iterator[Cell]:
    step = run.step
    size = f"{step.count} x " if step.count > 1 else ""
    thousands, rest = divmod(step.size, 1000)
    size += f"{step.size} B" if rest else f"{thousands} kB"
    yield words(run.case.name)
    remark = "" if run.was_heard else " (part)"
    yield words(f"{step.verb} {size}" + (remark if run.crossed else " (lost)"))


def protection(link: str) -> Table:
    """Return what each way protects, from whom and on which hops.

    Parameters
    ----------
    link
        What protection by the link is called.
    """
    columns = (
        label("protection", rank=0),
        label("eavesdroppers", rank=0),
        label("routers", rank=0),
        label("forgeries", rank=0),
        label("hops", rank=0),
    )
    rows = [
        Row([words(text) for text in texts])
        for texts in (
            ("no security", "read all", "read all", "accepted", "none"),
            (link, "see nodes", "read all", "refused", "each alone"),
            ("AES-256-CBC in hex", "see names", "see names", "accepted", "end to end"),
            ("DTLS, shared key", "see ports", "see ports", "refused", "end to end"),
            ("OSCORE", "see ports", "see ports", "refused", "end to end"),
            ("link and DTLS", "see nodes", "see ports", "refused", "both"),
        )
    ]
    title = "What protects from whom"
    return Table("over-protection", title, columns, rows, _PROTECTION)


_PROTECTION = (
    "Eavesdroppers hear the air; routers are nodes that forward between others and"
    " have the keys of their hops. All of them see when messages are sent, and how"
    " long these are. `see nodes`: which node sends to which one. `see ports`: also"
    " IPv6 addresses and ports, thus which program. `see names`: also what is asked"
    " for, and all but the content of files. `read all`: everything. Forgeries are"
    " messages that outsiders made, changed or played again; `read all` by routers"
    " means that they can change all, too. `each alone`: each hop has its key, and"
    " routers see what is between."
)
