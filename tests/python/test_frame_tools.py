# SPDX-License-Identifier: Apache-2.0
"""`samara frame` and `samara pcap`: known frames, refusals, and tshark's word."""

from __future__ import annotations

import io
import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell import TIMEOUT_S, assert_done, assert_misuse, said, samara
from vectorfile import FOLDER, Record, sections_of

from samara.cli.running import run
from samara.link.ieee802154 import Frame, build, parse
from samara.link.ieee802154.captures import key_file
from samara.link.ieee802154.captures import protection as captures
from samara.link.ieee802154.captures.pcap import LinkType, Reader, Writer
from samara.link.ieee802154.frames import tools as frame_tools
from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from pathlib import Path

VECTORS = sections_of(FOLDER / "frames" / "ieee802154.txt")["ieee802154"]
KEY = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
SENDER = "acde480000000001"
PLAIN = "41882a2143020001003231"
"""Data from 0001 to 0002 of PAN 4321, `21`, in the format of 2003."""
OTHERS = "49982a2143020001000d07000000012d00112233"
"""Data from 0001 at level 5, whatever its key is."""
KEYS = f"""
[[key]]
key = "{KEY}"
mode = 1
index = 1
[[device]]
extended = "{SENDER}"
short = "0001"
pan = "4321"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a key and a file of keys."""
    for name, content in (("key", KEY), ("keys.toml", KEYS)):
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o600)
    return tmp_path


# Frames


def result_of(
    capsys: pytest.CaptureFixture[str], command: str, *arguments: str
) -> tuple[int, str]:
    """Run `samara frame` within this process, which is quick."""
    code = run(["frame", command, *arguments])
    return code, capsys.readouterr().out.strip()


def known(record: Record) -> list[str]:
    address = f"0001={record.fields['sender']}"
    return ["--key", record.fields["key"], "--address", address]


