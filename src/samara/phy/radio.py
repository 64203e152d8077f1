# SPDX-License-Identifier: Apache-2.0
"""Radios: a channel, a recording, or hardware, as blocks of GNU Radio.

The option --radio names one:

============  ==========================================================
zmq           the channel that `samara channel` provides without --address
zmq:ADDRESS   the channel at ipc://PATH or tcp://HOST:PORT
file:PATH     a recording: a sender writes SigMF, or appends; a listener reads any
uhd:ARGS      a USRP, with UHD's device arguments; `uhd:` is the first one found
soapy:ARGS    a radio that SoapySDR supports, such as soapy:driver=lime
============  ==========================================================

GNU Radio and the drivers are loaded when a radio is opened.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from samara.errors import ArgumentError
from samara.extras import needed
from samara.phy.addresses import Endpoints, default_address
from samara.phy.recordings import RecordingOptions, open_recording
from samara.phy.sigmf_files import begin_or_append
from samara.phy.tuning import RadioError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.channel import Samples
    from samara.phy.recordings import Recording
    from samara.phy.tuning import Tuning

Block: TypeAlias = Any
"""A block of GNU Radio, which has no type annotations."""

# Zeros after a recording, so that a burst at its end is found before the end.
_SILENCE = 1 << 16

# What work() of a block of GNU Radio returns at the end.
_DONE = -1

# By how much of it a setting that a radio took may be off: as its crystal is.
_COERCED_MOST = 10e-6

#: Name of the stream tag with the length of a burst.
LENGTH_TAG = "packet_len"


@dataclass(frozen=True, slots=True)
class Radio:
    """A radio, as --radio names it."""

    kind: str
    argument: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the value of --radio.

        Raises
        ------
        RadioError
            If the text names no radio.
        """
        kind, _, argument = text.partition(":")
        if kind not in _OPENERS:
            message = (
                f"{text!r} is not a radio: expected zmq, zmq:ADDRESS, file:PATH, "
                "uhd:ARGS or soapy:ARGS"
            )
            raise RadioError(message)
        if kind == "zmq":
            argument = argument or default_address()
            try:
                Endpoints.of(argument, 0)
            except ArgumentError as error:
                raise RadioError(str(error)) from None
        if kind == "file" and not argument:
            message = "file: needs the name of a recording: expected file:PATH"
            raise RadioError(message)
        return cls(kind, argument)


def sink(radio: Radio, tuning: Tuning, number: int) -> Block:
    """Return a block of GNU Radio that transmits complex samples.

    Parameters
    ----------
    number
        Number of the radio in a channel, from 0.

    Raises
    ------
    RadioError
        If the radio is not available; the text says what was looked for.
    """
    need_gnuradio()
    return _OPENERS[radio.kind](radio.argument, tuning, number, sends=True)


def source(radio: Radio, tuning: Tuning, number: int) -> Block:
    """Return a block of GNU Radio that receives complex samples; see `sink`.

    It must be kept while its flowgraph runs: GNU Radio does not keep blocks in Python.
    """
    need_gnuradio()
    return _OPENERS[radio.kind](radio.argument, tuning, number, sends=False)


def need_gnuradio() -> None:
    """Check that GNU Radio is installed.

    Raises
    ------
    RadioError
        If it is not; the text has the command that installs it.
    """
    try:
        import gnuradio  # noqa: F401, PLC0415
    except ImportError as error:
        message = (
            f"GNU Radio is not installed for this Python ({error}): run apt-get "
            "install gnuradio, and use /usr/bin/python3 or an environment of it with "
            "--system-site-packages, as tools/setup makes"
        )
        raise RadioError(message) from None


@contextlib.contextmanager
def _driver(name: str, argument: str) -> Iterator[None]:
    """Replace the error of a driver by one sentence."""
    # The libraries read these when they are loaded. Without them they would write to
    # standard output.
    os.environ.setdefault("UHD_LOG_CONSOLE_LEVEL", "off")
    os.environ.setdefault("SOAPY_SDR_LOG_LEVEL", "FATAL")
    try:
        yield
    except ImportError as error:
        message = f"{name} is not installed for this Python: {error}"
        raise RadioError(message) from None
    except (RuntimeError, ValueError) as error:
        asked = f" for {argument!r}" if argument else ""
        message = (
            f"{name} finds no radio{asked} ({_reason(error)}): connect one, end the "
            "program that uses it, or use --radio zmq together with samara channel"
        )
        raise RadioError(message) from None


def _reason(error: Exception) -> str:
    """Return what a driver said, without the names of its exceptions and its dashes.

    >>> _reason(RuntimeError("LookupError: KeyError: No devices found for ----->"))
    'No devices found'
    """
    lines = str(error).strip().splitlines() or ["no reason given"]
    return re.sub(r"^(?:\w+Error: )+|(?: for)? -+>$", "", lines[0])


def _zmq(address: str, _tuning: Tuning, number: int, *, sends: bool) -> Block:
    ends = Endpoints.of(address, number)
    return _zmq_sink(ends.transmit) if sends else _zmq_source(ends.receive)


