# SPDX-License-Identifier: Apache-2.0
"""Projects of firmware: made, built elsewhere, and run in libsimavr.

What a device sends is judged by the receiver of the project's own node.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
import shell
from firmware_boards import SimulatedBoard, runs_beside_a_node
from links import Running
from platformio_home import environment
from receivers import receiver_of

from samara import crypto
from samara.bench.simulators.avr_programs import avr_program
from samara.errors import MisuseError
from samara.figure import Origin
from samara.firmware import costs, library
from samara.firmware import project as projects
from samara.firmware.costing import CostRequest, FirmwareCost, cost
from samara.firmware.costs import Counts
from samara.firmware.making import FirmwareMade, new
from samara.firmware.planning import NewRequest
from samara.firmware.simulated import simulated
from samara.firmware.templates import families
from samara.link import rfserial
from samara.records import records_of

ROOT = Path(__file__).parents[2]
CLOCK = 16_000_000
RECORD = "record.h"
RUN_S = 3
PARTS = ("active", "eeprom", "idle", "asleep")
BYTES = re.compile(r"0x([0-9a-f]{2})")


def made(folder: Path, **options: object) -> FirmwareMade:
    (record,) = records_of(new(NewRequest(project=folder, **options)))  # type: ignore[arg-type]
    return record


def run_in(folder: Path, *words: str) -> str:
    """Run a program in a directory, and return what it prints."""
    done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def sent_by(image: Path, mcu: str, eeprom: Path, seconds: float = RUN_S) -> bytes:
    """Return what an image sends in so much time of its own."""
    board = SimulatedBoard((avr_program("board"),), mcu, CLOCK)
    return board.run(image, eeprom, seconds).sent


def heard(host: Path, sent: bytes) -> list[tuple[int, bytes]]:
    """Return number and payload of what a node takes of what was sent."""
    events = receiver_of(host).feed(sent)
    assert not any(isinstance(each, rfserial.Repeated) for each in events)
    return [
        (each.number, each.payload)
        for each in events
        if isinstance(each, rfserial.Message) and each.payload.endswith(b"mV")
    ]


def key_of(record: Path) -> bytes:
    """Return the key in a record: 16 bytes and more after the 12 of its head."""
    found = bytes(int(each, 16) for each in BYTES.findall(record.read_text()))
    assert found[:4] == b"smr1"
    return found[12 : 12 + found[4]]


@pytest.fixture
def platformio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have PlatformIO at hand, which is installed beside this Python."""
    for name, value in environment(tmp_path / "platformio").items():
        monkeypatch.setenv(name, value)
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="module")
def sensor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project as a real advice says, made by commands in a pipe."""
    folder = tmp_path_factory.mktemp("advised")
    asked = ("--device", "atmega328p", "--link", "rf-serial", "--layer", "link")
    advice = shell.samara("advise", *asked, "--json", folder=folder)
    done = shell.samara(
        *("firmware", "new", "sensor", "--advise", "-", "--json"),
        given=advice.stdout,
        folder=folder,
    )
    assert done.returncode == 0, done.stderr
    (record,) = map(json.loads, done.stdout.splitlines())
    best = json.loads(advice.stdout.splitlines()[0])["recommended"]
    assert record["suite"] == best["suite"]
    assert record["device"] == "atmega328p"
    written = (folder / "sensor" / "project.mk").read_text()
    assert f"OPT = {best['opt']}\n" in written
    assert all((folder / "sensor" / each).is_file() for each in record["files"])
    return folder / "sensor"


@pytest.mark.slow
def test_its_messages_arrive_after_each_power_cut(sensor: Path, tmp_path: Path) -> None:
    """The project is moved out of the clone, and built by make alone."""
    place = tmp_path / "elsewhere"
    shutil.copytree(sensor, place)
    run_in(place, "make")
    first = sent_by(place / "sensor.elf", "atmega328p", place / "eeprom")
    second = sent_by(place / "sensor.elf", "atmega328p", place / "eeprom")
    messages = heard(place / "host", first + second)
    assert {text for _, text in messages} == {b"3300 mV"}
    numbers = [number for number, _ in messages]
    assert numbers == sorted(set(numbers))
    # One a second at most, and a reset goes on with the next record of 16 numbers.
    assert len(numbers) >= 2 * (RUN_S - 1)
    assert any(number >= 16 for number in numbers)


@pytest.mark.slow
def test_a_device_that_forgets_is_heard(sensor: Path, tmp_path: Path) -> None:
    """The judge: a new EEPROM with the old key repeats nonces."""
    place = tmp_path / "elsewhere"
    shutil.copytree(sensor, place)
    run_in(place, "make")
    runs = [
        sent_by(place / "sensor.elf", "atmega328p", tmp_path / name)
        for name in ("one", "two")
    ]
    with pytest.raises(AssertionError):
        heard(place / "host", b"".join(runs))


def test_the_key_is_in_the_record_alone(sensor: Path) -> None:
    assert stat.S_IMODE(sensor.stat().st_mode) == 0o700
    assert stat.S_IMODE((sensor / "host").stat().st_mode) == 0o700
    key = key_of(sensor / RECORD)
    spellings = (key, key.hex().encode(), key.hex().upper().encode())
    for path in sensor.rglob("*"):
        if path.is_file() and (path.name == RECORD or "host" in path.parts):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        elif path.is_file():
            content = path.read_bytes()
            assert not any(each in content for each in spellings), path
            assert b"@" not in path.name.encode()


def test_git_leaves_the_key_out(sensor: Path, tmp_path: Path) -> None:
    place = tmp_path / "project"
    shutil.copytree(sensor, place)
    for name in ("sensor.elf", "simulated", "src"):
        (place / name).mkdir()
        (place / name / RECORD).touch()
    # Beside the copy that is simulated.
    (place / "simulated.lock").touch()
    run_in(place, "git", "init", "-q")
    run_in(place, "git", "add", ".")
    listed = run_in(place, "git", "ls-files").split()
    assert {"sensor.c", "samara.toml", ".gitignore", "core/node/send.c"} <= set(listed)
    secret = ("host/", "simulated/", "sensor.elf")
    assert not any(RECORD in each or each.startswith(secret) for each in listed)
    assert "simulated.lock" not in listed


@pytest.mark.slow
@pytest.mark.parametrize("build", ["make", "cmake", "arduino", "platformio"])
@pytest.mark.usefixtures("platformio")
def test_each_build_makes_an_image_that_is_heard(build: str, tmp_path: Path) -> None:
    """On the larger chip, with the cipher of other files than the default's."""
    folder = tmp_path / "mega"
    options = {"device": "atmega2560", "suite": "grain128aead", "build": build}
    made(folder, interval_s=0.5, **options)
    image = projects.read(folder).make()
    sent = sent_by(image, "atmega2560", tmp_path / "eeprom")
    assert len(heard(folder / "host", sent)) >= RUN_S