@pytest.mark.parametrize("record", VECTORS, ids=lambda record: record.fields["name"])
def test_known_frames(record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    frame = record.fields["frame"]
    secured = parse(record.bytes_of("frame"))
    options = known(record)
    if secured.source.short is None and secured.source.long is None:
        options += ["--sender", record.fields["sender"]]
    code, shown = result_of(capsys, "open", *options, "--level-4", "--json", frame)
    if record.fields["result"] != "pass":
        assert (code, shown) == (1, "")
        return
    assert code == 0
    if "clear" in record.fields:
        clear = record.bytes_of("clear")
        assert clear.endswith(bytes.fromhex(json.loads(shown)["payload"]))
        opened = parse(clear + secured.mic, opened=True)
        payload = frame_tools.secured_part(opened).hex()
        assert result_of(capsys, "open", *options, "--level-4", frame) == (0, payload)
        assert protected_again(opened, options, capsys) == (0, frame)


def protected_again(
    opened: Frame, options: list[str], capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    header = opened.security
    assert header is not None
    options = [*options, f"--level={header.level}", f"--frame-counter={header.counter}"]
    if header.key_id.mode:
        options.append(f"--key-index={header.key_id.index}")
    if header.key_id.source:
        options.append(f"--key-source={header.key_id.source.hex()}")
    plain = build(frame_tools.without_security(opened)).hex()
    return result_of(capsys, "protect", *options, plain)


def protected(folder: Path, *arguments: str) -> str:
    shown = assert_done(
        samara(
            *("frame", "protect", "--key", "@key", "--address", f"0001={SENDER}"),
            *("--frame-counter", "7", *arguments),
            folder=folder,
        )
    )
    return shown.decode().strip()


def opened(folder: Path, *arguments: str, given: bytes = b"") -> tuple[int, str, str]:
    done = samara(
        "frame", "open", "--key", "@key", *arguments, given=given, folder=folder
    )
    return done.returncode, done.stdout.decode().strip(), " ".join(said(done))


@pytest.mark.slow
def test_what_is_refused(folder: Path) -> None:
    secured = protected(folder, "--level", "5", "--key-index", "1", PLAIN)
    address = ("--address", f"0001={SENDER}")
    assert opened(folder, *address, given=secured.encode()) == (0, "3231", "")
    for arguments in (
        (*address, PLAIN),  # not secured
        (*address, secured[:-1] + ("0" if secured[-1] != "0" else "1")),
        (*address, "--key-index", "2", secured),
        (*address, "--key-index", "1", "--key-source", "00" * 8, secured),
        ("--address", "0001=acde480000000002", secured),
        (*address, secured[:20]),
        (*address, protected(folder, "--level", "4", PLAIN)),
    ):
        code, shown, refusal = opened(folder, *arguments)
        assert (code, shown) == (1, ""), arguments
        assert refusal.startswith("samara: ")


@pytest.mark.slow
def test_the_fields_are_shown(folder: Path) -> None:
    secured = protected(folder, "--level", "6", "--key-index", "3", PLAIN)
    tree = assert_done(samara("frame", "inspect", secured, folder=folder)).decode()
    for words in ("security level: 6", "frame counter: 7", "key index: 3", "0x0001"):
        assert words in tree
    shown = samara(
        "frame", "inspect", "--json", "-", given=secured.encode(), folder=folder
    )
    fields = json.loads(assert_done(shown))
    assert fields["frame_control"]["version"] == 2006
    assert fields["source"] == {"pan": None, "short": "0001", "extended": None}
    assert fields["security"]["frame_counter"] == 7
    assert len(bytes.fromhex(fields["mic"])) == 8
    code, shown_json, _ = opened(
        folder, "--address", f"0001={SENDER}", "--json", secured
    )
    assert code == 0
    assert json.loads(shown_json)["payload"] == "3231"


def test_frames_without_source_need_a_sender(folder: Path) -> None:
    plain = "010800214302003231"  # data to 0002, from nobody
    done = samara(
        *("frame", "protect", "--key", "@key", "--level", "5"),
        *("--frame-counter", "1", "--sender", SENDER, plain),
        folder=folder,
    )
    secured = assert_done(done).decode().strip()
    assert opened(folder, "--sender", SENDER, secured) == (0, "3231", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("open", "--key", "@key", "xyz"), "hex digits"),
        (("open", "--key", "@key", ""), "there is no frame"),
        (("inspect", " "), "there is no frame"),
        (
            ("open", "--key", "@key", OTHERS),
            "--address",
        ),
        (("open", "--key", "@missing", PLAIN), "missing"),
        (("open", PLAIN), "--key"),
        (("open", "--key", "@key", "--address", "1:2", PLAIN), "SHORT=EUI64"),
        (("open", "--key", "@key", "--address", "1=22", PLAIN), "8 bytes"),
        (("open", "--key", "@key", "--key-source", "00", PLAIN), "4 or 8 bytes"),
        (("open", "--key", "@key", "--suite", "des", PLAIN), "des"),
        (("open", "--key", "@key", "00" * 3000), "2045"),
        (("protect", "--key", "@key", "--level", "5", PLAIN), "frame-counter"),
    ],
)
def test_misuse_is_refused(
    arguments: tuple[str, ...], words: str, folder: Path
) -> None:
    assert_misuse(samara("frame", *arguments, folder=folder), words)


def test_a_counter_that_is_never_sent_is_refused(folder: Path) -> None:
    done = samara(
        *("frame", "protect", "--key", "@key", "--address", f"0001={SENDER}"),
        *("--level", "5", "--frame-counter", "4294967295", PLAIN),
        folder=folder,
    )
    assert_misuse(done, "4294967294")


# Captures


def capture(path: Path, link_type: LinkType, *frames: bytes) -> None:
    with path.open("wb") as file:
        writer = Writer(file, link_type)
        for number, frame in enumerate(frames):
            writer.write_psdu(frame + fcs_of(frame), number * 10**9)


