# SPDX-License-Identifier: Apache-2.0
"""Files of nodes that somebody has edited: one sentence, whatever was done."""

from __future__ import annotations

import contextlib
import copy
import json
import shutil
import socket
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from samara.cli import running
from samara.errors import MisuseError
from samara.link.ieee802154.captures import key_file
from samara.link.ieee802154.captures import protection as captures
from samara.link.node import folder as folders
from samara.link.node import records, rekeying, state, state_file
from samara.link.node.kinds import kind
from samara.link.node.node import Node
from samara.link.node.state import State, StateError

if TYPE_CHECKING:
    from pathlib import Path

LINKS = ("ieee802154", "rf-serial", "sdr")
_FILES = ("node.json", "keys.json", "pair.json")
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-1, 300)
    | st.floats()
    | st.text(max_size=40)
    | st.sampled_from(["", "00" * 16, "0" * 16, "sealed", "aes128", "aes128-ccm-8"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=10), inner, max_size=3)
    ),
    max_leaves=5,
)
_MANY = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300
)


@pytest.fixture(params=LINKS)
def made(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return the folder of a node whose link leads nowhere."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))

    def unknown(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    folders.make_pair(tmp_path / "node", request.param, {})
    return tmp_path / "node"


def places(fields: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 - JSON
    """Return where something could be edited."""
    found = [before]
    if isinstance(fields, dict):
        for name in fields:
            found += places(fields[name], (*before, name))
    return found


def edited(
    fields: dict[str, Any], at: tuple[Any, ...], how: str, value: object
) -> object:
    """Return a copy with one edit."""
    if not at:
        return value
    changed = copy.deepcopy(fields)
    parent: Any = changed
    for name in at[:-1]:
        parent = parent[name]
    match how:
        case "set":
            parent[at[-1]] = value
        case "remove":
            del parent[at[-1]]
        case "add":
            parent["another"] = value
    return changed


@contextlib.contextmanager
def in_one_sentence() -> Any:  # noqa: ANN401 - an iterator of nothing
    """Let what is wrong be told: one sentence, and no other exception."""
    try:
        yield
    except (MisuseError, OSError) as error:
        text = str(error)
    else:
        return
    assert len(text.splitlines()) == 1


def use(folder: Path) -> None:
    """Do with a node whatever there is to do."""
    with in_one_sentence():
        described = folders.read(folder)
        if described.link == "sdr":
            # Whose radio takes long to make.
            with State(folder, identity=described.identity):
                pass
        else:
            Node(folder).close()
    with in_one_sentence():
        state_file.numbers_in(folder)
    path = folder / "node.json"
    with in_one_sentence():
        # As `rekey` does, without the keys.
        fields = records.read(path)
        link, end = records.end_of(fields, {"keys": {}}, path)
        kind(link).check(end.settings, None)
        kind(link).both_ends(end.settings)


@pytest.mark.slow
@_MANY
@given(st.data())
def test_any_edit_is_reported(made: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(_FILES))
    path = made / name
    content = path.read_text()
    fields = json.loads(content)
    at = data.draw(st.sampled_from(places(fields)))
    how = data.draw(st.sampled_from(["set", "remove", "add"]))
    try:
        path.write_text(json.dumps(edited(fields, at, how, data.draw(_VALUES))))
        use(made)
        make_other(path)
    finally:
        path.write_text(content)
        path.chmod(0o600)


def make_other(path: Path) -> None:
    """Make the other end of what may be a pair.json, and forget it."""
    other = path.parent.with_name("other")
    witnesses = path.parent.with_name("witnesses")
    with in_one_sentence():
        folders.make_second(other, path, {}, witnesses)
    shutil.rmtree(other, ignore_errors=True)
    shutil.rmtree(witnesses, ignore_errors=True)


@pytest.mark.slow
@_MANY
@given(st.sampled_from(_FILES), st.integers(0, 400), st.binary(max_size=40))
@example("node.json", 0, b"[" * 40)
def test_any_bytes_are_reported(made: Path, name: str, at: int, data: bytes) -> None:
    path = made / name
    content = path.read_bytes()
    try:
        path.write_bytes(content[:at] + data + content[at + len(data) :])
        with in_one_sentence():
            described = folders.read(made)
            State(made, identity=described.identity).close()
        make_other(path)
    finally:
        path.write_bytes(content)
        path.chmod(0o600)


@pytest.mark.parametrize("made", ["ieee802154"], indirect=True)
@pytest.mark.parametrize(
    "content", ["[" * 100_000, "1" * 10_000, '{"format": 1' + " " * 2_000_000 + "}"]
)
def test_monstrous_files_are_reported(content: str, made: Path) -> None:
    (made / "node.json").write_text(content)
    with pytest.raises(MisuseError, match="damaged"):
        folders.read(made)


@pytest.mark.parametrize("made", ["ieee802154"], indirect=True)
@pytest.mark.parametrize("name", ["node.json", "keys.json", "pair.json"])
@pytest.mark.parametrize("number", [2, 10**30])
def test_a_newer_format_is_refused(name: str, number: int, made: Path) -> None:
    path = made / name
    fields = json.loads(path.read_text())
    assert fields["format"] == 1
    path.write_text(json.dumps({**fields, "format": number}))
    words = rf"{name} has format {number}.*newer samara"
    if name == "pair.json":
        with pytest.raises(MisuseError, match=words):
            folders.make_second(made.with_name("other"), made, {})
    else:
        with pytest.raises(MisuseError, match=words):
            folders.read(made)


@pytest.mark.parametrize("made", ["ieee802154"], indirect=True)
def test_a_newer_state_is_refused(made: Path) -> None:
    with contextlib.closing(sqlite3.connect(made / "state.db")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
        database.execute("PRAGMA user_version = 3")
    for read in (State, state_file.numbers_in):
        with pytest.raises(StateError, match=r"format 3.*format 2: use a newer samara"):
            read(made)


@pytest.mark.parametrize("made", ["ieee802154"], indirect=True)
@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO number VALUES ('transmit counter', '', 0, 0, -1, NULL, 0)",
        "INSERT INTO number VALUES ('counter', '', 0, 0, 1, NULL, 0)",
        "INSERT INTO number VALUES ('receive counter', '', 0, 0, 1, x'00', 0)",
        "DELETE FROM about",
        "UPDATE about SET witness = 'xy'",
        "UPDATE about SET identity = 5.5",
        "DELETE FROM place",
        "DROP TABLE number",
        "PRAGMA user_version = 0",
    ],
)
def test_a_state_of_other_content_is_refused(change: str, made: Path) -> None:
    with contextlib.closing(sqlite3.connect(made / "state.db")) as database:
        # As a disk puts it there.
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute(change)
        database.commit()
    with pytest.raises(StateError):
        State(made)
    assert not state.is_in_use(made)


@pytest.mark.slow
@pytest.mark.parametrize("made", ["ieee802154"], indirect=True)
@_MANY
@given(st.integers(0, 20_000), st.binary(min_size=1, max_size=30))
def test_any_bytes_in_the_state_are_reported(made: Path, at: int, data: bytes) -> None:
    path = made / "state.db"
    content = path.read_bytes()
    try:
        path.write_bytes(content[:at] + data + content[at + len(data) :])
        with in_one_sentence():
            State(made).close()
        with in_one_sentence():
            state_file.numbers_in(made)
    finally:
        for each in made.glob("state.db-*"):
            each.unlink()
        path.write_bytes(content)


@pytest.mark.parametrize("made", ["ieee802154", "rf-serial"], indirect=True)
@pytest.mark.parametrize("command", ["status", "send", "listen", "rekey"])
def test_the_program_tells_it(
    command: str, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = json.loads((made / "node.json").read_text())
    fields["settings"]["suite"] = [1]
    (made / "node.json").write_text(json.dumps(fields))
    message = ("x",) if command == "send" else ()
    assert running.run(["node", command, str(made), *message]) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors == "samara: the setting 'suite' must be text, not [1].\n"


@pytest.mark.parametrize("made", ["ieee802154"], indirect=True)
@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("own", "peer", "same address"),
        ("key_source", "00", "key_source"),
        ("key_id_mode", 2, "key id mode 2 needs 8"),
        ("level", True, "level"),
        ("level", 9, "level"),
        ("channel", 27, "channel"),
        ("suite", "none", "none"),
        ("medium", "a\0b", "medium"),
    ],
)
def test_settings_that_cannot_be_are_named(
    name: str, value: object, words: str, made: Path
) -> None:
    path = made / "node.json"
    fields = json.loads(path.read_text())
    if name == "own":
        value = fields["settings"]["peer"]
    fields["settings"][name] = value
    path.write_text(json.dumps(fields))
    with pytest.raises(MisuseError, match=words):
        folders.read(made)


@pytest.mark.parametrize("made", ["ieee802154"], indirect=True)
def test_keys_of_another_node_are_refused(made: Path) -> None:
    folders.make_pair(made.with_name("other"), "ieee802154", {})
    (made.with_name("other") / "keys.json").rename(made / "keys.json")
    with pytest.raises(MisuseError, match="of two nodes"):
        folders.read(made)


@pytest.mark.parametrize("made", ["ieee802154"], indirect=True)
def test_damaged_new_keys_are_reported(made: Path) -> None:
    path = made / "rekey.json"
    for content in ("{", '{"format": 1}', '{"format": 2}'):
        path.write_text(content)
        path.chmod(0o600)
        with pytest.raises(MisuseError, match=r"damaged|newer"):
            rekeying.finish(made)


# Files of keys for captures

_KEY = 'key = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"'


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([f"[[key]]\n{_KEY}\nmode = 1\nindex = 300"], "0 to 255"),
        ([f"[[key]]\n{_KEY}\nmode = 1\nindex = -1"], "0 to 255"),
        ([f"[[key]]\n{_KEY}\nmode = 4"], "0 to 3"),
        ([f"[[key]]\n{_KEY}\nmode = true"], "0 to 3"),
        ([f'[[key]]\n{_KEY}\nmode = 2\nsource = "00"'], "4 bytes, not 1"),
        ([f'[[key]]\n{_KEY}\nsource = "00"'], "0 bytes, not 1"),
        ([f"[[key]]\n{_KEY}"] * 256, "256 .*the most is 255"),
        (
            [f"[[key]]\n{_KEY}"]
            + [f'[[device]]\nextended = "{n:016x}"' for n in range(255)],
            "255 .*the most is 254",
        ),
        (["key = " + "[" * 10_000], "not TOML"),
    ],
)
def test_keys_of_captures_that_cannot_be_are_reported(
    rows: list[str], words: str
) -> None:
    with pytest.raises(MisuseError, match=words) as caught:
        captures.Opening(key_file.keys_of("\n".join(rows)))
    assert "c0c1" not in str(caught.value)