def _zmq_source(endpoint: str) -> Block:
    # gr-zeromq needs pyzmq, too.
    with needed("phy"):
        from gnuradio import gr, zeromq  # noqa: PLC0415

    from samara.phy.air_places import is_listened_at  # noqa: PLC0415

    if is_listened_at(endpoint):
        message = (
            f"{endpoint} has a listener already, and each would get only a part of "
            "the samples: end the other program, or use another radio of the channel "
            "(samara channel --radios)"
        )
        raise RadioError(message)
    return zeromq.pull_source(gr.sizeof_gr_complex, 1, endpoint)


def _zmq_sink(endpoint: str) -> Block:
    from samara.phy.air_places import is_bound  # noqa: PLC0415
    from samara.phy.zmq_sink import zmq_sink  # noqa: PLC0415

    if is_bound(endpoint):
        message = f"{endpoint} cannot be used: another program sends as this radio"
        raise RadioError(message)
    try:
        return zmq_sink(endpoint, LENGTH_TAG)
    except OSError as error:
        reason = error.strerror or error
        message = f"{endpoint} cannot be used ({reason}): does another program send?"
        raise RadioError(message) from None


def _file(path: str, tuning: Tuning, _number: int, *, sends: bool) -> Block:
    from gnuradio import blocks, gr  # noqa: PLC0415

    if sends:
        data = begin_or_append(
            Path(path),
            tuning.sample_rate,
            frequency=tuning.frequency,
            description="bursts as sent, without noise",
        )
        return blocks.file_sink(gr.sizeof_gr_complex, str(data), append=True)
    recording = open_recording(
        Path(path), RecordingOptions(default_rate=tuning.sample_rate)
    )
    if recording.sample_rate != tuning.sample_rate:
        message = (
            f"{path} has a sample rate of {recording.sample_rate:.0f} Hz, and the link "
            f"one of {tuning.sample_rate:.0f} Hz: change --rate"
        )
        raise RadioError(message)
    if not recording.count:
        message = f"{path} has no samples"
        raise RadioError(message)
    return _file_source(recording)


def _uhd(arguments: str, tuning: Tuning, _number: int, *, sends: bool) -> Block:
    with _driver("UHD", arguments):
        from gnuradio import uhd  # noqa: PLC0415

        stream = uhd.stream_args(cpu_format="fc32", channels=[0])
        if sends:
            usrp = uhd.usrp_sink(arguments, stream, LENGTH_TAG)
        else:
            usrp = uhd.usrp_source(arguments, stream)
        usrp.set_samp_rate(tuning.sample_rate)
        usrp.set_center_freq(tuning.corrected_frequency, 0)
        usrp.set_gain(tuning.gain_db, 0)
        rate, frequency = usrp.get_samp_rate(), usrp.get_center_freq(0)
        _check_coerced("sample rate", "--rate", tuning.sample_rate, rate)
        wanted = tuning.corrected_frequency
        _check_coerced("frequency", "--frequency", wanted, frequency)
        return usrp


def _soapy(arguments: str, tuning: Tuning, _number: int, *, sends: bool) -> Block:
    with _driver("SoapySDR", arguments):
        from samara.phy import soapy_blocks  # noqa: PLC0415

        if sends:
            block = soapy_blocks.soapy_sink(arguments, tuning, LENGTH_TAG)
        else:
            block = soapy_blocks.soapy_source(arguments, tuning)
    taken = block.taken
    _check_coerced("sample rate", "--rate", tuning.sample_rate, taken.sample_rate)
    wanted = tuning.corrected_frequency
    _check_coerced("frequency", "--frequency", wanted, taken.frequency)
    return block


def _check_coerced(what: str, option: str, wanted_hz: float, taken_hz: float) -> None:
    """Refuse a radio that took another setting than the one that was asked for."""
    if not abs(taken_hz - wanted_hz) <= wanted_hz * _COERCED_MOST:
        message = (
            f"the radio took a {what} of {taken_hz:,.0f} Hz, not the {wanted_hz:,.0f} "
            f"Hz that were asked for: give {option} a value that it can be set to, at "
            "both ends of the link"
        )
        raise RadioError(message)


_OPENERS = {"zmq": _zmq, "file": _file, "uhd": _uhd, "soapy": _soapy}


def _file_source(recording: Recording) -> Block:
    """Return a block with the samples of a recording, and some zeros after them."""
    from gnuradio import gr  # noqa: PLC0415

    class Source(gr.sync_block):  # type: ignore[misc] # GNU Radio has no types
        def __init__(self) -> None:
            super().__init__("recording", in_sig=None, out_sig=[np.complex64])
            self._left = _with_silence(recording)
            self._piece = np.zeros(0, np.complex64)

        def work(self, _inputs: object, outputs: list[Samples]) -> int:
            if not len(self._piece):
                self._piece = next(self._left, self._piece)
            count = min(len(self._piece), len(outputs[0]))
            outputs[0][:count] = self._piece[:count]
            self._piece = self._piece[count:]
            return count or _DONE

    return Source()


def _with_silence(recording: Recording) -> Iterator[Samples]:
    yield from recording.blocks()
    yield np.zeros(_SILENCE, np.complex64)
