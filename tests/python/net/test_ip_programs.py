# SPDX-License-Identifier: Apache-2.0
"""Programs that know nothing of samara, above its links."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nets
import pytest
from links import Cable, Running, medium
from shell import PROGRAM, TIMEOUT_S, assert_done, environment, samara

from samara.net.tun import Tun, TunError

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

COAP_CLIENT, COAP_SERVER = "coap-client-notls", "coap-server-notls"


def named(number: signal.Signals) -> str:
    return number.name


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[nets.Member]]:
    """Two nodes of IEEE 802.15.4."""
    nets.need("ping")
    with nets.lab(tmp_path_factory.mktemp("pair")) as members:
        yield members


@pytest.mark.parametrize("size", [56, 1232])
def test_a_ping_comes_back(pair: list[nets.Member], size: int) -> None:
    first, second = pair
    said = nets.run(
        first, "ping", *f"-c 3 -i 0.2 -W 20 -s {size} {second['address']}".split()
    )
    assert " 3 received" in said


def test_an_interface_of_another_kind_is_left_alone() -> None:
    nets.need("ping")
    with pytest.raises(TunError, match="no TUN interface"):
        Tun("lo")


def test_neighbours_have_link_local_addresses(pair: list[nets.Member]) -> None:
    first, second = pair
    near = "fe80::" + second["address"].partition("::")[2]
    assert " 1 received" in nets.run(first, *f"ping -c 1 -W 20 {near}%samara0".split())


def test_coap_moves_blocks_both_ways(pair: list[nets.Member], tmp_path: Path) -> None:
    nets.need(COAP_CLIENT, COAP_SERVER)
    first, second = pair
    content = os.urandom(1500).hex()[:2000]
    sent, got = tmp_path / "sent", tmp_path / "got"
    sent.write_text(content)
    place = f"coap://[{second['address']}]/example_data"
    with nets.running(second, COAP_SERVER):
        nets.until_listening(second, 5683)
        client = [COAP_CLIENT, "-B", "50", "-b", "64", "-m"]
        nets.run(first, *client, "put", "-f", str(sent), place)
        nets.run(first, *client, "get", "-o", str(got), place)
    assert got.read_text() == content


def test_tftp_moves_a_file(pair: list[nets.Member], tmp_path: Path) -> None:
    nets.need("tftp", "in.tftpd")
    first, second = pair
    served, content = tmp_path / "served", os.urandom(3000)
    served.mkdir()
    (served / "image").write_bytes(content)
    tmp_path.chmod(0o755)
    server = ["in.tftpd", "--foreground", "--user", "root", "--ipv6", "--secure"]
    with nets.running(second, *server, str(served)):
        nets.until_listening(second, 69)
        got = str(tmp_path / "got")
        nets.run(
            first,
            "tftp",
            *f"-6 -m binary {second['address']} -c get image".split(),
            got,
        )
    assert Path(got).read_bytes() == content


def test_a_packet_of_20_fragments_crosses(pair: list[nets.Member]) -> None:
    """The kernel makes them at once: more than may wait of whole packets."""
    nets.need("ping")
    first, second = pair
    said = nets.run(first, "ping", *f"-c 1 -W 60 -s 24000 {second['address']}".split())
    assert " 1 received" in said


def test_a_node_reaches_itself(pair: list[nets.Member]) -> None:
    nets.need("ping")
    for member in pair:
        for address in ("::1", member["address"]):
            assert " 1 received" in nets.run(member, "ping", "-c", "1", address)


def test_tcp_gets_through(pair: list[nets.Member]) -> None:
    nets.need("iperf3")
    first, second = pair
    with nets.running(second, "iperf3", "--server", "--one-off"):
        nets.until_listening(second, 5201, "tcp")
        said = nets.run(
            first,
            *f"iperf3 --json --bytes 8K --length 1K -c {second['address']}".split(),
        )
    assert '"error"' not in said


def test_a_ping_crosses_a_serial_line(tmp_path: Path) -> None:
    nets.need("ping")
    with Cable() as cable:
        init = ("node", "init", "a", "--link", "rf-serial", "--baud", "115200")
        assert_done(samara(*init, "--port", cable.ports[0], folder=tmp_path))
        init = ("node", "init", "b", "--pair-with", "a", "--port", cable.ports[1])
        assert_done(samara(*init, folder=tmp_path))
        up = ("ip", "up", "--own-netns", "--json")
        with Running(tmp_path, *up, "a") as near, Running(tmp_path, *up, "b") as far:
            nets.until_printed(near)
            nets.until_printed(far)
            (first,), (second,) = nets.members_of(near), nets.members_of(far)
            assert first["address"] == "fd00:5a::ff:fe00:1"
            assert second["address"] == "fd00:5a::ff:fe00:2"
            # In parts of the node: 1232 bytes are more than one message of the line.
            for size in (56, 1232):
                options = f"-c 2 -W 30 -s {size} {second['address']}".split()
                assert " 2 received" in nets.run(first, "ping", *options)


# ---- several hops, and loss --------------------------------------------------


def test_a_file_crosses_three_hops_of_which_each_has_its_key(tmp_path: Path) -> None:
    nets.need(COAP_CLIENT, COAP_SERVER)
    capture, got = tmp_path / "air.pcap", tmp_path / "got"
    with nets.lab(tmp_path, "--pcap", str(capture), nodes=4) as members:
        first, last = members[0], members[3]
        said = nets.run(first, "ping", *f"-c 2 -W 30 {last['address']}".split())
        # Two routers are in between.
        assert " 2 received" in said
        assert "ttl=62" in said
        with nets.running(last, COAP_SERVER):
            nets.until_listening(last, 5683)
            place = f"coap://[{last['address']}]/example_data"
            client = [COAP_CLIENT, "-B", "100", "-m"]
            nets.run(first, *client, "put", "-e", "eavesdroppers" * 4, place)
            nets.run(first, *client, "get", "-o", str(got), place)
    assert got.read_text() == "eavesdroppers" * 4
    heard = capture.read_bytes()
    assert len(heard) > 1000
    assert b"eavesdroppers" not in heard


# Of 28 frames of a packet and its answer, all arrive once in 500 attempts where one
# in five is lost and none is sent again, and once in four where one in twenty is.
@pytest.mark.parametrize(("loss", "least"), [(0.05, 8), (0.2, 4)])
def test_packets_of_many_frames_survive_loss(
    tmp_path: Path, loss: float, least: int
) -> None:
    nets.need("ping")
    with nets.lab(tmp_path, "--loss", str(loss), "--seed", "1") as (first, second):
        # One after the other: a full queue would lose some, too.
        arguments = f"-c 1 -s 1232 -W 30 {second['address']}".split()
        done = [
            subprocess.run(
                nets.command(first, "ping", *arguments),
                capture_output=True,
                check=False,
                timeout=TIMEOUT_S,
            )
            for _ in range(10)
        ]
    assert sum(each.returncode == 0 for each in done) >= least


@pytest.mark.thorough
@pytest.mark.parametrize("topology", ["chain", "star"])
def test_twenty_nodes_reach_each_other(tmp_path: Path, topology: str) -> None:
    nets.need("ping")
    with nets.lab(tmp_path, "--topology", topology, nodes=20) as members:
        for other in members[1:]:
            for one, two in ((members[0], other), (other, members[-1])):
                if one is not two:
                    arguments = f"-c 1 -W 60 {two['address']}".split()
                    assert " 1 received" in nets.run(one, "ping", *arguments)


def test_a_watcher_tells_what_a_packet_costs(
    tmp_path: Path, pair: list[nets.Member]
) -> None:
    first, second = pair
    places = [member["directory"] for member in pair]
    where = ("--medium", first["medium"], "--count", "2", "--timeout", "30", "--json")
    with Running(tmp_path, "ip", "watch", *places, *where) as watcher:
        assert "watching" in watcher.next_message()
        nets.run(first, *f"ping -c 1 -W 20 -s 200 {second['address']}".split())
        request, reply = watcher.events()
    assert request["protocol"] == "ICMPv6 echo request"
    assert reply["protocol"] == "ICMPv6 echo reply"
    assert (request["source"], request["destination"]) == ("n1", "n2")
    assert request["packet_bytes"] == 40 + 8 + 200
    # On a busy machine an acknowledgement may come too late: its frame is repeated.
    acknowledgements = request["acknowledgements"]
    assert request["frames"] == 3 <= acknowledgements <= 3 + request["repetitions"]
    layers = request["layers"]
    assert layers["payload"] == 200
    # A control byte, a key index, a frame counter and a MIC of 4 bytes.
    assert layers["security"] == 3 * 10
    # IPHC with 2 bytes, the protocol, and Linux's flow label; fragments 4, 5 and 5.
    assert layers["6lowpan"] == 2 + 1 + 3 + 4 + 5 + 5
    # Header of 9, check sequence of 2, acknowledgement of 5.
    assert layers["mac"] == 3 * 11 + acknowledgements * 5
    assert request["energy"]["value"] > 0


# ---- what is left ------------------------------------------------------------


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=named
)
def test_nothing_is_left_of_a_lab(tmp_path: Path, number: signal.Signals) -> None:
    nets.need()
    with Running(tmp_path, "ip", "lab", "--json", "--nodes", "2") as process:
        assert "nodes are up" in process.next_message()
        members = nets.members_of(process)
        places = [Path(member["directory"]) for member in members]
        assert all(place.is_dir() for place in places)
        pids = nets.children_of(process.pid)
        # Two nodes, the air, and the watcher.
        assert len(pids) == 4
        process.send_signal(number)
        process.wait(TIMEOUT_S)
    assert all(nets.gone(pid) for pid in pids)
    assert not any(place.parent.exists() for place in places)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=named)
def test_a_namespace_that_was_made_is_removed(
    tmp_path: Path, number: signal.Signals
) -> None:
    nets.need()
    name = f"samara-test-{os.getpid()}-{number.name}"
    place = Path("/run/netns") / name
    made_pair(tmp_path)
    with (
        medium(tmp_path) as port,
        Running(
            tmp_path,
            *("ip", "up", "a", "--medium", f"127.0.0.1:{port}", "--netns", name),
        ) as process,
    ):
        assert "is up with" in process.next_message()
        assert place.exists()
        process.send_signal(number)
        process.wait(TIMEOUT_S)
        assert nets.vanished(place)


def test_a_namespace_that_was_there_stays(tmp_path: Path) -> None:
    nets.need()
    name = f"samara-test-{os.getpid()}-there"
    made_pair(tmp_path)
    subprocess.run(["ip", "netns", "add", name], check=True)  # noqa: S607
    try:
        with (
            medium(tmp_path) as port,
            Running(
                tmp_path,
                *("ip", "up", "a", "--medium", f"127.0.0.1:{port}", "--netns", name),
            ) as process,
        ):
            assert "is up with" in process.next_message()
            process.send_signal(signal.SIGTERM)
            process.wait(TIMEOUT_S)
        listed = subprocess.check_output(["ip", "-n", name, "-o", "link"])  # noqa: S607
        assert b"lo: <LOOPBACK,UP" in listed
        assert len(listed.splitlines()) == 1, "the interface is left"
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)  # noqa: S607


def made_pair(folder: Path, *options: str) -> None:
    """Make the nodes a and b."""
    assert_done(
        samara("node", "init", "a", "--link", "ieee802154", *options, folder=folder)
    )
    assert_done(samara("node", "init", "b", "--pair-with", "a", folder=folder))


# ---- without root ------------------------------------------------------------


def test_without_root_one_sentence_tells_what_to_do(tmp_path: Path) -> None:
    nets.need("setpriv")
    made_pair(tmp_path)
    with medium(tmp_path) as port:
        done = subprocess.run(
            [
                *("setpriv", "--bounding-set", "-net_admin", "--"),
                *(PROGRAM, "ip", "up", "a", "--medium", f"127.0.0.1:{port}"),
            ],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    assert done.returncode == 2
    (sentence,) = done.stderr.decode().splitlines()
    assert "root" in sentence
    assert "--userspace" in sentence


def test_a_namespace_that_may_not_be_made_is_reported_in_one_sentence() -> None:
    nets.need("setpriv", "ip")
    program = (
        "from samara.net import namespaces\n"
        "try: namespaces.make('samara-not-made')\n"
        "except namespaces.NamespaceError as error: print(error)\n"
    )
    # Also the mounts of this test's own, should it be allowed after all.
    private = ("unshare", "--mount", "--propagation", "private", "--")
    output = subprocess.check_output(
        [
            *(*private, "setpriv", "--bounding-set", "-sys_admin", "--"),
            *(sys.executable, "-c", program),
        ],
        env=environment(),
        text=True,
        timeout=TIMEOUT_S,
    )
    expected = "the network namespace samara-not-made cannot be made: run this command"
    assert output == f"{expected} as root\n"


def test_coap_crosses_without_an_interface(tmp_path: Path) -> None:
    if nets.missing(COAP_CLIENT, COAP_SERVER):
        pytest.skip("NOT TRIED: libcoap's programs are not installed")
    made_pair(tmp_path)
    entry, server = nets.free_ports(2)
    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}", "--userspace")
        with (
            Running(tmp_path, "ip", "up", "a", *where, "--listen", str(entry)) as near,
            Running(tmp_path, "ip", "up", "b", *where, "--forward", str(server)) as far,
            nets.server(COAP_SERVER, "-A", "127.0.0.1", "-p", str(server)),
        ):
            assert "datagrams" in near.next_message()
            assert "datagrams" in far.next_message()
            place = f"coap://127.0.0.1:{entry}/example_data"
            content = os.urandom(300).hex()
            client = [COAP_CLIENT, "-B", "20", "-m"]
            put = [*client, "put", "-e", content, place]
            subprocess.run(put, check=True, timeout=60)
            got = subprocess.check_output([*client, "get", place], timeout=60)
    assert got.decode().strip() == content
