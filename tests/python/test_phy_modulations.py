# SPDX-License-Identifier: Apache-2.0
"""A modulation is one row of one table, and one row of the same name in gr-samara."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from gnuradio import samara as blocks
from shell import TIMEOUT_S, assert_done, assert_misuse, environment

from samara.errors import MisuseError
from samara.phy import modulation
from samara.phy.frames import burst_modulation

if TYPE_CHECKING:
    from pathlib import Path

# A copy of QPSK under another name, which nothing else in samara knows.
_TOY = """
import dataclasses, sys
from samara.phy.modulation import MODULATIONS
MODULATIONS["toy"] = dataclasses.replace(MODULATIONS["qpsk"], name="toy", title="Toy")
from samara.cli.running import run
sys.exit(run(sys.argv[1:]))
"""


def with_toy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run `samara` with one more row in the table."""
    return subprocess.run(
        [sys.executable, "-c", _TOY, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.mark.parametrize(
    "command",
    ["phy ber", "phy sync", "phy record", "phy eavesdrop"],
)
def test_a_new_row_is_in_the_help(command: str, tmp_path: Path) -> None:
    answer = with_toy(tmp_path, *command.split(), "--help")
    assert "toy" in assert_done(answer).decode()


@pytest.mark.slow
def test_a_new_row_is_simulated(tmp_path: Path) -> None:
    sweep = ["phy", "ber", "--code", "none", "--ebn0", "9", "--frames", "250"]
    answer = with_toy(tmp_path, *sweep, "--modulation", "toy", "--workers", "1")
    shown = assert_done(answer).decode()
    assert "toy" in shown


@pytest.mark.slow
def test_a_new_row_is_a_setting_of_nodes(tmp_path: Path) -> None:
    init = ("node", "init", "first", "--link", "sdr", "--modulation", "toy")
    done = [
        with_toy(tmp_path, *arguments)
        for arguments in (
            (*init, "--radio", "file:air"),
            ("node", "init", "second", "--pair-with", "first"),
            ("node", "send", "first", "hello"),
            ("node", "listen", "second", "--count", "1", "--raw"),
        )
    ]
    assert [each.returncode for each in done] == [0, 0, 0, 0], done
    assert done[-1].stdout == b"hello"
    unknown = ("node", "init", "third", "--link", "sdr", "--modulation", "x")
    assert_misuse(
        with_toy(tmp_path, *unknown),
        "--modulation must be bpsk, qpsk, 16-qam, o-qpsk-dsss, cc1101,",
    )


def test_both_tables_agree() -> None:
    theirs = {row.name: row for row in blocks.burst_modulations()}
    ours = {row.waveform: row for row in modulation.MODULATIONS.values()}
    assert set(theirs) == set(ours) - {None}
    for name, row in theirs.items():
        assert row.label == ours[name].title
        assert row.bits_per_symbol == ours[name].mapper().bits_per_symbol
        assert burst_modulation(ours[name].name) == row.modulation
        assert str(row.modulation) == f"burst_modulation.{row.identifier}"


def test_a_modulation_without_a_waveform_is_only_simulated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bpsk = modulation.MODULATIONS["bpsk"]
    row = dataclasses.replace(bpsk, name="paper", waveform=None)
    monkeypatch.setitem(modulation.MODULATIONS, "paper", row)
    with pytest.raises(MisuseError, match="can be simulated, but not sent in bursts"):
        burst_modulation("paper")


def test_names_are_those_of_the_rows() -> None:
    for name, row in modulation.MODULATIONS.items():
        assert (row.name, modulation.find(name)) == (name, row)
    assert modulation.DEFAULT in modulation.MODULATIONS
    chips = "cc1101, cc1101-msk, nrf24, si446x, sx126x"
    assert modulation.names() == f"bpsk, qpsk, 16-qam, o-qpsk-dsss, {chips}"
