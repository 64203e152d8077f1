# SPDX-License-Identifier: Apache-2.0
"""Two modules are measured, and a node keeps what was measured."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from emulated_modules import Modules
from links import Cable
from shell import assert_misuse, samara

from samara.figure import Origin
from samara.link.node import folder as folders
from samara.link.node.link import LinkError
from samara.link.node.node import Node, Received
from samara.link.rfserial import modules
from samara.link.rfserial.modem import Air
from samara.link.rfserial.modules import measuring
from samara.link.rfserial.modules.measuring import (
    MeasuredModule,
    MeasureRequest,
    measure,
)
from samara.link.rfserial.modules.profile import profile_of

if TYPE_CHECKING:
    from pathlib import Path

TOY = """
title = "a toy that needs silence"
wrapping = "transparent"
baud = { value = 9600, origin = "assumed", source = "a toy" }
packet = { value = 20, origin = "assumed", source = "a toy" }
fill = { value = 5, origin = "assumed", source = "a toy" }
timeout = { value = 5, origin = "assumed", source = "a toy" }
gap = { value = 400, origin = "assumed", source = "a toy" }
buffer = { value = 20, origin = "assumed", source = "a toy" }
air_rate = { value = 20000, origin = "assumed", source = "a toy" }
overhead = { value = 5, origin = "assumed", source = "a toy" }
"""


def measured(request: MeasureRequest) -> MeasuredModule:
    """Return what was measured."""
    (found,) = (each for each in measure(request) if isinstance(each, MeasuredModule))
    return found


def test_a_node_keeps_what_was_measured(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    with Modules(profile_of("toy", TOY)) as ports:
        a, b = ports.paths
        request = MeasureRequest(port=a, other=b, probes=3, profile=file)
        found = measured(request)
        # It loses all but the first 20 bytes of 32, and what follows within 0.4 s.
        assert found.buffer.value == 16
        assert found.packet.value <= 20
        assert found.gap.value == 0.5
        assert found.loss == 0
        assert not found.echoes
        folders.make_pair(tmp_path / "a", "rf-serial", {"module": str(file)})
        folders.make_second(tmp_path / "b", tmp_path / "a", {"module": str(file)})
        with (
            Node(tmp_path / "a", {"port": a}) as first,
            Node(tmp_path / "b", {"port": b}) as second,
        ):
            first.send(b"more than one packet carries")
            end_s = time.monotonic() + 30
            heard: list[Received] = []
            while not heard and time.monotonic() < end_s:
                heard = [e for e in second.receive(0.1) if isinstance(e, Received)]
        assert [each.message for each in heard] == [b"more than one packet carries"]
    profile = modules.module(str(file))
    assert (profile.packet, profile.gap_s, profile.baud) == (16, 0.5, 9600)
    assert profile.figures["gap"].origin is Origin.HOST_CLOCK


def test_packets_and_losses_of_a_module_are_found() -> None:
    with Modules(modules.module("hc-12"), air=Air(loss=0.2), seed=5) as ports:
        a, b = ports.paths
        found = measured(MeasureRequest(port=a, other=b, probes=40, longest=256))
    assert found.packet.value == 64
    assert found.packet.origin is Origin.MEASURED
    # Of 40 packets with a chance of 0.2.
    assert 0.02 < found.loss < 0.5


def test_ports_that_are_not_joined_are_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measuring, "_FIRST_S", 0.1)
    monkeypatch.setattr(measuring, "_SILENCES_S", (0.0,))
    with Cable() as one, Cable() as two:
        a, b = one.ports[0], two.ports[0]
        with pytest.raises(LinkError, match="comes out of"):
            measured(MeasureRequest(port=a, other=b))


def test_the_command_measures_and_writes_nothing_over(tmp_path: Path) -> None:
    with Cable() as cable:
        asked = ("radio", "probe", *cable.ports, "--probes", "2", "--longest", "64")
        done = samara(*asked, "--profile", "mine.toml", "--json", folder=tmp_path)
        assert done.returncode == 0, done
        assert done.stderr == b"samara: wrote mine.toml: give it to --module.\n"
        assert b'"type": "measured_module"' in done.stdout
        assert modules.module(str(tmp_path / "mine.toml")).gap_s == 0
        again = samara(*asked, "--profile", "mine.toml", folder=tmp_path)
        assert_misuse(again, "mine.toml exists")
    gone = samara("radio", "probe", "/nowhere", "/nowhere2", folder=tmp_path)
    assert_misuse(gone, "the serial port /nowhere cannot be opened: No such file")
