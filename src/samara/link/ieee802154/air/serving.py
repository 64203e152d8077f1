# SPDX-License-Identifier: Apache-2.0
"""Running a medium: from a request to what passed it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable  # noqa: TC003 - read at run time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

from samara.atomic_files import naming
from samara.errors import MisuseError
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.air.statistics import MediumStatistics  # noqa: TC001 - read at run time
from samara.link.ieee802154.air.steering import MediumMissed, Steering
from samara.link.ieee802154.air.topology import Topology
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.records import (
    Answer,
    Between,
    Digest,
    Notice,
    Parameter,
    Request,
    request_class,
)
from samara.records.usual import Seed
from samara.standard_streams import STANDARD_STREAM, forget_stdout, refuse_screen
from samara.steering import Control, ControlDone, ControlLines, ControlRefused
from samara.units import SECONDS, SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.ieee802154.air.statistics import Statistics

_SHARE = Between(0, 1)
_LINK_TYPES = tuple(map(int, LinkType))


@request_class
class MediumRequest(Request):
    """A medium that is to run."""

    host: Annotated[
        str,
        Parameter(
            metavar="ADDRESS",
            help="IP address to listen on, such as 127.0.0.1 for this machine only.",
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        Parameter(
            help="UDP port to listen on; 0 takes a free one.", values=range(65536)
        ),
    ] = zep.PORT
    airtime: Annotated[
        bool,
        Parameter(
            opposite="no_airtime",
            help="Deliver a frame after its air time (32 µs per byte), one frame at a"
            " time.",
        ),
    ] = True
    delay_s: Annotated[
        float,
        Parameter(
            name="delay",
            help="Additional delay of each frame in seconds.",
            unit=SECONDS,
            values=Between(0, 60),
        ),
    ] = 0.0
    loss: Annotated[
        float,
        Parameter(
            help="Probability that a receiver misses a frame.",
            unit=SHARE,
            values=_SHARE,
        ),
    ] = 0.0
    duplication: Annotated[
        float,
        Parameter(
            help="Probability that a receiver gets a frame twice.",
            unit=SHARE,
            values=_SHARE,
        ),
    ] = 0.0
    loss_of: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="SENDER:RECEIVER=P",
            help="Probability that a receiver misses a frame of one sender"
            " (repeatable). Both are addresses: 4 hex digits (short) or 16 (extended).",
            default_text="--loss",
        ),
    ] = ()
    topology: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="CSV file of directed links, with the columns sender,receiver and, if"
            " wanted, loss; nodes hear nobody else.",
            default_text="all hear all",
        ),
    ] = None
    reorder: Annotated[
        float,
        Parameter(
            help="Probability that a frame arrives after the one that follows it, or"
            " 0.1 s later if none does.",
            unit=SHARE,
            values=_SHARE,
        ),
    ] = 0.0
    csma: Annotated[
        bool,
        Parameter(
            help="Let the nodes contend by unslotted CSMA-CA (macMinBE 3, macMaxBE 5, 4"
            " backoffs of 320 µs periods); the medium does it for them."
        ),
    ] = False
    collisions: Annotated[
        bool,
        Parameter(
            help="Lose frames that overlap at a receiver. Without --csma, nodes send"
            " without sensing the channel."
        ),
    ] = False
    seed: Seed = 0
    pcap: Annotated[
        Path | None,
        Parameter(
            metavar="FILE", help="Write all frames to this pcap file; - is stdout."
        ),
    ] = None
    link_type: Annotated[
        int,
        Parameter(
            metavar="NUMBER",
            help="Link type of the pcap file: 195 with FCS, 230 without FCS, 283 TAP.",
            values=_LINK_TYPES,
        ),
    ] = int(LinkType.WITH_FCS)
    control: Control = False

    @property
    def captures_to_stdout(self) -> bool:
        """Whether frames go to stdout, so that nothing else may."""
        return self.pcap == STANDARD_STREAM

    def conditions(self) -> Conditions:
        """Return what happens to frames."""
        return Conditions(
            paced=self.airtime,
            delay_s=self.delay_s,
            loss=self.loss,
            duplication=self.duplication,
            seed=self.seed,
            reorder=self.reorder,
            csma=self.csma,
            collisions=self.collisions,
        )

    def links(self) -> Topology:
        """Return who hears whom."""
        links = Topology() if self.topology is None else Topology.read(self.topology)
        return links.with_losses(self.loss_of)


def run_medium(
    request: MediumRequest, *, is_over: Callable[[], bool] = lambda: False
) -> Answer[ControlDone | ControlRefused | MediumMissed | MediumStatistics]:
    """Run a medium until told to end; yield what lines of control did, and statistics.

    Parameters
    ----------
    is_over
        Asked several times a second: whether to end.

    Raises
    ------
    MisuseError
        When it cannot run so, or not there.
    """
    _check(request)
    with (
        _sniffer(request.pcap, LinkType(request.link_type)) as sniffer,
        _medium(request, sniffer) as running,
    ):
        yield Notice(
            f"the medium is at {request.host} port {running.port}; press Ctrl-C to stop"
        )
        yield from _turns(request, running, is_over)
    yield _end(running.statistics)


def _check(request: MediumRequest) -> None:
    """Refuse what does not go together."""
    if request.control and request.captures_to_stdout:
        message = "--control excludes --pcap -: both would be on stdout"
        raise MisuseError(message)
    if (request.csma or request.collisions) and not request.airtime:
        message = "--csma and --collisions exclude --no-airtime: frames must take time"
        raise MisuseError(message)


def _turns(
    request: MediumRequest, running: Medium, is_over: Callable[[], bool]
) -> Iterator[ControlDone | ControlRefused | MediumMissed]:
    """Serve the nodes, and do what lines of control ask for."""
    if not request.control:
        running.run(is_over)
        return
    steering = Steering(running)
    lines = ControlLines(steering.actions())
    with contextlib.closing(running.turns(is_over)) as turns:
        for _ in turns:
            yield from lines.attend()
            yield from steering.news()


def _medium(request: MediumRequest, sniffer: Writer | None) -> Medium:
    conditions, links = request.conditions(), request.links()
    host, port = request.host, request.port
    try:
        return Medium(host, port, conditions, sniffer, links)
    except OSError as error:
        message = (
            f"cannot listen on {host} port {port}: {error.strerror}; if another medium "
            "runs there, use it, or choose another --port"
        )
        raise MisuseError(message) from None


@contextlib.contextmanager
def _sniffer(path: Path | None, link_type: LinkType) -> Iterator[Writer | None]:
    if path is None:
        yield None
        return
    refuse_screen(path)
    with contextlib.suppress(BrokenPipeError), _opened(path) as file:
        yield Writer(file, link_type)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    # Written in place, so that it can be read while the medium runs.
    if path == STANDARD_STREAM:
        yield sys.stdout.buffer
        try:
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # The reader of the capture has ended: the rest is for nobody.
            forget_stdout()
        return
    with naming(path), path.open("wb") as file:
        yield file


def _end(statistics: Statistics) -> Digest[MediumStatistics]:
    record = statistics.record()
    return Digest([record], record.tables())
