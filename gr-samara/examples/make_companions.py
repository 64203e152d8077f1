# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the flowgraphs with a text field: transmitter and receiver.

usage: make_companions.py

Each is written twice: for the simulated channel of `samara channel`, and for a
radio that SoapySDR drives. They differ in one block and its variables, so they
are made here and not kept four times. GNU Radio Companion opens and changes them
like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
LICENCE = "SPDX-License-Identifier: GPL-3.0-or-later"
# Places of blocks on the screen: columns and rows of this many pixels.
COLUMN, ROW = 250, 150


@dataclass
class Flowgraph:
    """A flowgraph of GNU Radio Companion; blocks are placed as they are added."""

    name: str
    title: str
    description: str
    blocks: list[dict[str, Any]] = field(default_factory=list)
    connections: list[list[str]] = field(default_factory=list)

    def add(
        self, block: str, name: str, place: tuple[int, int], /, **given: object
    ) -> str:
        """Add a block at a column and a row; return its name."""
        parameters = {key: str(value) for key, value in given.items()}
        column, row = place
        states = {
            "coordinate": [8 + COLUMN * column, 8 + ROW * row],
            "rotation": 0,
            "state": "enabled",
        }
        self.blocks.append(
            {"name": name, "id": block, "parameters": parameters, "states": states}
        )
        return name

    def variables(self, row: int, **given: object) -> None:
        """Add variables, side by side."""
        for column, (name, value) in enumerate(given.items(), start=1):
            self.add("variable", name, (column, row), value=value)

    def connect(self, source: str, *sinks: str, port: str = "0") -> None:
        """Connect an output of samples to the first input of blocks."""
        self.connections += [[source, port, sink, "0"] for sink in sinks]

    def pass_on(self, source: str, out: str, sink: str, port: str) -> None:
        """Connect an output of messages."""
        self.connections.append([source, out, sink, port])

    def text(self) -> str:
        """Return the flowgraph as a file of GNU Radio Companion has it."""
        options = {
            "parameters": {
                "author": "samara",
                "category": "[samara]",
                "copyright": LICENCE,
                "description": self.description,
                "generate_options": "qt_gui",
                "id": self.name,
                "output_language": "python",
                "qt_qss_theme": "",
                "run": "True",
                "run_command": "{python} -u {filename}",
                "run_options": "prompt",
                "sizing_mode": "fixed",
                "title": self.title,
            },
            "states": {"coordinate": [8, 8], "rotation": 0, "state": "enabled"},
        }
        whole = {
            "options": options,
            "blocks": self.blocks,
            "connections": self.connections,
            "metadata": {"file_format": 1},
        }
        return str(yaml.safe_dump(whole, sort_keys=False, allow_unicode=True))


def settings(graph: Flowgraph) -> None:
    """Add what transmitter and receiver have to have alike."""
    graph.variables(
        1,
        samp_rate="250000",
        payload_size="60",
        payload_bits="2 * (8 * (payload_size + 4) + 6)",
    )


def spectrum(graph: Flowgraph, source: str, row: int, shown: str) -> None:
    """Show samples over frequency, and that over time."""
    graph.connect(
        source,
        graph.add(
            "qtgui_freq_sink_x",
            "spectrum",
            (3, row),
            type="complex",
            name='"Spectrum"',
            fftsize="1024",
            fc="0",
            bw="samp_rate",
            ymin="-100",
            ymax="0",
            tr_mode="qtgui.TRIG_MODE_AUTO",
            tr_level="-40",
            label1=f'"{shown}"',
            gui_hint="1, 0, 4, 1",
        ),
        graph.add(
            "qtgui_waterfall_sink_x",
            "waterfall",
            (4, row),
            type="complex",
            name='"Spectrum over time"',
            fftsize="1024",
            fc="0",
            bw="samp_rate",
            int_min="-80",
            int_max="-10",
            label1=f'"{shown}"',
            gui_hint="1, 1, 4, 1",
        ),
    )


def edit_box(graph: Flowgraph, name: str, label: str, place: tuple[int, int]) -> str:
    """Add a text field over the width of the window."""
    return graph.add(
        "qtgui_edit_box_msg",
        name,
        place,
        type="string",
        value="",
        label=label,
        is_pair="False",
        is_static="True",
        gui_hint="0, 0, 1, 2",
    )


