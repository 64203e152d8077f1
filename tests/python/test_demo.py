# SPDX-License-Identifier: Apache-2.0
"""The demonstration sends everything, tells everything, and leaves nothing."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from demo_exchanges import PLAIN, SEALED
from shell import PROGRAM, assert_done, assert_misuse, environment, samara

from samara.cli.running import run
from samara.demo import clock, pair, showing
from samara.demo.exchange import Exchange
from samara.demo.ieee802154.demonstration import Ieee802154
from samara.demo.processes import ProgramError
from samara.figure import Figure, Origin
from samara.link.node.receipt import Direction, Receipt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from samara.demo.processes import Supervisor

LIMIT_S = 600
SIZES = [14, 26, 40, 50, 62, 74, 86, 98, 112, 126]
FRAMINGS = ["plain", "cbc-hex", "cbc-hex-padded", "sealed"]
# 127 bytes less 2 of FCS, 9 of header, 5 of security header, and the MIC.
LONGEST = {0: 116, 1: 107, 2: 103, 3: 95, 4: 111, 5: 107, 6: 103, 7: 95}


def processes_in(session_of: Path) -> list[str]:
    """Return the command lines of programs that have to do with a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if str(session_of) in words:
                found.append(words)
    return found


def temporary(folder: Path) -> dict[str, str]:
    """Return an environment whose temporary files are in a folder."""
    return environment() | {"TMPDIR": str(folder)}


def assert_nothing_left(folder: Path) -> None:
    end_s = time.monotonic() + 60
    while processes_in(folder) and time.monotonic() < end_s:
        time.sleep(0.05)
    assert processes_in(folder) == []
    assert list(folder.iterdir()) == []


@pytest.fixture(scope="module")
def shown() -> list[dict[str, Any]]:
    """Return the objects that one run of everything prints as JSON Lines."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = subprocess.run(
            [PROGRAM, "demo", "--json"],
            env=temporary(folder),
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
        assert_done(done)
        assert_nothing_left(folder)
    return [json.loads(line) for line in done.stdout.splitlines()]


def of_the_demo(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test of what `shown` shows: slow, and in the process that has shown it."""
    grouped: Callable[..., None] = pytest.mark.xdist_group("demo")(test)
    marked: Callable[..., None] = pytest.mark.slow(grouped)
    return marked


def exchanges(shown: list[dict[str, Any]], link: str) -> list[dict[str, Any]]:
    return [e for e in shown if e["type"] == "exchange" and e["link"] == link]


def tables_of(shown: list[dict[str, Any]], link: str) -> list[dict[str, Any]]:
    return [e for e in shown if e["type"] == "table" and e["link"] == link]


@of_the_demo
def test_every_message_of_the_serial_paper_crossed(shown: list[dict[str, Any]]) -> None:
    rows = exchanges(shown, "rf-serial")
    cases = [(row["case"], row["message_bytes"]) for row in rows]
    assert cases == [(framing, size) for framing in FRAMINGS for size in SIZES]
    assert all(row["crossed"] for row in rows)


@of_the_demo
def test_every_level_carried_both_payloads(shown: list[dict[str, Any]]) -> None:
    rows = exchanges(shown, "ieee802154")
    cases = [(row["case"], row["message_bytes"]) for row in rows]
    expected = [(f"level {n}", size) for n in LONGEST for size in (95, LONGEST[n])]
    assert cases == expected
    assert all(row["crossed"] for row in rows)
    for row in rows[1::2]:
        assert row["sent"]["link_bytes"] == 127


@of_the_demo
@pytest.mark.parametrize("link", ["rf-serial", "ieee802154"])
def test_both_receipts_account_for_what_was_heard(
    shown: list[dict[str, Any]], link: str
) -> None:
    for row in exchanges(shown, link):
        air = bytes.fromhex(row["air"])
        for end in ("sent", "received"):
            receipt = Receipt.from_json(row[end])
            assert receipt.link_bytes == len(air), row["case"]
            assert receipt.air_bytes == sum(receipt.parts.values())
            assert receipt.message_bytes == row["message_bytes"]
        arrival = Receipt.from_json(row["received"]).figures["delivery_time_by_clock"]
        assert arrival.origin is Origin.EMULATED
        assert f"emulated {'modems' if link == 'rf-serial' else 'medium'}" in (
            arrival.source
        )
        assert arrival.value > 0


@of_the_demo
def test_what_is_encrypted_cannot_be_read(shown: list[dict[str, Any]]) -> None:
    for link, plain in (("rf-serial", {"plain"}), ("ieee802154", set())):
        for row in exchanges(shown, link):
            readable = row["case"] in plain | {
                "level 0",
                "level 1",
                "level 2",
                "level 3",
            }
            text = b"See the quick" if link == "rf-serial" else b"21.5 C, 48"
            assert (text in bytes.fromhex(row["air"])) == readable, row["case"]


