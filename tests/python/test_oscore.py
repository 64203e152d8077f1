# SPDX-License-Identifier: Apache-2.0
"""Secrets for OSCORE: equal at both ends, given out once, and taken by aiocoap."""

from __future__ import annotations

import asyncio
import json
import stat
from typing import TYPE_CHECKING, Any

import aiocoap
import nets
import pytest
from aiocoap.credentials import CredentialsMap
from aiocoap.oscore import NotAProtectedMessage
from aiocoap.oscore_sitewrapper import OscoreSiteWrapper
from aiocoap.resource import Resource, Site
from quiet_air import rounds

from samara.errors import MisuseError
from samara.link.ieee802154.keys import newcomer_runs, timers
from samara.link.node import folder as folders
from samara.link.node import networks, state_file
from samara.link.node import oscore as giving
from samara.link.node.node import Node
from samara.link.node.oscore import OscoreContext, OscoreRequest, oscore
from samara.records import Digest

if TYPE_CHECKING:
    from pathlib import Path

    from samara.link.node.members import OscoreSecret


LINK = "ieee802154"
pytestmark = pytest.mark.usefixtures("air")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let newcomers begin runs one right after another."""
    monkeypatch.setattr(newcomer_runs, "ANSWERED_AFTER_S", 0.0)


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    folder = tmp_path / "hub"
    networks.make(folder, LINK, None, {})
    return folder


@pytest.fixture
def bob(hub: Path) -> Path:
    """Return the folder of a node that has joined the hub by EDHOC."""
    return joined(hub, "bob")


def joined(hub: Path, name: str, *, edhoc: bool = True) -> Path:
    folder = hub.with_name(name)
    text = networks.invite(hub, name, None, edhoc=edhoc).text
    networks.join(folder, text, {}, edhoc=edhoc)
    with Node(hub) as one, Node(folder) as other:
        rounds(other, one)
        assert other.unsettled() == []
    return folder


def renewed(hub: Path, bob: Path) -> None:
    with Node(hub) as one, Node(bob) as other:
        other.renew(edhoc=True)
        rounds(other, one)
        assert one.unsettled() == other.unsettled() == []


def written(node: Path, name: str | None = None) -> OscoreContext:
    """Return what `samara node oscore` says; the context is beside the node."""
    output = node.with_name(f"{node.name}-{name}")
    (digest,) = oscore(OscoreRequest(node=node, output=output, neighbour=name))
    assert isinstance(digest, Digest)
    (record,) = digest.records
    assert isinstance(record, OscoreContext)
    return record


def settings_of(context: OscoreContext) -> dict[str, str]:
    found: dict[str, str] = json.loads((context.output / "settings.json").read_bytes())
    return found


def test_both_ends_have_the_same_secret_and_crossed_identifiers(
    hub: Path, bob: Path
) -> None:
    one, other = written(hub, "bob"), written(bob)
    assert (one.sender, one.recipient) == ("00", "01")
    assert (other.sender, other.recipient) == ("01", "00")
    assert one.generation == other.generation == 1
    ours, theirs = settings_of(one), settings_of(other)
    assert ours["sender-id_hex"] == theirs["recipient-id_hex"] == "00"
    assert ours["recipient-id_hex"] == theirs["sender-id_hex"] == "01"
    for name, size in (("secret_hex", 16), ("salt_hex", 8)):
        assert ours[name] == theirs[name]
        assert len(bytes.fromhex(ours[name])) == size
    # By RFC 9528, appendix A.1, the secret of a run is none of its other keys.
    (key,) = state_file.records_in(bob)["neighbour hub"]["keys"]
    assert ours["secret_hex"] not in (key["key"], ours["salt_hex"])
    for context in (one, other):
        assert stat.S_IMODE(context.output.stat().st_mode) == 0o700
        file = context.output / "settings.json"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_secret_is_given_out_once_and_is_then_in_no_file(
    hub: Path, bob: Path
) -> None:
    secret = settings_of(written(hub, "bob"))["secret_hex"]
    (hub.with_name("hub-bob") / "settings.json").unlink()
    hub.with_name("hub-bob").rmdir()
    with pytest.raises(MisuseError, match=r"given out before: .* rekey --edhoc"):
        written(hub, "bob")
    # Nothing is left of a directory for which there is no context.
    assert not hub.with_name("hub-bob").exists()
    content = b"".join(each.read_bytes() for each in hub.iterdir())
    assert secret.encode() not in content
    # After the next run there is another one, at both.
    written(bob)
    renewed(hub, bob)
    bob.with_name("bob-None").rename(bob.with_name("old"))
    one, other = written(hub, "bob"), written(bob)
    assert one.generation == other.generation == 2
    assert settings_of(one)["secret_hex"] == settings_of(other)["secret_hex"] != secret


def test_neighbours_without_a_secret_are_refused(hub: Path, bob: Path) -> None:
    joined(hub, "carol", edhoc=False)
    with pytest.raises(MisuseError, match="carol does not come from EDHOC: `samara"):
        written(hub, "carol")
    with pytest.raises(MisuseError, match=r"no neighbour 'dave'; those .* bob, carol"):
        written(hub, "dave")
    with pytest.raises(MisuseError, match="give --neighbour NAME, one of bob, carol"):
        written(hub)
    hub.with_name("hub-bob").mkdir()
    with pytest.raises(MisuseError, match="hub-bob exists: give another -o DIR"):
        written(hub, "bob")
    hub.with_name("hub-bob").rmdir()
    assert written(hub, "bob").generation == written(bob).generation


def test_two_nodes_of_a_pair_have_one_after_their_first_run(tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    folders.make_pair(a, LINK, {})
    folders.make_second(b, a, {})
    with pytest.raises(MisuseError, match="has agreed with nobody by EDHOC"):
        written(a)
    renewed(a, b)
    one, other = settings_of(written(a)), settings_of(written(b))
    assert one["secret_hex"] == other["secret_hex"]
    assert one["sender-id_hex"] == other["recipient-id_hex"] == "00"


def test_none_is_given_out_while_a_run_is_not_over(
    hub: Path, bob: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other node may begin that run anew: then the two would not be equal."""
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 60.0)
    with Node(bob) as other, Node(hub) as one:
        other.renew(edhoc=True)
        with pytest.raises(MisuseError, match="are agreeing on a key: try again"):
            other.take_oscore("hub")
        one.receive(0)
        other.receive(0)
        # Bob has the key and has said so, which the hub has not heard.
        with pytest.raises(MisuseError, match="are agreeing on a key: try again"):
            other.take_oscore(None)
        assert one.take_oscore("bob").generation == 1
        one.receive(0)
        # The hub has the new key, and has not heard that bob uses it.
        with pytest.raises(MisuseError, match="has not used the new key yet"):
            one.take_oscore("bob")
        rounds(other, one)
        ours, theirs = one.take_oscore("bob"), other.take_oscore("hub")
        assert ours.generation == theirs.generation == 2
        assert (ours.secret, ours.salt) == (theirs.secret, theirs.salt)
        assert ours.secret.hex() not in repr(ours)
        # The keys go on as before.
        one.send(b"hello", to="bob")
        other.receive(0)


