# SPDX-License-Identifier: Apache-2.0
"""Type of bytes-like arguments: any object with a C-contiguous buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Buffer

    # NumPy 1 does not tell type checkers that its arrays are buffers.
    BytesLike: TypeAlias = Buffer | npt.NDArray[Any]
else:
    # collections.abc.Buffer exists only from Python 3.12 on.
    BytesLike = Any


def view_of(data: BytesLike) -> memoryview:
    """Return a view of the bytes of `data`, which must be C-contiguous."""
    return memoryview(cast("Buffer", data)).cast("B")