def frames_of(path: Path) -> list[bytes]:
    with path.open("rb") as file:
        return [captured.frame for captured in Reader(file)]


def plain_frames() -> list[bytes]:
    """Return frames of 2006 from a short and an extended address."""
    short = bytes.fromhex("41982a214302000100") + b"short"
    extended = bytes.fromhex("41dc2b2143020000000048deac010000000048deac") + b"extended"
    return [short, extended, short + b" again"]


@pytest.mark.slow
@pytest.mark.parametrize("link_type", list(LinkType))
def test_captures_there_and_back(link_type: LinkType, folder: Path) -> None:
    capture(folder / "clear", link_type, *plain_frames())
    arguments = ("--keys", "keys.toml", "--level", "5", "--frame-counter", "100")
    done = samara("pcap", "protect", "clear", "secured", *arguments, folder=folder)
    assert b"3 of 3" in assert_done(done)
    secured = frames_of(folder / "secured")
    # One counter for both addresses of one sender.
    headers = [parse(frame).security for frame in secured]
    assert [header and header.counter for header in headers] == [100, 101, 102]
    assert tshark(folder / "secured") == [
        ("0x00000000", frame[-size:].hex())
        for frame, size in zip(plain_frames(), (5, 8, 11), strict=True)
    ]
    places = ("secured", "opened", "--keys", "keys.toml")
    assert b"3 of 3" in assert_done(samara("pcap", "open", *places, folder=folder))
    assert (folder / "opened").read_bytes() == (folder / "clear").read_bytes()


def tshark(path: Path) -> list[tuple[str, str]]:
    """Return key number and payload of each frame that tshark could verify."""
    quiet = [f"--disable-protocol={name}" for name in ("6lowpan", "lwm", "zbee_nwk")]
    done = subprocess.run(
        [
            *("tshark", *quiet, "-r", str(path)),
            *("-o", f'uat:ieee802154_keys:"{KEY}","1","No hash"'),
            *("-o", f'uat:802154_addresses:"0001","4321",{SENDER}'),
            *("-Tfields", "-ewpan.key_number", "-edata.data"),
        ],
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
    return [(f"0x{int(row[0], 0):08x}", row[1]) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("drop", [False, True])
def test_frames_that_cannot_be_opened_are_reported(drop: bool, folder: Path) -> None:  # noqa: FBT001 - pytest gives it
    capture(folder / "clear", LinkType.WITH_FCS, *plain_frames())
    arguments = ("--keys", "keys.toml", "--level", "5", "--frame-counter", "0")
    assert_done(
        samara("pcap", "protect", "clear", "secured", *arguments, folder=folder)
    )
    good = frames_of(folder / "secured")
    bad = [good[0], plain_frames()[0], good[1][:-1] + bytes([good[1][-1] ^ 1]), b"\x01"]
    capture(folder / "secured", LinkType.WITH_FCS, good[0], *bad, good[2])
    places = ("secured", "opened", "--keys", "keys.toml", *["--drop"] * drop)
    done = samara("pcap", "open", *places, folder=folder)
    assert done.returncode == 1
    assert [line.split(": ")[1] for line in said(done)] == [
        f"frame {number}" for number in (2, 3, 4, 5)
    ]
    clear = plain_frames()
    left = [clear[0], *([] if drop else bad), clear[2]]
    assert frames_of(folder / "opened") == left


def test_what_cannot_be_protected_is_reported_and_kept(folder: Path) -> None:
    acknowledgement, stranger = b"\x02\0\x2a", bytes.fromhex("41982a2143020009ff2121")
    frames = [acknowledgement, stranger, plain_frames()[0]]
    capture(folder / "clear", LinkType.TAP, *frames)
    arguments = (
        "--keys",
        "keys.toml",
        "--level",
        "7",
        "--frame-counter",
        "0",
        "--json",
    )
    done = samara("pcap", "protect", "clear", "secured", *arguments, folder=folder)
    assert done.returncode == 1
    *refused, capture_ = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["type"], each["frame"]) for each in refused] == [
        ("refused_frame", 1),
        ("refused_frame", 2),
    ]
    assert capture_ == {"type": "capture", "frames": 3, "changed": 1}
    assert frames_of(folder / "secured")[:2] == frames[:2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("nonsense", "not TOML"),
        ("", "no [[key]]"),
        (f'[key]\nkey = "{KEY}"', "key"),
        (f'[[key]]\nkey = "{KEY}"\nindx = 1', "indx"),
        ('[[key]]\nkey = "00"', "16 bytes, and a [[key]] has 1"),
        (f'[[key]]\nkey = "{KEY}00"', "16 bytes, and a [[key]] has 17"),
        (f'[[key]]\nkey = "{KEY}"\nmode = 1\nindex = true', "from 0 to 255"),
        (f'[[key]]\nkey = "{KEY}"\nmode = 1\nindex = 256', "from 0 to 255"),
        (f'[[key]]\nkey = "{KEY}"\nmode = 2', "source"),
        (f'[[key]]\nkey = "{KEY}"\nmode = "x"', "a number from 0 to 3"),
        (f'[[key]]\nkey = "{KEY}"\n[[device]]\nextended = "00"', "8 bytes"),
        (KEYS + "[[device]]\nextended = 5", "hex digits"),
        (KEYS.replace('"0001"', '"12345"'), "four hex digits"),
    ],
)
def test_files_of_keys_are_checked(keys: str, words: str, folder: Path) -> None:
    capture(folder / "in", LinkType.WITH_FCS, *plain_frames())
    (folder / "keys.toml").write_text(keys)
    arguments = ("in", "out", "--keys", "keys.toml")
    done = samara("pcap", "open", *arguments, folder=folder)
    assert_misuse(done, words)
    assert KEY not in said(done)[0]
    assert not (folder / "out").exists()


