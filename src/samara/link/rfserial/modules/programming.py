# SPDX-License-Identifier: Apache-2.0
"""Setting a module up: what its profile says is written, and its answers are checked.

Nothing is written before the user agrees, and nothing more after an answer that is not
as expected.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable  # noqa: TC003 - read at run time
from typing import TYPE_CHECKING, Annotated, ClassVar, Final

from samara.errors import MisuseError
from samara.extras import needed
from samara.link.node.link import LinkError
from samara.link.rfserial import modules
from samara.records import (
    Answer,
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
from samara.records.tables import table_of
from samara.serial_ports import not_opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from samara.link.rfserial.modules.setting_up import SettingUp, Step

ANSWER_S: Final = 2.0
"""For how long an answer is awaited."""
_QUIET_S: Final = 0.3
"""How long after a step whose answer is not awaited the next one follows."""
_ANSWER_MAX: Final = 1024
_DIGITS_MAX: Final = 10


@request_class
class SetUpRequest(Request):
    """A module that is to be set up."""

    CHANGES: ClassVar[str] = "the settings of a module"

    port: Annotated[
        str,
        Parameter(metavar="PORT", help="Serial port of the module.", is_argument=True),
    ]
    module: Annotated[
        str,
        Parameter(
            metavar="NAME|FILE",
            help="Module at the port, as `samara radio modules` names it.",
            names=modules.names,
        ),
    ]
    set: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="NAME=NUMBER",
            help="Setting, such as channel=4 (repeatable). --dry-run lists them.",
            default_text="as the profile has it",
        ),
    ] = ()
    yes: Annotated[
        bool, Parameter(help="Write without asking: the module is prepared.")
    ] = False
    dry_run: Annotated[
        bool, Parameter(help="Show settings and bytes, and write nothing.")
    ] = False


@record_class
class ModuleSetting(Record):
    """A setting of a module that is set up."""

    name: Annotated[
        str, Field("Its name, as --set takes it.", heading="setting", rank=0)
    ]
    value: Annotated[int, Field("Its value.", heading="value", rank=0)]
    default: Annotated[
        int, Field("Its value unless another is given.", heading="default", rank=1)
    ]
    low: Annotated[int, Field("The least.", heading="from", rank=2)]
    high: Annotated[int, Field("The most.", heading="to", rank=2)]
    meaning: Annotated[
        str, Field("What it means.", heading="meaning", wraps=True, rank=0)
    ]


@record_class
class ModuleStep(Record):
    """What is written to a module that is set up, and what it answers."""

    send: Annotated[bytes, Field("What is written.")]
    expected: Annotated[
        bytes, Field("What the answer has to contain; empty: it is not awaited.")
    ]
    answer: Annotated[
        bytes | None, Field("What it answered; null with --dry-run: nothing was sent.")
    ]


def set_up(
    request: SetUpRequest, *, agrees: Callable[[str], bool] = lambda _: False
) -> Answer[ModuleSetting | ModuleStep]:
    """Set a module up; yield its settings, and each step.

    Parameters
    ----------
    agrees
        Asks the user a question, and returns whether the answer is yes.

    Raises
    ------
    MisuseError
        When the module cannot be set up so.
    LinkError
        When it does not answer as expected.
    """
    profile = modules.module(request.module)
    how = profile.setting_up
    if how is None:
        message = (
            f"samara does not know how {profile.name} is set up: its manual does, and "
            "a table [setup] in a profile of your own"
        )
        raise MisuseError(message)
    given = _given(request.set)
    steps = how.with_values(given)
    baud = how.baud or profile.baud
    if not request.dry_run:
        # A port that is not there is told before the user prepares anything.
        _Port(request.port, baud).close()
    settings = list(_settings(how, given))
    if settings:
        yield Digest(settings, [table_of(settings, "")])
    if request.dry_run:
        yield from (_shown(ModuleStep(each.send, each.answer, None)) for each in steps)
        return
    yield Notice(f"first: {how.before}")
    if not request.yes and not agrees(
        f"write {len(steps)} commands to {request.port}?"
    ):
        message = "nothing was written: the answer was not yes"
        raise MisuseError(message)
    with _opened(request.port, baud) as port:
        port.quiet(how.guard_s)
        for number, step in enumerate(steps):
            answer = port.asked(step)
            yield _shown(ModuleStep(step.send, step.answer, answer))
            if number == 0:
                port.quiet(how.guard_s)
    yield Notice(f"the module is set up; now: {how.after}")


def _given(texts: tuple[str, ...]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for text in texts:
        name, mark, value = text.partition("=")
        is_number = value.isascii() and value.isdecimal() and len(value) <= _DIGITS_MAX
        if not mark or not is_number:
            message = f"--set must be as channel=4, not {text!r:.60}"
            raise MisuseError(message)
        if name in found:
            message = f"--set {name} is given twice"
            raise MisuseError(message)
        found[name] = int(value)
    return found


def _settings(how: SettingUp, given: Mapping[str, int]) -> Iterator[ModuleSetting]:
    for name, each in how.settings.items():
        value = given.get(name, each.default)
        yield ModuleSetting(name, value, each.default, each.low, each.high, each.help)


def _shown(step: ModuleStep) -> Digest[ModuleStep]:
    text = f"> {_printable(step.send)}"
    if step.answer is not None:
        text += f"   < {_printable(step.answer) or 'nothing is awaited'}"
    elif step.expected:
        text += f"   expects {_printable(step.expected)}"
    return Digest([step], [Line(text)])


def _printable(data: bytes) -> str:
    r"""Return bytes as text, or as hex digits if they are none.

    >>> _printable(b"AT\r\n"), _printable(bytes.fromhex("c1c1c1"))
    ('AT', 'c1 c1 c1')
    """
    text = data.strip().decode("latin-1")
    is_text = text.isascii() and text.replace("\r", "").replace("\n", "").isprintable()
    return " ".join(text.split()) if is_text else data.hex(" ")


class _Port:
    """A serial port at which a module is set up."""

    def __init__(self, path: str, baud: int) -> None:
        with needed("serial"):
            import serial  # noqa: PLC0415 - late
        self._path = path
        try:
            self._serial = serial.Serial(path, baud, timeout=0.05, exclusive=True)
        except (OSError, ValueError) as error:
            message = (
                f"{not_opened(path, error)}; samara radio list shows those that are "
                "there"
            )
            raise LinkError(message) from None

    def quiet(self, seconds: float) -> None:
        """Write nothing for so long, and drop what comes meanwhile."""
        time.sleep(seconds)
        self._serial.reset_input_buffer()

    def asked(self, step: Step) -> bytes:
        """Write a step, and return the answer.

        Raises
        ------
        LinkError
            When it does not contain what is expected, within `ANSWER_S`.
        """
        try:
            self._serial.write(step.send)
            self._serial.flush()
            answer = self._answer(step.answer)
        except OSError as error:
            message = f"the module at {self._path} is gone: {error}"
            raise LinkError(message) from None
        if step.answer not in answer:
            message = (
                f"to {_printable(step.send)!r} the module at {self._path} answers "
                f"{_printable(answer[:80]) or 'nothing'!r}, and not "
                f"{_printable(step.answer)!r}: is it prepared, at this baud rate? "
                "Nothing more was written"
            )
            raise LinkError(message)
        return answer

    def _answer(self, expected: bytes) -> bytes:
        end_s = time.monotonic() + (ANSWER_S if expected else _QUIET_S)
        answer = bytearray()
        while time.monotonic() < end_s and not (expected and expected in answer):
            answer += self._serial.read(256)
            del answer[:-_ANSWER_MAX]
        return bytes(answer)

    def close(self) -> None:
        """Let others use the port."""
        self._serial.close()


@contextlib.contextmanager
def _opened(path: str, baud: int) -> Iterator[_Port]:
    port = _Port(path, baud)
    try:
        yield port
    finally:
        port.close()
