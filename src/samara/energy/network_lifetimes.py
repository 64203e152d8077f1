# SPDX-License-Identifier: Apache-2.0
"""How long networks live over numbers of nodes and intervals, and what security takes.

Lives are ranges, from draws of the tolerances (`samara.energy.network_ranges`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np

from samara.energy import assumptions, catalogue, topology
from samara.energy.load import State, state_of, verdict
from samara.energy.network import Region
from samara.energy.network_ranges import DRAWS, networks
from samara.energy.remarks import network_remarks
from samara.energy.requests import Draws, Interval, NodeRequest, named
from samara.energy.spans import numbers_of
from samara.energy.steps import with_progress
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Progress,
    Record,
    Remark,
    Written,
    record_class,
    request_class,
)
from samara.records.numbers import digits
from samara.records.tables import Cell, Column, Row, Table, label, words
from samara.records.usual import Seed
from samara.units import COUNT, SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from samara.energy.network_ranges import Bands, Networks

    Shapes: TypeAlias = Callable[[int], topology.Topology]

_DAY_S = 86_400.0

Shape: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="topology",
        help="Shape of the network.",
        metavar="NAME",
        names=lambda: topology.SHAPES,
        default_text="tree; chain with a preset of the paper",
    ),
]
Sink: TypeAlias = Annotated[
    str,
    Parameter(
        help="Place of the sink with --topology grid: corner, centre, or COLUMN,ROW "
        "from 0,0.",
        metavar="PLACE",
        names=lambda: (topology.CORNER, topology.CENTRE),
        names_in_words="",
    ),
]
Edges: TypeAlias = Annotated[
    Path | None,
    Parameter(
        help="CSV file with the columns from, to and, if links are poor, delivery, in "
        "place of --topology and --nodes. The sink is called sink.",
        metavar="FILE",
    ),
]
Delivery: TypeAlias = Annotated[
    float,
    Parameter(
        help="Share of the frames, and of the acknowledgements, that arrive over each "
        "link of --topology.",
        metavar="P",
        values=Between(0.01, 1),
    ),
]


@request_class
class OneNetworkRequest(NodeRequest):
    """One network of nodes that send to a sink."""

    shape: Shape = "tree"
    sink: Sink = topology.CORNER
    nodes: Annotated[
        int, Parameter(help="Nodes besides the sink.", values=Between(1, 100_000))
    ] = 30
    edges: Edges = None
    delivery: Delivery = 1.0
    interval_s: Interval = 300.0

    @property
    def topology(self) -> topology.Topology:
        """The network.

        Raises
        ------
        MisuseError
            When there is no such shape or place of the sink, or the file has no
            network.
        """
        if self.edges is not None:
            return topology.read_edges(self.edges)
        made = self.shapes
        assert made is not None  # noqa: S101 - as there is no file
        return made(self.nodes)

    @property
    def shapes(self) -> Shapes | None:
        """What makes networks of this shape; None for the one of a file."""
        if self.edges is not None:
            return None
        link = topology.Link(self.delivery, self.delivery)
        return topology.shaped(self.shape or "tree", self.sink, link)

    @property
    def shape_in_words(self) -> str:
        """What a network of this shape is called."""
        return "network" if self.edges else self.shape or "tree"


def _cases() -> Sequence[str]:
    return assumptions.CASES


@request_class
class NetworkRequest(NodeRequest):
    """How long networks of nodes live that send to a sink."""

    preset: Annotated[
        str,
        Parameter(
            metavar="NAME",
            names=_cases,
            names_in_words="",
            help="honest: as the other options say. paper, which is paper-software, "
            "and paper-hardware: as Altolini et al.; of the other options only "
            "--topology, --sink, --nodes, --interval, --band and -o apply.",
        ),
    ] = "honest"
    shape: Shape = None
    sink: Sink = topology.CORNER
    nodes: Annotated[
        str | None,
        Parameter(
            help="Numbers of nodes.",
            metavar="FIRST[:LAST[:STEP]]",
            default_text="10:60; 10:50 with a preset of the paper",
        ),
    ] = None
    edges: Edges = None
    delivery: Delivery = 1.0
    interval: Annotated[
        str | None,
        Parameter(
            help="Seconds from one message of a node to its next. Without a step, 50 "
            "values.",
            metavar="FIRST[:LAST[:STEP]]",
            default_text="60:3600; 250:3600 with a preset of the paper",
        ),
    ] = None
    band: Annotated[
        str | None,
        Parameter(
            help="Band whose duty cycle counts.",
            metavar="NAME",
            names=named(catalogue.bands),
        ),
    ] = None
    draws: Draws = DRAWS
    seed: Seed = 0


@record_class
class NetworkLife(Record):
    """One network; what does not work has no life."""

    nodes: Annotated[int, Field("Number of nodes besides the sink.")]
    interval_s: Annotated[float, Field("From one message of a node to its next.")]
    life_days: Annotated[
        float | None, Field("The life as data sheets state all quantities.")
    ]
    life_days_10: Annotated[float | None, Field("10 % of draws are below.")]
    life_days_50: Annotated[float | None, Field("50 % of draws are below.")]
    life_days_90: Annotated[float | None, Field("90 % of draws are below.")]
    taken: Annotated[
        float | None, Field("Share of the life that security takes, as stated.")
    ]
    taken_10: Annotated[float | None, Field("10 % of draws are below.")]
    taken_50: Annotated[float | None, Field("50 % of draws are below.")]
    taken_90: Annotated[float | None, Field("90 % of draws are below.")]
    region: Annotated[
        str, Field("Whether it works: `works`, `doubtful`, `illegal`, `saturated`.")
    ]
    fails: Annotated[float, Field("Share of draws that do not work.")]
    bottleneck_share: Annotated[
        float,
        Field(
            "Share of all messages that the node sends whose battery is empty first."
        ),
    ]


def network_lifetimes(request: NetworkRequest) -> Answer[NetworkLife]:
    """Yield how long networks live.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `NodeRequest.scenario`; or there is no such preset, shape or band, or no
        network of this size.
    NotMeasuredError
        When the bench has not measured what secures the frames.
    """
    yield from request.notices()
    yield Progress(None, "networks")
    scenario = request.scenario()
    case = assumptions.case(request.preset, scenario)
    drawn = None
    if request.preset == assumptions.CASES[0]:
        drawn = assumptions.case(
            request.preset, scenario, draws=request.draws, seed=request.seed
        )
    shape, sizes, title = _networks_of(request, case)
    between = request.interval or "{:g}:{:g}".format(*case.intervals_s)
    duty_max = 1.0
    if request.band is not None:
        duty_max = scenario.band(request.band).duty_cycle.value
    found = yield from with_progress(
        networks(
            case,
            drawn,
            shape,
            sizes,
            np.array(numbers_of("--interval", between, SECONDS)),
            duty_max=duty_max,
        ),
        "networks",
    )
    lifetimes = list(_lifetimes(found))
    yield from lifetimes
    yield _corners(found, lifetimes, title)
    yield Remark(_in_words(found, has_draws=drawn is not None))
    yield from _what_does_not_work(found)
    yield from _why_not(found, case, None if request.edges else shape, title, duty_max)
    yield Remark(scenario.in_words() if drawn else f"Node: of {request.preset}.")
    if drawn:
        interval_s = float(found.intervals_s[0])
        yield from network_remarks(scenario, shape(sizes[-1]), interval_s)
    yield Written(lifetimes, found)


def _networks_of(
    request: NetworkRequest, case: assumptions.Case
) -> tuple[Callable[[int], topology.Topology], list[int], str]:
    """Return what makes networks, their numbers of nodes, and what they are called."""
    title = request.shape or case.shape
    link = topology.Link(request.delivery, request.delivery)
    made = topology.shaped(title, request.sink, link)
    sizes = list(case.sizes)
    if request.nodes is not None:
        counts = numbers_of("--nodes", request.nodes, COUNT, whole=True)
        sizes = [int(each) for each in counts]
    if request.edges is not None:
        read = topology.read_edges(request.edges)
        return (lambda _: read), [read.nodes], str(request.edges)
    return made, sizes, title


def _lifetimes(found: Networks) -> Iterator[NetworkLife]:
    for i, size in enumerate(found.sizes):
        for j, interval_s in enumerate(found.intervals_s):
            region = Region(int(found.region[i, j]))
            values = {
                "life_days": found.stated_s[i, j] / _DAY_S,
                **_by_quantile("life_days", found.life_s * (1 / _DAY_S), i, j),
                "taken": found.stated_taken[i, j],
                **_by_quantile("taken", found.taken, i, j),
            }
            works = region <= Region.DOUBTFUL
            yield NetworkLife(
                nodes=size,
                interval_s=float(interval_s),
                **{n: float(value) if works else None for n, value in values.items()},
                region=region.name.lower(),
                fails=float(found.fails[i, j]),
                bottleneck_share=float(found.bottleneck_share[i, j]),
            )


def _by_quantile(name: str, bands: Bands, i: int, j: int) -> dict[str, Any]:
    every = {"10": bands.low, "50": bands.middle, "90": bands.high}
    return {f"{name}_{share}": values[i, j] for share, values in every.items()}


def _corners(found: Networks, lifetimes: Sequence[NetworkLife], title: str) -> Table:
    """Return a table of the fewest and most nodes, and both ends of the interval."""
    wide = len(found.intervals_s)
    ends = (0, len(found.sizes) - 1), (0, wide - 1)
    places = sorted({(i, j) for i in ends[0] for j in ends[1]}, reverse=True)
    columns = [Column("nodes"), Column("interval,\ns")]
    columns += [Column(f"days,\n{q}\xa0%") for q in (10, 50, 90)]
    columns += [Column(f"taken,\n{q}\xa0%") for q in (10, 50, 90)]
    rows = [Row(_cells(lifetimes[i * wide + j])) for i, j in places]
    return Table("networks", f"Networks: {title}", [*columns, label("region")], rows)


def _cells(one: NetworkLife) -> list[Cell]:
    lifetimes = (one.life_days_10, one.life_days_50, one.life_days_90)
    shares = (one.taken_10, one.taken_50, one.taken_90)
    return [
        Cell(one.nodes, str(one.nodes)),
        Cell(one.interval_s, f"{one.interval_s:g}"),
        *(Cell(each, "-" if each is None else digits(each)) for each in lifetimes),
        *(Cell(each, "-" if each is None else _per_cent(each)) for each in shares),
        words(state_of(Region[one.region.upper()])),
    ]


def _per_cent(share: float) -> str:
    return f"{digits(share * 100)}%"


def _in_words(found: Networks, *, has_draws: bool) -> str:
    """Return the answer in one sentence."""
    works = found.region == Region.WORKS
    if not works.any():
        return "No network works below 90 % of saturation."
    days, taken = found.life_s.middle[works] / _DAY_S, found.taken.middle[works] * 100
    answer = (
        f"What works lives {_between(days)} days; security takes {_between(taken)} %"
    )
    if not has_draws:
        return f"{answer}: one value each, since the preset has no tolerances."
    middle = found.life_s.middle[works]
    shorter, longer = (
        found.life_s.low[works] / middle,
        found.life_s.high[works] / middle,
    )
    return (
        f"{answer}: medians of draws from the tolerances of data sheets, of which 10 % "
        f"live less than {_between(shorter)} times, and 10 % more than "
        f"{_between(longer)} times the median."
    )


_REGIONS = {
    Region.DOUBTFUL: "close to saturation; simulate them, or less than 90 % of the "
    "messages arrive",
    Region.ILLEGAL: "longer on the air than the band allows, at least in one of ten "
    "draws",
    Region.SATURATED: "more is sent than the medium or a schedule can carry, or less "
    "than half of the messages arrives, at least in one of ten draws",
}


def _what_does_not_work(found: Networks) -> Iterator[Remark]:
    for region, text in _REGIONS.items():
        count = int((found.region == region).sum())
        if count:
            of_all = f"{count:,} of {found.region.size:,} networks"
            yield Remark(f"{of_all}: {state_of(region)}, {text}.")


def _why_not(
    found: Networks,
    case: assumptions.Case,
    shape: Callable[[int], topology.Topology] | None,
    title: str,
    duty_max: float,
) -> Iterator[Remark]:
    """Yield why the largest network does not work at the shortest interval."""
    if found.region[-1, 0] == Region.WORKS:
        return
    interval_s = float(found.intervals_s[0])
    largest = verdict(
        case.secured,
        found.largest,
        interval_s,
        case.rpl,
        duty_max=duty_max,
        shape=shape,
    )
    if largest.state is State.WORKS:
        return  # only draws of it do not
    nodes = "1 node" if largest.nodes == 1 else f"{largest.nodes:,} nodes"
    sentence = largest.in_words(title)
    yield Remark(f"{nodes}, a message every {interval_s:g} s: {sentence}")


def _between(values: NDArray[np.float64]) -> str:
    low, high = digits(float(values.min())), digits(float(values.max()))
    return low if low == high else f"{low} to {high}"
