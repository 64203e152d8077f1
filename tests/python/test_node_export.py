# SPDX-License-Identifier: Apache-2.0
"""The provisioning record of a device, which one file can become once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shell import samara

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.link.node.device_pairs import DevicesRequest, pair
from samara.link.node.exporting import DeviceExported, ExportRequest, export
from samara.link.node.making import MakeRequest, NodeMade, make
from samara.records import Digest

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]


def records_in(answer: Iterable[object]) -> list[object]:
    return [one for part in answer if isinstance(part, Digest) for one in part.records]


def exported(pair: Path, output: Path) -> list[object]:
    return records_in(export(ExportRequest(pair=pair, output=output)))


@pytest.fixture
def host(tmp_path: Path) -> Path:
    folder = tmp_path / "host"
    given = {"packet_size": 30, "tag_size": 12, "counter_size": 3}
    folders.make_pair(folder, "rf-serial", given)
    return folder


def test_the_record_is_the_other_end(host: Path, tmp_path: Path) -> None:
    """As core/include/samara/node.h lays it out."""
    output = tmp_path / "record.bin"
    made = DeviceExported(output, "rf-serial", "samara_aes128_ccm_aead", 32)
    assert exported(host, output) == [made]
    end, content = folders.read(host).end, output.read_bytes()
    assert content[:4] == b"smr1"
    assert content[4:10] == bytes([16, 1 - end.settings["direction"], 30, 12, 3, 0])
    assert int.from_bytes(content[10:12], "big") == end.settings["link"]
    assert content[12:28] == end.keys["key"]
    assert int.from_bytes(content[28:], "little") == zlib.crc32(content[:28])
    assert output.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "suite",
    ["aes128", "aes256-ccm-16", "aes192-gcm", "ascon-aead128", "speck128-256-ccm-8"],
)
def test_the_header_has_room_for_the_key(suite: str, tmp_path: Path) -> None:
    folders.make_pair(tmp_path / "host", "rf-serial", {"suite": suite})
    exported(tmp_path / "host", tmp_path / "record.h")
    (tmp_path / "room.c").write_text(
        '#include "record.h"\n'
        "static samara_node_record_key key;\n"
        "int main(void) {\n"
        "  return sizeof key < SAMARA_NODE_RECORD_AEAD.state_size ||\n"
        "         sizeof samara_node_record != 16 + SAMARA_NODE_RECORD_AEAD.key_size;\n"
        "}\n"
    )
    # As tools/setup built and installed it.
    library = Path(sys.prefix) / "lib" / "libsamara.a"
    flags = ["-std=c11", "-Wall", "-Werror", f"-I{ROOT / 'core' / 'include'}"]
    command = ["cc", *flags, "room.c", str(library), "-o", "room"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "room"], check=False).returncode == 0


def test_one_record_and_no_second_node(host: Path, tmp_path: Path) -> None:
    exported(host, tmp_path / "record.h")
    for again in (
        lambda: exported(host, tmp_path / "another.h"),
        lambda: folders.make_second(tmp_path / "second", host, {}),
    ):
        with pytest.raises(MisuseError, match="rekey --offline"):
            again()
    assert {path.name for path in tmp_path.iterdir()} == {"host", "record.h"}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("record.txt", "neither a C header"),
        ("there.h", "exists"),
        ("none/record.h", "there is no directory"),
    ],
)
def test_a_refused_file_leaves_the_pair(
    name: str, problem: str, host: Path, tmp_path: Path
) -> None:
    (tmp_path / "there.h").write_text("mine")
    with pytest.raises(MisuseError, match=problem):
        exported(host, tmp_path / name)
    assert (host / folders.PAIR).exists()
    assert (tmp_path / "there.h").read_text() == "mine"


def test_a_disk_that_is_full_leaves_the_pair(
    host: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record fails to get its name, after pair.json was taken away."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "link", full)
        with pytest.raises(OSError, match="No space"):
            exported(host, tmp_path / "record.bin")
    assert [path.name for path in tmp_path.iterdir()] == ["host"]
    exported(host, tmp_path / "record.bin")


def test_links_that_no_device_speaks(tmp_path: Path) -> None:
    folders.make_pair(tmp_path / "a", "sdr", {})
    with pytest.raises(MisuseError, match="--link rf-serial or ieee802154"):
        exported(tmp_path / "a", tmp_path / "record.h")
    assert (tmp_path / "a" / folders.PAIR).exists()
    plain = {"framing": "plain"}
    folders.make_pair(tmp_path / "b", "rf-serial", plain, allow_unauthenticated=True)
    with pytest.raises(MisuseError, match="--framing sealed"):
        exported(tmp_path / "b", tmp_path / "record.h")


def test_a_pair_is_made_with_its_device(tmp_path: Path) -> None:
    node, output = tmp_path / "host", tmp_path / "record.h"
    request = MakeRequest(node=node, link="rf-serial", for_device=output)
    assert records_in(make(request)) == [
        NodeMade(node, "rf-serial", None),
        DeviceExported(output, "rf-serial", "samara_aes128_ccm_aead", 32),
    ]
    assert not (node / folders.PAIR).exists()
    key = folders.read(node).end.keys["key"]
    digits = re.findall(r"0x([0-9a-f]{2})", output.read_text())
    assert key.hex() in "".join(digits)


@pytest.mark.parametrize(
    "options",
    [{"link": "sdr"}, {"link": "rf-serial", "network": True}, {}],
)
def test_nothing_is_made_where_no_device_can_be(
    options: dict[str, object], tmp_path: Path
) -> None:
    output = tmp_path / "record.h"
    request = MakeRequest(node=tmp_path / "a", for_device=output, **options)  # type: ignore[arg-type]
    with pytest.raises(MisuseError):
        list(make(request))
    assert list(tmp_path.iterdir()) == []


def test_options_of_one_kind_of_link_alone_say_which_it_is(tmp_path: Path) -> None:
    alone: dict[str, dict[str, object]] = {
        "rf-serial": {"module": "hc-12"},
        "ieee802154": {"level": 6},
    }
    for link, options in alone.items():
        list(make(MakeRequest(node=tmp_path / link, link_options=options)))
        assert folders.read(tmp_path / link).link == link
    unclear: list[dict[str, object]] = [
        {"suite": "aes128"}, {"module": "hc-12", "level": 6}, {},
    ]  # fmt: skip
    for options in unclear:
        request = MakeRequest(node=tmp_path / "c", link_options=options)
        with pytest.raises(MisuseError, match="give --link for the first node"):
            list(make(request))
    assert not (tmp_path / "c").exists()


def test_the_command_shows_no_key(host: Path, tmp_path: Path) -> None:
    done = samara("node", "export", "host", "record.h", folder=tmp_path)
    assert done.returncode == 0
    assert b"record.h contains a key" in done.stderr
    key = folders.read(host).end.keys["key"]
    assert key.hex().encode() not in done.stdout + done.stderr


def paired(first: Path, second: Path, link: str | None, **options: object) -> None:
    request = DevicesRequest(
        first=first, second=second, link=link, link_options=options
    )
    list(pair(request))


def test_two_devices_are_the_two_ends_of_a_pair(tmp_path: Path) -> None:
    """The same key, identity and sizes; one direction each; nothing else is left."""
    files = [tmp_path / "left.bin", tmp_path / "right.bin"]
    paired(files[0], files[1], "rf-serial", packet_size=30, tag_size=12, counter_size=3)
    left, right = (path.read_bytes() for path in files)
    assert sorted((left[5], right[5])) == [0, 1]
    assert left[6:9] == right[6:9] == bytes([30, 12, 3])
    assert left[10:28] == right[10:28]
    assert left[12:28] != bytes(16)
    for content in (left, right):
        assert int.from_bytes(content[28:], "little") == zlib.crc32(content[:28])
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert sorted(tmp_path.iterdir()) == files


def test_each_pair_of_devices_has_its_own_key(tmp_path: Path) -> None:
    for name in "ab":
        paired(tmp_path / f"{name}1.bin", tmp_path / f"{name}2.bin", "ieee802154")
    contents = {path.read_bytes() for path in tmp_path.iterdir()}
    assert len(contents) == 4


@pytest.mark.parametrize(
    ("names", "link", "options", "words"),
    [
        (("a.h", "b.h"), None, {}, "give --link"),
        (("a.h", "a.h"), "rf-serial", {}, "given twice"),
        (("a.h", "b.txt"), "rf-serial", {}, "neither a C header"),
        (("a.h", "there.h"), "rf-serial", {}, "exists"),
        (("a.h", "none/b.h"), "rf-serial", {}, "there is no directory"),
        (("a.h", "b.h"), "sdr", {}, "no sdr link"),
        (("a.h", "b.h"), "ieee802154", {"level": 0}, "--allow-unauthenticated"),
        (("a.h", "b.h"), "rf-serial", {"framing": "plain"}, "--allow-unauth"),
    ],
)
def test_no_pair_of_devices(
    names: tuple[str, str],
    link: str | None,
    options: dict[str, object],
    words: str,
    tmp_path: Path,
) -> None:
    """One sentence, and neither file is written."""
    (tmp_path / "there.h").write_text("mine")
    first, second = (tmp_path / name for name in names)
    with pytest.raises(MisuseError, match=words):
        paired(first, second, link, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["there.h"]
    assert (tmp_path / "there.h").read_text() == "mine"
