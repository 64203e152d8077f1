# SPDX-License-Identifier: Apache-2.0
"""Demonstrating kinds of link: from a request to messages, tables and what they say."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from samara.bench import devices
from samara.crypto.names import find
from samara.demo.exchange import ExchangeRecord
from samara.demo.links import demonstration, links
from samara.demo.over_cases import CASES, SIZE_MAX
from samara.demo.processes import Supervisor
from samara.errors import MisuseError
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Progress,
    Record,
    Refusal,
    Remark,
    Request,
    record_class,
    request_class,
)
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.demo.exchange import Demonstration, Exchange
    from samara.demo.over import Run
    from samara.records.tables import Table

PROTOCOLS = ("coap", "tftp")
_PROTECTED = {
    "ieee802154": "link, levels 5 to 7",
    "rf-serial": "link, with a tag",
    "sdr": "link",
}
"""What protection by a kind of link is called."""
_OVERHEAD = 500
"""What a step takes besides its file, in bytes, for the bar."""


def _devices() -> Iterable[str]:
    return devices.names()


def _protocols() -> Iterable[str]:
    return PROTOCOLS


@request_class
class DemoRequest(Request):
    """What is to be demonstrated."""

    link: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="LINK",
            help="Kind of link to demonstrate (repeatable).",
            names=links,
            default_text="all",
        ),
    ] = ()
    device: Annotated[
        str,
        Parameter(
            metavar="DEVICE",
            help="Microcontroller of the costs, as listed by `samara bench devices`.",
            names=_devices,
            names_in_words="",
        ),
    ] = "atmega128rfa1"
    chat: Annotated[
        bool,
        Parameter(help="Send each line of stdin instead of the papers' messages."),
    ] = False
    case: Annotated[
        str | None,
        Parameter(
            metavar="CASE",
            help="With --chat: framing or security level, as the tables name them.",
            default_text="the best of the link",
        ),
    ] = None
    over: Annotated[
        str | None,
        Parameter(
            metavar="PROTOCOL",
            help="Instead: let files cross a link (--link; default: ieee802154) by"
            " programs of a protocol, with and without security; needs root.",
            names=_protocols,
        ),
    ] = None
    size: Annotated[
        tuple[str, ...],
        Parameter(
            synonym="sizes",
            metavar="BYTES",
            help="With --over: sizes of files, as 1k,10k,100k (repeatable; at most"
            " 100k).",
            default_text="1k,10k",
        ),
    ] = ()


@record_class
class DemoTable(Record):
    """A table of figures that a demonstration found."""

    TYPE: ClassVar[str] = "table"

    link: Annotated[str, Field("The kind of link.")]
    slug: Annotated[str, Field("A short name of the table.")]
    title: Annotated[str, Field("Its title.")]
    caption: Annotated[str, Field("What stands below it.")]
    rows: Annotated[
        tuple[Mapping[str, Any], ...],
        Field("Objects by column: a figure, a text or null."),
    ]


@record_class
class Reading(Record):
    """What the figures of a link say."""

    link: Annotated[str, Field("The kind of link.")]
    text: Annotated[str, Field("In plain words.")]


@record_class
class DemoEnd(Record):
    """The end of a demonstration."""

    TYPE: ClassVar[str] = "demo"

    duration_s: Annotated[float, Field("How long it took.", unit="s")]


@dataclass(frozen=True, slots=True)
class Rule:
    """What stands between the parts of a demonstration, with the title of the next."""

    title: str


@dataclass(frozen=True, slots=True)
class End:
    """The demonstration is over: origins are explained, and what to do next."""

    seconds: float
    is_whole: bool
    """Whether it was the one of the papers' messages."""


_Demonstrated = ExchangeRecord | DemoTable | Reading | DemoEnd


def demonstrate(
    request: DemoRequest, *, typed: Iterable[bytes] = ()
) -> Answer[_Demonstrated]:
    """Send messages between nodes over each kind of link; yield what each cost.

    Parameters
    ----------
    typed
        The messages of a chat.

    Raises
    ------
    MisuseError
        When something cannot be demonstrated.
    """
    _check(request)
    found = devices.device(request.device)
    if notice := devices.stands_for(request.device, found):
        yield Notice(notice)
    if request.over is not None:
        yield from _over(request.over, request, found.name)
        return
    names = request.link or tuple(links())
    chosen = {name: demonstration(name, found.name) for name in names}
    with Supervisor() as supervisor:
        if request.chat:
            yield from _chat(
                supervisor, _only_one(chosen, request), request.case, typed
            )
        else:
            yield from _all(supervisor, chosen)


def _check(request: DemoRequest) -> None:
    """Refuse options that exclude each other, or need one that is missing."""
    if request.over is not None and (request.chat or request.case):
        message = "--over excludes --chat and --case: leave them out"
        raise MisuseError(message)
    if request.over is None and request.size:
        message = "--size needs --over: give both"
        raise MisuseError(message)
    if request.case is not None and not request.chat:
        message = "--case needs --chat: give both"
        raise MisuseError(message)


# --- The papers' messages -----------------------------------------------------


