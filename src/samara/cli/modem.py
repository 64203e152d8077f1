# SPDX-License-Identifier: Apache-2.0
"""Emulate two serial radios, whose ports are connected over simulated air.

The ports are pseudo terminals, and are opened like any serial port. Bytes take
as long as on real serial lines and on the air, and a packet that is not full
waits for more bytes. A second of silence and +++ start command mode, as on an
SRF or XRF, with ATPK, ATRO, ATBD and others; ATDN ends it. Runs until Ctrl-C,
then prints statistics.

\b
Examples:
  samara modem
  samara modem --baud 9600 --timeout-ms 100 --link-a modem-a --link-b modem-b
  samara modem --loss 0.05 --seed 7 --json
  samara modem --assumptions
  echo '{"do": "set", "loss": 0.2}' | samara modem --control
"""

from samara.cli.shared.streaming import streaming
from samara.link.rfserial.serving import run_modems

command = streaming(
    run_modems,
    json_help="Print ports and statistics as JSON Lines.",
    always_json=lambda request: request.control,
    # Symbolic links must be removed all the same.
    outlives_readers=True,
)
