# SPDX-License-Identifier: Apache-2.0
"""Transceiver chips for 2-FSK and GFSK: their packets as bits, and as samples."""
