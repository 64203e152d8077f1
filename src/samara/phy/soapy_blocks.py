# SPDX-License-Identifier: Apache-2.0
"""Devices behind SoapySDR as blocks of GNU Radio.

GNU Radio's own blocks for SoapySDR do not tell what a driver answers: an unplugged
device, an underrun or an overflow is a line in a log, and a burst has no end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from samara.phy.burst_sink import burst_sink
from samara.phy.soapy_device import SoapyReceiver, SoapyTransmitter, opened
from samara.phy.tuning import RadioError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from samara.phy.channel import Samples
    from samara.phy.tuning import Tuning

_DONE = -1  # as GNU Radio understands it: nothing more will come


class _Outlet:
    """A transmitter as `burst_sink` uses it."""

    def __init__(self, transmitter: SoapyTransmitter) -> None:
        self._transmitter = transmitter

    def can_send(self) -> bool:
        return True

    def send(self, burst: Samples) -> None:
        self._transmitter.send(burst)

    def close(self) -> None:
        self._transmitter.close()


def soapy_sink(arguments: str, tuning: Tuning, length_tag: str) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return a block that sends bursts by a device.

    Raises
    ------
    RadioError
        If the device cannot transmit.
    RuntimeError
        If there is no such device, or it cannot be set so.
    """
    transmitter = SoapyTransmitter(opened(arguments), tuning)
    block = burst_sink("soapy_sink", _Outlet(transmitter), length_tag)
    block.transmitter, block.taken = transmitter, transmitter.taken
    return block


def soapy_source(arguments: str, tuning: Tuning) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return a block with the samples that a device receives; see `soapy_sink`.

    When the device is lost, the flowgraph ends, and the block's `failure` is the error.
    """
    from gnuradio import gr  # noqa: PLC0415 - loaded when a radio is opened

    receiver = SoapyReceiver(opened(arguments), tuning)

    class Source(gr.sync_block):  # type: ignore[misc] # GNU Radio has no types
        def __init__(self) -> None:
            super().__init__("soapy_source", in_sig=None, out_sig=[np.complex64])
            self.failure: RadioError | None = None
            self.receiver, self.taken = receiver, receiver.taken

        def work(
            self,
            input_items: list[NDArray[np.complex64]],
            output_items: list[NDArray[np.complex64]],
        ) -> int:
            del input_items
            try:
                return receiver.read(output_items[0])
            except RadioError as error:
                self.failure = error
                return _DONE

        def stop(self) -> bool:
            receiver.close()
            return True

    return Source()
