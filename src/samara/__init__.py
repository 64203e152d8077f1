# SPDX-License-Identifier: Apache-2.0
"""Encrypted links for constrained radio devices.

`samara.crypto` has the ciphers of the C library, `samara.link` and `samara.phy` the
links that they secure, `samara.bench` and `samara.energy` what that costs on a device.
"""

from typing import Any

# The public modules, which docs/reference/python.md describes.
__all__ = ["__version__", "crypto", "errors", "figure", "records", "units"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as Python has it
    # Not read at every start: looking for it takes longer than all of samara.
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415

        return version("samara")
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
