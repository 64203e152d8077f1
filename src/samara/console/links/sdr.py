# SPDX-License-Identifier: Apache-2.0
"""Conversations over software-defined radios, which `samara channel` joins.

GNU Radio runs in the processes of the nodes, of the eavesdropper, and of the commands
that make a forged burst and the comparison without encryption; never in this one.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from samara.console.conversation_records import ConversationNote, Overheard
from samara.console.emulation import ENDS, FORGED, SHARES, Action, AirSetting, Emulation
from samara.console.pictures import burst_heard
from samara.console.programs import Program, ProgramEndedError, started
from samara.link.node import folder as folders
from samara.phy import modulation, steering
from samara.phy.recordings import open_recording

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.console.air_program import AirProgram
    from samara.records.fields import Record

LINK: Final = "sdr"

_RATE: Final = 100e3
"""Sample rate in Hz: a tenth of the default, at which acknowledgements were late."""
_START_S = 30.0
_RECORDED_S = 30.0
_EAVESDROPPER = 2
"""Its number in the channel; those of the nodes are 0 and 1."""
_INVERTED = 0.125
_CONTENT_MAX = 64
"""Bytes of what an eavesdropper has decoded that are shown."""
_CODE_RATE = 0.5
_SAMPLES_PER_SYMBOL = 4
_PAGE = "docs/physical-layer.md"


class SdrEmulation(Emulation):
    """The channel, a radio that listens without the key, and an attacker."""

    air = "channel"
    title = "Software-defined radio, encrypted at the physical layer"
    eavesdropper = (
        "That somebody sends, when, how long and how strongly. Every bit of a burst"
        " behind the preamble is encrypted, header, frame counter and tag included."
    )
    rules: ClassVar[Mapping[str, str]] = {
        "not genuine": "A burst is a frame only if a frame counter in the search window"
        " explains it, and its tag verifies. An old counter is not in the window:"
        f" {_PAGE}.",
    }
    air_settings = (
        AirSetting(
            "ebn0",
            "Eb/N0",
            "Energy of an information bit over the noise density.",
            "dB",
            tuple(float(each) for each in range(-2, 21)),
            10.0,
        ),
        AirSetting(
            "loss", "Loss", "Probability that a burst is lost.", "", SHARES, 0.0
        ),
    )

    def __init__(self, folder: Path, tell: Callable[[Record], None]) -> None:
        super().__init__(folder, tell)
        # Paths of sockets are short, and that of the conversation may be long.
        self._place = Path(tempfile.mkdtemp(prefix="samara-"))
        self._settings: dict[str, Any] = {}
        self._listener: Program | None = None
        self._forged: asyncio.Task[None] | None = None
        self._comparing: asyncio.Task[None] | None = None
        self._showing: set[asyncio.Task[None]] = set()
        self._last: str | None = None
        self._attacks = 0

    @property
    def _address(self) -> str:
        return f"zmq:ipc://{self._place}/air"

    @property
    def node_options(self) -> Mapping[str, Any]:
        """A rate that a busy machine computes, for the channel and three radios."""
        return {"rate": _RATE}

    async def open(self, tell_end: Callable[[Program], None]) -> None:
        """Start the channel and the eavesdropper, and prepare a forged burst."""
        await super().open(tell_end)
        self._listener = await started(
            "eavesdropper", self._eavesdrop(self._address), tell_end, self._overhear
        )
        self._forged = asyncio.create_task(self._forge(tell_end))

    async def start(self, air: AirProgram) -> None:
        """Start the channel for two nodes and a radio that only listens."""
        node = json.loads((self.folder / ENDS[0] / "node.json").read_bytes())
        self._settings = node["settings"]
        arguments = ["channel", "--control", "--radios", "3"]
        arguments += ["--address", self._address.removeprefix("zmq:")]
        arguments += ["--rate", f"{self._settings['rate']:g}"]
        arguments += ["--bits-per-sample", f"{self._bits_per_sample:g}"]
        await air.start(arguments, _START_S)

    @property
    def _bits_per_sample(self) -> float:
        row = modulation.find(self._settings["modulation"])
        mapper = row.mapper()
        # The values of a chip's modulation are its samples.
        each = 1 if row.chip else _SAMPLES_PER_SYMBOL
        samples = mapper.samples_per_symbol * each
        return _CODE_RATE * mapper.bits_per_symbol / samples

    def up_options(self, end: str) -> list[str]:
        """Both ends are at the channel."""
        del end
        return ["--radio", self._address]

    def hear(self, found: dict[str, Any]) -> None:
        """Tell of each burst, with pictures of it."""
        if found.get("type") != "channel_burst" or len(self._showing) > _SHOWN_AT_ONCE:
            return
        sender = ENDS[found["radio"]] if found["radio"] < len(ENDS) else ""
        if self._attacks:
            self._attacks -= 1
            sender = "attacker"
        else:
            self._last = sender
        samples = steering.samples_of(found["scale"], bytes.fromhex(found["data"]))
        showing = asyncio.create_task(self._show(sender, samples))
        self._showing.add(showing)
        showing.add_done_callback(self._showing.discard)

    async def _show(self, sender: str, samples: Any, *, encrypted: bool = True) -> None:  # noqa: ANN401 - NumPy's
        self.tell(
            await asyncio.to_thread(
                burst_heard,
                sender,
                samples,
                self._settings["rate"],
                self._settings["modulation"],
                is_encrypted=encrypted,
            )
        )

    def _eavesdrop(self, radio: str) -> list[str]:
        settings = self._settings
        return [
            *("phy", "eavesdrop", "--json", "--radio", radio),
            *("--number", str(_EAVESDROPPER), "--rate", f"{settings['rate']:g}"),
            *("--modulation", settings["modulation"]),
            *("--frame-size", str(settings["frame_size"])),
        ]

    def _overhear(self, line: bytes) -> None:
        self._tell_overheard(line, "", is_encrypted=True)

    def _tell_overheard(self, line: bytes, sender: str, *, is_encrypted: bool) -> None:
        found = json.loads(line)
        if found.get("type") == "burst":
            content = bytes.fromhex(found["hex"])
            first = content[:_CONTENT_MAX]
            text, size, snr_db = in_letters(first), len(content), found["snr_db"]
            self.tell(Overheard(sender, is_encrypted, first, text, size, snr_db))

    def spoken(self, text: str) -> None:
        """Make the same message without encryption, to compare, one at a time."""
        if self._comparing is None or self._comparing.done():
            self._comparing = asyncio.create_task(self._compare(text.encode()))

    async def _compare(self, message: bytes) -> None:
        size = self._settings["frame_size"]
        folder = Path(tempfile.mkdtemp(dir=self._place))
        (folder / "message").write_bytes(message[:size])
        command = [
            *("phy", "record", str(folder / "plain"), "-i", str(folder / "message")),
            *("--no-encrypt", "--payload", str(size)),
            *("--modulation", self._settings["modulation"]),
            *("--ebn0", f"{self.setting_values['ebn0']:g}"),
            *("--rate", f"{self._settings['rate']:g}"),
        ]
        recorded = await started("comparison", command, _nobody)
        await recorded.ended(_RECORDED_S)
        if recorded.status:
            text = f"The comparison could not be made: {recorded.exit_sentence()}"
            self.tell(ConversationNote(text, "", warns=False))
            return
        recording = await asyncio.to_thread(open_recording, folder / "plain")
        samples = await asyncio.to_thread(recording.samples)
        await self._show("comparison", samples, encrypted=False)
        await self._read_comparison(folder / "plain")
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _read_comparison(self, recording: Path) -> None:
        command = [*self._eavesdrop(f"file:{recording}"), "--count", "1"]
        reading = await started("comparison", command, _nobody, self._overhear_plain)
        await reading.ended(_RECORDED_S)

    def _overhear_plain(self, line: bytes) -> None:
        self._tell_overheard(line, "comparison", is_encrypted=False)

    async def _forge(self, tell_end: Callable[[Program], None]) -> None:
        """Record a burst of a node with the same settings and another key."""
        del tell_end
        node = self._place / "attacker"
        names = ("modulation", "frame_size")
        given = {name: self._settings[name] for name in names}
        await asyncio.to_thread(
            folders.make_pair,
            node,
            LINK,
            given,
            allow_unauthenticated=True,
            witnesses=self._place / "witnesses",
        )
        text, radio = FORGED.decode(), f"file:{self._place / 'forged'}"
        command = ["node", "send", str(node), text, "--radio", radio]
        sending = await started("attacker", command, _nobody)
        await sending.ended(_RECORDED_S)
        if sending.status:
            raise ProgramEndedError(sending.exit_sentence())

    def attacks(self) -> list[Action]:
        """Return what the attacker can do."""
        return [
            Action(
                "replay",
                "air",
                "Replay",
                "An attacker sends the samples of the last burst again.",
                self._replay,
            ),
            Action(
                "flip",
                "air",
                "Flip bits",
                "An attacker sends the last burst with the sign of an eighth of its"
                " samples changed: a single bit would be corrected by the code.",
                self._flip,
            ),
            Action(
                "wrong-key",
                "air",
                "Wrong key",
                "An attacker sends a burst of a radio with the same settings and a key"
                " of its own.",
                self._wrong_key,
            ),
        ]

    async def _replay(self) -> str:
        await self._attack(do="repeat", radio=self._last_radio())
        return "The attacker sent the last burst again."

    async def _flip(self) -> str:
        radio = self._last_radio()
        await self._attack(do="repeat", radio=radio, inverted=_INVERTED)
        return "The attacker sent the last burst with an eighth of it inverted."

    async def _wrong_key(self) -> str:
        if self._forged is None or not self._forged.done():
            message = "the attacker is not ready yet: try again in a moment"
            raise ProgramEndedError(message)
        self._forged.result()
        file = str(self._place / "forged")
        radio = 0 if self._last is None else ENDS.index(self._last)
        await self._attack(do="play", radio=radio, file=file)
        return (
            f"The attacker sent {FORGED.decode()!r}, encrypted with a key of its own."
        )

    async def _attack(self, **line: Any) -> None:  # noqa: ANN401 - as JSON has
        self._attacks += 1
        try:
            await self.running_air().ask(**line)
        except ProgramEndedError:
            self._attacks -= 1
            raise

    def _last_radio(self) -> int:
        if self._last is None:
            message = "nothing was sent yet: send a message first"
            raise ProgramEndedError(message)
        return ENDS.index(self._last)

    async def close(self) -> None:
        """End the channel, the eavesdropper and what is being prepared."""
        tasks = [each for each in (self._forged, self._comparing) if each is not None]
        for each in (*tasks, *self._showing):
            each.cancel()
        await asyncio.gather(*tasks, *self._showing, return_exceptions=True)
        if self._listener is not None:
            await self._listener.end()
        await super().close()
        await asyncio.to_thread(shutil.rmtree, self._place, ignore_errors=True)


def in_letters(content: bytes) -> str:
    r"""Return bytes as text: no letters as codes, and zeros at the end as a number.

    >>> print(in_letters(b"a\n\xff"), "|", in_letters(b"on" + bytes(46)))
    a\x0a\xff | on and 46 zero bytes
    """
    filled = content.rstrip(b"\0")
    text = "".join(
        chr(each) if _FIRST_LETTER <= each <= _LAST_LETTER else f"\\x{each:02x}"
        for each in filled
    )
    zeros = len(content) - len(filled)
    ends = {0: "", 1: " and a zero byte"}.get(zeros, f" and {zeros} zero bytes")
    return f"{text}{ends}".strip() if filled else ends.removeprefix(" and ")


_FIRST_LETTER, _LAST_LETTER = 0x20, 0x7E
_SHOWN_AT_ONCE = 4


def _nobody(_: Program) -> None:
    """Tell nobody that a program has ended which is to end."""


EMULATION = SdrEmulation
