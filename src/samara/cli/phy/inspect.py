# SPDX-License-Identifier: Apache-2.0
"""Show facts about a recording, and with -o a picture of it.

The picture has power over time, spectrum, waterfall, and the constellation of
the longest burst. The constellation is found without knowledge of the signal,
for linear modulations with root-raised-cosine pulses. Encryption changes none of
these, except that payloads which repeat cause lines in the spectrum without it.

Sample formats: cf32_le, ci16_le and ci8. Only the first 4 million samples are
read.

\b
Examples:
  samara phy inspect recordings/hello -o pictures
  samara phy inspect capture.sigmf-meta --samples-per-symbol 8 --json
"""

from samara.cli.shared.answering import answering
from samara.phy import inspection_pictures
from samara.phy.inspecting import inspect_recording

command = answering(inspect_recording, files=inspection_pictures.files)
