# SPDX-License-Identifier: Apache-2.0
"""What a node needs of a link, whatever carries it.

A kind of link is one folder of `samara.link`; its module kind.py has an object
that fits `Kind`. It declares its options, makes the two ends of a pair, and opens
one end as a `Link`. What must be durable is in the node's state: a transmit
counter comes from `State.counter`; receive counters go with what was received,
in `Batch.numbers`, and the node stores them before it hands anything on.
"""

from __future__ import annotations

import importlib
import pkgutil
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

import samara.link
from samara.crypto.names import Standing, find
from samara.errors import MisuseError
from samara.link.node.link_addresses import LinkAddresses
from samara.link.node.messages import Planned
from samara.link.node.options import check_known

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from samara.link.node.carriers import Carrier
    from samara.link.node.events import Refused
    from samara.link.node.options import Option, Settings
    from samara.link.node.quantities import Number, Value
    from samara.link.node.receipt import Direction, Receipt
    from samara.link.node.simulated_air import AirPlan, SimulatedAir
    from samara.link.node.sniffing import Sniffer
    from samara.link.node.state import State
    from samara.link.node.state_file import Record


CALL_AGAIN_S = 0.2
"""How long a link may be left without a call of `Link.receive`, in seconds."""


class LinkError(MisuseError):
    """What carries the link is not there, or fails."""


class NeighbourError(MisuseError):
    """A neighbour that the link does not have, or a name that is missing."""


class LinkEndedError(LinkError):
    """All that will ever arrive has arrived: a recording is at its end."""


BROADCAST = "*"
"""All neighbours at once, where the name of one is expected."""


def _end_of(ends_s: int | None) -> str:
    """Return until when an invitation is accepted, in words."""
    if ends_s is None:
        return "the invitation does not expire"
    if ends_s <= time.time():
        return "the invitation has expired"
    at = datetime.fromtimestamp(ends_s, tz=UTC).astimezone()
    return f"the invitation expires at {at:%Y-%m-%d %H:%M}"


def other_end(link: str, to: str | None) -> None:
    """Refuse all names on a link of two ends, where the other one has none.

    Raises
    ------
    NeighbourError
        When there is a name.
    """
    if to is not None:
        message = (
            f"a link of {link} joins two nodes, and the other one has no name: leave "
            f"out {'the broadcast' if to == BROADCAST else repr(to)}"
        )
        raise NeighbourError(message)


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning about the security of a link."""

    text: str
    authenticates: bool
    """Whether forged messages and replays are refused all the same."""

    @classmethod
    def unauthenticated(cls, what: str, *, encrypts: bool) -> Self:
        """Return the warning about something that does not authenticate."""
        others = "send forged messages and replay old ones"
        if not encrypts:
            others = "send forged messages, replay old ones and read all messages"
        text = f"{what} does not authenticate: anybody can {others}"
        return cls(text, authenticates=False)


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link, as it is kept in the folder of a node."""

    settings: Settings
    """Names, addresses and ways: nothing secret."""
    keys: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Protection:
    """One way to secure the frames of a link, to be weighed against others."""

    options: Mapping[str, Any]
    """Options of a new node that choose it."""
    standing: Standing
    tag_bytes: int
    """0: it does not authenticate."""
    encrypts: bool
    is_interoperable: bool = False
    """Whether others' software for the standard of the link opens such frames."""


@dataclass(frozen=True, slots=True)
class Transmission:
    """One payload on its way."""

    counter: int
    carrier: Carrier
    time_s: float
    """How long sending took by the clock."""
    asked_for_acknowledgement: bool = False
    """Whether the link of the other end was to acknowledge it."""

    @property
    def is_missed(self) -> bool:
        """Whether it was to be acknowledged by the other end's link, and was not."""
        return self.asked_for_acknowledgement and not self.carrier.acknowledgement


@dataclass(frozen=True, slots=True)
class Arrival:
    """One payload that is genuine and new."""

    payload: bytes
    carrier: Carrier
    source: str | None = None
    """The neighbour that sent it; None on a link of two ends."""
    to_all: bool = False
    """Whether it was sent to all neighbours, under a key that they share: each of them
    can send in the name of another."""
    lost_before: int = 0
    """Transmissions between the one before and this one, by their counters."""
    delivery_s: float | None = None
    """From sending to arrival by the clock, where both ends have the same."""


