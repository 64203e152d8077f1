# SPDX-License-Identifier: Apache-2.0
"""Firmware of devices: projects that build it, what it takes, and running it."""
