# SPDX-License-Identifier: Apache-2.0
"""Measure what ciphers cost on simulated microcontrollers."""