@dataclass(slots=True)
class Batch:
    """What arrived since the link was last asked."""

    arrivals: list[Arrival] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    """Each that is not genuine, not new, or not for us."""
    notices: list[str] = field(default_factory=list)
    """What happened to the link itself."""
    numbers: dict[Number, int | Value] = field(default_factory=dict)
    """What is to be stored before any of it is handed on."""


class Link(ABC):
    """One end of a running link.

    What has a default is what not every link can do.
    """

    kind: ClassVar[str]
    """The name of the kind of link."""

    @property
    @abstractmethod
    def payload_size(self) -> int:
        """Bytes of the longest payload."""

    @property
    @abstractmethod
    def answer_time_s(self) -> float:
        """How long an answer takes at most, on a quiet link."""

    @abstractmethod
    def fileno(self) -> int:
        """Return a descriptor that is readable when `receive(0)` may return something.

        A loop can wait for it together with others. It calls `receive(0)` when it is
        readable, and besides at least every `CALL_AGAIN_S`: some links notice silence,
        or must tell others that they are there. The descriptor stays the same until
        the link is closed. Whoever asks for it begins to listen.

        Raises
        ------
        LinkError
            When nothing can be received.
        """

    @property
    def ready_s(self) -> float:
        """When a payload can be sent without waiting for those before it.

        By `time.monotonic`; what has passed means now. A loop that does not want to
        wait in `send` waits until then; what is on its way out goes out in the calls
        of `receive`. Default: at any time.
        """
        return 0.0

    def named(self, to: str | None) -> str | None:
        """Return the neighbour that a name stands for; None for the other end.

        Default: as on a link of two ends, which refuses all names.

        Parameters
        ----------
        to
            Name of a neighbour, or BROADCAST. None: the only neighbour.

        Raises
        ------
        NeighbourError
            When there is no such neighbour, or None could be several.
        """
        other_end(self.kind, to)
        return None

    @abstractmethod
    def send(self, payload: bytes, to: str | None = None) -> Transmission:
        """Secure a payload and send it.

        It may still be on its way out on return: see `ready_s` and `flush`.

        Parameters
        ----------
        to
            The neighbour that it is for, or BROADCAST. None: the only neighbour.

        Raises
        ------
        NeighbourError
            When there is no such neighbour.
        StateError, CounterEndError
            When no counter could be had; nothing was sent.
        LinkError
            When it cannot be sent.
        """

    def send_in_turn(
        self, payloads: Sequence[tuple[bytes, str | None]]
    ) -> Iterator[Transmission]:
        """Send payloads in their order, one at each step.

        A link may secure each of them while the one before is on the air: then the next
        one may be on the air already when a step returns, and who gives up in between
        has sent it, too. Default: one after the other.

        Parameters
        ----------
        payloads
            Each with the neighbour that it is for, as `send` takes them.

        Raises
        ------
        NeighbourError, StateError, CounterEndError, LinkError
            At the step of the payload that cannot be sent, as `send`.
        """
        for payload, to in payloads:
            yield self.send(payload, to)

    def flush(self) -> None:
        """Wait until all that was sent is on its way. Default: `send` has waited.

        Raises
        ------
        LinkError
            When it will not be.
        """
        return

    @abstractmethod
    def receive(self, timeout_s: float) -> Batch:
        """Wait for something to arrive; return at once when it has.

        Raises
        ------
        LinkEndedError
            When all has.
        LinkError
            When nothing will.
        """

    def counted(self) -> Mapping[str | None, tuple[Number, Number]]:
        """Return the numbers that count frames, by neighbour.

        The first counts what is sent to the neighbour (`State.counter`), the second
        what it sends (`Batch.numbers`). Receive counters of a link that authenticates,
        and whose senders can leave out counters, need no durable write for each
        message: see `samara.link.node.bounds`. Default: none of them.
        """
        return {}

    @abstractmethod
    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that travelled as these.

        It may be asked long after, and after the link was closed: it depends on
        nothing but what it is given, and on the settings.

        Parameters
        ----------
        time_s
            By the clock, how long sending took, or the message from end to end;
            None when that is not known.
        answers
            Bytes of each payload that goes the other way to acknowledge it.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of what carries the link."""

    # ---- keys that neighbours agree on while they run ----

    def renewal_is_due(self, to: str | None) -> bool:
        """Return whether a key is so far used up that it has to be renewed."""
        del to
        return False

    def renew(self, to: str | None) -> None:
        """Begin to agree on a new key; `receive` goes on with it.

        Raises
        ------
        NeighbourError
            When there is no such neighbour, or no way to do it.
        """
        del to
        message = f"keys of {self.kind} are not changed over the air"
        raise NeighbourError(message)

    def unsettled(self, about: Collection[str] | None = None) -> Sequence[str]:
        """Return what neighbours have not answered about keys yet, in words.

        Parameters
        ----------
        about
            Names of neighbours. Default: all.
        """
        del about
        return ()

    # ---- neighbours that come and go ----

    def reload(self) -> None:
        """Do as the records of neighbours and keys say, which were changed."""
        return

    def introduce(self, first: str, second: str) -> None:
        """Begin to introduce two neighbours to each other; `receive` goes on with it.

        Raises
        ------
        NeighbourError
            When there are no such neighbours, or no way to do it.
        """
        del first, second
        message = f"a link of {self.kind} joins two nodes: there is nobody to introduce"
        raise NeighbourError(message)

    def refused(self, about: Collection[str]) -> Sequence[str]:
        """Return why introductions failed since the link was opened, in words.

        Parameters
        ----------
        about
            Names of both, sorted, with a space in between.
        """
        del about
        return ()


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation that was drawn."""

    text: str
    """One line: a secret."""
    name: str
    """Of the newcomer."""
    change: Change
    """What the node that invites has to store first."""


