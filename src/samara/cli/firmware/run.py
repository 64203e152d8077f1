# SPDX-License-Identifier: Apache-2.0
"""Run the firmware of a project in a simulator, beside what receives it.

The board is simulated in real time. Its UART is connected to `samara modem`, whose
other end is the port of `samara node listen`; the radio of an ATmega128RFA1 to `samara
medium`, where that node listens. Messages are printed as they arrive.
The end, by Ctrl-C or --seconds, is a power cut; the EEPROM, or the flash memory of
counters, is kept for the next run. The receipt then tells the time that the processor
computed, waited and slept, and the energy of it by the currents of its data sheet.

Give --with the project of a receiver (`samara firmware new --receiver`): its board is
simulated in place of the node. Its lines are printed; each board has a receipt.

What runs is a copy of the project in its directory `simulated`, which has a key of
its own: the record of the project is for a board.

\b
Examples:
  samara firmware run sensor
  samara firmware run sensor --seconds 10
  samara firmware run sensor --with display
  samara firmware run sensor --seconds 10 --json
"""

from samara.cli.shared.streaming import streaming
from samara.firmware.running import run

command = streaming(run)
