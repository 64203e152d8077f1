# SPDX-License-Identifier: Apache-2.0
"""Cycles, time and energy of messages, on devices and radios.

It knows the results of the bench and of the core in hardware, clocks and currents of
devices, and data of radios from data sheets; and it asks the kinds of link which frames
a message takes. Links do not know it.

>>> from samara import energy
>>> radio = energy.radio("at86rf231")
>>> f"{radio.transmit_a.value * 1e3:g} mA at {radio.supply_v.value:g} V"
'14 mA at 3 V'
"""

from samara.bench.devices import Device, device
from samara.bench.results import Operation
from samara.energy.catalogue import Radio, radio, radios
from samara.energy.coprocessor import (
    NotOnCoreError,
    check_tag,
    cost_of,
    host_and_wrapper_remarks,
    host_of,
)
from samara.energy.cryptography import (
    Build,
    Cost,
    Memory,
    NotMeasuredError,
    Work,
    builds,
    memory_of,
)
from samara.energy.radio_costs import radio_energy

__all__ = [
    "Build",
    "Cost",
    "Device",
    "Memory",
    "NotMeasuredError",
    "NotOnCoreError",
    "Operation",
    "Radio",
    "Work",
    "builds",
    "check_tag",
    "cost_of",
    "device",
    "host_and_wrapper_remarks",
    "host_of",
    "memory_of",
    "radio",
    "radio_energy",
    "radios",
]