@dataclass(frozen=True, slots=True)
class NewMember:
    """A node of a network that is made together with its neighbours."""

    end: End
    records: Mapping[str, Record]
    """What it has to store: its neighbours and their keys."""


@dataclass(frozen=True, slots=True)
class Known:
    """The neighbours of a node and its open invitations, without keys."""

    neighbours: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    invitations: Mapping[str, int | None] = field(default_factory=dict)
    """Names of newcomers, with the ends of their invitations in s since 1970."""

    def described(self) -> Iterator[tuple[str, str]]:
        """Yield names and descriptions, for users."""
        for name, fields in self.neighbours.items():
            yield name, ", ".join(f"{each} {value}" for each, value in fields.items())
        for name, ends_s in self.invitations.items():
            yield name, f"invited, has not joined; {_end_of(ends_s)}"


@dataclass(frozen=True, slots=True)
class Joining:
    """What an invitation says."""

    end: End
    id: bytes
    """Of the invitation: what is made from it is made once."""
    records: Mapping[str, Record]
    """What the newcomer has to store."""


@dataclass(frozen=True, slots=True)
class Change:
    """What the state of a node has to store, all or nothing."""

    records: Mapping[str, Record | None] = field(default_factory=dict)
    forgotten: Sequence[Number] = ()
    """Numbers whose keys are gone."""
    notices: Sequence[str] = ()
    """What the user has to know of it, in words."""

    def and_(self, other: Change) -> Change:
        """Return both changes as one."""
        return Change(
            {**self.records, **other.records},
            [*self.forgotten, *other.forgotten],
            [*self.notices, *other.notices],
        )