@of_the_demo
def test_the_messages_of_the_radio_paper_crossed_without_a_bit_more(
    shown: list[dict[str, Any]],
) -> None:
    rows = exchanges(shown, "sdr")
    assert [row["message_bytes"] for row in rows] == [100, 128, 1024, 10240, 102400]
    for row in rows:
        assert row["crossed"]
        for end in ("sent", "received"):
            receipt = Receipt.from_json(row[end])
            assert receipt.parts["cipher"] == 0
            assert receipt.parts["tag"] == 4 * receipt.packets
            # Two coded bits a bit, and the code's end; packed frame by frame.
            coded = receipt.packets * (2 * (8 * (252 + 4) + 6)) / 8
            assert receipt.link_bytes == coded
            assert len(row["air"]) // 2 == receipt.packets * 514


@of_the_demo
def test_the_eavesdropper_does_no_better_than_a_coin(
    shown: list[dict[str, Any]],
) -> None:
    times, air = tables_of(shown, "sdr")
    assert [row["by"] for row in times["rows"]] == ["paper", "ours"] * 5
    wrong = [row["bits wrong without key [%]"]["value"] for row in air["rows"]]
    assert all(45 < each < 55 for each in wrong[2:])
    assert all(row["bits added by encryption"]["value"] == 0 for row in air["rows"])


@of_the_demo
@pytest.mark.parametrize("link", ["rf-serial", "ieee802154", "sdr"])
def test_every_figure_of_a_table_has_an_origin(
    shown: list[dict[str, Any]], link: str
) -> None:
    tables = tables_of(shown, link)
    assert len(tables) == {"rf-serial": 5, "ieee802154": 4, "sdr": 2}[link]
    origins = set()
    for table in tables:
        for row in table["rows"]:
            for cell in row.values():
                assert cell is None or isinstance(cell, (str, dict))
                if isinstance(cell, dict):
                    assert isinstance(cell["value"], (int, float))
                    assert cell["source"]
                    origins.add(cell["origin"])
    assert {"measured", "published"} <= origins
    (reading,) = (e for e in shown if e["type"] == "reading" and e["link"] == link)
    assert len(reading["text"].split()) > 50


@of_the_demo
def test_the_paper_stands_beside_ours(shown: list[dict[str, Any]]) -> None:
    tables = tables_of(shown, "rf-serial")
    assert [table["slug"] for table in tables] == [
        f"rf-serial-{name}"
        for name in ("size", "time", "throughput", "expansion", "clock")
    ]
    first = tables[0]["rows"][0]
    assert first["cbc-hex, paper [bytes]"]["value"] == 31
    assert first["cbc-hex, ours [bytes]"]["value"] == 32
    costs = tables_of(shown, "ieee802154")[2]["rows"]
    by = [row["by"] for row in costs]
    assert by[:2] == ["paper, engine", "paper, software"]
    receipts = [
        row[end]
        for row in exchanges(shown, "ieee802154")[::2]
        for end in ("sent", "received")
    ]
    costed = [receipt for receipt in receipts if "crypto_cycles" in receipt["figures"]]
    assert by.count("atmega128rfa1") == len(costed) >= 14


@of_the_demo
def test_nothing_beside_a_paper_is_the_clock_of_this_machine(
    shown: list[dict[str, Any]],
) -> None:
    """What a host took is called so, and never makes a level look slow."""
    for link in ("rf-serial", "ieee802154"):
        *tables, by_clock = tables_of(shown, link)
        origins = {
            cell["origin"]
            for table in tables
            for row in table["rows"]
            for cell in row.values()
            if isinstance(cell, dict)
        }
        assert not origins & {"host clock", "emulated"}
        for row in by_clock["rows"]:
            assert row["later, median [ms]"]["origin"] == "emulated"
            assert row["messages"]["value"] >= 10
    levels = tables_of(shown, "ieee802154")[0]["rows"]
    rates = [row["rate [kB/s]"]["value"] for row in levels]
    assert rates[0] == max(rates)
    assert rates[0] > rates[1] > rates[2] > rates[3]
    times, air = tables_of(shown, "sdr")
    ours = [row for row in times["rows"] if row["by"] == "ours"]
    for row in ours:
        assert row["encrypt [ms]"]["origin"] == "host clock"
    for row in (*ours, *air["rows"]):
        assert row["runs"]["value"] == 3
    assert {row["delivery [ms]"]["origin"] for row in air["rows"]} == {"emulated"}


def receipt_after(seconds: float, **figures: Figure) -> Receipt:
    by_clock = Figure(seconds, "s", Origin.EMULATED, "a clock")
    return Receipt(
        link="rf-serial",
        direction=Direction.RECEIVED,
        protection="sealed",
        suite=None,
        parts={"message": 14},
        packets=1,
        payloads=1,
        figures={"delivery_time_by_clock": by_clock, **figures},
    )


def test_delays_are_those_behind_the_rates() -> None:
    by_rates = Figure(0.1, "s", Origin.ASSUMED, "rates")
    received = [receipt_after(s, delivery_time=by_rates) for s in (0.107, 0.101, 0.103)]
    found = [
        Exchange("sealed", b"", b"", b"", receipt, receipt) for receipt in received
    ]
    table = clock.table("slug", "delivery_time", {"sealed": found, "none": []}, "")
    sealed, none = ([cell.value for cell in row.cells] for row in table.rows)
    assert sealed == ["sealed", 3, 3.0, 7.0]
    assert none == ["none", 0, None, None]


