# SPDX-License-Identifier: Apache-2.0
"""Measuring on real boards over a serial port, with the chip's own timer."""
