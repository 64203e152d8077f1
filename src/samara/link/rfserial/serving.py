# SPDX-License-Identifier: Apache-2.0
"""Running two emulated modems: from a request to what they did."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable  # noqa: TC003 - read at run time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.link.rfserial import modules
from samara.link.rfserial.modem import Air, Pair, Side
from samara.link.rfserial.modem_assumptions import ASSUMPTIONS
from samara.link.rfserial.modem_commands import AIR_RATES, Settings
from samara.link.rfserial.modem_ports import Ports
from samara.link.rfserial.modules.emulated.module import module_pair
from samara.link.rfserial.settings import DEFAULT_BAUD, PACKET_SIZES
from samara.link.rfserial.steering import ModemPacket, actions, packet_of
from samara.records import (
    Answer,
    Between,
    Digest,
    Field,
    Line,
    Notice,
    Parameter,
    Record,
    Request,
    record_class,
    request_class,
)
from samara.records.tables import table_of, table_of_rows
from samara.records.usual import Seed
from samara.steering import Control, ControlDone, ControlLines, ControlRefused
from samara.units import BIT_RATE, BYTES, MILLISECONDS, SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.records.tables import Table

_FACTORY = Settings()
_RATES = tuple(AIR_RATES.values())


@request_class
class ModemRequest(Request):
    """Two modems that are to run."""

    module: Annotated[
        str,
        Parameter(
            metavar="NAME|FILE",
            help="Module to emulate: a name of `samara radio modules`, or a file with"
            " its profile.",
            names=modules.names,
        ),
    ] = modules.DEFAULT
    set_up: Annotated[
        bool,
        Parameter(
            help="Hold the pin by which a module takes commands, for `samara radio"
            " setup`."
        ),
    ] = False
    baud: Annotated[
        int | None,
        Parameter(
            help="Baud rate of the serial ports (ATBD).",
            unit=BIT_RATE,
            default_text=f"that of the module; {DEFAULT_BAUD} of srf",
        ),
    ] = None
    packet_size: Annotated[
        int,
        Parameter(
            help="Packet size in bytes (ATPK of srf).",
            unit=BYTES,
            values=Between(PACKET_SIZES[0], PACKET_SIZES[-1]),
        ),
    ] = _FACTORY.packet_size
    timeout_ms: Annotated[
        int,
        Parameter(
            help="Milliseconds that a packet which is not full waits for more bytes"
            " (ATRO of srf).",
            unit=MILLISECONDS,
            values=Between(0, 65_535),
        ),
    ] = _FACTORY.timeout_ms
    air_rate: Annotated[
        int,
        Parameter(
            help="Bit rate on the air in bit/s (ATDR of srf).",
            unit=BIT_RATE,
            values=_RATES,
        ),
    ] = AIR_RATES[1]
    loss: Annotated[
        float,
        Parameter(
            help="Probability that a packet is lost.",
            unit=SHARE,
            values=Between(0, 1),
        ),
    ] = 0.0
    bit_errors: Annotated[
        float,
        Parameter(help="Bit error rate on the air.", unit=SHARE, values=Between(0, 1)),
    ] = 0.0
    crc: Annotated[
        bool,
        Parameter(
            opposite="no_crc",
            help="Drop damaged packets. That real modems do so is an assumption.",
        ),
    ] = True
    seed: Seed = 0
    link_a: Annotated[
        Path | None,
        Parameter(
            metavar="PATH", help="Make a symbolic link to the first port at this path."
        ),
    ] = None
    link_b: Annotated[
        Path | None,
        Parameter(
            metavar="PATH",
            help="Make a symbolic link to the second port at this path.",
        ),
    ] = None
    assumptions: Annotated[
        bool,
        Parameter(help="List the assumptions of the emulation, and exit."),
    ] = False
    control: Control = False

    def settings(self) -> Settings:
        """Return the settings of both modems when they are switched on."""
        numbers = {rate: number for number, rate in AIR_RATES.items()}
        return Settings(
            baud=DEFAULT_BAUD if self.baud is None else self.baud,
            packet_size=self.packet_size,
            timeout_ms=self.timeout_ms,
            air_rate=numbers[self.air_rate],
        )

    def pair(self) -> Pair:
        """Return the modems."""
        air = Air(loss=self.loss, bit_errors=self.bit_errors, checksum=self.crc)
        profile = modules.module(self.module)
        if profile.name == modules.DEFAULT:
            return Pair(self.settings(), air, self.seed)
        if self.baud is not None:
            profile.check_baud(self.baud)
        return module_pair(
            profile, baud=self.baud, air=air, seed=self.seed, is_set_up=self.set_up
        )

    def links(self) -> dict[Side, Path]:
        """Return the symbolic links that are wanted."""
        wanted = {Side.A: self.link_a, Side.B: self.link_b}
        return {side: link for side, link in wanted.items() if link is not None}


@record_class
class AssumptionRecord(Record):
    """Something that the emulation assumes, because the vendor never published it."""

    TYPE: ClassVar[str] = "assumption"

    name: Annotated[str, Field("What it is.", heading="not\xa0published", wraps=True)]
    assumed: Annotated[
        str, Field("What is assumed.", heading="assumed", rank=0, wraps=True)
    ]
    why: Annotated[str, Field("The reason.", heading="reason", rank=0, wraps=True)]


@record_class
class ModemsReady(Record):
    """Two modems that run."""

    TYPE: ClassVar[str] = "modem"

    ports: Annotated[tuple[str, ...], Field("Paths of the two ports.")]
    baud: Annotated[int, Field("Baud rate of the ports.")]
    packet_size: Annotated[int, Field("Of both modems.", unit="byte")]
    timeout_s: Annotated[
        float,
        Field("How long a packet that is not full waits for more bytes.", unit="s"),
    ]
    air_rate: Annotated[float, Field("Bit rate on the air.", unit="bit/s")]
    packet_overhead: Annotated[
        int, Field("What the radio sends around the bytes of a packet.", unit="byte")
    ]


@record_class
class ModemCounts:
    """What one modem did."""

    bytes_in: Annotated[int, Field("From its serial line, commands included.")]
    bytes_out: Annotated[int, Field("To its serial line, answers included.")]
    packets_sent: Annotated[int, Field("Packets that it has sent.")]
    packets_not_full: Annotated[
        int, Field("Of these, those that waited for the time-out.")
    ]
    air_s: Annotated[float, Field("How long it was sending.", unit="s")]
    packets_received: Annotated[int, Field("Packets that it has received.")]
    lost: Annotated[int, Field("Packets to it that were lost on the air.")]
    damaged: Annotated[int, Field("Packets to it with wrong bits.")]
    too_long: Annotated[
        int, Field("Packets to it of more bytes than its own packet size.")
    ]
    not_heard: Annotated[
        int,
        Field(
            "Packets to it that its settings, or command mode, kept it from hearing."
        ),
    ]


@record_class
class ModemCountRow:
    """One line of what people are shown of two modems."""

    name: Annotated[str, Field("What is counted.", heading="count")]
    a: Annotated[float, Field("Of modem a.", heading="modem\xa0a", rank=0, exact=True)]
    b: Annotated[float, Field("Of modem b.", heading="modem\xa0b", rank=0, exact=True)]


@record_class
class ModemStatistics(Record):
    """What two modems did until their end."""

    a: Annotated[ModemCounts, Field("The first modem.")]
    b: Annotated[ModemCounts, Field("The second modem.")]
    overruns: Annotated[
        int, Field("Bytes that a program had not read when there was no more room.")
    ]

    def table(self) -> Table:
        """Return what people are shown."""
        names = ModemCounts.__dataclass_fields__
        rows = [
            ModemCountRow(
                each.replace("_", " "), getattr(self.a, each), getattr(self.b, each)
            )
            for each in names
        ]
        return table_of_rows("modems", rows)


_OfModems = (
    AssumptionRecord
    | ModemsReady
    | ControlDone
    | ControlRefused
    | ModemPacket
    | ModemStatistics
)


def run_modems(
    request: ModemRequest, *, is_over: Callable[[], bool] = lambda: False
) -> Answer[_OfModems]:
    """Run two modems until told to end; yield their ports, what passes, statistics.

    Parameters
    ----------
    is_over
        Asked several times a second: whether to end.

    Raises
    ------
    MisuseError
        When they cannot run so.
    """
    if request.assumptions:
        rows = [
            AssumptionRecord(each.name, each.value, each.reason) for each in ASSUMPTIONS
        ]
        yield Digest(rows, [table_of(rows, "")])
        return
    pair, links = request.pair(), request.links()
    with Ports(pair, links) as ports:
        yield _beginning(pair, ports, links)
        yield Notice("two modems are at these ports; press Ctrl-C to stop")
        yield from _turns(request, pair, ports, is_over)
    yield _end(ports)


def _beginning(
    pair: Pair, ports: Ports, links: dict[Side, Path]
) -> Digest[ModemsReady]:
    settings = pair.settings(Side.A)
    places = tuple(str(links.get(side, ports.paths[side])) for side in Side)
    record = ModemsReady(
        ports=places,
        baud=settings.baud,
        packet_size=settings.packet_size,
        timeout_s=settings.timeout_ms / 1000,
        air_rate=settings.air_bits_per_s,
        packet_overhead=pair.air.packet_overhead,
    )
    return Digest([record], map(Line, places))


def _turns(
    request: ModemRequest, pair: Pair, ports: Ports, is_over: Callable[[], bool]
) -> Iterator[ControlDone | ControlRefused | ModemPacket]:
    """Pass bytes on, and do what lines of control ask for."""
    if not request.control:
        ports.run(is_over)
        return
    passed: deque[ModemPacket] = deque()
    pair.on_passed = lambda packet: passed.append(packet_of(packet))
    lines = ControlLines(actions(pair))
    with contextlib.closing(ports.turns(is_over)) as turns:
        for _ in turns:
            while passed:
                yield passed.popleft()
            yield from lines.attend()


def _end(ports: Ports) -> Digest[ModemStatistics]:
    a, b = (ModemCounts(**each) for each in ports.pair.as_json().values())
    record = ModemStatistics(a, b, ports.overruns)
    return Digest([record], [record.table()])
