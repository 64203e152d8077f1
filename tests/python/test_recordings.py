# SPDX-License-Identifier: Apache-2.0
"""Recordings of samples, and the radios that bursts go to and come from."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest
from gnuradio import blocks, gr
from hypothesis import given
from hypothesis import strategies as st

from samara.phy.channel import Noise
from samara.phy.radio import Radio, sink, source
from samara.phy.recordings import (
    Annotation,
    RecordingError,
    open_recording,
    write_recording,
)
from samara.phy.tuning import RadioError, Tuning

RATE = 250e3


def test_what_is_written_is_read_here_and_by_the_format_s_own_library(
    tmp_path: pathlib.Path,
) -> None:
    samples = Noise(1.0, 3).draw(1000)
    marks = [Annotation(100, 50, "burst", "the first")]
    write_recording(
        tmp_path / "air", samples, RATE, frequency=868.3e6, annotations=marks
    )
    recording = open_recording(tmp_path / "air.sigmf-data")
    assert (recording.sample_rate, recording.frequency) == (RATE, 868.3e6)
    assert (recording.count, recording.annotations) == (1000, tuple(marks))
    np.testing.assert_array_equal(recording.samples(), samples)
    np.testing.assert_array_equal(recording.samples(990, 20), samples[990:])
    import sigmf  # noqa: PLC0415 - takes a second in each process of a run

    theirs = sigmf.fromfile(str(tmp_path / "air.sigmf-meta"))
    theirs.validate()
    np.testing.assert_array_equal(theirs.read_samples(), samples)


@pytest.mark.parametrize(
    ("datatype", "kind", "full"), [("ci16_le", "<i2", 32768), ("ci8", "i1", 128)]
)
def test_integer_samples_are_scaled(
    tmp_path: pathlib.Path, datatype: str, kind: str, full: int
) -> None:
    meta = {
        "global": {
            "core:datatype": datatype,
            "core:sample_rate": RATE,
            "core:version": "1.0.0",
        },
        "captures": [],
        "annotations": [],
    }
    (tmp_path / "x.sigmf-meta").write_text(json.dumps(meta))
    np.array([full // 2, -full, 0, full // 4], kind).tofile(tmp_path / "x.sigmf-data")
    recording = open_recording(tmp_path / "x")
    np.testing.assert_array_equal(recording.samples(), [0.5 - 1j, 0.25j])
    assert played(f"file:{tmp_path}/x") == [0.5 - 1j, 0.25j]


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_file_is_read_as_a_recording_that_is_none(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("recording")
    (folder / "x.sigmf-meta").write_bytes(content)
    with pytest.raises(RecordingError, match="cannot be read as a recording"):
        open_recording(folder / "x")


@pytest.mark.parametrize("rate", [1e-308, 0.5, float("nan")])
def test_a_rate_that_no_receiver_has_is_refused(
    rate: float, tmp_path: pathlib.Path
) -> None:
    meta = {
        "global": {
            "core:datatype": "cf32_le",
            "core:sample_rate": rate,
            "core:version": "1.2.5",
        },
        "captures": [],
        "annotations": [],
    }
    (tmp_path / "x.sigmf-meta").write_text(json.dumps(meta))
    np.zeros(4, np.complex64).tofile(tmp_path / "x.sigmf-data")
    with pytest.raises(RecordingError, match=r"its sample rate of .* Hz is none"):
        open_recording(tmp_path / "x")


@pytest.mark.parametrize("name", [".", "/", ""])
def test_a_name_of_no_file_is_no_recording(name: str) -> None:
    with pytest.raises(RecordingError, match="cannot be read as a recording: it is"):
        open_recording(pathlib.Path(name))


def test_a_recording_is_not_written_over(tmp_path: pathlib.Path) -> None:
    write_recording(tmp_path / "x", Noise(1.0).draw(10), RATE)
    with pytest.raises(RecordingError, match="exists"):
        write_recording(tmp_path / "x", Noise(1.0).draw(10), RATE)


def played(radio: str) -> list[complex]:
    """Return what a radio gives until it ends, without the silence there."""
    flow, heard = gr.top_block(), blocks.vector_sink_c()
    player = source(Radio.parse(radio), Tuning(RATE), 0)
    flow.connect(player, heard)
    flow.run()
    samples = heard.data()
    end = len(samples) - 65_536
    assert not any(samples[end:])
    return list(samples[:end])


def test_what_a_flow_graph_records_it_plays_again(tmp_path: pathlib.Path) -> None:
    samples = [complex(each) for each in Noise(1.0, 5).draw(5000)]
    flow = gr.top_block()
    recorder = sink(Radio.parse(f"file:{tmp_path}/x"), Tuning(RATE), 0)
    flow.connect(blocks.vector_source_c(samples), recorder)
    flow.run()
    recorder.close()
    assert played(f"file:{tmp_path}/x") == samples
    with pytest.raises(RadioError, match="change --rate"):
        source(Radio.parse(f"file:{tmp_path}/x"), Tuning(2 * RATE), 0)


@pytest.mark.parametrize("text", ["", "lora", "zmq:nowhere", "file:", "file"])
def test_what_is_no_radio_is_refused(text: str) -> None:
    with pytest.raises(RadioError):
        Radio.parse(text)


@pytest.mark.parametrize("text", ["uhd:addr=127.0.0.7", "soapy:driver=lime"])
@pytest.mark.parametrize("open_", [sink, source])
def test_a_radio_that_is_not_there_is_one_plain_sentence(
    text: str, open_: type[object]
) -> None:
    with pytest.raises(RadioError, match="finds no radio for") as caught:
        open_(Radio.parse(text), Tuning(RATE), 0)  # type: ignore[call-arg]
    assert "\n" not in str(caught.value)
