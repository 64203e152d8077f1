# SPDX-License-Identifier: GPL-3.0-or-later
"""Bursts: what is sent, and that it is found however the air treats it."""

from __future__ import annotations

import air
import numpy as np
import pmt
import pytest
from flowgraphs import KEY, post, wait_until
from gnuradio import blocks, gr, samara

BPSK, QPSK, QAM16, DSSS = samara.burst_modulation.__members__.values()
MODULATIONS = (BPSK, QPSK, QAM16, DSSS)
CIPHERS = (samara.frame_cipher.NONE, samara.frame_cipher.PLE)
SIZE = 480
TAIL = 8192  # samples after which the last burst comes out
BURSTS = 3


def payloads(count: int = BURSTS, size: int = SIZE) -> np.ndarray:
    return np.random.default_rng(5).integers(0, 2, (count, size), dtype=np.uint8)


def transmit(
    modulation: samara.burst_modulation, pdus: list[object], gap: int = 300
) -> tuple[np.ndarray, list[gr.tag_t]]:
    """Send PDUs through burst_tx; samples and their tags."""
    sender = samara.burst_tx(modulation, SIZE, 1.0, gap)
    sink = blocks.vector_sink_c()
    top = gr.top_block()
    top.connect(sender, sink)
    for pdu in pdus:
        post(sender, pdu, "pdus")
    post(sender, pmt.cons(pmt.intern("done"), pmt.from_long(1)), "system")
    top.run()
    return np.array(sink.data(), np.complex64), list(sink.tags())


def bits_pdu(bits: np.ndarray) -> object:
    return pmt.cons(pmt.make_dict(), pmt.init_u8vector(len(bits), bits.tolist()))


def receive(
    modulation: samara.burst_modulation,
    samples: np.ndarray,
    most: int = 8192,
    port: str = "pdus",
) -> list[tuple[dict[str, float], np.ndarray]]:
    """Send samples through burst_rx; metadata and values of its PDUs."""
    receiver = samara.burst_rx(modulation, SIZE)
    collected = blocks.message_debug()
    top = gr.top_block()
    samples = np.pad(samples, (0, TAIL))
    top.connect(blocks.vector_source_c(samples.tolist()), receiver)
    top.msg_connect((receiver, port), (collected, "store"))
    top.run(most)
    messages = [collected.get_message(i) for i in range(collected.num_messages())]
    return [
        (pmt.to_python(pmt.car(pdu)), np.array(pmt.to_python(pmt.cdr(pdu))))
        for pdu in messages
    ]


def codec(cipher: samara.frame_cipher) -> samara.frame_codec:
    return samara.frame_codec(
        samara.frame_code.CONVOLUTIONAL, samara.frame_check.TAG, KEY, cipher=cipher
    )


