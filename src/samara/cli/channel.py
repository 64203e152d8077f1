# SPDX-License-Identifier: Apache-2.0
"""Simulate the channel between software-defined radios, with noise, over ZeroMQ.

Each radio sends samples to one endpoint and receives from another; the command
prints both. Samples are complex float32, as the blocks push_sink and pull_source
of gr-zeromq use them, so that any flowgraph of GNU Radio can take part. Samples
pass at the sample rate, in real time.

\b
Examples:
  samara channel
  samara channel --ebn0 4 --multipath three-ray --offset 10000 --clock-ppm 50
  samara channel --radios 3 --rate 250e3 --loss 0.1 --seed 1 --json
  echo '{"do": "set", "ebn0": 4}' | samara channel --control
"""

from samara.cli.shared.streaming import streaming
from samara.phy.serving import run_channel

command = streaming(run_channel, always_json=lambda request: request.control)