@pytest.mark.slow
def test_the_help_has_a_file_of_keys(folder: Path) -> None:
    capture(folder / "clear", LinkType.WITH_FCS, *plain_frames())
    shown = assert_done(samara("pcap", "--help", folder=folder)).decode()
    lines = [line.strip() for line in shown.splitlines() if " = [{" in line]
    (folder / "keys.toml").write_text("\n".join(lines))
    arguments = ("--keys", "keys.toml", "--level", "5", "--frame-counter", "0")
    done = samara("pcap", "protect", "clear", "secured", *arguments, folder=folder)
    assert b"3 of 3" in assert_done(done)


@pytest.mark.slow
def test_a_damaged_capture_leaves_nothing(folder: Path) -> None:
    capture(folder / "in", LinkType.WITH_FCS, *plain_frames())
    content = (folder / "in").read_bytes()
    for damaged in (content[:-1], content[:10], b"\x0a\x0d\x0d\x0a" + content):
        (folder / "in").write_bytes(damaged)
        arguments = ("in", "out", "--keys", "keys.toml")
        assert_misuse(samara("pcap", "open", *arguments, folder=folder))
        assert not (folder / "out").exists()


@given(st.lists(st.binary(max_size=60), max_size=20))
def test_frames_of_strangers_stop_nothing(frames: list[bytes]) -> None:
    source, target = io.BytesIO(), io.BytesIO()
    writer = Writer(source, LinkType.WITHOUT_FCS)
    for frame in frames:
        writer.write(frame, 0)
    source.seek(0)
    keys = key_file.keys_of(KEYS)
    change = captures.Opening(keys, encryption_only=False)
    outcomes = list(captures.convert(source, target, change, keep=True))
    assert [each.number for each in outcomes] == list(range(1, len(frames) + 1))
    assert all(each.refused for each in outcomes)
    assert target.getvalue() == source.getvalue()
