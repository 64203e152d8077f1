# SPDX-License-Identifier: Apache-2.0
"""Tables II, III, V, VI and figures 8, 9 of the link-security paper.

Its microcontroller, an ATxmega at 32 MHz, has an AES engine; ours stands for it:
an ATmega128RFA1 at 16 MHz, whose engine takes nearly as many cycles a block.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from samara.bench import devices, peers, published
from samara.bench.report import linkplots
from samara.bench.report.linkrows import (
    AES,
    BLOCK_CYCLES,
    CCM,
    DEVICE,
    ENGINE,
    HEADER,
    PAPER_HZ,
    PAYLOAD,
    PHASES,
    PHASES_SUITE,
    Choice,
    choices,
    cycles_of,
)
from samara.bench.results import Operation
from samara.bench.ways import PORTABLE
from samara.figure import Origin
from samara.records.answers import Remark
from samara.records.parts import Missing, Section
from samara.records.tables import (
    NOT_MEASURED,
    NOTHING,
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    significant,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.published import Record
    from samara.bench.report.selecting import Results
    from samara.bench.results import Counts

SLUG = "link-security"

_US, _MS = 1e6, 1e3
"""Units of time in a second."""
_BLOCK_COLUMNS = (
    label("what"),
    label("by"),
    label("flags"),
    Column("cycles"),
    Column("at 16 MHz", "µs"),
    Column("at 32 MHz", "µs"),
)
_CCM_COLUMNS = (
    label("operation"),
    label("AES"),
    label("by"),
    label("flags"),
    Column("cycles"),
    Column("at 16 MHz", "ms"),
    Column("at 32 MHz", "ms"),
    Column("energy", "µJ"),
)
_MEMORY_COLUMNS = (
    label("AES"),
    label("by"),
    label("flags"),
    Column("ROM", "bytes"),
    Column("RAM", "bytes"),
    Column("stack", "bytes"),
)

_HARDWARE, _SOFTWARE = "engine", "software"
_FLAGS = {"opt": "optimised", "unopt": "not optimised"}

_CCM_FINDINGS = (
    (
        "Table V's 28.80 ms in software is 20.0 blocks of Table III's 1.44 ms, but"
        f" {PAYLOAD} + {HEADER} bytes need 15: eight for the tag, seven to encrypt."
    ),
    (
        "“Shorter than two orders of magnitude”, as the paper says of its hardware, is"
        " 20 times in its Table V."
    ),
    (
        "“Orders of magnitude smaller” than the radio's 480 µJ a packet does not hold:"
        " CCM* costs 114 µJ with the engine, 24 % of that, and 4.8 times it in"
        " software."
    ),
)
_MEMORY_FINDING = (
    "“Up to six times” less ROM, as the paper says, is 4.8 times in its Table VI, and"
    " 3.7 without optimisation."
)


def section(results: Results) -> Section:
    """Return the paper's tables and figures beside ours."""
    paper = published.paper(SLUG)
    device = devices.device(DEVICE)
    found = Section(
        slug=f"paper-{SLUG}",
        title=f"{paper.name}: Tables II, III, V, VI, Figs. 8, 9",
        intro=(
            f"CCM* with a 16-byte tag over {PAYLOAD} bytes of payload and {HEADER} of"
            f" associated data. Ours is the {device.title}:"
            f" its engine takes {BLOCK_CYCLES}"
            " cycles a block by its data sheet, the paper's ATxmega 375 by its own."
            " The real chip runs at 16 MHz; 32 MHz is scaled, to stand beside the"
            " paper. Set-up of the key is part of every time."
        ),
        group="Papers",
        name=paper.name,
        source=paper.citation,
    )
    found.parts = [
        *_missing(results),
        _block_table(results),
        Remark(_block_finding()),
        _ccm_table(results),
        *_phases_finding(results),
        *(Remark(text) for text in _CCM_FINDINGS),
        Remark(_energy_finding()),
        _memory_table(results),
        Remark(_MEMORY_FINDING),
        linkplots.fig8(results),
        linkplots.fig9(results),
    ]
    return found


