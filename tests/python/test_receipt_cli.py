# SPDX-License-Identifier: Apache-2.0
"""`samara receipt` shows and explains, and costs are those of the chosen device."""

from __future__ import annotations

import json
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest
from shell import TIMEOUT_S, assert_done, assert_misuse, environment, samara

from samara import energy
from samara.bench import store
from samara.crypto import UnknownNameError
from samara.energy import cryptography
from samara.energy.receipt_costs import with_costs
from samara.figure import Origin
from samara.link import rfserial
from samara.link.ieee802154 import kind as ieee802154
from samara.link.node import receipt_tables
from samara.link.node.kinds import planned_receipt
from samara.link.node.receipt import PARTS, Direction, Receipt
from samara.link.rfserial import kind as rf_serial
from samara.link.rfserial import modem
from samara.link.rfserial import receipts as receipts_rf_serial

if TYPE_CHECKING:
    from pathlib import Path


def frame(direction: Direction = Direction.SENT, **given: object) -> Receipt:
    return planned_receipt("ieee802154", direction, 95, given)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["explain", "show"])
def test_the_examples_of_the_help_run(command: str, tmp_path: Path) -> None:
    # `show` begins with an example that makes its file; so does `explain`.
    shown = assert_done(samara("receipt", command, "--help", folder=tmp_path)).decode()
    lines = "\n".join(line.strip() for line in shown.splitlines())
    examples = lines.partition("\nExamples:\n")[2].partition("\n\n")[0]
    for example in examples.replace("\\\n", " ").splitlines():
        assert example.startswith("samara receipt ")
        subprocess.run(
            ["/bin/sh", "-euc", example],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=True,
        )


def test_an_explanation_has_every_line(tmp_path: Path) -> None:
    options = "--link ieee802154 --level 5 --bytes 95 --device atmega128rfa1"
    done = samara("receipt", "explain", *options.split(), folder=tmp_path)
    text = assert_done(done).decode()
    assert max(map(len, text.splitlines())) <= 80
    words = " ".join(text.split())
    found = with_costs(frame(level=5), "atmega128rfa1")
    for name, size in found.parts.items():
        plural = "" if size == 1 else "s"
        assert (f"{PARTS[name].label}: {size:g} byte{plural}\n" in text) == (size > 0)
    for figure in found.figures.values():
        assert f"{figure.origin}: {figure.source}." in words
    for origin in Origin:
        assert f"\n{origin}: " in text


@pytest.mark.parametrize("command", ["show", "explain"])
def test_a_receipt_of_others_does_not_control_the_terminal(
    command: str, tmp_path: Path
) -> None:
    line = shlex.split("receipt explain --link ieee802154 --json")
    given = json.loads(assert_done(samara(*line, folder=tmp_path)))
    changed = {**given, "link": "\x1b[31m\x9b2J\rradio\u202e"}
    (tmp_path / "receipt").write_text(json.dumps(changed))
    done = samara("receipt", command, "receipt", folder=tmp_path)
    text = assert_done(done).decode()
    assert r"\x1b[31m\x9b2J\rradio\u202e" in text
    assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.slow
def test_a_receipt_goes_through_a_file_and_a_pipe(tmp_path: Path) -> None:
    options = ["--link", "rf-serial", "--bytes", "14", "--json"]
    made = samara("receipt", "explain", *options, folder=tmp_path)
    content = assert_done(made)
    (tmp_path / "receipt.json").write_bytes(content)
    again = samara("receipt", "show", "receipt.json", "--json", folder=tmp_path)
    assert json.loads(assert_done(again)) == json.loads(content)
    device = ("--device", "msp430f1611")
    shown = samara("receipt", "show", "-", *device, given=content, folder=tmp_path)
    text = assert_done(shown).decode()
    assert "14 bytes sent over rf-serial, sealed" in text
    assert "cryptography, cycles" in text
    assert "msp430f1611 with srf" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("show none", "none: No such file"),
        ("show broken", "FILE is no receipt (it is not JSON): give what"),
        ("show empty", "FILE is no receipt"),
        ("explain", "give FILE, or --link"),
        ("explain empty --link rf-serial", "give FILE, or --link"),
        ("explain --suite aes128", "give FILE, or --link"),
        ("explain --module hc-12 --level 5", "give FILE, or --link"),
        ("explain --link sdr --modulation x", "--modulation must be bpsk, qpsk"),
        ("explain --link sdr --level 5", "sdr takes no --level"),
        (
            "explain --link lora",
            "unknown link 'lora': give ieee802154, rf-serial or sdr",
        ),
        ("explain --link rf-serial --level 5", "rf-serial takes no --level"),
        ("explain --link rf-serial --framing x", "--framing must be sealed, plain"),
        ("explain --link rf-serial --suite x", "'x'"),
        ("explain --link ieee802154 --suite x", "'x'"),
        ("explain --link ieee802154 --level 8", "--level"),
        ("explain --link ieee802154 --bytes 1100000", "1048576"),
        ("explain --link ieee802154 --device z80", "unknown device or chip 'z80'"),
        (
            "explain --link ieee802154 --device atmega328p --radio x",
            "unknown radio 'x'",
        ),
        ("explain --link ieee802154 --radio cc2420", "--radio needs --device"),
    ],
)
def test_misuse_is_one_sentence(line: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "broken").write_text("{")
    (tmp_path / "empty").write_text("{}")
    done = samara("receipt", *shlex.split(line), folder=tmp_path)
    assert_misuse(done, words)


