# SPDX-License-Identifier: Apache-2.0
"""What every cipher costs on every device, measured on simulated ones.

The bench compiles the very code that ships, runs it on simulators, compares
every answer with the library on this machine, and counts: code, memory, stack,
cycles, and whether the time depends on the data. docs/bench.md tells how.
"""
