# SPDX-License-Identifier: Apache-2.0
"""The emulated air that carries a conversation over one kind of link, and who hears it.

Each kind of link has a module in `samara.console.links`, found by scanning, with its
name ``LINK`` and a class ``EMULATION`` derived from `Emulation`.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from samara.console import links
from samara.console.air_program import AirProgram
from samara.console.conversation_records import ProgramState
from samara.console.programs import ProgramEndedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from samara.console.programs import Program
    from samara.records.fields import Record

ENDS = ("left", "right")
"""The two nodes of a conversation."""

FORGED: Final = b"open the gate"
"""What an attacker would like a node to take."""
LOST: Final = 10
"""How many frames the button loses."""

SHARES: Final = tuple(step / 20 for step in range(20))
"""The values of a slider of a probability."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person can do to the link or to a node."""

    name: str
    """In the address of the route."""
    group: str
    """What it is done to: `left`, `right`, `both`, or `air`."""
    label: str
    """On the button."""
    help: str
    """What it does, in a sentence."""
    run: Callable[[], Awaitable[str]]
    """Does it, and returns a sentence that says what was done."""


@dataclass(frozen=True, slots=True)
class AirSetting:
    """A setting of the air that can be changed while it runs."""

    name: str
    label: str
    help: str
    unit: str
    values: Sequence[float]
    """Those that it can have."""
    initial: float
    restarts: bool = False
    """Whether the nodes have to be started again to know of it."""


class Emulation(ABC):
    """The air of one conversation: the program that emulates it, and an attacker.

    Parameters
    ----------
    folder
        That of the conversation, which has a folder for each end.
    tell
        Called with each record that the page gets.
    """

    air: ClassVar[str]
    """What people call the program that emulates the air."""
    title: ClassVar[str]
    """What the link is, in a sentence."""
    eavesdropper: ClassVar[str]
    """What somebody who hears all and has no key learns."""
    rules: ClassVar[Mapping[str, str]]
    """The rule behind each kind of refusal, with its clause."""
    air_settings: ClassVar[Sequence[AirSetting]]
    """What can be changed while the air runs."""

    def __init__(self, folder: Path, tell: Callable[[Record], None]) -> None:
        self.folder, self.tell = folder, tell
        self.program: AirProgram | None = None
        self.setting_values = {each.name: each.initial for each in self.air_settings}
        """The value of each setting."""

    @property
    def node_options(self) -> Mapping[str, Any]:
        """Options that the nodes are made with, in place of the defaults."""
        return {}

    async def open(self, tell_end: Callable[[Program], None]) -> None:
        """Start what emulates the air, and listen to it.

        Raises
        ------
        samara.console.programs.ProgramEndedError
            When it does not start.
        """
        self.program = AirProgram(self.air, self.hear, tell_end)
        await self.start_air()

    async def start_air(self) -> None:
        """Start the program that emulates the air, at the place where nodes look."""
        await self.start(self.running_air())
        self.tell(ProgramState(self.air, is_running=True, last_words=()))
        for name, value in self.setting_values.items():
            if (
                value
                != next(each for each in self.air_settings if each.name == name).initial
            ):
                await self.change_setting(name, value)

    @abstractmethod
    async def start(self, air: AirProgram) -> None:
        """Start the program."""

    @abstractmethod
    def hear(self, found: dict[str, Any]) -> None:
        """Take what the program has printed of what passes."""

    @abstractmethod
    def up_options(self, end: str) -> list[str]:
        """Return options of `samara node up` for an end, when the air is open."""

    def actions(self) -> list[Action]:
        """Return what an attacker, or bad luck, can do on this air."""
        ask = self.running_air().ask
        return [
            *self.attacks(),
            Action(
                "lose",
                "air",
                "Lose ten",
                f"The next {LOST} transmissions on the air are lost.",
                partial(ask, do="lose", count=LOST),
            ),
            Action(
                "kill-air",
                "air",
                f"Kill the {self.air}",
                f"The process of the {self.air} is killed: nothing is carried.",
                self._kill_air,
            ),
            Action(
                "start-air",
                "air",
                f"Start the {self.air}",
                f"The {self.air} is started again; the nodes find it by themselves.",
                self._start_air,
            ),
        ]

    @abstractmethod
    def attacks(self) -> list[Action]:
        """Return what an attacker can do."""

    async def change_setting(self, name: str, value: float) -> str:
        """Give a setting another value; return a sentence that says what was done."""
        setting = next(each for each in self.air_settings if each.name == name)
        # As the program has it: a baud rate is a whole number.
        wanted = type(setting.initial)(value)
        sentence = await self.running_air().ask(do="set", **{name: wanted})
        self.setting_values[name] = value
        return sentence

    def spoken(self, text: str) -> None:  # noqa: B027 - not all links care
        """Note that a message was handed to a node."""

    async def close(self) -> None:
        """End all of it."""
        if self.program is not None:
            await self.program.end()

    def running_air(self) -> AirProgram:
        """Return the program that emulates the air."""
        if self.program is None:
            message = "the conversation is not open: start it first"
            raise ProgramEndedError(message)
        return self.program

    def check_carries(self) -> AirProgram:
        """Return the program that emulates the air, after checking that it runs.

        Raises
        ------
        ProgramEndedError
            When it does not.
        """
        air = self.running_air()
        if not air.is_running:
            message = f"the {self.air} does not run: start it first"
            raise ProgramEndedError(message)
        return air

    async def _kill_air(self) -> str:
        await self.check_carries().kill()
        return f"The {self.air} was killed. Messages wait, or are reported as lost."

    async def _start_air(self) -> str:
        if not self.running_air().is_running:
            await self.start_air()
        return f"The {self.air} runs."


@cache
def emulations() -> dict[str, type[Emulation]]:
    """Return the class for each kind of link, by the name of the kind."""
    found = {}
    for each in pkgutil.iter_modules(links.__path__):
        module = importlib.import_module(f"{links.__name__}.{each.name}")
        found[module.LINK] = module.EMULATION
    return found