@pytest.mark.slow
@pytest.mark.parametrize("opt", ["Os", "O2"])
@pytest.mark.usefixtures("platformio")
def test_platformio_links_an_aes_in_assembly(opt: str, tmp_path: Path) -> None:
    """Link-time optimisation does not take tables that assembly names alone."""
    folder = tmp_path / "sensor"
    made(folder, build="platformio", interval_s=0.5)
    settings = folder / "platformio.ini"
    settings.write_text(settings.read_text().replace("-Os ", f"-{opt} "))
    sent = sent_by(projects.read(folder).make(), "atmega328p", tmp_path / "eeprom")
    assert len(heard(folder / "host", sent)) >= RUN_S


def test_platformio_gets_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "sensor"
    files = made(folder, build="platformio").files
    assert {"platformio.ini", "src/sensor.c", "src/record.h"} <= set(files)
    assert "lib/samara/include/samara/node.h" in files
    assert "lib/samara/src/node/send.c" in files
    described = json.loads((folder / "lib" / "samara" / "library.json").read_text())
    assert re.fullmatch(r"\d+\.\d+\.\d+", described["version"])
    settings = (folder / "platformio.ini").read_text()
    assert "board = uno\n" in settings
    assert "@" not in settings


def test_the_user_has_a_hundred_lines_at_most() -> None:
    for family in families().values():
        roles = [each for link in family.roles.values() for each in link.values()]
        for name in {name for role in roles for name in role.code}:
            text = (ROOT / "firmware" / name).read_text(encoding="utf-8")
            assert text.count("\n") <= 100, name


