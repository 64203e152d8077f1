# SPDX-License-Identifier: Apache-2.0
"""Blocks for GNU Radio that send and receive the bursts of chips."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.phy.radio import LENGTH_TAG, need_gnuradio

if TYPE_CHECKING:
    from samara.phy.burst_form import Modulator, Receiver
    from samara.phy.channel import Samples

# How long a block without inputs rests when there is nothing to send.
_REST_S = 0.001


def burst_tx(modulator: Modulator, gap: int) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return a block that sends the bits of each PDU as a burst, with a gap behind."""
    need_gnuradio()
    import pmt  # noqa: PLC0415 - with GNU Radio
    from gnuradio import gr  # noqa: PLC0415

    class Transmitter(gr.sync_block):  # type: ignore[misc] # GNU Radio has no types
        def __init__(self) -> None:
            super().__init__("chip_burst_tx", in_sig=None, out_sig=[np.complex64])
            self._waiting: list[Samples] = []
            self._sent = 0
            port = pmt.intern("pdus")
            self.message_port_register_in(port)
            self.set_msg_handler(port, self._take)

        def _take(self, message: object) -> None:
            bits = np.array(pmt.u8vector_elements(pmt.cdr(message)), np.uint8)
            burst = modulator.modulate(bits)
            self._waiting.append(np.pad(burst, (0, gap)))

        def work(self, _inputs: object, outputs: list[Samples]) -> int:
            if not self._waiting:
                time.sleep(_REST_S)
                return 0
            burst = self._waiting[0]
            if self._sent == 0:
                length = pmt.from_long(len(burst))
                self.add_item_tag(
                    0, self.nitems_written(0), pmt.intern(LENGTH_TAG), length
                )
            count = min(len(outputs[0]), len(burst) - self._sent)
            outputs[0][:count] = burst[self._sent : self._sent + count]
            self._sent += count
            if self._sent == len(burst):
                self._waiting.pop(0)
                self._sent = 0
            return count

    return Transmitter()


def burst_rx(receiver: Receiver) -> Any:  # noqa: ANN401 - GNU Radio has no types
    """Return a block that outputs the soft bits of each burst as a PDU."""
    need_gnuradio()
    import pmt  # noqa: PLC0415 - with GNU Radio
    from gnuradio import gr  # noqa: PLC0415

    class Detector(gr.sync_block):  # type: ignore[misc] # GNU Radio has no types
        def __init__(self) -> None:
            super().__init__("chip_burst_rx", in_sig=[np.complex64], out_sig=None)
            self._port = pmt.intern("pdus")
            self.message_port_register_out(self._port)

        def work(self, inputs: list[Samples], _outputs: object) -> int:
            for reception in receiver.feed(inputs[0]):
                facts = {"snr_db": reception.snr_db, "offset": reception.offset}
                soft = reception.soft
                content = pmt.init_f32vector(len(soft), soft.tolist())
                pdu = pmt.cons(pmt.to_pmt(facts), content)
                self.message_port_pub(self._port, pdu)
            return len(inputs[0])

    return Detector()