def test_as_many_keys_and_senders_as_there_may_be_are_taken() -> None:
    rows = [f'[[key]]\nkey = "{n:032x}"\nmode = 1\nindex = {n}' for n in range(255)]
    rows += [f'[[device]]\nextended = "{n:016x}"' for n in range(254)]
    captures.Opening(key_file.keys_of("\n".join(rows)))


@_MANY
@given(
    st.fixed_dictionaries({}, optional={
        "key": st.just("c0" * 16) | st.text(max_size=40),
        "mode": st.integers(),
        "index": st.integers(-2, 300),
        "source": st.sampled_from(["", "00", "00" * 4, "00" * 8, "é"]),
        "cipher": st.sampled_from(["aes128", "none", "ascon-aead128"]),
    }),
    st.fixed_dictionaries({}, optional={
        "extended": st.just("00" * 8) | st.text(max_size=20),
        "short": st.sampled_from(["1", "ffff", "10000", "x"]),
        "pan": st.sampled_from(["1", "ffff", "10000", "x"]),
    }),
)  # fmt: skip
def test_any_row_of_keys_is_reported(
    key: dict[str, Any], device: dict[str, Any]
) -> None:
    text = "".join(
        f"[[{name}]]\n"
        + "".join(f"{each} = {json.dumps(value)}\n" for each, value in row.items())
        for name, row in (("key", key), ("device", device))
    )
    with in_one_sentence():
        captures.Opening(key_file.keys_of(text))
