# SPDX-License-Identifier: Apache-2.0
"""The commands for networks: invite, join, forget, rekey, and what they refuse."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from json_page import documented
from links import Running, listening, medium
from shell import Done, assert_done, assert_misuse, samara

from samara.link.ieee802154.keys import invitations
from samara.link.ieee802154.kind import KIND

if TYPE_CHECKING:
    from pathlib import Path

NET = ("--link", "ieee802154", "--network")


@pytest.mark.slow
def test_a_newcomer_joins_and_gets_a_new_key(tmp_path: Path) -> None:
    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}")
        assert_done(samara("node", "init", "hub", *NET, *where, folder=tmp_path))
        invite = ("node", "invite", "hub", "--name", "bob", "-o", "file")
        assert_done(samara(*invite, folder=tmp_path))
        file = tmp_path / "file"
        assert file.stat().st_mode & 0o077 == 0
        copy = file.read_bytes()
        join = ("node", "join", "bob", "--invitation", "file", "--timeout", "0.1")
        # Nobody listens yet; the newcomer asks again later.
        late = samara(*join, folder=tmp_path)
        assert late.returncode == 1
        assert b"has not answered the request to join" in late.stderr
        assert not file.exists()
        with listening(tmp_path, "hub", "--count", "1") as hub:
            rekeyed = samara("node", "rekey", "bob", "--timeout", "60", folder=tmp_path)
            assert b"bob: done" in assert_done(rekeyed)
            send = ("node", "send", "bob", "21.5 C", "--to", "hub", "--ack")
            assert_done(samara(*send, folder=tmp_path))
            events = hub.events()
        (message,) = (each for each in events if each["type"] == "received")
        assert (message["source"], message["text"]) == ("bob", "21.5 C")
        status = samara("node", "status", "hub", "--json", folder=tmp_path)
        node = json.loads(assert_done(status))
        assert node["neighbours"]["bob"]["key"] == 1
        assert node["neighbours"]["bob"]["state"] == "settled"
        assert node["invitations"] == {}
        # A copy makes no second node on this machine.
        file.write_bytes(copy)
        file.chmod(0o600)
        again = ("node", "join", "again", "--invitation", "file")
        refused = samara(*again, folder=tmp_path)
        assert_misuse(refused, "made before")
        assert file.exists()
        file.chmod(0o644)
        assert_misuse(samara(*again, folder=tmp_path), "chmod 600")
        assert_done(samara("node", "forget", "hub", "bob", folder=tmp_path))


@pytest.mark.slow
def test_an_invitation_is_shown_when_asked_for(tmp_path: Path) -> None:
    assert_done(samara("node", "init", "hub", *NET, folder=tmp_path))
    assert_misuse(samara("node", "invite", "hub", folder=tmp_path), "--text or --qr")
    shown = samara("node", "invite", "hub", "--text", "--qr", folder=tmp_path)
    text, *rows = assert_done(shown, "is a secret").decode().splitlines()
    assert text.startswith("SAMARA1:")
    assert set("".join(rows)) <= set(" ▀▄█\n\x1b[0123456789;m")
    assert len(rows) > 20
    made = samara("node", "status", "hub", "--json", folder=tmp_path)
    (name,) = json.loads(assert_done(made))["invitations"]
    assert text.encode() not in made.stdout
    cancel = ("node", "invite", "hub", "--cancel", name)
    assert_done(samara(*cancel, folder=tmp_path))
    assert_misuse(samara(*cancel, folder=tmp_path), "no open invitation")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("init", "a", "--network"), "--link"),
        (("init", "a", "--link", "ieee802154", "--name", "x"), "--network"),
        (("init", "a", "--link", "rf-serial", "--network"), "joins two nodes"),
        (("init", "a b", *NET), "name"),
        (("rekey", "none", "--offline", "--neighbour", "x"), "leave out --neighbour"),
    ],
)
@pytest.mark.slow
def test_what_is_refused(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    assert_misuse(samara("node", *arguments, folder=tmp_path), words)
    assert not (tmp_path / "a").exists()


@pytest.mark.slow
def test_a_serial_link_has_new_keys_offline_only(tmp_path: Path) -> None:
    made = ("node", "init", "a", "--link", "rf-serial", "--port", "none")
    assert_done(samara(*made, folder=tmp_path))
    before = (tmp_path / "a" / "keys.json").read_text()
    online = samara("node", "rekey", "a", folder=tmp_path)
    assert_misuse(online, "rf-serial", "--offline")
    offline = samara("node", "rekey", "a", "--offline", folder=tmp_path)
    assert b"--pair-with a" in assert_done(offline)
    assert (tmp_path / "a" / "keys.json").read_text() != before


@pytest.mark.slow
def test_a_node_that_is_up_does_what_commands_ask(tmp_path: Path) -> None:
    """As if it were at rest, with the same words."""

    def node(*arguments: str) -> Done:
        return samara("node", *arguments, folder=tmp_path)

    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}")
        assert_done(node("init", "hub", *NET, *where))
        with Running(tmp_path, "node", "up", "hub") as hub:
            assert "is up" in hub.next_message()
            made = node("invite", "hub", "--name", "bob", "-o", "file")
            assert assert_done(made) == b"file: an invitation for bob\n"
            made = node("invite", "hub", "--name", "carol", "-o", "file")
            assert_misuse(made, "file exists")
            assert_done(node("invite", "hub", "--name", "carol", "--text"), "secret")
            gone = node("invite", "hub", "--cancel", "carol")
            assert b"invitation of carol is not accepted" in assert_done(gone)
            join = ("join", "bob", "--invitation", "file", "--timeout", "60")
            assert b"bob: done" in assert_done(node(*join))
            with Running(tmp_path, "node", "up", "bob") as bob:
                assert "is up" in bob.next_message()
                for rekey in (("bob",), ("hub", "--neighbour", "bob")):
                    renewed = node("rekey", *rekey, "--timeout", "60")
                    assert assert_done(renewed) == f"{rekey[0]}: done\n".encode()
                assert_misuse(node("rekey", "hub", "--neighbour", "x"), "no neighbour")
                assert_misuse(node("rekey", "hub", "--offline"), "stop the", "up")
                forgotten = node("forget", "hub", "bob")
                assert b"bob is no neighbour any more" in assert_done(forgotten)
                assert_misuse(node("forget", "hub", "bob"), "no neighbour 'bob'")
            assert hub.poll() is None
        shown = assert_done(node("status", "hub")).decode()
        assert "frame retries" in shown
        assert not {"None", "False"} & set(shown.split())


def test_a_directory_is_quoted_where_a_shell_needs_it(tmp_path: Path) -> None:
    init = ("node", "init", "knöten a", *NET)
    assert_misuse(samara(*init, folder=tmp_path), "--name")
    made = assert_done(samara(*init, "--name", "a", folder=tmp_path))
    assert "samara node invite 'knöten a' -o FILE" in made.decode()
    status = samara("node", "status", "is not there", folder=tmp_path)
    assert_misuse(status, "samara node init 'is not there'")


def test_options_that_an_invitation_has_are_named_as_such() -> None:
    assert KIND.networks is not None
    settings = KIND.networks.new_network("hub", {"frame_retries": 3}).settings
    drawn = invitations.drawn(settings, [], {}, "bob", 16, invitations.NO_END)
    contents = invitations.Invitation.of(drawn.text).settings
    taken = {each.name for each in KIND.options if each.in_invitation}
    assert taken - {"paced"} == set(contents) & {each.name for each in KIND.options}


def test_join_says_what_an_invitation_does_not_have(tmp_path: Path) -> None:
    shown = assert_done(samara("node", "join", "--help", folder=tmp_path)).decode()
    words = " ".join(shown.replace("│", " ").split())
    assert "Default: no acknowledgements are asked for." in words


def objects(done: Done, *said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in assert_done(done, *said).splitlines()]


@pytest.mark.slow
def test_commands_print_json_and_no_key(tmp_path: Path) -> None:
    """As docs/json.md says; an invitation only if it is asked for."""

    def node(*arguments: str) -> Done:
        done = samara("node", *arguments, "--json", folder=tmp_path)
        printed.append(done.stdout)
        return done

    def settled(done: Done) -> dict[str, Any]:
        last: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        assert set(last) == documented("settled")
        return last

    printed: list[bytes] = []
    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}")
        made = samara("node", "init", "hub", *NET, *where, folder=tmp_path)
        assert_done(made)
        before_s = int(time.time())
        (bob,) = objects(node("invite", "hub", "--name", "bob", "-o", "file"))
        # A day after it was made.
        made_s = bob["ends_s"] - 24 * 3600
        assert before_s <= made_s <= time.time()
        assert bob == {"type": "invitation", "node": "hub", "name": "bob"} | {
            "output": "file",
            "ends_s": bob["ends_s"],
        }
        assert set(bob) == documented("invitation")
        invitation = (tmp_path / "file").read_bytes().strip()
        join = ("join", "bob", "--invitation", "file", "--timeout", "0")
        late = node(*join)
        assert late.returncode == 1
        assert b"has not answered" in late.stderr
        (joined, _) = (json.loads(line) for line in late.stdout.splitlines())
        assert set(joined) == documented("joined")
        assert (joined["name"], joined["link"]) == ("bob", "ieee802154")
        last = settled(late)
        assert not last["done"]
        assert "has not answered" in last["unsettled"][0]
        with listening(tmp_path, "hub"):
            rekeyed = node("rekey", "bob", "--timeout", "60")
            assert_done(rekeyed)
            assert settled(rekeyed) == {"type": "settled", "node": "bob"} | {
                "done": True,
                "unsettled": [],
                "refused": [],
            }
        failed = node("introduce", "hub", "bob", "carol")
        assert_misuse(failed, "no neighbour")
        late = node("rekey", "hub", "--timeout", "0")
        assert late.returncode == 1
        assert not settled(late)["done"]
    (gone,) = objects(node("forget", "hub", "bob"))
    assert gone == {"type": "forgotten", "node": "hub", "name": "bob", "left_to_do": []}
    assert set(gone) == documented("forgotten")
    assert invitation not in b"".join(printed)
    # Last, with the secret that was asked for.
    assert_misuse(node("invite", "hub", "--qr"), "--qr", "--text")
    asked = node("invite", "hub", "--text", "--name", "dan", "--expires", "1")
    (dan,) = objects(asked, "is a secret")
    assert dan["text"].startswith("SAMARA1:")
    assert dan["ends_s"] > time.time()
    assert set(dan) == documented("invitation") | {"text"}
    (cancelled,) = objects(node("invite", "hub", "--cancel", "dan"))
    assert cancelled == {"type": "invitation_cancelled", "node": "hub", "name": "dan"}


@pytest.mark.slow
def test_new_keys_are_not_in_json(tmp_path: Path) -> None:
    made = samara("node", "init", "a", "--link", "ieee802154", folder=tmp_path)
    assert_done(made)
    rekeyed = samara("node", "rekey", "a", "--offline", "--json", folder=tmp_path)
    assert objects(rekeyed) == [
        {"type": "rekeyed", "node": "a", "pair": "a/pair.json"},
    ]