def wrong(soft: np.ndarray, bits: np.ndarray) -> int:
    return int(np.count_nonzero((soft > 0) != bits))


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_bursts_come_through_a_flowgraph(modulation: samara.burst_modulation) -> None:
    sent = payloads()
    samples, tags = transmit(modulation, [bits_pdu(bits) for bits in sent])
    maker = samara.burst_modulator(modulation, SIZE, 1.0)
    length = maker.samples
    assert len(samples) == BURSTS * (length + 300)
    assert samara.burst_waveform(modulation, SIZE).samples() == length
    starts = [i * (length + 300) for i in range(BURSTS)]
    assert [t.offset for t in tags if pmt.eq(t.key, pmt.intern("tx_sob"))] == starts
    assert [t.offset for t in tags if pmt.eq(t.key, pmt.intern("tx_eob"))] == [
        start + length + 300 - 1 for start in starts
    ]
    lengths = [t for t in tags if pmt.eq(t.key, pmt.intern("packet_len"))]
    assert [(t.offset, pmt.to_long(t.value)) for t in lengths] == [
        (start, length + 300) for start in starts
    ]
    heard = receive(modulation, air.noisy(samples, 0.05))
    assert len(heard) == BURSTS
    for start, bits, (data, soft) in zip(starts, sent, heard, strict=True):
        assert wrong(soft, bits) == 0
        assert data["sample"] == start + maker.half_span
        assert abs(data["time"] - data["sample"]) < 0.1
        assert abs(data["offset"]) < 1e-3
        assert data["snr_db"] > 20 - 3 * (modulation == DSSS)
        assert data["skipped"] == 0


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_symbols_are_those_that_were_sent(modulation: samara.burst_modulation) -> None:
    bits = payloads(1)[0]
    maker = samara.burst_modulator(modulation, SIZE, 1.0)
    sent = maker.elements(bits)[maker.preamble_elements :]
    turned = maker.modulate(bits) * np.exp(1j * (1 + 0.01 * np.arange(maker.samples)))
    pdus = receive(modulation, air.noisy(0.2 * turned, 0.002), port="symbols")
    assert len(pdus) == 1
    data, symbols = pdus[0]
    assert data["snr_db"] > 30
    assert symbols.shape == sent.shape
    # With DSSS, a chip's neighbours overlap it on the other axis.
    wrong = (
        np.real(symbols * np.conj(sent)) - 1 if modulation == DSSS else symbols - sent
    )
    assert np.max(np.abs(wrong)) < 0.15


def two_networks(modulation: samara.burst_modulation, count: int) -> np.ndarray:
    """Bursts without a pause, each below the halves of two that are stronger."""
    maker = samara.burst_modulator(modulation, SIZE, 1.0)
    weak, strong = (
        np.concatenate([maker.modulate(bits) for bits in payloads(count)])
        for _ in range(2)
    )
    turned = np.exp(0.02j * np.arange(len(strong)))
    samples = np.pad(weak, (0, maker.samples))
    samples[maker.samples // 2 :][: len(strong)] += 5 * turned * strong
    return samples


@pytest.mark.parametrize("most", [512, 8192])
def test_bursts_over_bursts_without_a_pause_are_skipped_and_counted(most: int) -> None:
    count = 80
    samples = air.noisy(two_networks(QPSK, count), 0.01)
    receiver = samara.burst_receiver(QPSK, SIZE, share=1)
    assert len([*receiver.feed(samples), *receiver.finish()]) < 2 * count
    assert receiver.skipped > 0
    share = samara.burst_receiver.real_time_share(QPSK)
    receiver = samara.burst_receiver(QPSK, SIZE, share=share)
    expected = [*receiver.feed(np.pad(samples, (0, TAIL)))]
    heard = receive(QPSK, samples, most)
    assert [data["time"] for data, _ in heard] == [burst.sample for burst in expected]
    skipped = [data["skipped"] for data, _ in heard]
    assert skipped[0] == 0
    assert skipped == sorted(skipped)
    assert skipped[-1] == receiver.skipped > 0


def test_all_is_received_without_a_share() -> None:
    samples = air.noisy(two_networks(QPSK, 40), 0.01)
    receiver = samara.burst_receiver(QPSK, SIZE)
    assert len([*receiver.feed(samples), *receiver.finish()]) > 70
    assert receiver.skipped == 0


@pytest.mark.parametrize("share", [0, 0.9, float("nan")])
def test_a_share_that_bursts_alone_exceed_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="share"):
        samara.burst_receiver(QPSK, SIZE, share=share)


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_power_is_the_amplitude(modulation: samara.burst_modulation) -> None:
    maker = samara.burst_modulator(modulation, 4000, 0.25)
    samples = maker.modulate(payloads(1, 4000)[0])
    assert np.sqrt(np.mean(np.abs(samples) ** 2)) == pytest.approx(0.25, rel=0.05)


