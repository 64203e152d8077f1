# SPDX-License-Identifier: Apache-2.0
"""Measure the error of a radio's crystal by the bursts of another node.

The command receives bursts of a node of `samara node`, without its key, and prints
the value of --ppm that tunes this radio to that node. Set modulation, sample rate and
frame size as the link has them. The two crystals may be 100 ppm apart at 868 MHz, and
at 2.4 GHz from a sample rate of 1 MHz.

\b
Examples:
  samara phy calibrate --radio soapy:driver=rtlsdr
  samara phy calibrate --radio file:bursts.sigmf-meta --count 1 --json
"""

from __future__ import annotations

from samara.cli.shared.answering import prints, takes_request
from samara.cli.shared.json_lines import Json  # noqa: TC001 - Typer reads it
from samara.cli.shared.showing import Showing, announced
from samara.cli.shared.stop_signals import stop_on_signals
from samara.phy.calibrating import CalibrateRequest, CrystalError, calibrate

_READY = "bursts are waited for; press Ctrl-C to end it"


@prints(CrystalError)
def _calibrate(request: CalibrateRequest, *, as_json: Json = False) -> None:
    answer = calibrate(request, stop_on_signals())
    Showing(as_json=as_json, doing="").show(announced(answer, _READY))


command = takes_request(_calibrate)