def test_costs_are_of_the_end_that_the_receipt_is_for() -> None:
    sent, received = (
        with_costs(frame(direction, level=7, key_id_mode=0), "atmega128rfa1")
        for direction in Direction
    )
    radio = energy.radio("at86rf231")
    assert (sent.radio, received.radio) == (radio.name, radio.name)
    for receipt, current in ((sent, radio.transmit_a), (received, radio.receive_a)):
        air_time = receipt.figures["air_time"].value
        joules = air_time * current.value * radio.supply_v.value
        assert receipt.figures["radio_energy"].value == pytest.approx(joules)
    cycles = [receipt.figures["crypto_cycles"].value for receipt in (sent, received)]
    assert cycles[0] != cycles[1]


def test_the_radio_goes_with_the_device() -> None:
    assert with_costs(frame(), "msp430f1611").radio == "cc2420"
    assert with_costs(frame(), "msp430f1611", "nrf52840").radio == "nrf52840"
    serial = planned_receipt("rf-serial", Direction.SENT, 20, {})
    assert with_costs(serial, "msp430f1611").radio == "srf"


def test_what_secures_nothing_costs_nothing() -> None:
    costed = with_costs(frame(level=0), "atmega128rfa1")
    assert "crypto_cycles" not in costed.figures
    assert "radio_energy" in costed.figures
    with pytest.raises(UnknownNameError):
        with_costs(frame(level=0), "z80")


def test_what_was_not_measured_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = cryptography.programs.__wrapped__
    monkeypatch.setattr(store, "committed", lambda: tmp_path)
    monkeypatch.setattr(store, "own", lambda: tmp_path / "own.jsonl")
    monkeypatch.setattr(cryptography, "programs", nothing)
    (note,) = with_costs(frame(level=5), "atmega2560").remarks
    assert (
        "samara bench run --device atmega2560 --suite ieee802154-aes128-ccm-4" in note
    )


def test_what_is_planned_is_what_nodes_do_by_default() -> None:
    serial = rf_serial.KIND.new_pair({})[0].settings
    names = ("framing", "suite", "tag_size", "counter_size", "packet_size")
    settings = rfserial.Settings.of(**{name: serial[name] for name in names})
    modems = modem.Settings(baud=serial["baud"], timeout_ms=serial["modem_timeout_ms"])
    sent = receipts_rf_serial.Sent(
        Direction.SENT, 20, [rfserial.sizes_of(settings, 20)]
    )
    line = receipts_rf_serial.Line.of(modems)
    expected = receipts_rf_serial.receipt_of(sent, settings, line)
    assert planned_receipt("rf-serial", Direction.SENT, 20, {}) == expected
    frames = ieee802154.KIND.new_pair({})[0].settings
    given = {name: frames[name] for name in ("level", "key_id_mode", "suite")}
    found = planned_receipt("ieee802154", Direction.SENT, 20, given)
    assert planned_receipt("ieee802154", Direction.SENT, 20, {}) == found
    assert (frames["addresses"], frames["frame_version"]) == ("short", 2006)


@pytest.mark.slow
def test_receipts_of_a_node_are_shown(tmp_path: Path) -> None:
    """What `node send --json` and `node listen --json` print, a line each."""
    receipt = frame(level=5)
    lines = [
        {"type": "sent", "air": [], "receipt": receipt.as_json()},
        {"type": "lost", "transmissions": 1},
        {"type": "receipt", **receipt.as_json()},
        {"type": "received", "hex": "", "receipt": receipt.as_json()},
    ]
    path = tmp_path / "sent"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    done = samara("receipt", "show", "sent", "--json", folder=tmp_path)
    shown = [json.loads(line) for line in assert_done(done).splitlines()]
    assert shown == [{"type": "receipt", **receipt.as_json()}] * 3
    costed = samara(
        "receipt", "show", "sent", "--device", "atmega2560", folder=tmp_path
    )
    assert assert_done(costed).decode().count("atmega2560 with at86rf231") == 3
    path.write_text(json.dumps(lines[1]))
    assert_misuse(samara("receipt", "show", "sent", folder=tmp_path), "no receipt")


@pytest.mark.slow
def test_options_are_taken(tmp_path: Path) -> None:
    options = ["--link", "ieee802154", "--bytes", "20", "--json"]
    for more, direction, acknowledged in (
        ((), "sent", False),
        (("--received",), "received", False),
        (("--ack",), "sent", True),
    ):
        done = samara("receipt", "explain", *options, *more, folder=tmp_path)
        fields = json.loads(assert_done(done))
        assert fields["direction"] == direction
        assert (fields["parts"]["acknowledgement"] > 0) == acknowledged
        verbs = [call["verb"] for call in fields["calls"]]
        assert verbs == (["seal"] if direction == "sent" else ["open"]) + (
            ["open"] if acknowledged else []
        )


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0, "s", "0 s"),
        (4.256e-3, "s", "4.26 ms"),
        (179e-6, "J", "179 µJ"),
        (1.5e-9, "J", "1.50 nJ"),
        (12.5, "s", "12.5 s"),
        (1e-12, "J", "0.00 nJ"),
    ],
)
def test_values_have_three_digits(value: float, unit: str, text: str) -> None:
    assert receipt_tables.scaled(value, unit) == text
