# SPDX-License-Identifier: Apache-2.0
"""Making projects of firmware, each with the node at the other end of its link."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import samara
from samara import crypto
from samara.bench import places
from samara.errors import MisuseError
from samara.firmware.ends import make_boards, make_ends, words_of_other_end
from samara.firmware.library import PUBLIC, needed_files
from samara.firmware.project import (
    BAUD,
    HOST,
    RECORD,
    SETTINGS,
    filled,
    words_of,
)
from samara.firmware.templates import (
    RECEIVER,
    SENSOR,
    build_names,
    device_names,
    firmware,
    target,
    templates_of,
)
from samara.link.node.advice import options_of_advice, read_advice
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
from samara.units import SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from samara.bench.devices import Device
    from samara.firmware.templates import Build, Family

_LINK, _SUITE, _DEVICE, _BUILD, _OPT = (
    *("rf-serial", "aes128-ccm-8"),
    *("atmega328p", "make", "Os"),
)
_PACKET_SIZE = 12
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# The wheel leaves out each CMakeLists.txt, and Git would obey a .gitignore.
_NAMES = {"gitignore": ".gitignore", "CMakeLists.cmake": "CMakeLists.txt"}
# Bytes of a unit beside its message: what nodes tell, counter, tag, header and size.
_OVERHEAD = 8 + 4 + 16 + 3


@request_class
class NewRequest(Request):
    """A project that is to be made."""

    CHANGES = "files"

    project: Annotated[
        Path,
        Parameter(
            metavar="DIR",
            help="New directory; its last part is the name of the project.",
            is_argument=True,
        ),
    ]
    advise: Annotated[
        Path | None,
        Parameter(
            metavar="FILE",
            help="Take device, link, suite and optimisation that `samara advise --json`"
            " recommended and that FILE contains. - reads stdin.",
        ),
    ] = None
    device: Annotated[
        str | None,
        Parameter(
            help="Device of the board.", names=device_names, default_text=_DEVICE
        ),
    ] = None
    link: Annotated[
        str | None,
        Parameter(
            metavar="LINK",
            help="Kind of link; projects have rf-serial.",
            default_text=_LINK,
        ),
    ] = None
    suite: Annotated[
        str | None,
        Parameter(
            help="Suite that seals messages; it must authenticate.",
            default_text=_SUITE,
        ),
    ] = None
    build: Annotated[
        str, Parameter(help="What builds the project.", names=build_names)
    ] = _BUILD
    receiver: Annotated[
        Path | None,
        Parameter(
            metavar="DIR",
            help="New directory of a second project: a board that receives, in place of"
            " a node of this machine.",
        ),
    ] = None
    interval_s: Annotated[
        float,
        Parameter(
            name="interval",
            help="Time between two messages, in whole sleeps of half a second.",
            unit=SECONDS,
            values=Between(0.5, 30_000),
        ),
    ] = 1.0


@record_class
class FirmwareMade(Record):
    """A project of firmware that was made."""

    project: Annotated[Path, Field("Its directory.")]
    device: Annotated[str, Field("Device of the board.")]
    link: Annotated[str, Field("Kind of link.")]
    suite: Annotated[str, Field("Suite that seals messages.")]
    build: Annotated[str, Field("What builds it.")]
    node: Annotated[
        Path | None,
        Field("The node at the other end of the link; none where that is a board."),
    ]
    files: Annotated[
        tuple[str, ...], Field("Files that were written, by place in the directory.")
    ]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A project before anything is written."""

    name: str
    device: Device
    family: Family
    build: Build
    link: str
    options: Mapping[str, Any]
    """Options of the link."""
    opt: str
    interval_s: float
    role: str = SENSOR
    other: str | None = None
    """Name of the project of the board at the other end, beside this one."""
    notes: tuple[str, ...] = ()

    @property
    def suite(self) -> str:
        """Slug of the suite."""
        return crypto.suite(str(self.options["suite"])).slug

    @property
    def packet_size(self) -> int:
        """Bytes of a packet of the modem."""
        return int(self.options.get("packet_size", _PACKET_SIZE))

    def words(self) -> dict[str, Any]:
        """Return what stands for the words of templates."""
        # Whole packets, and as much again that the fill of a unit may take.
        packets = -(-(self.family.longest_message + _OVERHEAD) // self.packet_size)
        made = words_of(self.name, self.device, self.family, self.role) | {
            "OPT": self.opt,
            "SUITE": self.suite,
            "LINK": self.link,
            "BUILD": self.build.title,
            "CODE": self.build.code,
            "VERSION": samara.__version__,
            "PACKET_SIZE": self.packet_size,
            "UNIT_SIZE": (packets + 1) * self.packet_size,
            "SLEEPS": max(round(self.interval_s / self.family.sleep_s), 1),
        }
        more = (("FLASH", self.build.flash), *words_of_other_end(self.other))
        return made | {name: filled(text, made) for name, text in more}


def new(request: NewRequest) -> Answer[FirmwareMade]:
    """Make a project and the node at the other end of its link, and yield it.

    Raises
    ------
    MisuseError
        When the directory exists, or no project can be as asked; nothing is left then.
    """
    folders = [request.project]
    if request.receiver is not None:
        folders.append(request.receiver)
        _check_beside(*folders)
    for folder in folders:
        _check_place(folder)
    plans = _plans(request)
    with contextlib.ExitStack() as stack:
        drafts = [stack.enter_context(_appearing(folder)) for folder in folders]
        for draft, plan in zip(drafts, plans, strict=True):
            _write(draft, plan)
        _make_ends(drafts, plans)
        files = [_files(draft) for draft in drafts]
    for folder, plan, written in zip(folders, plans, files, strict=True):
        yield Digest([_record(folder, plan, written)], [_line(folder, plan, written)])
    yield Line(_next(folders))
    for note in plans[0].notes:
        yield Notice(note)
    for folder, plan in zip(folders, plans, strict=True):
        yield Notice(
            f"{folder / plan.build.code / RECORD} contains the key of one board: only"
            " you can read it; never commit it, and give it to no second board",
            warns=True,
        )


def _record(folder: Path, plan: _Plan, files: tuple[str, ...]) -> FirmwareMade:
    return FirmwareMade(
        folder,
        plan.device.name,
        plan.link,
        plan.suite,
        plan.build.name,
        folder / HOST if plan.other is None else None,
        files,
    )


def _line(folder: Path, plan: _Plan, files: tuple[str, ...]) -> Line:
    return Line(
        f"{folder}: made, {len(files)} files for {plan.device.title}, "
        f"{plan.suite} over {plan.link}, built by {plan.build.title}"
    )


def _next(folders: list[Path]) -> str:
    words = " --with ".join(map(str, folders))
    return f"next, see it run without hardware: samara firmware run {words}"


def _check_beside(folder: Path, receiver: Path) -> None:
    if folder.absolute() == receiver.absolute():
        message = f"{folder} was given twice: each board has its own project"
        raise MisuseError(message)
    if folder.absolute().parent != receiver.absolute().parent:
        message = f"{receiver} is not beside {folder}: give a directory that is"
        raise MisuseError(message)


def _check_place(folder: Path) -> None:
    if not _NAME.fullmatch(folder.name):
        message = (
            f"{folder.name!r} is no name of a project: expected a letter, then letters,"
            " digits, - and _"
        )
        raise MisuseError(message)
    if folder.exists() or folder.is_symlink():
        message = f"{folder} exists: give the name of a new directory"
        raise MisuseError(message)
    if not folder.parent.is_dir():
        message = f"there is no directory {folder.parent}"
        raise MisuseError(message)


def _plans(request: NewRequest) -> list[_Plan]:
    """Return what is to be made: a sensor, and the receiver if there is to be one.

    Raises
    ------
    MisuseError
        When there can be no such project.
    """
    plan = _planned(request)
    if request.receiver is None:
        return [plan]
    if RECEIVER not in plan.family.roles:
        message = (
            f"there is no receiver for {plan.device.name}: take --device"
            f" {', '.join(device_names(RECEIVER))}"
        )
        raise MisuseError(message)
    name = request.receiver.name
    other = replace(plan, name=name, role=RECEIVER, other=plan.name, notes=())
    return [replace(plan, other=name), other]


def _planned(request: NewRequest) -> _Plan:
    """Return what is to be made of the project of a sensor.

    Raises
    ------
    MisuseError
        When there can be no such project.
    """
    given = {} if request.suite is None else {"suite": request.suite}
    link, device_name, opt = request.link, request.device, _OPT
    notes: tuple[str, ...] = ()
    if request.advise is not None:
        answer = read_advice(request.advise)
        if device_name is not None:
            message = "--advise sets --device: give the one or the other"
            raise MisuseError(message)
        link, given = options_of_advice(answer, request.advise, link, given)
        device_name, best = str(answer["device"]), answer["recommended"]
        opt, notes = str(best["opt"]), _notes(best)
    device, family = target(device_name or _DEVICE)
    build = family.build(request.build)
    return _Plan(
        request.project.name,
        device,
        family,
        build,
        _checked_link(link or _LINK),
        {"suite": _SUITE, **given},
        opt,
        request.interval_s,
        notes=notes,
    )


def _notes(best: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what of an advice a project does not do."""
    if best["implementation"] == "assembly":
        return ()
    note = (
        f"the advice is for the build {best['implementation']}; the project takes"
        " assembly where the library has it"
    )
    return (note,)


def _checked_link(link: str) -> str:
    if link != _LINK:
        instead = (
            ", or write a program with samara/node_ieee802154.h for the radio of"
            " your board"
        )
        message = (
            f"there is no project for {link}: take --link {_LINK}"
            f"{instead if link == 'ieee802154' else ''}"
        )
        raise MisuseError(message)
    return link


def _contents(plan: _Plan) -> Iterator[tuple[str, bytes]]:
    """Yield the place and the content of each file without a key."""
    code = dict(_code(plan))
    yield from ((place, text.encode()) for place, text in code.items())
    for name in plan.build.also:
        yield Path(name).name, (firmware() / name).read_bytes()
    yield "LICENSE", (places.root() / "LICENSE").read_bytes()
    yield from _library(plan, code.values())
    yield SETTINGS, _settings(plan).encode()


def _code(plan: _Plan) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of what is the user's."""
    build, words = plan.build, plan.words()
    for path in plan.family.files(plan.role):
        is_code = path.suffix in {".c", ".h"}
        place = f"{build.code}/{path.name}" if is_code else path.name
        yield _named(place), filled(path.read_text(encoding="utf-8"), words)
    for path in templates_of(build):
        place = filled(path.relative_to(build.folder).as_posix(), words)
        yield _named(place), filled(path.read_text(encoding="utf-8"), words)
    for name in plan.family.roles[plan.role].code:
        path = firmware() / name
        yield f"{build.code}/{path.name}", path.read_text(encoding="utf-8")


def _named(place: str) -> str:
    """Return the place in a project of a template whose own name others would obey."""
    return _NAMES.get(place, place)


def _library(plan: _Plan, code: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    core = places.root() / "core"
    for place in needed_files(plan.suite, core, plan.family.machines, code):
        inner = place.removeprefix(PUBLIC)
        to = plan.build.sources if inner == place else plan.build.headers
        yield f"{to}/{inner}", (core / place).read_bytes()


def _settings(plan: _Plan) -> str:
    table = {
        "name": plan.name,
        "device": plan.device.name,
        "link": plan.link,
        "suite": plan.suite,
        "build": plan.build.name,
        "packet_size": plan.packet_size,
        "role": plan.role,
    }
    # A string of JSON without control characters is one of TOML.
    lines = [f"{name} = {json.dumps(value)}" for name, value in table.items()]
    head = f"# Made by samara {samara.__version__}; samara firmware reads it."
    return "\n".join([head, *lines, ""])


def _write(draft: Path, plan: _Plan) -> None:
    for place, content in _contents(plan):
        path = draft / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _make_ends(drafts: list[Path], plans: list[_Plan]) -> None:
    records = [
        draft / plan.build.code / RECORD
        for draft, plan in zip(drafts, plans, strict=True)
    ]
    plan = plans[0]
    if plan.other is None:
        options = {"baud": BAUD, **plan.options}
        make_ends(drafts[0] / HOST, records[0], plan.link, options)
    else:
        make_boards(records[0], records[1], plan.link, plan.options)


def _files(folder: Path) -> tuple[str, ...]:
    """Return all files but those of the node, whose directory is named instead."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    places_ = (path.relative_to(folder) for path in paths)
    return tuple(sorted(str(each) for each in places_ if each.parts[0] != HOST))


@contextlib.contextmanager
def _appearing(folder: Path) -> Iterator[Path]:
    """Give a directory to write to, which only its owner enters, and then name it.

    If the block is left by an exception, nothing is left.
    """
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield draft
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
