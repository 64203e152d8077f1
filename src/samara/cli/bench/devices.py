# SPDX-License-Identifier: Apache-2.0
"""List the devices that ciphers are measured on, and the chips like them.

A chip has the processor of its device: --device takes its name, and its
programs take the same cycles. Clock, memory, voltage and current are those
of the device.

\b
Examples:
  samara bench devices
  samara bench devices --json
"""

from samara.bench.device_list import list_devices
from samara.cli.shared.answering import answering

command = answering(list_devices)
