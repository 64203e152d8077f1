# SPDX-License-Identifier: Apache-2.0
"""Act as a capture program of Wireshark (extcap): radios and recordings as interfaces.

Wireshark starts the program that --install writes, and shows an interface for each
protocol of samara sniff. Its settings have the radio or recording, and the channel.
Wireshark tells its directories of such programs under Help, About, Folders; tshark
by: tshark -G folders.

\b
Examples:
  samara extcap --install ~/.config/wireshark/extcap
  samara extcap --extcap-interfaces
  samara extcap --capture --extcap-interface samara-oqpsk-2450 \\
    --fifo /tmp/pipe --source soapy:driver=hackrf --channel 15
"""

from __future__ import annotations

import contextlib

from samara.cli.shared.answering import takes_request
from samara.cli.shared.diagnostics import ExitCode, note
from samara.cli.shared.stop_signals import stop_on_signals
from samara.sniffer.extcap import ExtcapRequest, answers, captured, installed
from samara.sniffer.sniffing import sniff


def _extcap(request: ExtcapRequest) -> int:
    if request.install is not None:
        note(f"wrote {installed(request.install)}")
        return ExitCode.DONE
    if not request.capture:
        print(*answers(request), sep="\n")
        return ExitCode.DONE
    return _capture(request)


def _capture(request: ExtcapRequest) -> int:
    """Write packets until Wireshark closes the pipe or ends the program."""
    asked, fifo = captured(request)
    # Wireshark takes each line on stderr for an error: notices are not printed.
    with contextlib.suppress(BrokenPipeError), fifo.open("wb") as target:
        for _ in sniff(asked, target, stop_on_signals()):
            pass
    return ExitCode.DONE


command = takes_request(_extcap)