def test_an_interval_is_whole_sleeps(tmp_path: Path) -> None:
    for seconds, sleeps in ((0.5, 1), (1.0, 2), (60.0, 120)):
        folder = tmp_path / f"every-{sleeps}"
        made(folder.with_name(f"every{sleeps}"), interval_s=seconds)
        text = (tmp_path / f"every{sleeps}" / "settings.h").read_text()
        assert f"#define SLEEPS {sleeps} " in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"link": "ieee802154", "device": "atmega2560"},
            "take --device atmega128rfa1, or --link rf-serial",
        ),
        ({"link": "sdr"}, "take --link rf-serial"),
        ({"device": "cortex-m0plus"}, "take --device atmega128rfa1, atmega2560"),
        ({"device": "nucleo-l476rg"}, "no project for nucleo-l476rg"),
        ({"device": "stm32f103c6"}, "no board.c here knows the UART, sleep and"),
        ({"device": "nrf52832"}, "no board.c here knows the UART, sleep and"),
        ({"device": "atmega328pb"}, "no board.c here knows the UART, sleep and"),
        ({"device": "ibex"}, "it is a processor that verilator simulates, without"),
        ({"device": "esp32c3"}, "here it is ibex, a processor that verilator"),
        (
            {"device": "msp430f1611", "link": "ieee802154"},
            "take --device atmega128rfa1, or --link rf-serial",
        ),
        ({"suite": "aes128-ctr"}, "does not authenticate"),
        ({"suite": "no-such"}, "unknown suite"),
        ({"build": "maek"}, "did you mean make"),
        ({"advise": Path("none.json")}, "none.json"),
    ],
)
def test_what_cannot_be_leaves_nothing(
    options: dict[str, object], words: str, tmp_path: Path
) -> None:
    with pytest.raises((MisuseError, OSError), match=re.escape(words)):
        made(tmp_path / "sensor", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "sensor").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("sensor", "link"):
        with pytest.raises(MisuseError, match="exists"):
            made(tmp_path / name)
    assert list((tmp_path / "sensor").iterdir()) == []
    with pytest.raises(MisuseError, match="no name of a project"):
        made(tmp_path / "a b")
    with pytest.raises(MisuseError, match="no directory"):
        made(tmp_path / "none" / "sensor")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"device": "ibex", "link": "ieee802154"}, "no project for ibex"),
        ({"link": "ieee802154"}, "take --device atmega128rfa1, or --link rf-serial"),
        ({"recommended": None}, "recommends nothing"),
    ],
)
def test_advice_that_no_project_can_follow(
    changed: dict[str, object], words: str, tmp_path: Path
) -> None:
    options = {"suite": "aes128-ccm-8", "framing": "sealed"}
    best = {"layer": "link", "suite": "aes128-ccm-8", "options": options}
    given = {
        "type": "advice",
        "link": "rf-serial",
        "device": "atmega328p",
        "sentence": "s",
        "recommended": {**best, "opt": "O2"},
    }
    given["recommended"] = {**best, "opt": "O2", "implementation": "assembly"}
    file = tmp_path / "advice.json"
    file.write_text(json.dumps({**given, **changed}))
    with pytest.raises(MisuseError, match=re.escape(words)):
        made(tmp_path / "sensor", advise=file)
    with pytest.raises(MisuseError, match="give the one or the other"):
        made(tmp_path / "sensor", advise=file, device="atmega328p")


@pytest.mark.parametrize("opt", ["O2\nX := $(shell touch made)", "O2 -DX", "", "O9"])
def test_no_other_text_of_an_advice_gets_into_commands(
    opt: str, tmp_path: Path
) -> None:
    options = {"suite": "aes128-ccm-8", "framing": "sealed"}
    best = {"layer": "link", "suite": "aes128-ccm-8", "options": options}
    best |= {"opt": opt, "implementation": "assembly"}
    given = {"type": "advice", "link": "rf-serial", "device": "atmega328p"}
    file = tmp_path / "advice.json"
    file.write_text(json.dumps({**given, "sentence": "s", "recommended": best}))
    with pytest.raises(MisuseError, match=r"the optimisation .* Os, O2, O3"):
        made(tmp_path / "sensor", advise=file)
    assert list(tmp_path.iterdir()) == [file]