def _block_finding() -> str:
    """Set the paper's software AES beside what is known of public code."""
    printed = next(
        record.value("optimised_ticks")
        for record in published.table("ieee802154_aes_block.csv")
        if record.text("implementation") == "software"
    )
    family = devices.device(DEVICE).family.name
    known = [
        record
        for record in peers.read(peers.records_path())
        if peers.DEVICES[record.device] == family
        and record.suite == AES
        and record.block_bytes
        and not record.problem
    ]
    in_c = [record for record in known if record.language != "assembly"]
    variants = {(record.peer, record.variant) for record in in_c}
    counts = [record.encryption for record in in_c]
    least = min(record.encryption for record in known)
    return (
        f"The paper's software AES takes {printed:,.0f} cycles a block where public"
        f" code in C and C++ for the same family takes {min(counts):,} to"
        f" {max(counts):,} ({len(variants)} programs, each with three optimisations),"
        f" and assembly {least:,}: that is {printed / max(counts):.1f} to"
        f" {printed / least:.0f} times fewer. Much of the distance between its"
        " hardware and its software is that of one slow program."
    )


def printed_powers_mw() -> list[float]:
    """Return energy over time of every row of Table V that has both."""
    return [
        record.value(f"{machine}_opt_uj") / record.value(f"{machine}_opt_ms")
        for record in published.table("ieee802154_ccm.csv")
        for machine in ("hw", "sw")
    ]


def _energy_finding() -> str:
    """Say what Table V's energies are, and why ours are not of their kind."""
    powers = printed_powers_mw()
    device = devices.device(DEVICE)
    current, voltage = device.active_current_a.value, device.supply_voltage_v.value
    power = median(powers)
    return (
        f"Table V's energy is {power:.1f} mW times its time in every row"
        f" ({min(powers):.2f} to {max(powers):.2f}): one constant, whose current and"
        f" voltage the paper does not give. At {voltage:g} V it would be"
        f" {power / voltage:.1f} mA, more than a processor of this family draws:"
        f" perhaps it is the whole board's. Ours is {current * voltage * 1e3:.1f} mW,"
        f" the microcontroller alone at {device.clock_hz / 1e6:g} MHz: "
        f"{device.energy_source}. The two do not count the same parts of a node, nor"
        " the same clock, so that times can be compared and energies cannot."
    )


# --- Tables II and III -----------------------------------------------------


def _block_table(results: Results) -> Table:
    rows = [
        row
        for record in published.table("ieee802154_aes_block.csv")
        for row in _published_blocks(record)
    ]
    engine = [words("hardware engine only"), words("data sheet"), NOTHING]
    remark = "24 µs at 16 MHz; what the simulator's engine takes"
    figures = _cycles_and_times(BLOCK_CYCLES, Origin.ASSUMED, _US, remark)
    rows.append(Row([*engine, *figures], emphasis=True))
    for implementation, name in (
        (ENGINE, "hardware with key and data load"),
        (PORTABLE, "software"),
    ):
        rows += _our_blocks(results, implementation, name)
    title = "AES-128, one block (Tables II and III)"
    return Table("link-security-aes", title, _BLOCK_COLUMNS, rows)


def _published_blocks(record: Record) -> Iterator[Row]:
    for column, flags in (("optimised", "opt"), ("unoptimised", "unopt")):
        head = words(record.text("implementation"), record.text("note"))
        figures = _printed(record, f"{column}_ticks", f"{column}_us", _US)
        yield Row([head, words("paper"), words(_FLAGS[flags]), *figures])


def _our_blocks(results: Results, implementation: str, name: str) -> Iterator[Row]:
    found = choices(results, AES, implementation)
    if not found:
        yield Row(
            [words(name), words("samara"), NOTHING, *[NOT_MEASURED] * 3], emphasis=True
        )
    for choice in found:
        result = choice.result
        count = cycles_of(result, Operation.ENCRYPT)
        figures = _cycles_and_times(count, result.origin, _US)
        head = [words(name), words("samara"), words(choice.flags)]
        yield Row([*head, *figures], emphasis=True)