class Kind(ABC):
    """A kind of link: the object `KIND` in the module kind.py of its folder.

    What has a default is what not every kind of link can do. The module is imported
    whenever a help text is made: it imports no library that takes long to load, such as
    GNU Radio or NumPy, before it needs it.
    """

    name: ClassVar[str]
    """As `samara node init --link` takes it."""
    options: ClassVar[Sequence[Option]]
    """What the commands take for this kind of link."""
    radio: ClassVar[str | None] = None
    """The name of a radio in `samara.energy.catalogue` that is assumed on devices that
    name no other; None when no such radio can send on this link."""
    bit_rate: ClassVar[int | None] = None
    """Bits a second, where the link sets them and so the air times of its receipts;
    None where they are the radio's."""
    macs: ClassVar[Sequence[str]] = ()
    """The medium accesses of `samara.energy.mac` that nodes can have, first the one
    that they are assumed to have, besides those that name this link themselves."""
    unsecured: ClassVar[Mapping[str, Any] | None] = None
    """Options that give frames without security; None when there are none."""
    fragments: ClassVar[bool] = False
    """Whether an IPv6 packet goes out as the fragments of RFC 4944, one a frame, as
    other 6LoWPAN nodes have them. If not, a packet is one message, which nodes cut."""
    lab_options: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Options of the nodes of a lab, unless others are given."""
    wireshark_keys: ClassVar[str | None] = None
    """The table by which Wireshark opens the frames of this link; None when nobody can
    hear whole frames on the air. Otherwise there is a `sniffer`."""
    has_simulated_air: ClassVar[bool] = False
    """Whether a lab can run over this link: there is a `simulated_air`."""
    has_networks: ClassVar[bool] = False
    """Whether nodes can have several neighbours, which they invite, and agree with them
    on new keys. If not, it joins two nodes, and has no function below `new_network`."""

    @abstractmethod
    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw keys and addresses for two nodes.

        Parameters
        ----------
        given
            Values of `options`; for others the default is taken.

        Raises
        ------
        MisuseError
            When an option is not known, or has a value that is not accepted.
        """

    @abstractmethod
    def both_ends(self, settings: Settings) -> tuple[End, End]:
        """Draw new keys; return the end with these settings, and the other one.

        Parameters
        ----------
        settings
            Settings of either end that were checked.
        """

    @abstractmethod
    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        """Check all settings and keys of an end, however they were read.

        Parameters
        ----------
        keys
            None to check the settings alone.

        Raises
        ------
        MisuseError
            When one is not accepted; the text names it, and repeats no key.
        """

    def warning(self, settings: Settings) -> Warned | None:
        """Return what a user of these settings has to be warned of, if anything."""
        del settings
        return None

    @abstractmethod
    def described(self, settings: Settings) -> Mapping[str, str]:
        """Return the settings of an end as `samara node status` shows them."""

    @abstractmethod
    def planned(self, settings: Settings, message: Planned) -> Receipt:
        """Return the receipt of a message that has not been sent.

        It is encoded as nodes with these settings encode it.
        """

    def protections(self) -> Iterator[Protection]:
        """Yield all ways to secure the frames of this link that can be measured."""
        yield from ()

    @abstractmethod
    def open(self, end: End, state: State) -> Link:
        """Open one end that was checked.

        Raises
        ------
        LinkError
            When what carries it is not there.
        """

    # ---- what carries IPv6 ----

    def addresses(
        self, settings: Settings, records: Mapping[str, Record]
    ) -> LinkAddresses:
        """Return the link addresses of a node and its neighbours, as they are now.

        Default: those of a link of two ends, whose setting "end" is 0 or 1.

        Parameters
        ----------
        settings, records
            Of the node.
        """
        del records
        return LinkAddresses.of_end(settings["end"])

    def bytes_a_second(self, settings: Settings) -> float | None:
        """Return how many bytes a slow link takes; None for one that is not slow.

        In front of a slow link, short queues keep answers from arriving too late.
        """
        del settings
        return None

    def simulated_air(self, plan: AirPlan) -> SimulatedAir:
        """Return the air of a lab, which does not run yet."""
        raise NotImplementedError

    def sniffer(self, nodes: Sequence[Path]) -> Sniffer:
        """Return what reads the frames of nodes.

        Parameters
        ----------
        nodes
            Their directories. They may be running.

        Raises
        ------
        MisuseError
            When one is not the directory of a node of this kind.
        """
        raise NotImplementedError

    # ---- networks ----

    def new_mesh(
        self,
        names: Mapping[int, str],
        edges: Sequence[tuple[int, int]],
        given: Mapping[str, Any],
    ) -> Mapping[int, NewMember]:
        """Draw all nodes of a network at once, with a key for each two neighbours.

        Parameters
        ----------
        names
            Of the nodes, by their numbers.
        edges
            Numbers of neighbours, each pair once.
        given
            Values of `options`, as `new_pair` takes them.

        Raises
        ------
        MisuseError
            When there can be no such nodes.
        """
        raise NotImplementedError

    def new_network(self, name: str, given: Mapping[str, Any]) -> End:
        """Draw what the first node of a network has, without neighbours.

        Raises
        ------
        MisuseError
            As `Kind.new_pair`; or the name is not possible.
        """
        raise NotImplementedError

    def new_group(self, settings: Settings) -> Mapping[str, Record]:
        """Draw a key for messages to all; return what the first node has to store.

        Raises
        ------
        MisuseError
            When frames with these settings cannot have one.
        """
        raise NotImplementedError

    def invite(
        self,
        settings: Settings,
        records: Mapping[str, Record],
        name: str | None,
        ends_s: int,
    ) -> Invited:
        """Draw an invitation.

        Parameters
        ----------
        settings, records
            Of the node that invites.
        name
            Of the newcomer. Default: drawn.
        ends_s
            When it expires by the clock of that node, in seconds since 1970.

        Raises
        ------
        MisuseError
            When it cannot be made.
        """
        raise NotImplementedError

    def known(self, records: Mapping[str, Record]) -> Known:
        """Return what users may see of neighbours and invitations."""
        del records
        return Known()

    def withdraw(self, records: Mapping[str, Record], name: str) -> Change:
        """Return the change that removes an invitation that was not used.

        Raises
        ------
        MisuseError
            When there is none of this name.
        """
        raise NotImplementedError

    def join(self, text: str, given: Mapping[str, Any]) -> Joining:
        """Read an invitation.

        Parameters
        ----------
        given
            Where the link is, when that differs for the newcomer.

        Raises
        ------
        MisuseError
            When it is none; the error does not repeat it.
        """
        raise NotImplementedError

    def forget(
        self, settings: Settings, records: Mapping[str, Record], name: str
    ) -> Change:
        """Return the change that removes a neighbour.

        Raises
        ------
        MisuseError
            When there is no such neighbour.
        """
        raise NotImplementedError