def test_advice_for_portable_code_is_reported(tmp_path: Path) -> None:
    options = {"suite": "aes128-ccm-8", "framing": "sealed"}
    best = {"layer": "link", "suite": "aes128-ccm-8", "options": options}
    given = {
        "type": "advice",
        "link": "rf-serial",
        "device": "atmega328p",
        "sentence": "s",
        "recommended": {**best, "opt": "O2"},
    }
    given["recommended"] = {**best, "opt": "O2", "implementation": "portable"}
    file = tmp_path / "advice.json"
    file.write_text(json.dumps(given))
    words = ("firmware", "new", "sensor", "--advise", file)
    done = shell.samara(*words, folder=tmp_path)
    assert done.returncode == 0
    assert "the advice is for the build portable" in done.stderr.decode()


@pytest.mark.slow
def test_every_suite_has_its_sources() -> None:
    core = ROOT / "core"
    for suite in crypto.suites():
        needed = library.needed_files(suite.slug, core, ["avr"])
        assert {"node/send.c", "include/samara/node.h", "store/counter.c"} <= set(
            needed
        )
        machines = ("armv6m", "armv7m", "msp430", "rv32", "x86_64")
        others = ("host/", *(f"arch/{machine}/" for machine in machines))
        sources = [each for each in needed if each.endswith(".c")]
        assert not any(each.startswith(others) for each in sources)
    slugs = {"speck128-128-ccm-8": "speck", "grain128ple": "grain128ple"}
    for slug, group in slugs.items():
        assert library.group_of(slug, core) == group


def test_the_receipt_is_times_and_currents(tmp_path: Path) -> None:
    """2 s of 16 MHz: 0.5 s active, 0.25 s of writes, 0.25 s idle, 1 s asleep."""
    counts = Counts.of_line("whole 32000000 4000000 16000000 4000000 74 36 80 9 3 99\n")
    made(tmp_path / "sensor")
    sensor = projects.read(tmp_path / "sensor")
    receipt = costs.receipt(sensor, counts, messages=3, lost=1)
    assert (receipt.project, receipt.device) == ("sensor", "atmega328p")
    assert (receipt.messages, receipt.lost, receipt.torn) == (3, 1, False)
    assert receipt.time.value == 2.0
    assert receipt.active_time.value == 0.5
    assert receipt.active_time.origin is Origin.MEASURED
    expected = {
        "active": 0.5 * 0.0092 * 5,
        "eeprom": 0.25 * 0.0092 * 5,
        "idle": 0.25 * 0.0024 * 5,
        "asleep": 1.0 * 4.2e-6 * 5,
    }
    for name, joules in expected.items():
        energy = getattr(receipt, f"{name}_energy")
        assert energy.value == pytest.approx(joules, rel=1e-12), name
        assert energy.unit == "J"
    assert receipt.energy.value == pytest.approx(sum(expected.values()))
    assert receipt.asleep_energy.origin is Origin.ESTIMATED
    assert receipt.energy.origin is Origin.ASSUMED
    assert receipt.eeprom_bytes.value == 74
    assert receipt.uart_bytes.value == 36
    assert (receipt.interrupts_off.value, receipt.interrupts_off.unit) == (5e-6, "s")


