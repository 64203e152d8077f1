# SPDX-License-Identifier: Apache-2.0
"""Results of the bench as a table, and remarks below it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from samara.bench import beside_public, devices, folding, freshness, ways
from samara.bench.result_record import energy_origin
from samara.bench.sorting import sorted_places
from samara.crypto.tag_lengths import shortened
from samara.figure import Origin
from samara.records import Progress, Remark
from samara.records.tables import (
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
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from samara.bench.programs import Program
    from samara.bench.results import Result
    from samara.bench.sorting import Sort

    Named: TypeAlias = tuple[Result, float | None, str]

SHOWN = 500
"""Rows that a table has at most: to draw them takes longer than to find them."""

_DEVICE, _SUITE, _OPT, _BYTES = (
    label("device"),
    label("suite", rank=0),
    label("opt", rank=0),
    Column("bytes", rank=0),
)
_FIGURES = (
    Column("set-up", "cycles", rank=3),
    Column("seal", "cycles", rank=0),
    Column("open", "cycles", rank=6),
    Column("code", "bytes", rank=1),
    Column("RAM", "bytes", rank=4),
    Column("stack", "bytes", rank=5),
    Column("seal", "ms", rank=3),
    Column("seal", "µJ", rank=2),
    label("same time", rank=7),
)
_BEST = (Column("public", "cycles", rank=3), Column("times", rank=1))
_MERIT = Column("FOM", rank=0)

_CAPTION = (
    "bytes: message + associated data. seal: a block cipher encrypts a block."
    " same time: whether random keys and messages take the same number of cycles."
)
_BEST_CAPTION = (
    " public: the fastest public code that is known for the row's message or block,"
    " where cycles are estimated in instructions. times: ours, for a message with"
    " set-up, divided by it."
)
_MERIT_CAPTION = " FOM: figure of merit among results of the same kind; 3 is the best."


Part: TypeAlias = Table | Remark | Progress


def parts_of(results: Sequence[Result]) -> Iterator[Part]:
    """Yield results, of which there is one at least, as a table, and remarks on them.

    Suites that differ only in the length of the tag have rows of their own.
    """
    named = [(result, None, "") for result in results[:SHOWN]]
    yield from _parts_of_shown(named, len(results))


def parts_of_sorted(
    programs: Sequence[Program], sort: Sort, *, fold: bool
) -> Iterator[Part]:
    """Yield the same of results in an order.

    Parameters
    ----------
    programs
        Those that `samara.bench.sorting.sortable` returns.
    fold
        Whether suites that differ only in the length of the tag share a row.
    """
    named = folding.folded(programs) if fold else [(each, "") for each in programs]
    names = dict(named)
    shown = [
        (each.result, each.merit, shortened(names[each.program]))
        for each in islice(sorted_places(list(names), sort, programs), SHOWN)
    ]
    yield from _parts_of_shown(shown, sum(map(len, names)))


def parts_of_programs(programs: Sequence[Program], *, fold: bool) -> Iterator[Part]:
    """Yield the same of results that are not made before they are shown."""
    named = folding.folded(programs) if fold else [(each, "") for each in programs]
    rows = ((result, None, name) for program, name in named for result in program)
    count = sum(len(program) for program, _ in named)
    short = ((result, merit, shortened(name)) for result, merit, name in rows)
    yield from _parts_of_shown(list(islice(short, SHOWN)), count)


def _parts_of_shown(shown: Sequence[Named], count: int) -> Iterator[Part]:
    """Yield the table of the first rows, and below it how to get the others."""
    yield _table(shown)
    if count > SHOWN:
        yield Remark(
            f"The first {SHOWN} of {count:,} rows. Select by --device, --suite,"
            " --message, --ad and --opt, or use --csv or --json for all."
        )
    results = [result for result, _, _ in shown]
    yield from freshness.look_up(results)
    for text in _remarks(results):
        yield Remark(text, is_line=True)


def _table(named: Sequence[Named]) -> Table:
    """Return the table; what is the same in all rows is its title."""
    heads = [_DEVICE, _SUITE, _OPT, _BYTES]
    texts = [_words(result, name) for result, _, name in named]
    same = [
        len(texts) > 0 and i != 1 and len({row[i] for row in texts}) == 1
        for i in range(len(heads))
    ]
    title = [f"{heads[i].name} {texts[0][i]}" for i in range(len(heads)) if same[i]]
    has_merit = any(merit is not None for _, merit, _ in named)
    ratings = [_rating(result) for result, _, _ in named]
    has_best = any(cell != NOTHING for cells in ratings for cell in cells)
    columns = [head for head, one in zip(heads, same, strict=True) if not one]
    rows = [
        Row(
            [
                *(words(t) for t, one in zip(text, same, strict=True) if not one),
                *_figures(result),
                *(rating if has_best else ()),
                *([_merit(result, merit)] if has_merit else []),
            ],
            command=command_of(result),
        )
        for text, rating, (result, merit, _) in zip(texts, ratings, named, strict=True)
    ]
    return Table(
        "results",
        ", ".join(title),
        [
            *columns,
            *_FIGURES,
            *(_BEST if has_best else ()),
            *([_MERIT] if has_merit else []),
        ],
        rows,
        caption=_CAPTION + _BEST_CAPTION * has_best + _MERIT_CAPTION * has_merit,
    )


def command_of(result: Result) -> str:
    """Return the command that measures a result again."""
    return (
        f"samara bench run --device {result.device} --suite {result.suite}"
        f" --implementation {result.implementation} --opt {result.opt}"
        f" --message {result.message_bytes} --ad {result.ad_bytes}"
    )


def suite_words(result: Result, name: str = "") -> str:
    """Return a suite, or the name of all that share its row, and its implementation."""
    suite = name or result.suite
    if result.implementation == ways.PORTABLE:
        return suite
    return f"{suite} ({result.implementation})"


def _words(result: Result, name: str) -> tuple[str, str, str, str]:
    sizes = f"{result.message_bytes}+{result.ad_bytes}"
    return result.device, suite_words(result, name), result.opt, sizes


def _figures(result: Result) -> list[Cell]:
    sizes = (result.code_bytes, result.static_ram_bytes, result.stack_bytes)
    in_bytes = [number(size, Origin.MEASURED) for size in sizes]
    if not result.has_figures:
        return [*[NOTHING] * 3, *in_bytes, *[NOTHING] * 3]
    kind = result.origin
    cycles = [number(result.counts.get(verb), kind) for verb in result.verbs]
    time_us, energy_uj = result.protect_time_us, result.protect_energy_uj
    return [
        *cycles,
        *in_bytes,
        significant(None if time_us is None else time_us / 1e3, kind),
        significant(energy_uj, energy_origin(result)),
        words("yes" if result.constant_time else f"varies {_spread(result)}"),
    ]


def _rating(result: Result) -> tuple[Cell, Cell]:
    """Return the count of the best public code, and ours divided by it."""
    rated = beside_public.rated(result)
    if rated is None:
        return NOTHING, NOTHING
    row, times = rated
    return number(row.count, row.origin), significant(times, result.origin)


def _merit(result: Result, merit: float | None) -> Cell:
    return number(merit, result.origin, 2)


def _spread(result: Result) -> str:
    return ", ".join(f"{name} {by}" for name, by in result.varies.items())


def _remarks(shown: Sequence[Result]) -> list[str]:
    """Return the lines below a table, each once."""
    problems = dict.fromkeys(result.problem for result in shown if result.problem)
    return [
        *origin_lines(_origins(shown)),
        *filter(None, map(_parts, shown)),
        *dict.fromkeys(map(_how_made, shown)),
        *beside_public.lines(shown),
        *_stale(shown),
        *(f"-: {problem}" for problem in problems),
    ]


def origin_lines(used: Collection[Origin]) -> list[str]:
    """Return a line for each of these origins, which says what its letter means."""
    return [f"({o.letter}) {o}: {o.meaning}" for o in Origin if o in used]


def _stale(shown: Sequence[Result]) -> list[str]:
    """Return the line about results that are of other sources than those here."""
    count = len(freshness.stale(shown))
    if not count:
        return []
    verb = "is" if count == 1 else "are"
    said = f"{count:,} of {len(shown):,} results shown {verb} stale, of other sources"
    return [f"{said} than those here: measure again by samara bench run"]


def _origins(shown: Iterable[Result]) -> set[Origin]:
    cells = (cell for one in shown for cell in (*_figures(one), *_rating(one)))
    return {cell.origin for cell in cells if cell.origin}


def _how_made(result: Result) -> str:
    """Return a device's compiler flags, and what its cycles leave out."""
    flags = (result.flags or "flags not recorded").split()
    text = " ".join(word for word in flags if word != f"-{result.opt}")
    note = devices.cycles_note(result.device)
    return f"{result.device}: {text}" + (f"; cycles {note}" if note else "")


def _parts(result: Result) -> str:
    """Return the cycles of an operation's parts, if it is timed in parts."""
    if not result.parts:
        return ""
    parts = result.parts.items()
    text = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in parts)
    name = f"{result.device} {result.suite} {result.implementation} -{result.opt}"
    return f"{name}, cycles of the parts: {text}"
