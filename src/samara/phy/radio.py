# SPDX-License-Identifier: Apache-2.0
"""Where samples go to and come from: a channel, a recording, or a real radio.

A radio is named by one text, as `--radio` takes it:

============  ==========================================================
zmq           the channel on this machine (`samara channel`)
zmq:ADDRESS   the channel at tcp://HOST:PORT or ipc://PATH
file:PATH     a SigMF recording: written by a sender, read by a listener
uhd:ARGS      a USRP, by UHD's device arguments; `uhd:` takes the first
soapy:ARGS    any radio that SoapySDR knows, such as soapy:driver=lime
============  ==========================================================

GNU Radio and the drivers are loaded when a radio is opened.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from samara.errors import MisuseError
from samara.extras import needed
from samara.phy.addresses import Endpoints, default_address
from samara.phy.recordings import open_recording, write_meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.recordings import Recording

Block: TypeAlias = Any
"""A block of GNU Radio, which has no types."""

# Samples behind a recording: what ends with it is found before all ends.
_SILENCE = 1 << 16

#: Name of the tag that says how long a burst is.
LENGTH_TAG = "packet_len"


class RadioError(MisuseError):
    """A radio that is not there, or cannot do what it is asked."""


class RecordingEndedError(RadioError):
    """All of a recording was heard."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How a radio is set; a channel and a recording only take the rate."""

    sample_rate: float
    """Samples per second."""
    frequency: float = 868.3e6
    """Of the carrier, in Hz."""
    gain_db: float = 30.0


@dataclass(frozen=True, slots=True)
class Radio:
    """Which radio."""

    kind: str
    argument: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `--radio` says.

        Raises
        ------
        RadioError
            When it names no radio.
        """
        kind, _, argument = text.partition(":")
        if kind not in _OPENERS:
            message = (
                f"{text!r} is no radio: give zmq, zmq:ADDRESS, file:PATH, uhd:ARGS "
                "or soapy:ARGS"
            )
            raise RadioError(message)
        if kind == "zmq":
            argument = argument or default_address()
            try:
                Endpoints.of(argument, 0)
            except ValueError as error:
                raise RadioError(str(error)) from None
        if kind == "file" and not argument:
            message = "a recording needs a name: give file:PATH"
            raise RadioError(message)
        return cls(kind, argument)


def sink(radio: Radio, tuning: Tuning, number: int) -> Block:
    """Return a block of GNU Radio that transmits complex samples.

    Parameters
    ----------
    number
        Which of a channel's radios this is, from 0 up.

    Raises
    ------
    RadioError
        When it is not there; one sentence tells what was looked for.
    """
    need_gnuradio()
    return _OPENERS[radio.kind](radio.argument, tuning, number, sends=True)


def source(radio: Radio, tuning: Tuning, number: int) -> Block:
    """Return a block of GNU Radio that receives complex samples; see `sink`."""
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
    """Turn what a driver raises into one sentence."""
    # Read when the libraries are loaded: they would talk on standard output.
    os.environ.setdefault("UHD_LOG_CONSOLE_LEVEL", "off")
    os.environ.setdefault("SOAPY_SDR_LOG_LEVEL", "FATAL")
    try:
        yield
    except ImportError as error:
        message = f"GNU Radio has no {name} here: {error}"
        raise RadioError(message) from None
    except (RuntimeError, ValueError) as error:
        asked = f" that fits {argument!r}" if argument else ""
        lines = str(error).strip().splitlines() or ["no reason given"]
        message = (
            f"{name} finds no radio{asked} ({lines[0]}): connect one, or use "
            "--radio zmq with samara channel"
        )
        raise RadioError(message) from None


def _zmq(address: str, _tuning: Tuning, number: int, *, sends: bool) -> Block:
    # gr-zeromq needs pyzmq, too.
    with needed("phy"):
        from gnuradio import gr, zeromq  # noqa: PLC0415

    from samara.phy.air_places import is_bound, is_listened_at  # noqa: PLC0415

    ends = Endpoints.of(address, number)
    if not sends:
        if is_listened_at(ends.receive):
            message = (
                f"radio {number} of the channel at {address} has a listener already, "
                "and two would share its samples: end the other one, or be another "
                "radio (samara channel --radios)"
            )
            raise RadioError(message)
        return zeromq.pull_source(gr.sizeof_gr_complex, 1, ends.receive)
    if is_bound(ends.transmit):
        message = f"{ends.transmit} cannot be used: another program sends as this radio"
        raise RadioError(message)
    try:
        return zeromq.push_sink(gr.sizeof_gr_complex, 1, ends.transmit)
    except RuntimeError as error:
        message = f"{ends.transmit} cannot be used ({error}): is another radio there?"
        raise RadioError(message) from None


def _file(path: str, tuning: Tuning, _number: int, *, sends: bool) -> Block:
    from gnuradio import blocks, gr  # noqa: PLC0415

    if sends:
        data = write_meta(
            Path(path),
            tuning.sample_rate,
            frequency=tuning.frequency,
            description="bursts as they were sent, without noise",
        )
        return blocks.file_sink(gr.sizeof_gr_complex, str(data))
    recording = open_recording(Path(path))
    if recording.sample_rate != tuning.sample_rate:
        message = (
            f"{path} has {recording.sample_rate:.0f} samples a second, and the "
            f"link {tuning.sample_rate:.0f}: give --rate"
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
        usrp.set_center_freq(tuning.frequency, 0)
        usrp.set_gain(tuning.gain_db, 0)
        return usrp


def _soapy(arguments: str, tuning: Tuning, _number: int, *, sends: bool) -> Block:
    with _driver("SoapySDR", arguments):
        from gnuradio import soapy  # noqa: PLC0415

        make = soapy.sink if sends else soapy.source
        device = make(arguments, "fc32", 1, "", "", [""], [""])
        device.set_sample_rate(0, tuning.sample_rate)
        device.set_frequency(0, tuning.frequency)
        device.set_gain(0, tuning.gain_db)
        return device


_OPENERS = {"zmq": _zmq, "file": _file, "uhd": _uhd, "soapy": _soapy}


def _file_source(recording: Recording) -> Block:
    """Return a block that reads a recording's samples, then gives silence."""
    from gnuradio import blocks, gr  # noqa: PLC0415

    path = str(recording.data)
    if recording.datatype == "cf32_le":
        parts = [blocks.file_source(gr.sizeof_gr_complex, path)]
    elif recording.datatype == "ci16_le":
        convert = blocks.interleaved_short_to_complex(scale_factor=32768.0)
        parts = [blocks.file_source(gr.sizeof_short, path), convert]
    else:
        convert = blocks.interleaved_char_to_complex(scale_factor=128.0)
        parts = [blocks.file_source(gr.sizeof_char, path), convert]
    whole = gr.hier_block2(
        "recording", gr.io_signature(0, 0, 0), gr.io_signature(1, 1, 8)
    )
    lengths = [recording.count, _SILENCE]
    joined = blocks.stream_mux(gr.sizeof_gr_complex, lengths)
    whole.connect(*parts, (joined, 0))
    whole.connect(
        blocks.null_source(gr.sizeof_gr_complex),
        blocks.head(gr.sizeof_gr_complex, _SILENCE),
        (joined, 1),
    )
    whole.connect(joined, whole)
    return whole
