# SPDX-License-Identifier: Apache-2.0
"""A scheme as its author wrote it: what it gets wrong is told in a sentence.

Arrays of other shapes or types would give results that mean nothing, or an error far
away from its cause.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from samara.errors import MisuseError
from samara.phy.secrecy.blaming import blaming
from samara.phy.secrecy.link import right_frames
from samara.phy.secrecy.scheme import Scheme

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from samara.phy.secrecy.link import Link

_TRIED_FRAMES = 20
_BITS = "uib"
"""Kinds of types of NumPy that bits may have."""


class _Wanted(NamedTuple):
    """What a method of a scheme has to return."""

    values: str
    kinds: str
    """Of types of NumPy."""
    columns: int | None = None
    """Of a row for each frame; None: any number."""


def checked(kind: type[Scheme], link: Link) -> Scheme:
    """Return the scheme on a link; its methods check what they return.

    Raises
    ------
    MisuseError
        When there is an error in it, now or in each call. The text says where.
    """
    files = _files(kind)
    with blaming(files):
        scheme = kind(link)
        count: object = scheme.keystream_bits
    place = f"{inspect.getfile(kind)}: {kind.__name__}"
    if getattr(scheme, "link", None) is not link:
        message = f"{place}.__init__ has to call super().__init__(link)"
        raise MisuseError(message)
    if not isinstance(count, int | np.integer) or count < 0:
        message = f"{place}.keystream_bits is {count!r}, expected a number of bits"
        raise MisuseError(message)
    for name, wanted in _all_wanted(link).items():
        if hasattr(scheme, name):
            setattr(scheme, name, _watched(getattr(scheme, name), wanted, kind))
    return scheme


def require_inverse(scheme: Scheme, random: np.random.Generator, most: float) -> None:
    """Refuse a scheme whose receiver loses more than a share of frames without noise.

    Raises
    ------
    MisuseError
        When it does.
    """
    counters = np.arange(_TRIED_FRAMES)
    payloads = scheme.link.payloads(random, _TRIED_FRAMES)
    soft = scheme.receive(scheme.send(payloads, counters), counters)
    wrong = int((~right_frames(payloads, scheme.link.read(soft))).sum())
    if wrong > most * _TRIED_FRAMES:
        message = (
            f"{inspect.getfile(type(scheme))}: {type(scheme).__name__}.receive does not"
            f" undo what send does: {wrong} of {_TRIED_FRAMES} frames are wrong "
            f"without any noise"
        )
        raise MisuseError(message)


def _files(kind: type[Scheme]) -> set[str]:
    """Return the files of a scheme and of those that it derives from."""
    own = kind.__mro__[: kind.__mro__.index(Scheme)]
    return {inspect.getfile(each) for each in own if not inspect.isabstract(each)}


def _all_wanted(link: Link) -> dict[str, _Wanted]:
    bits = _Wanted("zeros and ones", _BITS, link.codec.coded_bits)
    soft = _Wanted("real numbers", "f", link.codec.coded_bits)
    samples = _Wanted("complex numbers", "c")
    symbols = _Wanted("complex numbers", "c", link.symbols)
    return {
        "send": samples,
        "observe": symbols,
        "receive": soft,
        "coded": bits,
        "plain": soft,
        "stream": bits,
        "scramble": samples,
        "unscramble": symbols,
    }


def _watched(
    method: Callable[..., Any], wanted: _Wanted, kind: type[Scheme]
) -> Callable[..., Any]:
    """Return the method, which blames its author, and refuses what is not wanted."""
    files = _files(kind)

    @functools.wraps(method)
    def watched(*arguments: Any) -> NDArray[Any]:  # noqa: ANN401 - as the method has
        given = [_kept(each) for each in arguments]
        with blaming(files):
            found = method(*given)
        if not _fits(found, len(arguments[0]), wanted):
            message = (
                f"{_place(method, kind)} returned {_described(found)}, expected "
                f"{_expected(len(arguments[0]), wanted)}"
            )
            raise MisuseError(message)
        if wanted.kinds == _BITS:
            found = found.astype(np.uint8, copy=False)
        return found  # type: ignore[no-any-return]

    return watched


def _kept(values: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written: the caller compares with these values."""
    view = values.view()
    view.flags.writeable = False
    return view


def _place(method: Callable[..., Any], kind: type[Scheme]) -> str:
    """Return file, line and name of a method; the class where it only inherits it."""
    own = inspect.unwrap(method)
    if inspect.getfile(own) in _files(kind):
        _, line = inspect.getsourcelines(own)
        return f"{inspect.getfile(own)}, line {line}: {method.__qualname__}"
    return f"{inspect.getfile(kind)}: {kind.__name__}.{method.__name__}"


def _expected(frames: int, wanted: _Wanted) -> str:
    count = "any number of" if wanted.columns is None else wanted.columns
    return f"an array of {frames} rows of {count} {wanted.values}"


def _fits(found: object, frames: int, wanted: _Wanted) -> bool:
    if not isinstance(found, np.ndarray) or found.dtype.kind not in wanted.kinds:
        return False
    columns = wanted.columns or (found.shape[-1] if found.ndim else 0)
    if found.shape != (frames, columns) or columns == 0:
        return False
    if wanted.kinds == _BITS:
        return bool(np.isin(found, (0, 1)).all())
    return bool(np.isfinite(found).all())


def _described(found: object) -> str:
    if not isinstance(found, np.ndarray):
        return f"an object of type {type(found).__name__}"
    shape = " x ".join(map(str, found.shape)) or "no dimension"
    if found.dtype.kind in "fc" and not np.isfinite(found).all():
        return f"an array of {shape} {found.dtype} with NaN or infinity"
    if found.dtype.kind in "ui" and found.size:
        return f"an array of {shape} {found.dtype} from {found.min()} to {found.max()}"
    return f"an array of {shape} {found.dtype}"