def test_several_runs_have_their_median() -> None:
    found = pair.with_medians([receipt_after(s) for s in (0.9, 0.2, 0.3)])
    figure = found.figures["delivery_time_by_clock"]
    assert figure.value == 0.3
    assert figure.source == "a clock, median of 3 runs"
    one = receipt_after(0.9)
    assert pair.with_medians([one]) == one


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "programs"),
    [(signal.SIGINT, 0), (signal.SIGINT, 3), (signal.SIGTERM, 1), (signal.SIGHUP, 2)],
)
def test_an_interrupt_leaves_nothing(
    number: signal.Signals, programs: int, tmp_path: Path
) -> None:
    """It comes while modules are imported, or when so many programs were started."""
    running = subprocess.Popen(
        [PROGRAM, "demo"],
        env=temporary(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    of_it = Path(f"/proc/{running.pid}")
    started: set[str] = set()
    end_s = time.monotonic() + LIMIT_S
    while "samara/_core" not in (of_it / "maps").read_text() or (
        len(started) < programs
    ):
        assert time.monotonic() < end_s
        started |= set((of_it / f"task/{running.pid}/children").read_text().split())
        time.sleep(0.01)
    running.send_signal(number)
    _, said = running.communicate(timeout=LIMIT_S)
    assert running.returncode not in {0, 1}
    assert b"Traceback" not in said
    assert_nothing_left(tmp_path)


class Replay(Ieee802154):
    """Two exchanges that are made up, in place of those of processes."""

    def run(self, _: Supervisor) -> Iterator[Exchange]:
        yield from (PLAIN, SEALED)


def test_a_link_that_fails_does_not_take_the_others_along(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = "there is no air today"

    class Broken(Replay):
        def run(self, _: Supervisor) -> Iterator[Exchange]:
            raise ProgramError(reason)

    device = "atmega128rfa1"
    found = {"broken": Broken(device), "ieee802154": Replay(device)}
    monkeypatch.setattr(showing, "demonstration", lambda name, _: found[name])
    code = run(["demo", "--json", *(f"--link={name}" for name in found)])
    written = capsys.readouterr()
    assert code == 2
    assert f"broken: {reason}." in written.err
    lines = [json.loads(line) for line in written.out.splitlines()]
    assert {each["link"] for each in lines[:-1]} == {"ieee802154"}
    assert lines[-1]["type"] == "demo"


def test_a_person_reads_what_the_figures_say_and_the_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(showing, "demonstration", lambda _name, device: Replay(device))
    assert run(["demo", "--link", "ieee802154"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert Ieee802154.title in shown
    assert "security takes 21 of the 127 bytes" in shown
    assert "7 ENC-MIC-128" in shown
    assert "What to type next" in shown


@pytest.mark.slow
def test_a_chat_from_a_pipe(tmp_path: Path) -> None:
    done = subprocess.run(
        [PROGRAM, "demo", "--chat", "--link", "rf-serial", "--json"],
        input=b"21.5 C\nbattery low\n\nnot sent any more\n",
        env=temporary(tmp_path),
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["message_bytes"] for row in rows] == [6, 11]
    assert all(row["crossed"] for row in rows)
    assert_nothing_left(tmp_path)


@pytest.mark.slow
def test_a_chat_shows_what_can_be_heard_and_what_arrives(tmp_path: Path) -> None:
    options = ("--link", "ieee802154", "--case", "level 2")
    done = samara("demo", "--chat", *options, given=b"21.5 C\n", folder=tmp_path)
    assert done.returncode == 0, done
    text = done.stdout.decode()
    # Level 2 authenticates, and hides nothing.
    assert b"21.5 C".hex() in text.replace("\n", "")
    assert "arrived    21.5 C" in text
    assert "in 1 packet" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--link lora", "unknown link 'lora'"),
        ("--device z80", "unknown device or chip 'z80'"),
        ("--case sealed", "--case needs --chat"),
        ("--chat --link rf-serial --case level-5", "unknown case 'level-5'"),
        ("--chat --link rf-serial --link ieee802154", "one --link"),
    ],
)
def test_misuse_is_one_sentence(line: str, words: str, tmp_path: Path) -> None:
    assert_misuse(samara("demo", *line.split(), folder=tmp_path), words)


@pytest.mark.slow
def test_a_reader_that_leaves_ends_a_chat(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [PROGRAM, "demo", "--chat", "--link", "ieee802154"],
        env=temporary(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout is not None
    running.stdout.close()
    assert running.stdin is not None
    running.stdin.write(b"21.5 C\n" * 2)
    running.stdin.close()
    running.stdin = None
    _, said = running.communicate(timeout=LIMIT_S)
    assert b"Traceback" not in said
    # The signal ends it if something is left in the buffer of stdout.
    assert running.returncode in (1, -signal.SIGPIPE)
    assert_nothing_left(tmp_path)
