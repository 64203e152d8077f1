# SPDX-License-Identifier: Apache-2.0
"""Receive the bursts of a link of `samara node` without its key.

The command finds, demodulates and decodes each burst as the receiver of the link
does, but cannot decrypt it. It shows what encryption does not hide: that a node
sends, when, how much and how strongly. Set modulation, sample rate and frame size
as the link has them. The command runs until Ctrl-C.

\b
Examples:
  samara channel --radios 3
  samara phy eavesdrop
  samara phy eavesdrop --radio file:bursts.sigmf-meta --count 1 --json
"""

from __future__ import annotations

from samara.cli.shared.answering import prints, takes_request
from samara.cli.shared.json_lines import Json  # noqa: TC001 - Typer reads it
from samara.cli.shared.showing import Showing, announced
from samara.cli.shared.stop_signals import stop_on_signals
from samara.phy.overhearing import EavesdropRequest, UnopenedBurst, eavesdrop

_READY = "the eavesdropper listens; press Ctrl-C to end it"


@prints(UnopenedBurst)
def _eavesdrop(request: EavesdropRequest, *, as_json: Json = False) -> None:
    answer = eavesdrop(request, stop_on_signals())
    Showing(as_json=as_json, doing="").show(announced(answer, _READY))


command = takes_request(_eavesdrop)
