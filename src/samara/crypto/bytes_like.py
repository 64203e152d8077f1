# SPDX-License-Identifier: Apache-2.0
"""The type of what may be given where bytes are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Buffer

    # NumPy 1 does not tell type checkers that its arrays are buffers.
    BytesLike: TypeAlias = Buffer | npt.NDArray[Any]
else:
    # collections.abc.Buffer is of Python 3.12.
    BytesLike = Any


def view_of(data: BytesLike) -> memoryview:
    """Return the bytes behind `data`, which must be C-contiguous."""
    return memoryview(cast("Buffer", data)).cast("B")
