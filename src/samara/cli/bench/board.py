# SPDX-License-Identifier: Apache-2.0
"""Measure ciphers on a real board, and compare with the simulator.

The board has the measuring program, takes its jobs from a serial port, and counts
cycles by the chip's own timer. Every answer is compared with that of the library on
this machine. Build the program with --write, write it to the board, then call the
command again with --port; or give the programmer's command by --flash, which is
called for each program.

Keys and messages are random and for measuring alone. Erase the program before the
board is used for anything else: it lets the host read and write all memory.

Exit status: 0 if everything was compared, 1 if something was not, 2 if the command
was called wrongly.

\b
Examples:
  samara bench board --device uno --suite aes128-ccm-8 --write firmware
  samara bench board --device uno --suite aes128-ccm-8 --port /dev/ttyACM0
  samara bench board --device uno --port /dev/ttyACM0 --suite aes128 \\
    --suite ascon-aead128 --flash \\
    'avrdude -p m328p -c arduino -P {port} -U flash:w:{hex}:i'
"""

from samara.bench.serial_boards.comparing import compare
from samara.cli.shared.answering import answering

command = answering(compare)
