# SPDX-License-Identifier: Apache-2.0
"""Measure error rates over Eb/N0 with and without encryption.

Five receivers hear the same noise: one without encryption, one that decrypts
soft bits, one that decrypts hard decisions, and eavesdroppers without the key
and with a wrong key. A sixth receiver hears frames without encryption under
other noise; the JSON output has the cost of encryption, which is the difference
of the frame error rates, with its interval.

A point is complete after --errors frame errors of the receiver that decrypts
soft bits, or after --frames frames. Ctrl-C ends the command and keeps the
complete points. Results do not depend on the number of workers.

\b
Examples:
  samara phy ber --ebn0 0:5:0.5 -o curves
  samara phy ber --modulation qpsk --modulation 16-qam \\
    --code conv --code polar
  samara phy ber --fading rayleigh --code none --ebn0 0:30:5 --json
  samara phy ber --cluster tcp://10.0.0.1:8786 --errors 1000
"""

from samara.cli.shared.answering import answering
from samara.phy import curves
from samara.phy.error_rates import error_rates
from samara.phy.rate_charts import charts_of_rates

command = answering(
    error_rates, files=curves.files, charts=charts_of_rates, keeps="points"
)