def test_other_pdus_are_dropped() -> None:
    good = payloads(1)[0]
    bad = [pmt.intern("text"), bits_pdu(good[1:]), pmt.cons(pmt.PMT_NIL, pmt.PMT_T)]
    samples, _ = transmit(QPSK, [*bad, bits_pdu(good), *bad])
    assert len(samples) == samara.burst_modulator(QPSK, SIZE).samples + 300


@pytest.mark.parametrize("modulation", MODULATIONS)
@pytest.mark.parametrize("bad", [0, -1, 2**21])
def test_impossible_sizes_are_refused(
    modulation: samara.burst_modulation, bad: int
) -> None:
    with pytest.raises((ValueError, TypeError)):
        samara.burst_rx(modulation, bad)
    with pytest.raises((ValueError, TypeError)):
        samara.burst_tx(modulation, bad)


def test_a_size_must_fill_the_symbols() -> None:
    with pytest.raises(ValueError, match="multiple of 4"):
        samara.burst_rx(QAM16, 482)


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_chunks_change_nothing(modulation: samara.burst_modulation) -> None:
    samples = air.noisy(air.train(modulation, payloads(), seed=1)[0], 0.3)
    want = receive(modulation, samples)
    assert len(want) == BURSTS
    for most in (1, 7, 1000):
        if most > 1 or modulation == QAM16:  # the shortest bursts
            got = receive(modulation, samples, most)
            assert [data for data, _ in got] == [data for data, _ in want]
            assert all(
                np.array_equal(one, other)
                for (_, one), (_, other) in zip(got, want, strict=True)
            )


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_a_train_with_everything_the_air_does(
    modulation: samara.burst_modulation,
) -> None:
    sent = payloads(12)
    path = air.Path(0.12, 100e-6, rays=True, phase_noise=0.01)
    samples, starts = air.train(modulation, sent, path, seed=2)
    noise = 10 ** (-(12 if modulation == QAM16 else 9) / 20)
    spread = 2 if modulation == DSSS else 1
    heard = receive(modulation, 37 * air.noisy(samples, spread * noise))
    assert len(heard) == len(sent)
    for start, bits, (data, soft) in zip(starts, sent, heard, strict=True):
        assert abs(data["time"] - start) < 4
        assert wrong(soft, bits) < SIZE // 8


@pytest.mark.parametrize(
    ("modulation", "deviation"),
    [(BPSK, 0.75), (QPSK, 0.55), (QAM16, 0.3), (DSSS, 2.0)],
)
def test_encryption_changes_neither_length_nor_what_is_decoded(
    modulation: samara.burst_modulation, deviation: float
) -> None:
    """The same noise with and without encryption gives the same bytes.

    Where encryption mirrors a symbol of BPSK or QPSK, the noise on the symbol is
    mirrored with it; other modulations have the same noise as it is.
    """
    rng = np.random.default_rng(8)
    messages = rng.integers(0, 256, (10, 40), dtype=np.uint8)
    counters = np.arange(10, dtype=np.uint64)
    bare, secret = (codec(cipher).encode(messages, 0) for cipher in CIPHERS)
    maker = samara.burst_modulator(modulation, bare.shape[1], 1.0)
    errors, decoded = [], []
    real, imaginary = rng.normal(0, 0.5**0.5, (2, 10, 20_000))
    noise = deviation * (real + 1j * imaginary)
    for cipher, bits in zip(CIPHERS, (bare, secret), strict=True):
        soft = []
        for i in range(10):
            elements = maker.elements(bare[i]), maker.elements(bits[i])
            assert len(elements[0]) == len(elements[1])
            added = noise[i, : len(elements[1])]
            if modulation in (BPSK, QPSK):
                added = air.mirrored(added, *elements)
            samples = np.pad(maker.shape(elements[1] + added), 500)
            receiver = samara.burst_receiver(modulation, bits.shape[1])
            (burst,) = [*receiver.feed(samples), *receiver.finish()]
            soft.append(burst.soft)
        errors.append(np.mean((np.array(soft) > 0) != bits))
        decoded.append(codec(cipher).decode(np.array(soft), counters)[0])
    assert np.array_equal(decoded[0], decoded[1])
    assert np.array_equal(decoded[0], messages)
    assert 0.01 < errors[0] < 0.15
    assert errors[1] == pytest.approx(errors[0], rel=0.4)