def _cycles_and_times(
    cycles: float, kind: Origin, unit: float, remark: str = ""
) -> Iterator[Cell]:
    yield number(cycles, kind, remark=remark)
    for clock_hz in (devices.device(DEVICE).clock_hz, PAPER_HZ):
        yield significant(cycles / clock_hz * unit, kind, 4)


def _printed(record: Record, ticks: str, time: str, unit: float) -> Iterator[Cell]:
    """Return what the paper prints; it left out some cycles that its times give."""
    seconds = record.value(time) / unit
    cycles = record.number(ticks)
    known = round(seconds * PAPER_HZ) if cycles is None else cycles
    at_16_mhz = known / devices.device(DEVICE).clock_hz * unit
    yield number(known, Origin.PUBLISHED)
    yield significant(at_16_mhz, Origin.PUBLISHED, 4)
    yield Cell(record.value(time), record.text(time), Origin.PUBLISHED)


# --- Table V ----------------------------------------------------------------

_OPERATIONS = {
    "CCM* forward": Operation.SEAL,
    "CCM* inverse": Operation.OPEN,
    "CCM-1 input transformation": PHASES[0],
    "CCM-2 authentication": PHASES[1],
    "CCM-3 encryption": PHASES[2],
}


def _ccm_table(results: Results) -> Table:
    rows: list[Row] = []
    for record in published.table("ieee802154_ccm.csv"):
        verb = _OPERATIONS[record.text("operation")]
        for machine, implementation, short in (
            (_HARDWARE, ENGINE, "hw"),
            (_SOFTWARE, PORTABLE, "sw"),
        ):
            rows += _published_operations(record, machine, short)
            rows += _our_operations(results, record, implementation, verb)
    title = f"CCM*, {PAYLOAD} + {HEADER} bytes, 16-byte tag (Table V)"
    slug = "link-security-ccm"
    return Table(slug, title, _CCM_COLUMNS, rows, groups=True)


def _published_operations(record: Record, machine: str, short: str) -> Iterator[Row]:
    for flags, description in _FLAGS.items():
        head = (record.text("operation"), machine, "paper", description)
        energy = NOTHING
        if flags == "opt":
            energy = number(record.number(f"{short}_opt_uj"), Origin.PUBLISHED, 2)
        names = (f"{short}_{flags}_ticks", f"{short}_{flags}_ms")
        yield Row([*map(words, head), *_printed(record, *names, _MS), energy])


def _our_operations(
    results: Results, record: Record, implementation: str, verb: Operation
) -> Iterator[Row]:
    machine = _HARDWARE if implementation == ENGINE else _SOFTWARE
    head = (record.text("operation"), machine, "samara")
    suite = PHASES_SUITE if verb in PHASES else CCM
    found = choices(results, suite, implementation, (PAYLOAD, HEADER))
    if not found:
        yield Row([*map(words, head), NOTHING, *[NOT_MEASURED] * 4], emphasis=True)
    for choice in found:
        cycles = cycles_of(choice.result, verb)
        figures = _cycles_and_times(cycles, choice.result.origin, _MS)
        energy = _energy(cycles)
        row = [*map(words, (*head, choice.flags)), *figures, energy]
        yield Row(row, emphasis=True)


def _energy(cycles: int) -> Cell:
    device = devices.device(DEVICE)
    microjoules = device.energy_uj(cycles)
    return significant(microjoules, device.energy_origin, 4, device.energy_source)


