# SPDX-License-Identifier: Apache-2.0
"""Answers come as lines, the same as commands print; they are bounded and cancelled."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from bench_toys import cipher_folder
from fastapi import FastAPI
from fastapi.testclient import TestClient
from shell import assert_done, samara

from samara.bench.places import root
from samara.console.answers import pool
from samara.console.answers.lines import (
    AnswerNotice,
    AnswerProgress,
    AnswerRemark,
    AnswerTable,
    lines_of,
)
from samara.console.answers.pool import (
    RUNNING_MAX,
    WAITING_MAX,
    Answers,
    BusyError,
    NotAcceptedError,
)
from samara.console.answers.routes import add_answers
from samara.figure import Figure, Origin
from samara.records import (
    Digest,
    Field,
    Notice,
    Progress,
    Record,
    Remark,
    Title,
    Verbatim,
    record_class,
)
from samara.records.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

LIFE = "energy.life.life"
COMMANDS = "samara.cli.shared.questions:commands"
_LONGEST_S = 120
_TURN_S = 60
"""Far more than two answers get in the test that waits for a turn."""


@record_class
class Toy(Record):
    """A toy."""

    name: Annotated[str, Field("Name.", heading="name")]
    time: Annotated[Figure, Field("Time.", heading="time", unit="ms")]


def toys(count: int) -> list[Toy]:
    return [
        Toy(f"toy {at}", Figure(at / 1000, "s", Origin.MEASURED, "a clock"))
        for at in range(count)
    ]


def shown(answer: Sequence[object], **more: bool | int) -> list[Record]:
    options: dict[str, Any] = {"with_records": True, "records_max": 10, **more}
    return list(lines_of(answer, **options))


def test_an_answer_is_records_tables_and_sentences() -> None:
    first, second = toys(2)
    lines = shown(
        [
            Notice("Careful.", warns=True),
            Title("Toys", "All of them."),
            Progress(0.5, "making"),
            first,
            second,
            Remark("That was all."),
            Verbatim("00 01"),
        ]
    )
    assert lines[:4] == [
        AnswerNotice("Careful.", warns=True),
        AnswerProgress(0.5, "making"),
        first,
        second,
    ]
    table = lines[4]
    assert isinstance(table, AnswerTable)
    assert (table.title, table.caption) == ("Toys", "All of them.")
    assert [each.unit for each in table.columns] == ["", "ms"]
    cell = table.lines[1][1]
    assert (cell.value, cell.text, cell.origin) == (1.0, "1.00", Origin.MEASURED)
    assert cell.source == "a clock"
    assert lines[5:] == [
        AnswerRemark("00 01", is_verbatim=True),
        AnswerRemark("That was all.", is_verbatim=False),
    ]


def test_progress_is_reported_in_steps_that_can_be_seen() -> None:
    made = [Progress(at / 100_000, "drawing") for at in range(100_001)]
    lines = shown([*made, Progress(0.0, "counting"), Progress(None, "counting")])
    progress = [each for each in lines if isinstance(each, AnswerProgress)]
    assert 900 < len(progress) <= 1003
    assert progress[0] == AnswerProgress(0.0, "drawing")
    assert progress[-3] == AnswerProgress(1.0, "drawing")
    assert progress[-2:] == [
        AnswerProgress(0.0, "counting"),
        AnswerProgress(None, "counting"),
    ]


def test_of_a_digest_there_are_records_and_parts() -> None:
    digest = Digest(iter(toys(2)), [Remark("Two toys.")])
    lines = shown([digest])
    assert lines == [*toys(2), AnswerRemark("Two toys.", is_verbatim=False)]
    lines = shown([Digest(iter(toys(2)), [Remark("Two toys.")])], with_records=False)
    assert not any(isinstance(each, Toy) for each in lines)


@pytest.mark.parametrize(("most", "tells"), [(5, 0), (4, 0), (3, 1), (1, 1), (0, 1)])
def test_records_are_bounded(most: int, tells: int) -> None:
    lines = shown(toys(4), records_max=most)
    assert sum(isinstance(each, Toy) for each in lines) == min(most, 4)
    (table,) = [each for each in lines if isinstance(each, AnswerTable)]
    assert len(table.lines) == 4, "tables are shown whole"
    notices = [each.text for each in lines if isinstance(each, AnswerNotice)]
    said = f"There are more than {most} records; the rest is left out: ask for fewer."
    assert notices == [said] * tells


def test_no_more_records_of_a_digest_are_made_than_are_sent() -> None:
    made: list[Toy] = []

    def making() -> Iterator[Toy]:
        for toy in toys(100):
            made.append(toy)
            yield toy

    table = table_of(toys(3), "The first three", "")
    lines = shown([Digest(making(), [table])], records_max=7)
    assert isinstance(lines[0], AnswerTable), "it is there before all records are made"
    assert sum(isinstance(each, Toy) for each in lines) == 7
    assert len(made) == 8, "one more tells that there are more"


def run_story(
    story: Callable[[Answers], Awaitable[None]], time_max_s: float = 100.0
) -> None:
    """Run a story; no process is left of it."""

    async def whole() -> None:
        answers = Answers(time_max_s=time_max_s)
        try:
            async with asyncio.timeout(_LONGEST_S):
                await story(answers)
        finally:
            await answers.close()
        assert answers.running == 0

    asyncio.run(whole())


async def all_of(answers: Answers, name: str, **given: Sequence[str]) -> list[Any]:
    lines = answers.lines(name, given, with_records=True)
    return [json.loads(line) async for line in lines]


def records_in(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for each in lines if not each["type"].startswith("answer_")]


@pytest.mark.slow
def test_an_answer_is_what_the_command_prints() -> None:
    async def story(answers: Answers) -> None:
        lines = await all_of(answers, LIFE, interval=["2min"], draws=["50"])
        asked = ("energy", "life", "--interval", "120", "--draws", "50", "--json")
        printed = assert_done(samara(*asked, folder=Path.cwd()))
        assert records_in(lines) == [json.loads(one) for one in printed.splitlines()]
        assert len(records_in(lines)) == 2
        (table,) = [each for each in lines if each["type"] == "answer_table"]
        assert table["title"] == "Life of 2xaa-alkaline, a message every 120 s"
        assert lines[-1] == {"type": "answer_end", "problem": ""}

    run_story(story)


@pytest.mark.slow
def test_own_results_are_shown_as_the_command_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler tells of sources, and of ciphers that were added; one may go."""
    for name in ("core", "devices", "firmware", "published"):
        (tmp_path / name).symlink_to(root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    folder = cipher_folder(tmp_path / "toy")
    selected = ("--device", "atmega328p", "--opt", "Os", "--message", "16")
    asked = ("bench", "add", folder, "--name", "toy", *selected)
    assert_done(samara(*asked, folder=tmp_path))
    given = {"device": ["atmega328p"], "message": ["16"]}

    def printed() -> list[dict[str, Any]]:
        asked = ("bench", "show", *selected, "--json")
        text = assert_done(samara(*asked, folder=tmp_path))
        return [json.loads(line) for line in text.splitlines()]

    def answered() -> list[dict[str, Any]]:
        lines: list[list[Any]] = []

        async def story(answers: Answers) -> None:
            lines.append(await all_of(answers, "bench.show.show", **given))

        run_story(story)
        (found,) = lines
        assert found[-1]["problem"] == ""
        return records_in(found)

    assert [each["current"] for each in printed()] == [True]
    assert answered() == printed()
    (folder / "api.h").write_text("nothing")
    assert printed()[0]["current"] is None
    assert answered() == printed()
    shutil.rmtree(folder)
    assert printed()[0]["current"] is None
    assert answered() == printed()


OWN_PARTS = """
[radio.mine]
title = "My radio"
power = "+4 dBm"
from = "2400 MHz"
to = "2.48 GHz"
bit_rate = "250 kbit/s"
overhead_bytes = 6
turnaround = "192 us"
supply = "3.0 V"
transmit = { typ = "5.0 mA", source = "data sheet, p. 3" }
receive = { typ = "5.0 mA", source = "data sheet, p. 3" }
idle = { typ = "0.5 mA", source = "data sheet, p. 3" }
sleep = { typ = "1.5 uA", source = "data sheet, p. 3" }
start = { typ = "1 ms", source = "data sheet, p. 4" }

[battery.cell]
title = "My cell"
"""


def lines_in(answer: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - of the client
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("place", ["samara-parts", "config/samara/parts"])
def test_own_parts_are_offered_and_counted(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part that is not described in full is told when it is asked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / "a.toml").write_text(OWN_PARTS)
    app, answers = FastAPI(openapi_url=None), Answers(COMMANDS)
    add_answers(app, answers)
    with TestClient(app) as client:
        found = {each["name"]: each for each in client.get("/api/questions").json()}
        offered = {
            each["name"]: each.get("x-names", []) for each in found[LIFE]["parameters"]
        }
        assert {"mine", "at86rf231"} <= set(offered["radio"])
        assert {"cell", "cr2032"} <= set(offered["battery"])
        route = f"/api/answers/{LIFE}?draws=50"
        *_, last = lines_in(client.get(f"{route}&radio=mine"))
        assert last["problem"] == ""
        *_, last = lines_in(client.get(f"{route}&battery=cell"))
        assert "battery cell of" in last["problem"]
        assert "a.toml" in last["problem"]
        assert client.portal is not None
        client.portal.call(answers.close)
    printed = samara(
        "energy", "life", "--radio", "mine", "--draws", "50", folder=tmp_path
    )
    assert b"mine" in assert_done(printed)


@pytest.mark.slow
def test_what_cannot_be_answered_ends_with_a_sentence() -> None:
    async def story(answers: Answers) -> None:
        for given, said in (
            ({"device": ["nonsense"]}, "nonsense"),
            ({"interval": ["0"]}, "--interval must be at least 0.001"),
        ):
            with pytest.raises(NotAcceptedError, match=said):
                await all_of(answers, LIFE, **given)
        # It took a place for a moment only.
        assert (await all_of(answers, LIFE, draws=["50"]))[-1]["problem"] == ""

    run_story(story)


LONG = {"draws": ["1000000"], "compare": ["none", "1", "2", "3", "6"]}


@pytest.mark.slow
def test_a_cancelled_answer_leaves_no_process() -> None:
    async def story(answers: Answers) -> None:
        lines = answers.lines(LIFE, LONG, with_records=True)
        assert json.loads(await anext(lines))["doing"] == "waiting"
        assert json.loads(await anext(lines))["doing"] == "drawing"
        assert answers.running == 1
        await lines.aclose()
        assert (await all_of(answers, LIFE, draws=["50"]))[-1]["problem"] == ""

    run_story(story)


@pytest.mark.slow
def test_a_long_answer_says_how_far_it_is_before_a_part_is_done() -> None:
    """A run of these takes minutes."""
    given = {"hours": ["100000"], "nodes": ["100"], "interval": ["30"], "runs": ["2"]}

    async def story(answers: Answers) -> None:
        asked = "energy.network_simulation.simulate_network"
        lines = answers.lines(asked, given, with_records=True)
        shares: list[float] = []
        while len(shares) < 3:
            line = json.loads(await anext(lines))
            assert line["type"] in {"answer_progress", "answer_notice"}
            shares += [line["share"]] if line.get("share") else []
        assert shares == sorted(set(shares))
        assert shares[-1] < 0.01
        await lines.aclose()

    run_story(story)


@pytest.mark.slow
def test_an_answer_that_takes_too_long_is_ended() -> None:
    async def story(answers: Answers) -> None:
        lines = await all_of(answers, LIFE, **LONG)
        said = "it took more than 0.05 s: ask for less, or run the command"
        assert lines[-1]["problem"] == f"{said} in a terminal"

    run_story(story, time_max_s=0.05)


@pytest.mark.slow
def test_who_does_not_read_holds_no_place_for_longer_than_an_answer_may_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "_UNREAD_S", 0.1)

    async def story(answers: Answers) -> None:
        unread = [
            answers.lines(LIFE, {}, with_records=True)
            for _ in range(RUNNING_MAX + WAITING_MAX)
        ]
        for each in unread:
            await anext(each)
        begun = [await anext(each) for each in unread[:RUNNING_MAX]]
        # Nobody reads on: those that wait have their turn, and others are let in.
        async with asyncio.timeout(_TURN_S):
            await anext(unread[RUNNING_MAX])
        more = answers.lines(LIFE, {}, with_records=True)
        assert json.loads(await anext(more))["doing"] == "waiting"
        # Who reads late gets the rest, as far as it had come.
        read = [begun[0], *[line async for line in unread[0]]]
        assert json.loads(read[-1])["type"] == "answer_end"
        for each in (*unread, more):
            await each.aclose()

    run_story(story, time_max_s=2.0)


def test_not_more_wait_than_may() -> None:
    async def story(answers: Answers) -> None:
        waiting = [
            answers.lines(LIFE, {}, with_records=True)
            for _ in range(RUNNING_MAX + WAITING_MAX)
        ]
        for each in waiting:
            await anext(each)
        one_more = answers.lines(LIFE, {}, with_records=True)
        with pytest.raises(BusyError):
            await anext(one_more)
        await waiting.pop().aclose()
        again = answers.lines(LIFE, {}, with_records=True)
        await anext(again)
        for each in (*waiting, again):
            await each.aclose()

    run_story(story)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app, answers = FastAPI(openapi_url=None), Answers(COMMANDS)
    add_answers(app, answers)
    with TestClient(app) as client:
        yield client
        assert client.portal is not None
        client.portal.call(answers.close)


@pytest.mark.slow
@pytest.mark.xdist_group("answers")
def test_questions_have_their_commands(client: TestClient) -> None:
    found = {each["name"]: each for each in client.get("/api/questions").json()}
    assert found[LIFE]["command"] == "samara energy life"
    assert found[LIFE]["help"].startswith("Compute how long the battery")
    assert "samara energy life" not in found[LIFE]["help"], "examples are in the help"
    assert all(each["command"] for each in found.values())
    paths = client.get("/api/openapi.json").json()["paths"]
    asked = paths[f"/api/answers/{LIFE}"]["get"]
    (interval,) = [each for each in asked["parameters"] if each["name"] == "interval"]
    assert interval["schema"]["minimum"] == 0.001
    assert len(client.get("/api/openapi.json").content) < 500_000


@pytest.mark.slow
@pytest.mark.xdist_group("answers")
def test_routes_stream_answers_and_refuse_the_rest(client: TestClient) -> None:
    answer = client.get(f"/api/answers/{LIFE}?interval=60&draws=50")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert len(records_in(lines)) == 2
    tables = client.get(f"/api/tables/{LIFE}?interval=60&draws=50")
    lines = [json.loads(line) for line in tables.text.splitlines()]
    assert not records_in(lines)
    assert client.get("/api/answers/energy.life.nothing").status_code == 404
    refused = client.get(f"/api/answers/{LIFE}?colour=red")
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "'colour' is not asked here",
    )
    for given, said in (
        ("interval=0", "--interval must be at least 0.001"),
        ("device=nonsense", "nonsense"),
        ("radio=cc2420&wake_interval=1&mac=always-listening", "--wake-interval"),
    ):
        refused = client.get(f"/api/answers/{LIFE}?{given}")
        assert refused.status_code == 409
        assert said in refused.json()["detail"]
    many = "&".join(["compare=none"] * 513)
    assert client.get(f"/api/answers/{LIFE}?{many}").status_code == 409
