# SPDX-License-Identifier: Apache-2.0
"""What encryption at the physical layer costs, and what it hides.

A scheme is a module of `schemes`, an attack a module of `attacks`; both are found by
scanning. `bench.measure_secrecy` lets each attack try each scheme.
docs/physical-layer-secrecy.md explains the games, the estimators, and what their
results mean.
"""