def _all(
    supervisor: Supervisor, chosen: Mapping[str, Demonstration]
) -> Answer[_Demonstrated]:
    """Run one demonstration after the other, and yield each when it is done."""
    start_s = time.monotonic()
    missing, failed = 0, {}
    for name, one in chosen.items():
        exchanges: list[Exchange] = []
        try:
            for exchange in one.run(supervisor):
                exchanges.append(exchange)
                yield Digest([exchange.record()], [])
                doing = f"{one.title}: {exchange.case}"
                yield Progress(len(exchanges) / one.count, doing)
        except MisuseError as error:
            failed[name] = str(error)
        else:
            missing += sum(not exchange.crossed for exchange in exchanges)
            yield from _shown(name, one, exchanges)
    yield _end(start_s, is_whole=True)
    yield from _failures(missing, failed)


def _failures(missing: int, failed: Mapping[str, str]) -> Iterator[Notice | Refusal]:
    """Yield what went wrong.

    Raises
    ------
    MisuseError
        When a demonstration could not be run.
    """
    if missing:
        yield Refusal(f"messages that did not arrive: {missing}")
    *others, last = [None, *(f"{name}: {text}" for name, text in failed.items())]
    for text in others:
        if text is not None:
            yield Notice(text)
    if last is not None:
        raise MisuseError(last)


def _shown(
    link: str, one: Demonstration, exchanges: Sequence[Exchange]
) -> Iterator[Digest[DemoTable | Reading] | Remark]:
    """Yield what the figures of one link say, and the figures."""
    text, tables = one.reading(exchanges), one.tables(exchanges)
    yield Digest((), [Rule(one.title), Remark(text), Line("")])
    for table in tables:
        yield Digest([_record_of(link, table)], [table, Line("")])
    yield Digest([Reading(link, text)], ())


def _record_of(link: str, table: Table) -> DemoTable:
    fields = table.as_json()
    return DemoTable(link=link, **{**fields, "rows": tuple(fields["rows"])})


def _end(start_s: float, *, is_whole: bool) -> Digest[DemoEnd]:
    seconds = time.monotonic() - start_s
    return Digest([DemoEnd(round(seconds, 3))], [End(seconds, is_whole)])


# --- What a person types ------------------------------------------------------


def _only_one(
    chosen: Mapping[str, Demonstration], request: DemoRequest
) -> Demonstration:
    if request.link and len(chosen) != 1:
        message = "--chat uses one link: give one --link"
        raise MisuseError(message)
    return next(iter(chosen.values()))


def _chat(
    supervisor: Supervisor, one: Demonstration, case: str | None, typed: Iterable[bytes]
) -> Answer[ExchangeRecord]:
    known = {name: name for name in one.cases}
    chosen = find("case", case or one.cases[0], known)
    nodes = one.chat(supervisor, chosen)
    yield Notice(f"two nodes are ready: {one.title}, {chosen}; an empty line stops")
    for message in typed:
        exchange = nodes.send(message)
        yield Digest([exchange.record()], exchange.parts())
        if not exchange.crossed:
            yield Refusal("the message did not arrive")
            return


# --- Files by CoAP or TFTP ----------------------------------------------------


def sizes_of(texts: Sequence[str]) -> list[int]:
    """Return the sizes that were given, as in `1k,10k,100k`.

    Raises
    ------
    MisuseError
        When there is one that a file cannot have.
    """
    return [_size_of(text) for each in texts for text in each.split(",")]


def _size_of(text: str) -> int:
    size = BYTES.whole(text)
    if not 0 < size <= SIZE_MAX:
        message = f"a size is 1 to {SIZE_MAX} bytes, as 500 or 10k: {text!r}"
        raise MisuseError(message)
    return size


def _link_of(names: Sequence[str]) -> str:
    """Return the kind of link that was asked for.

    Raises
    ------
    MisuseError
        When there are several, or it is not known.
    """
    if not names:
        return next(iter(CASES))
    if len(names) > 1:
        message = "--over takes one --link: run it once for each"
        raise MisuseError(message)
    return find("link", names[0], {name: name for name in CASES})


def _over(
    protocol: str, request: DemoRequest, device: str
) -> Answer[DemoTable | DemoEnd]:
    """Run the experiment, and yield its tables."""
    from samara.demo import over, over_tables  # noqa: PLC0415 - not for help texts

    find("protocol", protocol, dict.fromkeys(PROTOCOLS))
    sizes = sizes_of(request.size) or over.SIZES
    link = _link_of(request.link)
    start_s = time.monotonic()
    if reason := over.left_out(protocol):
        yield Notice(reason)
    runs: list[Run] = []
    shares = _shares(protocol, link, sizes)
    yield Progress(0.0, protocol)
    for run in over.run(protocol, sizes, device, link):
        runs.append(run)
        words = f"{run.case.name}: {run.step.verb} of {run.step.size} bytes done"
        yield Progress(shares[len(runs)], words)
        yield Digest((), [Line(words, aside=True)])
    for table in (
        *over_tables.costs(protocol, runs),
        over_tables.protection(_PROTECTED[link]),
    ):
        yield Digest([_record_of(link, table)], [table, Line("")])
    yield _end(start_s, is_whole=False)
    lost = sum(not run.crossed for run in runs)
    if lost:
        yield Refusal(f"{lost} files did not cross")


def _shares(protocol: str, link: str, sizes: Sequence[int]) -> list[float]:
    """Return how far the experiment is after each number of steps."""
    from samara.demo import over  # noqa: PLC0415 - not for help texts

    planned = [
        step.total + _OVERHEAD
        for case in over.cases(protocol, link)
        for step in over.steps(protocol, case, sizes)
    ]
    return [sum(planned[:count]) / sum(planned) for count in range(len(planned) + 1)]