@pytest.mark.slow
def test_it_runs_beside_a_node_and_goes_on_after_its_end(tmp_path: Path) -> None:
    made(tmp_path / "sensor", interval_s=0.5)
    runs = runs_beside_a_node(tmp_path / "sensor")
    for *messages, receipt in runs:
        assert {each["text"] for each in messages} == {"3300 mV"}
        assert [each["number"] for each in messages] == list(
            range(1, len(messages) + 1)
        )
        assert receipt["type"] == "firmware_receipt"
        assert receipt["messages"] == len(messages) >= 3
        assert receipt["time"]["value"] >= 2.5
        assert receipt["asleep_time"]["value"] > receipt["active_time"]["value"] > 0
        written = receipt["eeprom_bytes"]["value"]
        assert receipt["eeprom_time"]["value"] == pytest.approx(written * 3.4e-3)
        parts = [receipt[f"{each}_time"]["value"] for each in PARTS]
        assert sum(parts) == pytest.approx(receipt["time"]["value"])
        assert receipt["uart_bytes"]["value"] >= 24 * len(messages)
        # The bits that start a write of the EEPROM, stack pointers, the watchdog.
        assert 0 < receipt["interrupts_off"]["value"] < 40 / CLOCK
    # The key is written in the first run alone, one record of numbers in each.
    first, second = (run[-1]["eeprom_bytes"]["value"] for run in runs)
    assert first > 32 > second > 0
    record, simulated = (
        tmp_path / "sensor" / RECORD,
        tmp_path / "sensor" / "simulated" / RECORD,
    )
    assert key_of(record) != key_of(simulated)
    for path in (simulated, simulated.with_name("eeprom")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(simulated.parent.stat().st_mode) == 0o700


@pytest.mark.slow
def test_an_interrupt_ends_all_and_gives_a_receipt(tmp_path: Path) -> None:
    name = a_name()
    made(tmp_path / name, interval_s=0.5)
    with Running(tmp_path, "firmware", "run", name, "--json") as run:
        events = run.interrupted_after(3)
    assert run.returncode == 0
    assert events[-1]["type"] == "firmware_receipt"
    assert [each["type"] for each in events[:3]] == ["firmware_message"] * 3
    assert programs_with(name) == []


@pytest.mark.slow
def test_a_kill_ends_all(tmp_path: Path) -> None:
    name = a_name()
    made(tmp_path / name, interval_s=0.5)
    with Running(tmp_path, "firmware", "run", name, "--json") as run:
        end_s = time.monotonic() + shell.TIMEOUT_S
        while run.lines_so_far() < 1 and time.monotonic() < end_s:
            time.sleep(0.05)
        # The node and the board.
        assert len(programs_with(f"{name}/simulated")) >= 2
        run.send_signal(signal.SIGKILL)
        run.wait(shell.TIMEOUT_S)
        while programs_with(name) and time.monotonic() < end_s:
            time.sleep(0.05)
    assert programs_with(name) == []


def a_name() -> str:
    """Return a name that no other project on this machine has."""
    return f"sensor-{secrets.token_hex(8)}"


def programs_with(word: str) -> list[str]:
    """Return the command lines of programs that have a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if word in line:
            found.append(line)
    return found


@pytest.mark.slow
def test_the_size_is_that_of_the_image(sensor: Path, tmp_path: Path) -> None:
    place = tmp_path / "sensor"
    shutil.copytree(sensor, place)
    done = shell.samara("firmware", "size", "sensor", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    (record,) = map(json.loads, done.stdout.splitlines())
    listed = run_in(place, "avr-size", "sensor.elf").splitlines()[1]
    text, data, bss = map(int, listed.split()[:3])
    assert record["flash"]["value"] == text + data
    assert record["ram"]["value"] == data + bss
    assert record["flash"]["unit"] == "byte"
    assert (record["flash_room"], record["ram_room"]) == (32_768, 2_048)


def cost_of(folder: Path) -> FirmwareCost:
    (found,) = records_of(cost(CostRequest(project=folder)))
    return found


@pytest.mark.slow
def test_the_cost_is_that_of_the_image_and_of_its_messages(tmp_path: Path) -> None:
    """Planted: 10,000 cycles and 300 bytes of stack more in each message."""
    sensor = tmp_path / "sensor"
    made(sensor, interval_s=60)
    before = cost_of(sensor)
    assert (before.project, before.device) == ("sensor", "atmega328p")
    listed = run_in(sensor / "simulated", "avr-size", "sensor.elf").splitlines()[1]
    text, data, bss = map(int, listed.split()[:3])
    assert before.flash.value == text + data
    assert before.ram.value == data + bss
    assert before.ram_left.value == 2048 - data - bss - before.stack.value
    assert before.interrupts_off is not None
    assert before.interrupts_off.value == 12
    # Two packets of 12 bytes; libsimavr takes 11 bits for a byte, at 9615 baud.
    assert before.uart_bytes.value == 24
    assert before.sending_time.value == pytest.approx(24 * 11 / 9615, rel=1e-3)
    # A record of 12 bytes for 16 messages.
    assert before.memory_bytes.value == 12 / 16
    assert before.memory_time.value == pytest.approx(12 / 16 * 3.4e-3)
    assert before.computing_time.value == before.computing.value / CLOCK
    times = (before.computing_time, before.sending_time, before.memory_time)
    joules = sum(each.value for each in times) * 0.0092 * 5
    assert before.energy.value == pytest.approx(joules)
    code = (sensor / "sensor.c").read_text()
    begin = "static void measure(char text[longest]) {\n"
    assert code.count(begin) == 1
    more = "  volatile char used[300];\n  used[0] = used[299] = 1;\n"
    more += "  __builtin_avr_delay_cycles(10000);\n"
    (sensor / "sensor.c").write_text(code.replace(begin, begin + more))
    after = cost_of(sensor)
    assert after.computing.value - before.computing.value == pytest.approx(1e4, abs=99)
    assert after.sending_time == before.sending_time
    assert after.stack.value - before.stack.value <= 310
    assert after.stack.value >= 300
    assert after.computing.origin is Origin.MEASURED


@pytest.mark.slow
def test_a_program_that_fails_has_no_cost(tmp_path: Path) -> None:
    made(tmp_path / "sensor")
    code = "#include <avr/sleep.h>\nint main(void) { sleep_mode(); }\n"
    (tmp_path / "sensor" / "sensor.c").write_text(code)
    done = shell.samara("firmware", "cost", "sensor", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"the simulated board failed: board: the program ended" in done.stderr


@pytest.mark.slow
def test_code_that_does_not_compile_is_reported(tmp_path: Path) -> None:
    made(tmp_path / "sensor")
    (tmp_path / "sensor" / "sensor.c").write_text("int main(void) { return x; }\n")
    done = shell.samara("firmware", "size", "sensor", folder=tmp_path)
    shell.assert_misuse(done, "sensor does not build", "x")


def test_a_directory_that_is_no_project(tmp_path: Path) -> None:
    for name in ("size", "run", "cost"):
        done = shell.samara("firmware", name, ".", folder=tmp_path)
        shell.assert_misuse(done, "is no project")
    (tmp_path / "samara.toml").write_text('device = "atmega328p"\n')
    with pytest.raises(MisuseError, match="is damaged: it has no build"):
        projects.read(tmp_path)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("packet_size = 12", "packet_size = inf", "is damaged: cannot convert"),
        ("packet_size = 12", "packet_size = []", "is damaged: int"),
        ('role = "sensor"', 'role = "x"', "is damaged: atmega328p has no x over rf-"),
        ('link = "rf-serial"', 'link = "x"', "is damaged: atmega328p has no sensor"),
        ('role = "sensor"', "[[options]]", "is damaged"),
        ('role = "sensor"', "x = " + "[" * 10_000, "is not TOML"),
        ('role = "sensor"', 'x = "\0"', "is not TOML"),
    ],
)
def test_a_project_whose_settings_are_damaged(
    before: str, after: str, words: str, tmp_path: Path
) -> None:
    made(tmp_path / "sensor")
    path = tmp_path / "sensor" / "samara.toml"
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))
    with pytest.raises(MisuseError, match=f"samara.toml {words}"):
        projects.read(path.parent)


def test_one_process_at_a_time_simulates_a_project(tmp_path: Path) -> None:
    """Two boards with one memory would repeat nonces."""
    made(tmp_path / "sensor")
    project = projects.read(tmp_path / "sensor")
    with simulated(project) as copy:
        assert not list(copy.folder.glob("*.lock"))
        for name in ("run", "cost"):
            done = shell.samara("firmware", name, "sensor", folder=tmp_path)
            shell.assert_misuse(done, "sensor is simulated by another process: stop")
    with simulated(project) as again:
        assert again == copy
    assert not list(tmp_path.rglob("*.lock"))


@pytest.mark.slow
def test_no_cache_of_a_compiler_keeps_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"/usr/lib/ccache:{os.environ['PATH']}")
    monkeypatch.setenv("CCACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    made(Path("sensor"), build="cmake")
    projects.read(Path("sensor")).make()
    (tmp_path / "cache").mkdir(exist_ok=True)
    assert [each for each in (tmp_path / "cache").rglob("*R") if each.is_file()] == []
