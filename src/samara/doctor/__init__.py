# SPDX-License-Identifier: Apache-2.0
"""What this machine has of what samara can use, and what to install for the rest.

`examine` answers with a `DoctorPart` for each program, Python package and facility of
the machine. It changes nothing and needs no network.
"""

from samara.doctor.examining import DoctorPart, DoctorRequest, Kind, examine
from samara.doctor.machine import PAGE_ADVICE, REINSTALL, core_error

__all__ = [
    "PAGE_ADVICE",
    "REINSTALL",
    "DoctorPart",
    "DoctorRequest",
    "Kind",
    "core_error",
    "examine",
]
