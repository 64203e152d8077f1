# SPDX-License-Identifier: Apache-2.0
"""What the page can ask is found by scanning, and its values are read and bounded."""

from __future__ import annotations

import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from samara.bench import places
from samara.console.answers import questions, schema
from samara.console.answers.questions import Question
from samara.console.answers.texts import TEXT_MAX, TEXTS_MAX, request_of
from samara.errors import ArgumentError
from samara.records import Between, Parameter, Request, request_class
from samara.units import SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Order(StrEnum):
    """An order."""

    UP = "up"
    DOWN = "down"
    FAR = "far"


@request_class
class ToyRequest(Request):
    """A toy."""

    name: Annotated[str, Parameter(help="Name.", is_argument=True, metavar="NAME")]
    wait_s: Annotated[
        float,
        Parameter(name="wait", help="Wait.", unit=SECONDS, values=Between(0, 600)),
    ] = 1.5
    sizes: Annotated[tuple[int, ...], Parameter(name="size", help="Sizes.")] = (8,)
    order: Annotated[Order, Parameter(help="Order.", terminal_only=(Order.FAR,))] = (
        Order.UP
    )
    is_loud: Annotated[bool, Parameter(name="loud", help="Loud.")] = False
    count: Annotated[int | None, Parameter(help="Count.", values=range(1, 5))] = None
    folder: Annotated[Path | None, Parameter(help="Directory.")] = None
    external: Annotated[
        bool, Parameter(help="Start a program.", terminal_only=(True,))
    ] = False


TOY = Question("toy.toy", lambda _: iter(()), ToyRequest)


def read(**given: str | Sequence[str]) -> ToyRequest:
    texts = {
        name: [value] if isinstance(value, str) else value
        for name, value in {"name": "x", **given}.items()
    }
    found = request_of(TOY, texts)
    assert isinstance(found, ToyRequest)
    return found


def test_texts_are_read_with_their_units() -> None:
    request = read(wait="5min", size=["4k", "16"], order="down", loud="true", count="4")
    assert (request.wait_s, request.sizes) == (300.0, (4000, 16))
    assert (request.order, request.is_loud, request.count) == (Order.DOWN, True, 4)