def test_bursts_back_to_back_and_two_receivers() -> None:
    sent = payloads(6)
    first = np.concatenate(
        [samara.burst_modulator(QPSK, SIZE, 1.0).modulate(bits) for bits in sent]
    )
    second = air.train(DSSS, sent, seed=3)[0]
    receivers = [samara.burst_rx(QPSK, SIZE), samara.burst_rx(DSSS, SIZE)]
    stores = [blocks.message_debug() for _ in receivers]
    top = gr.top_block()
    for samples, receiver, store in zip(
        (first, second), receivers, stores, strict=True
    ):
        noisy = np.pad(air.noisy(samples, 0.1), (0, TAIL))
        top.connect(blocks.vector_source_c(noisy.tolist()), receiver)
        top.msg_connect((receiver, "pdus"), (store, "store"))
    top.run()
    for store in stores:
        assert store.num_messages() == len(sent)
        for i, bits in enumerate(sent):
            soft = pmt.f32vector_elements(pmt.cdr(store.get_message(i)))
            assert wrong(np.array(soft), bits) == 0


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_a_false_preamble_costs_no_burst(modulation: samara.burst_modulation) -> None:
    sent = payloads(1)
    maker = samara.burst_modulator(modulation, SIZE, 1.0)
    whole = maker.modulate(sent[0])
    preamble = maker.shape(maker.elements(sent[0])[: maker.preamble_elements])
    samples = np.concatenate([np.zeros(700), preamble, np.zeros(100), whole])
    heard = receive(modulation, air.noisy(samples, 0.1))
    right = [data for data, soft in heard if wrong(soft, sent[0]) == 0]
    assert [data["sample"] for data in right] == [800 + len(preamble) + maker.half_span]


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_a_truncated_burst_does_not_come_out(
    modulation: samara.burst_modulation,
) -> None:
    samples, _ = air.train(modulation, payloads(2), seed=4)
    cut = samples[: -samara.burst_modulator(modulation, SIZE).samples // 4]
    receiver = samara.burst_receiver(modulation, SIZE)
    samples = air.noisy(cut, 0.1)
    assert len([*receiver.feed(samples), *receiver.finish()]) == 1


@pytest.mark.parametrize(
    "garbage",
    [np.nan, np.inf, -np.inf, 1e38, complex(np.nan, 1), complex(1, -np.inf), 1e-40],
)
def test_garbage_is_survived_and_forgotten(garbage: complex) -> None:
    sent = payloads(1)
    burst, _ = air.train(QPSK, sent, seed=6)
    samples = np.concatenate([np.full(9000, garbage), np.zeros(9000), burst, burst])
    samples = samples.astype(np.complex64)
    samples[-len(burst) // 2 :: 97] = garbage
    heard = receive(QPSK, samples)
    assert wrong(heard[0][1], sent[0]) == 0
    assert all(np.isfinite(soft).all() for _, soft in heard)


def bursts_in(modulation: samara.burst_modulation, samples: np.ndarray) -> int:
    receiver = samara.burst_receiver(modulation, SIZE)
    samples = samples.astype(np.complex64)
    parts = np.array_split(samples, max(len(samples) // 100_000, 1))
    return sum(len(receiver.feed(part)) for part in parts) + len(receiver.finish())


def test_noise_holds_no_bursts() -> None:
    for modulation in (QPSK, DSSS):
        assert bursts_in(modulation, air.noisy(np.zeros(300_000), 1.0)) == 0


@pytest.mark.parametrize("name", air.INTERFERENCE)
@pytest.mark.parametrize("modulation", [QPSK, DSSS])
def test_interference_holds_no_bursts(
    modulation: samara.burst_modulation, name: str
) -> None:
    """Tones, constants and other modulations, 5 dB below noise and 15 above."""
    rng = np.random.default_rng(7)
    for level_db in (-5, 15):
        other = air.INTERFERENCE[name](400_000, rng)
        noise = np.array([1, 1j]) @ rng.normal(0, 0.5**0.5, (2, len(other)))
        assert bursts_in(modulation, noise + 10 ** (level_db / 20) * other) == 0


@pytest.mark.parametrize("constant", [0.3, 1, 3])
@pytest.mark.parametrize("modulation", MODULATIONS)
def test_a_constant_costs_no_burst(
    modulation: samara.burst_modulation, constant: float
) -> None:
    """As strong as the signal, or three times as strong, at any carrier offset."""
    sent = payloads(12)
    noise = 10 ** (-(12 if modulation == QAM16 else 9) / 20)
    spread = 2 if modulation == DSSS else 1
    samples, _ = air.train(modulation, sent, air.Path(0.12, 50e-6), seed=9)
    heard = receive(modulation, air.noisy(samples, spread * noise) + constant * 1j)
    assert len(heard) == len(sent)
    for bits, (_, soft) in zip(sent, heard, strict=True):
        assert wrong(soft, bits) < SIZE // 12


def test_a_payload_may_be_a_constant() -> None:
    """Bits that are not encrypted make a carrier, which is not taken away."""
    bits = np.zeros((4, SIZE), np.uint8)
    samples, _ = air.train(BPSK, bits, seed=11)
    heard = receive(BPSK, air.noisy(samples, 0.3))
    assert [wrong(soft, row) for row, (_, soft) in zip(bits, heard, strict=True)] == [
        0
    ] * 4


def test_a_second_run_is_a_stream_of_its_own() -> None:
    """Half a burst, then another run: its bursts are numbered from 0."""
    sent = payloads(1)
    burst, starts = air.train(QPSK, sent, seed=6)
    receiver = samara.burst_rx(QPSK, SIZE)
    collected = blocks.message_debug()
    source = blocks.vector_source_c([])
    top = gr.top_block()
    top.connect(source, receiver)
    top.msg_connect((receiver, "pdus"), (collected, "store"))
    for samples in (burst[: len(burst) - 900], np.pad(burst, (0, TAIL))):
        source.set_data(samples.tolist())
        top.start()
        # A store does not end by itself when its publisher runs again.
        wait_until(lambda: receiver.nitems_read(0) == len(samples))  # noqa: B023
        wait_until(lambda: collected.num_messages() > 0, 2)
        top.stop()
        top.wait()
    assert collected.num_messages() == 1
    data = pmt.to_python(pmt.car(collected.get_message(0)))
    assert data["time"] == pytest.approx(starts[0], abs=0.1)


def test_a_second_run_does_not_end_the_burst_of_the_first() -> None:
    """The gap does not fit into a buffer: the first run ends within the packet."""
    gap = 200_000
    sender = samara.burst_tx(QPSK, SIZE, 1.0, gap)
    bits = payloads(1)[0]
    whole = samara.burst_modulator(QPSK, SIZE, 1.0).samples + gap
    runs = []
    for count in (whole - gap, whole):
        top = gr.top_block()
        sink = blocks.vector_sink_c()
        top.connect(sender, blocks.head(gr.sizeof_gr_complex, count), sink)
        top.start(64)
        post(sender, bits_pdu(bits), "pdus")
        wait_until(lambda: len(sink.data()) == count)  # noqa: B023
        top.stop()
        top.wait()
        runs.append(np.array(sink.data()))
        tags = {pmt.symbol_to_string(tag.key): tag.offset for tag in sink.tags()}
        assert tags["tx_sob"] == 0
    assert np.array_equal(runs[1][: len(runs[0])], runs[0])
    assert tags["tx_eob"] == whole - 1
