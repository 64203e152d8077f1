# SPDX-License-Identifier: Apache-2.0
"""The Grain-128 core in hardware: what it costs in gates, time and energy.

The sources are in rtl/. They are synthesised by yosys for a library of standard
cells, timed by OpenSTA and simulated by Icarus. docs/chip-figures.md explains it.
"""
