# SPDX-License-Identifier: Apache-2.0
"""Encrypted links for constrained radio devices.

`samara.crypto` seals and opens messages with every cipher of the C library.
"""

from importlib.metadata import version

__version__ = version("samara")