def kinds() -> dict[str, Kind]:
    """Return all kinds of link by name.

    Each folder of `samara.link` with a module kind.py is one.
    """
    found = [_kind_in(each) for each in _folders()]
    return {each.name: each for each in found}


def _kind_in(folder: str) -> Kind:
    module = importlib.import_module(f"samara.link.{folder}.kind")
    found: Kind = module.KIND
    return found


def _folders() -> list[str]:
    return _folders_with_a_kind(tuple(samara.link.__path__))


# An answer of `samara advise` asks for a kind more than a thousand times.
@cache
def _folders_with_a_kind(places: tuple[str, ...]) -> list[str]:
    """Return the names of the folders in these places that have a module kind.py."""
    return [
        found.name
        for found in pkgutil.iter_modules(places)
        if found.ispkg
        and any((Path(place) / found.name / "kind.py").is_file() for place in places)
    ]


def kind(name: str) -> Kind:
    """Return the kind of link of this name.

    Raises
    ------
    MisuseError
        When there is none; the text names those that exist.
    """
    # As a rule the folder is named as the kind: the others need not be imported.
    folder = name.replace("-", "")
    if folder in _folders() and (found := _kind_in(folder)).name == name:
        return found
    return find("link", name, kinds())


def run_options(chosen: Kind) -> list[Option]:
    """Return the options that say where a link is: they can differ at each run."""
    return [option for option in chosen.options if option.at_each_run]


def planned_receipt(
    link: str,
    direction: Direction,
    message_bytes: int,
    given: Mapping[str, Any],
    *,
    acknowledged: bool = False,
) -> Receipt:
    """Return the receipt of a message that has not been sent.

    It is made as the receipts of real messages are, from frames as nodes make
    them; only the secrets in them are zeros.

    Parameters
    ----------
    message_bytes
        Size of the message.
    given
        Options of the kind of link that change what a message costs; for others
        the defaults of `samara node init` are taken.
    acknowledged
        Whether the other end is asked for an acknowledgement.

    Raises
    ------
    MisuseError
        When there is no such link, or it takes no such option or value.
    """
    chosen = kind(link)
    known = [option.name for option in chosen.options if option.changes_receipt]
    check_known(link, known, given)
    end, _ = chosen.new_pair(given)
    message = Planned(direction, message_bytes, acknowledged)
    return chosen.planned(end.settings, message)


def warning_of(cipher: str, standing: Standing) -> Warned | None:
    """Return the warning about a cipher that authenticates messages, if any."""
    if standing is not Standing.RESEARCH:
        return None
    text = f"{cipher} is a research cipher: study it, but do not rely on it"
    return Warned(text, authenticates=True)
