# SPDX-License-Identifier: GPL-3.0-or-later
"""Docstrings: each class that is made tells its parameters, ports and tags."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import pmt
import pytest
from flowgraphs import KEY
from gnuradio import gr, samara

if TYPE_CHECKING:
    from pathlib import Path

BLOCKS = (gr.basic_block, gr.gr_python.basic_block)
MADE = sorted(
    name
    for name, value in vars(samara).items()
    if isinstance(value, type) and (issubclass(value, BLOCKS) or name == "frame_codec")
)
STATE_FILE = "counter"
# How to make the blocks with message ports of their own.
QPSK = samara.burst_modulation.QPSK
WITH_PORTS = {
    "burst_rx": (QPSK, 480),
    "burst_tx": (QPSK, 480),
    "frame_open_pdu": (KEY, STATE_FILE),
    "frame_seal_pdu": (KEY, STATE_FILE),
    "pdu_to_text": (),
    "ple_llr_pdu": (KEY,),
    "ple_xor_pdu": (samara.ple_role.DECRYPT, KEY),
    "text_to_pdu": (60,),
}


def test_there_are_blocks() -> None:
    assert {"burst_tx", "burst_rx", "ple_xor_bb", "text_to_pdu"} <= set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_each_parameter_is_described(name: str) -> None:
    made = getattr(samara, name)
    said = inspect.cleandoc(made.__doc__)
    if not hasattr(made.__init__, "__code__"):
        # pybind11 writes: __init__(self: ..., modulation: ..., gap: int = 0) -> None
        given = re.findall(r"[(,] (\w+): ", made.__init__.__doc__)
    else:
        code = made.__init__.__code__
        given = code.co_varnames[1 : code.co_argcount]
    told = re.findall(r"^    (\w+): \S", said.partition("Args:")[2], re.MULTILINE)
    assert told == list(given)


@pytest.mark.parametrize("name", WITH_PORTS)
def test_each_message_port_is_described(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = getattr(samara, name)
    block = made(*WITH_PORTS[name]).to_basic_block()
    ports = pmt.to_python(block.message_ports_in())
    ports += pmt.to_python(block.message_ports_out())
    # Each block of GNU Radio has the port "system".
    missing = {port for port in ports if f'"{port}"' not in made.__doc__} - {"system"}
    assert ports
    assert missing == set()
