# SPDX-License-Identifier: Apache-2.0
"""Make a project of firmware: a sensor whose messages a node of this machine receives.

The directory has a program of less than a hundred lines, the part of the C library
that it needs, the files of a build, and a README.md with the commands to type. It
needs nothing else of samara to build. Its directory `host` is the node at the other
end of the link, record.h the provisioning record of one board, with its key: only you
can read them, and .gitignore leaves them out.

With --receiver, a second board receives in place of the node: both projects are made,
with one key, and neither has a directory `host`. Receivers are AVRs.

Boards are those of AVRs, of the nRF51822 (cortex-m0), the nRF52840 (cortex-m4), the
STM32F103 with 64 or 128 KB (bluepill, nucleo-f103rb) and the MSP430F1611, with a serial
radio. With --link ieee802154 the board is an ATmega128RFA1, whose own radio sends
frames of IEEE 802.15.4. All but the code for AVRs with a serial radio ran on models of
the chips, and never on a chip.

\b
Examples:
  samara firmware new sensor
  samara firmware new sensor --device atmega2560 --suite ascon-aead128 \\
    --build cmake --interval 60
  samara firmware new sensor --device nrf52840
  samara firmware new sensor --device bluepill
  samara firmware new sensor --link ieee802154
  samara firmware new sensor --receiver display
  samara advise --device atmega328p --link rf-serial --layer link --json |
    samara firmware new sensor --advise -
"""

from samara.cli.shared.streaming import streaming
from samara.firmware.making import new

command = streaming(new)