def _phases_finding(results: Results) -> Iterator[Remark]:
    """Tell how the three phases together stand to CCM* in one call."""
    sums: list[str] = []
    for implementation, machine in ((ENGINE, "with the engine"), (PORTABLE, "in C")):
        phases = _small(results, PHASES_SUITE, implementation)
        whole = _small(results, CCM, implementation)
        if phases is not None and whole is not None:
            parts = sum(phases[name] for name in PHASES)
            sums.append(f"{parts:,} cycles against {whole[Operation.SEAL]:,} {machine}")
    if sums:
        yield Remark(
            "Our phases are cut as the standard cuts them (annex B.4): the input"
            " transformation writes AuthData out in memory, 112 bytes beside the"
            " frame, and each phase goes over them again. The library's one call"
            " formats a block when it needs it and keeps none. So the sum of the"
            f" phases is not the one call's time: {', '.join(sums)}, by -Os."
        )


def _small(results: Results, suite: str, implementation: str) -> Counts | None:
    """Return the cycles by -Os, if they were measured."""
    for choice in choices(results, suite, implementation, (PAYLOAD, HEADER)):
        if choice.flags == "-Os":
            return choice.result.cycles
    return None


# --- Table VI ---------------------------------------------------------------


def _memory_table(results: Results) -> Table:
    rows = [_published_memory(r) for r in published.table("ieee802154_memory.csv")]
    for implementation, machine in ((ENGINE, _HARDWARE), (PORTABLE, _SOFTWARE)):
        found = choices(results, CCM, implementation, (PAYLOAD, HEADER))
        if not found:
            cells = [words(machine), words("samara"), NOTHING, *[NOT_MEASURED] * 3]
            rows.append(Row(cells, emphasis=True))
        rows += [_our_memory(choice, machine) for choice in found]
    caption = (
        "The paper's ROM is that of its whole security module; ours is CCM* and AES"
        " alone. RAM: ours holds the expanded key."
    )
    title = "Memory (Table VI)"
    return Table("link-security-memory", title, _MEMORY_COLUMNS, rows, caption)


def _published_memory(record: Record) -> Row:
    machine, _, flags = record.text("implementation").partition(" ")
    names = {"hardware": _HARDWARE, "software": _SOFTWARE}
    figures = [
        number(record.number(name), Origin.PUBLISHED)
        for name in ("rom_bytes", "ram_bytes")
    ]
    described = _FLAGS["opt" if flags == "optimised" else "unopt"]
    head = map(words, (names[machine], "paper", described))
    return Row([*head, *figures, NOTHING])


def _our_memory(choice: Choice, machine: str) -> Row:
    result = choice.result
    figures = [
        number(size, Origin.MEASURED)
        for size in (result.code_bytes, result.static_ram_bytes, result.stack_bytes)
    ]
    head = map(words, (machine, "samara", choice.flags))
    return Row([*head, *figures], emphasis=True)


# --- What is missing ---------------------------------------------------------


def _missing(results: Results) -> Iterator[Missing]:
    base = f"samara bench run --device {DEVICE}"
    sizes = f"--message {PAYLOAD} --ad {HEADER}"
    wanted = (
        (AES, None, f"{base} --suite {AES}", "an AES block"),
        (CCM, (PAYLOAD, HEADER), f"{base} --suite {CCM} {sizes}", "CCM*"),
        (
            PHASES_SUITE,
            (PAYLOAD, HEADER),
            f"{base} --suite {PHASES_SUITE} {sizes}",
            "the three phases of CCM*",
        ),
    )
    for suite, at, command, what in wanted:
        absent = [
            machine
            for implementation, machine in (
                (ENGINE, "with the AES engine"),
                (PORTABLE, "in software"),
            )
            if not choices(results, suite, implementation, at)
        ]
        if absent:
            yield Missing(f"{what}, {' and '.join(absent)}, on {DEVICE}.", command)
    if len(linkplots.payloads(results)) < linkplots.ENOUGH_PAYLOADS:
        listed = " ".join(f"--message {size}" for size in (0, 16, 32, 64, 95))
        yield Missing(
            "enough payload sizes for figures 8 and 9.",
            f"{base} --suite {CCM} {listed} --ad {HEADER}",
        )
