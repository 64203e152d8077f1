# SPDX-License-Identifier: Apache-2.0
"""Making projects of firmware, each with the node at the other end of its link."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import samara
from samara.atomic_files import naming
from samara.bench import places
from samara.firmware.ends import make_boards, make_ends
from samara.firmware.library import PUBLIC, needed_files
from samara.firmware.planning import (
    NewRequest,
    Plan,
    check_beside,
    check_place,
    plans_of,
)
from samara.firmware.project import HOST, RECORD, SETTINGS, filled
from samara.firmware.templates import firmware, templates_of
from samara.records import (
    Answer,
    Digest,
    Field,
    Line,
    Notice,
    Record,
    record_class,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# The wheel leaves out each CMakeLists.txt, and Git would obey a .gitignore.
_NAMES = {"gitignore": ".gitignore", "CMakeLists.cmake": "CMakeLists.txt"}


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
        check_beside(*folders)
    for folder in folders:
        check_place(folder)
    plans = plans_of(request)
    with contextlib.ExitStack() as stack:
        temporaries = [stack.enter_context(_appearing(folder)) for folder in folders]
        for temporary, plan in zip(temporaries, plans, strict=True):
            _write(temporary, plan)
        _make_ends(temporaries, plans)
        files = [_files(temporary) for temporary in temporaries]
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


def _record(folder: Path, plan: Plan, files: tuple[str, ...]) -> FirmwareMade:
    return FirmwareMade(
        folder,
        plan.device.name,
        plan.link,
        plan.suite,
        plan.build.name,
        folder / HOST if plan.other is None else None,
        files,
    )


def _line(folder: Path, plan: Plan, files: tuple[str, ...]) -> Line:
    return Line(
        f"{folder}: made, {len(files)} files for {plan.device.title}, "
        f"{plan.suite} over {plan.link}, built by {plan.build.title}"
    )


def _next(folders: list[Path]) -> str:
    words = " --with ".join(map(str, folders))
    return f"next, see it run without hardware: samara firmware run {words}"


def _contents(plan: Plan) -> Iterator[tuple[str, bytes]]:
    """Yield the place and the content of each file without a key."""
    code = dict(_code(plan))
    yield from ((place, text.encode()) for place, text in code.items())
    for name in plan.build.also:
        yield Path(name).name, (firmware() / name).read_bytes()
    yield "LICENSE", (places.root() / "LICENSE").read_bytes()
    yield from _library(plan, code.values())
    yield SETTINGS, _settings(plan).encode()


def _code(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of what is the user's."""
    build, words = plan.build, plan.words()
    for path in plan.family.files(plan.kind, plan.device.name):
        is_code = path.suffix in {".c", ".h"}
        place = f"{build.code}/{path.name}" if is_code else path.name
        yield _named(place), filled(path.read_text(encoding="utf-8"), words)
    for path in templates_of(build):
        place = filled(path.relative_to(build.folder).as_posix(), words)
        yield _named(place), filled(path.read_text(encoding="utf-8"), words)
    for name in plan.kind.code:
        path = firmware() / name
        yield f"{build.code}/{path.name}", path.read_text(encoding="utf-8")


def _named(place: str) -> str:
    """Return the place in a project of a template whose own name others would obey."""
    return _NAMES.get(place, place)


def _library(plan: Plan, code: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    core = places.root() / "core"
    for place in needed_files(plan.suite, core, plan.family.machines, code):
        inner = place.removeprefix(PUBLIC)
        to = plan.build.sources if inner == place else plan.build.headers
        yield f"{to}/{inner}", (core / place).read_bytes()


def _settings(plan: Plan) -> str:
    table = {
        "name": plan.name,
        "device": plan.device.name,
        "link": plan.link,
        "suite": plan.suite,
        "build": plan.build.name,
        "packet_size": plan.packet_size,
        "role": plan.role,
    }
    more = {
        name: value
        for name, value in plan.options.items()
        if name not in ("suite", "packet_size")
    }
    # A string of JSON without control characters is one of TOML.
    lines = [f"{name} = {json.dumps(value)}" for name, value in table.items()]
    head = f"# Made by samara {samara.__version__}; samara firmware reads it."
    lines += ["", "[options]"] if more else []
    lines += [f"{name} = {json.dumps(value)}" for name, value in more.items()]
    return "\n".join([head, *lines, ""])


def _write(temporary: Path, plan: Plan) -> None:
    for place, content in _contents(plan):
        path = temporary / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _make_ends(temporaries: list[Path], plans: list[Plan]) -> None:
    records = [
        temporary / plan.build.code / RECORD
        for temporary, plan in zip(temporaries, plans, strict=True)
    ]
    plan = plans[0]
    if plan.other is None:
        make_ends(temporaries[0] / HOST, records[0], plan.link, plan.options)
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
    try:
        made = tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent)
    except OSError as error:
        # The user gave another name.
        raise OSError(error.errno, error.strerror, str(folder)) from None
    temporary = Path(made)
    try:
        with naming(folder):
            yield temporary
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
