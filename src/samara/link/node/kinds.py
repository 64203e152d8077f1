# SPDX-License-Identifier: Apache-2.0
"""What a node needs of a link, whatever carries it.

A kind of link is one folder of `samara.link`; its module kind.py has an object of a
class that derives from `Kind`. It declares its options, makes the two ends of a pair,
and opens one end as a `samara.link.node.link.Link`.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from dataclasses import dataclass
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
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from samara.link.node.device_record import DeviceRecord
    from samara.link.node.end import End
    from samara.link.node.kind_networks import Networks
    from samara.link.node.link import Link
    from samara.link.node.options import Option, Settings
    from samara.link.node.receipt import Direction, Receipt
    from samara.link.node.simulated_air import AirPlan, SimulatedAir
    from samara.link.node.sniffing import Sniffing
    from samara.link.node.state import State
    from samara.link.node.state_file import Record


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


class Kind(ABC):
    """A kind of link: the object `KIND` in the module kind.py of its folder.

    What has a default is what not every kind of link can do: None stands for it. An
    object that lacks a method of its class cannot be made, so that this is found when
    the module is imported. The module is imported
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
    simulated_air: Callable[[AirPlan], SimulatedAir] | None = None
    """Returns the air of a lab, which does not run yet: a method of those kinds that a
    lab can run over."""

    # Properties, because modules of keys and radios are imported only to be used.
    @property
    def sniffing(self) -> Sniffing | None:
        """What hears whole frames on the air, and opens them; None when nobody can."""
        return None

    @property
    def networks(self) -> Networks | None:
        """What makes nodes with several neighbours; None: it joins two nodes.

        They invite each other, and agree with neighbours on new keys.
        """
        return None

    def completed(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return options with what some of them set of others. Default: nothing.

        Raises
        ------
        MisuseError
            When an option names what there is not.
        """
        return given

    def mac_settings(self, given: Mapping[str, Any]) -> Mapping[str, float]:
        """Return what options set of the first of `macs`, beside `Option.of_mac`.

        Default: nothing.
        """
        del given
        return {}

    def radio_of(self, given: Mapping[str, Any]) -> str | None:
        """Return the radio of the energy model that options name. Default: none."""
        del given
        return None

    def options_of(self, radio: str) -> Mapping[str, Any]:
        """Return options that a radio of the energy model stands for. Default: none."""
        del radio
        return {}

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

    def device_record(self, end: End) -> DeviceRecord:
        """Return what a device gets that is this end.

        Raises
        ------
        MisuseError
            When devices cannot be ends of this kind of link, or with these settings.
        """
        del end
        message = (
            f"core/node has no {self.name} link, so that a device cannot be the end of "
            "this pair: make a pair with --link rf-serial or ieee802154"
        )
        raise MisuseError(message)

    def load(self) -> None:  # noqa: B027 - not every kind has something to load
        """Import what `open` needs: processes that are copies of this one share it."""

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


def kinds() -> dict[str, Kind]:
    """Return all kinds of link by name.

    Each folder of `samara.link` with a module kind.py is one.
    """
    return dict(_kinds_in(tuple(_folders())))


# Options of the energy model ask for all kinds a hundred times.
@cache
def _kinds_in(folders: tuple[str, ...]) -> Mapping[str, Kind]:
    found = [_kind_in(each) for each in folders]
    return {each.name: each for each in found}


@cache
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


def links_that_take(names: Iterable[str]) -> list[str]:
    """Return the kinds of link that have all these options."""
    wanted = set(names)
    return [
        link
        for link, each in kinds().items()
        if wanted <= {option.name for option in each.options}
    ]


def link_of_options(names: Collection[str]) -> str | None:
    """Return the only kind of link that has all these options; None without one."""
    found = links_that_take(names) if names else []
    return found[0] if len(found) == 1 else None


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
