# SPDX-License-Identifier: Apache-2.0
"""Show facts about a recording, and with -o a picture of it.

The picture has power over time, spectrum, waterfall, and the constellation of
the longest burst. The constellation is found without knowledge of the signal,
for linear modulations with root-raised-cosine pulses. Encryption changes none of
these, except that payloads which repeat cause lines in the spectrum without it.

Bursts of a recording by samara phy record are received, without the key. Each is
shown with its signal-to-noise ratio and the echoes that decision feedback took
out of it.

Recordings are SigMF, wav files of SDR#, SDR++ and HDSDR, or samples alone. What
the recording and its name do not say is given with --rate, --frequency and
--format. Only the first 4 million samples are read.

\b
Examples:
  samara phy inspect recordings/hello -o pictures
  samara phy inspect capture.sigmf-meta --samples-per-symbol 8 --json
  samara phy inspect g001_433.92M_250k.cu8
  samara phy inspect capture.iq --format cs8 --rate 8MHz
"""

from samara.cli.shared.answering import answering
from samara.phy import inspection_pictures
from samara.phy.inspecting import inspect_recording

command = answering(inspect_recording, files=inspection_pictures.files)