def transmitter(graph: Flowgraph, sink: str, gap: str) -> None:
    """Add everything from the text field to the samples."""
    message = edit_box(graph, "message", "Message (Enter sends it)", (0, 2))
    cut = graph.add("samara_text_to_pdu", "text_to_pdu", (1, 2), size="payload_size")
    seal = graph.add(
        "samara_frame_seal_pdu",
        "sealer",
        (2, 2),
        key="@link.key",
        state_file=f"{graph.name}.counter",
        code="samara.frame_code.CONVOLUTIONAL",
        check="samara.frame_check.TAG",
        direction="0",
        link_id="0",
    )
    burst = graph.add(
        "samara_burst_tx",
        "burst_tx",
        (3, 2),
        modulation="samara.burst_modulation.QPSK",
        payload_bits="payload_bits",
        amplitude="0.25",
        gap=gap,
        length_tag="packet_len",
    )
    graph.pass_on(message, "msg", cut, "text")
    graph.pass_on(cut, "pdus", seal, "pdus")
    graph.pass_on(seal, "pdus", burst, "pdus")
    graph.connect(burst, sink)
    graph.connect(
        burst,
        graph.add(
            "qtgui_time_sink_x",
            "samples",
            (2, 3),
            type="complex",
            name='"Burst"',
            size="4096",
            srate="samp_rate",
            ymin="-0.5",
            ymax="0.5",
            label1='"in phase"',
            label2='"quadrature"',
            entags="False",
            tr_mode="qtgui.TRIG_MODE_TAG",
            tr_tag='"packet_len"',
            gui_hint="5, 0, 4, 2",
        ),
    )
    spectrum(graph, burst, 3, "sent")


def receiver(graph: Flowgraph, source: str) -> None:
    """Add everything from the samples to the text field."""
    burst = graph.add(
        "samara_burst_rx",
        "burst_rx",
        (1, 2),
        modulation="samara.burst_modulation.QPSK",
        payload_bits="payload_bits",
    )
    opened = graph.add(
        "samara_frame_open_pdu",
        "opener",
        (2, 2),
        key="@link.key",
        state_file=f"{graph.name}.counter",
        code="samara.frame_code.CONVOLUTIONAL",
        check="samara.frame_check.TAG",
        direction="0",
        link_id="0",
        payload_size="payload_size",
        likelihoods="True",
    )
    text = graph.add("samara_pdu_to_text", "pdu_to_text", (3, 2))
    message = edit_box(graph, "message", "Last message", (4, 2))
    symbols = graph.add(
        "qtgui_const_sink_x",
        "constellation",
        (2, 3),
        type="msg_complex",
        name='"Symbols, equalised"',
        label1='"last burst"',
        gui_hint="5, 0, 4, 1",
    )
    soft = graph.add(
        "qtgui_time_sink_x",
        "soft_bits",
        (2, 4),
        type="msg_float",
        name='"Soft bits, encrypted"',
        label1='"last burst"',
        srate="1000",
        ylabel='"ln P(1) / P(0)"',
        ymin="-60",
        ymax="60",
        autoscale="True",
        gui_hint="5, 1, 4, 1",
    )
    graph.connect(source, burst)
    graph.pass_on(burst, "pdus", opened, "pdus")
    graph.pass_on(burst, "pdus", soft, "in")
    graph.pass_on(burst, "symbols", symbols, "in")
    graph.pass_on(opened, "pdus", text, "pdus")
    graph.pass_on(text, "text", message, "val")
    spectrum(graph, source, 3, "received")


def simulated(graph: Flowgraph, block: str, port: int) -> str:
    """Add the end of `samara channel --address tcp://127.0.0.1:7410`."""
    settings(graph)
    graph.add("variable", "address", (4, 1), value=f"'tcp://127.0.0.1:{port}'")
    return graph.add(
        f"zeromq_{block}",
        "channel",
        (0 if "source" in block else 4, 4 if "source" in block else 2),
        type="complex",
        address="address",
        timeout="100",
    )


def radio(graph: Flowgraph, end: str, gain: str) -> str:
    """Add a radio that SoapySDR drives."""
    settings(graph)
    graph.variables(
        0, driver="'hackrf'", frequency="868.3e6", gain=gain, bandwidth="1.75e6"
    )
    return graph.add(
        f"soapy_custom_{end}",
        "radio",
        (0 if end == "source" else 4, 4 if end == "source" else 2),
        driver="driver",
        samp_rate="samp_rate",
        center_freq0="frequency",
        gain0="gain",
        bandwidth0="bandwidth",
        antenna0="",
    )


def flowgraphs() -> list[Flowgraph]:
    """Return the four flowgraphs."""
    send = ("Encrypted bursts: transmitter", "A text field, sealed and sent in bursts")
    hear = ("Encrypted bursts: receiver", "Bursts found and opened; a text field")
    graphs = [
        Flowgraph("companion_transmitter", *send),
        Flowgraph("companion_receiver", *hear),
        Flowgraph("radio_transmitter", *send),
        Flowgraph("radio_receiver", *hear),
    ]
    transmitter(graphs[0], simulated(graphs[0], "push_sink", 7410), "8192")
    receiver(graphs[1], simulated(graphs[1], "pull_source", 7413))
    # Some radios (HackRF) send whole buffers of 131,072 samples.
    transmitter(graphs[2], radio(graphs[2], "sink", "20"), "131072")
    receiver(graphs[3], radio(graphs[3], "source", "30"))
    return graphs


def main() -> None:
    """Write the flowgraphs beside this file."""
    for graph in flowgraphs():
        (HERE / f"{graph.name}.grc").write_text(graph.text(), encoding="utf-8")


if __name__ == "__main__":
    main()
