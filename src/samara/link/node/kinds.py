# SPDX-License-Identifier: Apache-2.0
"""What a node wants of a link, whatever carries it.

A kind of link is a module with an object that fits `Kind`, and a row in
`KINDS`. It makes the two ends of a pair, and opens one end as a `Link`. What is
durable it gets from and gives to the node's state: a transmit counter by
`State.counter`, receive counters with what it received, in `Batch.numbers`; the
node stores them before anything is handed on.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, cast

from samara.crypto.names import Standing
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from samara.link.node.receipt import Direction, Receipt
    from samara.link.node.state import State

Settings = dict[str, Any]
"""What can be written to a JSON file."""

_TEXT_MAX = 4096


class LinkError(MisuseError):
    """What carries the link is not there, or fails."""


class LinkEndedError(LinkError):
    """All that will ever arrive has arrived: a recording is at its end."""


class SettingError(MisuseError):
    """A setting or a key that an end of a link cannot have."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a user of a link has to be warned of."""

    text: str
    authenticates: bool
    """Whether forged messages and replays are refused all the same."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a link, as it is kept in the folder of a node."""

    settings: Settings
    """Names, addresses and ways: nothing secret."""
    keys: Mapping[str, bytes]


class Carrier(NamedTuple):
    """What one payload became."""

    payload_size: int
    encoded: bytes
    """The frame with its check sequence, or the bytes of the line."""


@dataclass(frozen=True, slots=True)
class Transmission:
    """One payload on its way."""

    counter: int
    carrier: Carrier
    time_s: float
    """How long sending took by the clock."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One payload that is genuine and new."""

    payload: bytes
    carrier: Carrier
    lost_before: int = 0
    """Transmissions between the one before and this one, by their counters."""
    delivery_s: float | None = None
    """From sending to arrival by the clock, where both ends have the same."""


@dataclass(slots=True)
class Batch:
    """What arrived since the link was last asked."""

    arrivals: list[Arrival] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Why each was refused that is not genuine, not new, or not for us."""
    notices: list[str] = field(default_factory=list)
    """What happened to the link itself."""
    numbers: dict[str, int] = field(default_factory=dict)
    """What is to be stored before any of it is handed on."""


class Link(Protocol):
    """One end of a running link."""

    @property
    def payload_size(self) -> int:
        """Bytes of the longest payload."""
        ...

    @property
    def answer_time_s(self) -> float:
        """How long an answer takes at most, on a quiet link."""
        ...

    def next_counter(self) -> int:
        """Return the counter of the next transmission."""
        ...

    def send(self, payload: bytes) -> Transmission:
        """Secure a payload, send it, and return when that is done.

        Raises
        ------
        StateError, CounterEndError
            When no counter could be had; nothing was sent.
        LinkError
            When it cannot be sent.
        """
        ...

    def receive(self, timeout_s: float) -> Batch:
        """Wait for something to arrive; return at once when it has.

        Raises
        ------
        LinkEndedError
            When all has.
        LinkError
            When nothing will.
        """
        ...

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that travelled as these.

        Parameters
        ----------
        time_s
            By the clock, how long sending took, or the message from end to end;
            None when that is not known.
        answers
            Bytes of each payload that goes the other way to acknowledge it.
        """
        ...

    def close(self) -> None:
        """Let go of what carries the link."""
        ...


class Kind(Protocol):
    """A kind of link."""

    options: ClassVar[frozenset[str]]
    """What `samara node init` may be told for it."""
    run_options: ClassVar[frozenset[str]]
    """What may be told anew whenever a node runs: where the link is."""

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw keys and addresses for two nodes.

        Raises
        ------
        MisuseError
            When an option has a value that cannot be.
        """
        ...

    def both_ends(self, settings: Settings) -> tuple[End, End]:
        """Draw new keys; return the end with these settings, and the other one.

        Parameters
        ----------
        settings
            Good ones, of either end.
        """
        ...

    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        """Check all settings and keys of an end, however they were read.

        Parameters
        ----------
        keys
            None to check the settings alone.

        Raises
        ------
        MisuseError
            When one cannot be; the text names it, and repeats no key.
        """
        ...

    def doubt(self, settings: Settings) -> Doubt | None:
        """Return what a user of these settings has to be warned of, if anything."""
        ...

    def open(self, end: End, state: State) -> Link:
        """Open one end that was checked.

        Raises
        ------
        LinkError
            When what carries it is not there.
        """
        ...


KINDS: Mapping[str, str] = {
    "ieee802154": "samara.link.ieee802154.kind",
    "rf-serial": "samara.link.rfserial.kind",
    "sdr": "samara.link.sdr.kind",
}
"""The module of each kind; it has the `Kind` under the name ``KIND``."""


def kind(name: str) -> Kind:
    """Return the kind of link of this name.

    Raises
    ------
    MisuseError
        When there is none.
    """
    if name not in KINDS:
        message = f"there is no link {name!r}; there are {', '.join(KINDS)}"
        raise MisuseError(message)
    found: Kind = importlib.import_module(KINDS[name]).KIND
    return found


def spelled(option: str) -> str:
    """Return the name of an option as it is given on a command line."""
    return f"--{option.replace('_', '-')}"


def doubt_of(cipher: str, standing: Standing) -> Doubt | None:
    """Return what is to be warned of where this cipher authenticates messages."""
    if standing is not Standing.RESEARCH:
        return None
    text = f"{cipher} is for research: to be studied, not to be relied on"
    return Doubt(text, authenticates=True)


def check_settings(
    settings: Mapping[str, Any], rules: Mapping[str, Callable[[Any], bool]]
) -> None:
    """Check that there are exactly these settings, each as its rule wants it.

    Raises
    ------
    SettingError
        When one is missing, not known, or has another value.
    """
    for name in sorted({*settings, *rules}):
        if name not in settings:
            message = f"the setting {name!r} is missing"
            raise SettingError(message)
        if name not in rules:
            message = f"there is no setting {name!r}"
            raise SettingError(message)
        if not rules[name](settings[name]):
            message = f"the setting {name!r} cannot be {settings[name]!r:.60}"
            raise SettingError(message)


def check_keys(keys: Mapping[str, bytes] | None, sizes: Mapping[str, int]) -> None:
    """Check that there are exactly these keys, each of its size; None is good.

    Raises
    ------
    SettingError
        When there are others; what is wrong is not repeated.
    """
    if keys is None:
        return
    if {name: len(key) for name, key in keys.items()} != sizes:
        wanted = ", ".join(f"{name!r} of {size} bytes" for name, size in sizes.items())
        message = f"the keys of this node are damaged: expected {wanted or 'none'}"
        raise SettingError(message)


def is_number_in(numbers: range) -> Callable[[Any], bool]:
    """Return a rule: a whole number among these."""
    return lambda value: type(value) is int and value in numbers


def is_real(value: object) -> bool:
    """Tell whether a setting is a finite number."""
    return type(value) in (int, float) and math.isfinite(cast("float", value))


def is_text(value: object) -> bool:
    """Tell whether a setting is a text that programs can pass on."""
    return (
        isinstance(value, str)
        and len(value) <= _TEXT_MAX
        and "\0" not in value
        and not any("\ud800" <= each <= "\udfff" for each in value)
    )


def is_one_of(known: Collection[str]) -> Callable[[Any], bool]:
    """Return a rule: one of these texts."""
    return lambda value: isinstance(value, str) and value in known