def test_what_is_not_given_has_its_default() -> None:
    request = read(wait="", size=[])
    assert (request.wait_s, request.sizes, request.count) == (1.5, (8,), None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"wait": "601"}, "--wait must be 0 to 600 seconds"),
        ({"wait": "nan"}, "--wait does not fit"),
        ({"size": "1.5"}, "--size does not fit"),
        ({"size": ["1", ""]}, "--size does not fit"),
        ({"name": "x" * (TEXT_MAX + 1)}, f"must have at most {TEXT_MAX} characters"),
        ({"wait": ["1", "2"]}, "--wait is given too often"),
        ({"size": ["1"] * (TEXTS_MAX + 1)}, "--size is given too often"),
        ({"order": "left"}, "--order must be one of up, down, not 'left'"),
        ({"order": "far"}, "--order must be one of up, down, not 'far'"),
        ({"external": "true"}, "'external' is not asked here"),
        ({"loud": "yes"}, "--loud must be true or false"),
        ({"count": "5"}, "--count must be 1 to 4"),
        ({"name": ""}, "NAME is missing"),
        ({"colour": "red"}, "'colour' is not asked here"),
        ({"folder": "/etc"}, "'folder' is not asked here"),
    ],
)
def test_what_does_not_fit_is_refused(given: Mapping[str, Any], said: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        read(**given)
    assert said in str(refused.value)


def test_as_many_values_as_there_may_be_are_taken() -> None:
    assert len(read(size=["1"] * TEXTS_MAX).sizes) == TEXTS_MAX


def test_parameters_are_described_as_openapi_has_them() -> None:
    found = {each["name"]: each for each in map(schema.parameter, TOY.parameters)}
    assert list(found) == ["name", "wait", "size", "order", "loud", "count"]
    assert found["name"]["required"]
    assert found["wait"]["schema"] == {
        "type": "number",
        "minimum": 0,
        "maximum": 600,
        "default": 1.5,
    }
    assert found["wait"]["x-unit"] == "seconds"
    assert found["size"]["schema"]["items"] == {"type": "integer"}
    assert found["size"]["schema"]["default"] == [8]
    assert found["order"]["schema"] == {
        "type": "string",
        "enum": ["up", "down"],
        "default": "up",
    }
    assert found["count"]["schema"] == {"type": "integer", "minimum": 1, "maximum": 4}


def test_questions_are_those_of_the_rooms() -> None:
    found = questions.questions()
    assert {"energy.life.life", "bench.show.show", "chip.compared.compare_costs"} <= (
        found.keys()
    )
    assert "link.node.status.status" not in found, "it reads any directory"
    for each in found.values():
        names = {one.name for one in each.parameters}
        assert not any(one.type is Path for one in each.parameters), each.name
        assert not names & {"workers", "cluster"}, each.name
        assert each.purpose.endswith("."), each.name


@request_class
class Changing(Request):
    """A request that changes something."""

    CHANGES = "files"


@request_class
class Secret(Request):
    """A request with a secret."""

    key: Annotated[str, Parameter(help="Key.", is_secret=True)] = ""


@request_class
class Reading(Request):
    """A request that needs a file."""

    file: Annotated[Path, Parameter(help="File.", is_argument=True)]


@pytest.mark.parametrize("kind", [Changing, Secret, Reading])
def test_what_changes_reads_files_or_takes_secrets_is_not_asked(
    kind: type[Request],
) -> None:
    assert questions.is_for_the_page(ToyRequest)
    assert not questions.is_for_the_page(kind)


# Each question is asked with its defaults; some would take minutes to end.
_ASKS_ALL = """
from contextlib import suppress
from itertools import islice
from samara.console.answers.questions import questions
from samara.console.answers.read_only import refuse_changes
from samara.errors import MisuseError

if __name__ == "__main__":
    found = questions()
    refuse_changes()
    for name, question in found.items():
        print(name)
        if not any(each.is_required for each in question.parameters):
            with suppress(MisuseError):
                for _ in islice(question.function(question.request()), 5):
                    pass
"""


_IMPORTED = """
import sys
from samara.console.answers.questions import question_of
for name in ("crypto.listing.list_suites", "energy.life.life"):
    assert question_of(name).name == name
    print("samara.energy.life" in sys.modules, "samara.firmware" in sys.modules)
"""


def test_a_question_imports_its_own_module_and_those_that_it_needs() -> None:
    """Those of all questions took half a second of each answer."""
    command = [sys.executable, "-c", _IMPORTED]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["False False", "True False"]


def test_a_question_is_found_by_its_name() -> None:
    found = questions.questions()
    assert {name: questions.question_of(name) for name in found} == found


@pytest.mark.parametrize(
    "name",
    [
        *("", "life", "energy.life", "energy.life.none", "energy.life.LifeRequest"),
        *("cli.main.main", "os.path.join", ".energy.life.life", "energy..life.life"),
    ],
)
def test_of_another_name_there_is_no_question(name: str) -> None:
    with pytest.raises(KeyError):
        questions.question_of(name)


@pytest.mark.slow
def test_questions_change_nothing() -> None:
    done = ran(_ASKS_ALL)
    last_lines = "\n".join(done.stderr.splitlines()[-3:])
    assert done.returncode == 0, f"CHANGES is missing after {done.stdout}: {last_lines}"
    assert set(done.stdout.split()) == questions.questions().keys()


def ran(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    "change",
    [
        "open('new', 'w')",
        "open('new', 'ab')",
        "open(__file__, 'r+')",
        "os.open('new', os.O_RDWR | os.O_CREAT)",
        "os.mkdir('new')",
        "os.remove('old')",
        "os.rename('old', 'new')",
        "os.system('true')",
        "subprocess.run(['true'])",
        "subprocess.run(['cc', '-c', 'old.c'])",
        "subprocess.run(['cc', '-E', '-o', 'new', 'old.c'])",
        "subprocess.run(['true', '-E'])",
        "texts().with_name('other').mkdir()",
        "texts().joinpath('..', '..', 'other').write_text('x')",
        "texts().joinpath('one').rename('/tmp/one')",
        "Path(f'{texts()}2').write_text('x')",
        "socket.create_connection(('127.0.0.1', 9))",
        "GivenSource(f'file:{__file__}')",
        "GivenSource(__file__)",
        "GivenSource('exec:true')",
        "GivenSource('-')",
    ],
)
def test_a_process_that_only_reads_changes_nothing(change: str) -> None:
    program = f"""
import os, socket, subprocess
from pathlib import Path
from samara.bench.places import texts
from samara.console.answers.read_only import ChangeRefusedError, refuse_changes
from samara.randomness.sources import GivenSource
__file__ = os.__file__
refuse_changes()
open(__file__).close()
open(os.devnull, "w").close()
GivenSource("urandom").read(1)
try:
    {change}
except ChangeRefusedError:
    print("refused")
"""
    assert ran(program).stdout == "refused\n"


def test_such_a_process_asks_compilers_and_keeps_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("core", "devices"):
        (tmp_path / name).symlink_to(places.root() / name)
    (tmp_path / "build" / "bench").mkdir(parents=True)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    program = """
from samara import atomic_files
from samara.bench import places, toolchain
from samara.console.answers.read_only import refuse_changes
refuse_changes()
command = ["cc", "-E", "-P", "-x", "c", "-"]
print(toolchain.run(command, given="#define A 5\\nA"))
for folder in places.texts(), places.index():
    with atomic_files.made_by(folder / "one" / "two") as draft:
        draft.write_text("kept")
    print((folder / "one" / "two").read_text())
"""
    done = ran(program)
    assert done.stdout.split() == ["5", "kept", "kept"], done.stderr