def test_the_secret_of_a_run_that_begins_anew_is_dropped(
    hub: Path, bob: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timers, "REPEATED_AFTER_S", 0.0)
    with Node(bob) as other:
        with Node(hub) as one:
            other.renew(edhoc=True)
            one.receive(0)
            other.receive(0)
            dropped = state_file.records_in(bob)["neighbour hub"]["oscore"]
        # The hub knows nothing of that run any more.
        with Node(hub) as one:
            # Bob repeats its proof, which the hub cannot use.
            rounds(other, one, count=1)
            other.receive(0)
            assert "oscore" not in state_file.records_in(bob)["neighbour hub"]
            rounds(other, one)
            ours, theirs = one.take_oscore("bob"), other.take_oscore("hub")
    assert ours.secret == theirs.secret
    assert ours.secret.hex() not in dropped


def test_who_is_killed_while_it_gives_out_never_gives_out_twice(
    hub: Path, bob: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before the file is written: the secret is gone, and the node says so."""

    def killed(_: OscoreSecret) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(giving, "_settings", killed)
        with pytest.raises(KeyboardInterrupt):
            written(hub, "bob")
    with pytest.raises(MisuseError, match="given out before"):
        written(hub, "bob")
    with Node(hub) as one, Node(bob) as other:
        one.send(b"hello", to="bob")
        assert rounds(other)


class Thermometer(Resource):  # type: ignore[misc] # without types
    """Answers with the temperature."""

    async def render_get(self, request: aiocoap.Message) -> aiocoap.Message:
        del request
        return aiocoap.Message(payload=b"21.5")


def credentials(context: OscoreContext, what: str) -> dict[str, Any]:
    return {what: {"oscore": {"basedir": f"{context.output}/"}}}


async def asked(server: OscoreContext, client: OscoreContext) -> aiocoap.Message:
    site, known = Site(), CredentialsMap()
    known.load_from_dict(credentials(server, ":client"))
    site.add_resource(["t"], Thermometer())
    secured = OscoreSiteWrapper(site, known)
    # A port of its own and no other transports, whose ports are fixed: another test, or
    # another program, may have them.
    udp = ["oscore", "udp6"]
    (port,) = nets.free_ports(1)
    serving = await aiocoap.Context.create_server_context(
        secured, bind=("::1", port), transports=udp
    )
    asking = await aiocoap.Context.create_client_context(transports=udp)
    host = f"coap://[::1]:{port}"
    asking.client_credentials.load_from_dict(credentials(client, f"{host}/*"))
    try:
        request = aiocoap.Message(code=aiocoap.GET, uri=f"{host}/t")
        return await asyncio.wait_for(asking.request(request).response, 30)
    finally:
        await asking.shutdown()
        await serving.shutdown()


def test_aiocoap_takes_the_contexts(hub: Path, bob: Path) -> None:
    one, other = written(hub, "bob"), written(bob)
    response = asyncio.run(asked(one, other))
    assert response.payload == b"21.5"


def test_aiocoap_refuses_the_context_of_another_run(hub: Path, bob: Path) -> None:
    one = written(hub, "bob")
    renewed(hub, bob)
    other = written(bob)
    assert other.generation == one.generation + 1
    # The server answers with an error, which it cannot protect.
    with pytest.raises(NotAProtectedMessage):
        asyncio.run(asked(one, other))
