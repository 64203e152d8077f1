# SPDX-License-Identifier: Apache-2.0
"""`samara bench`: what ciphers cost on simulated microcontrollers."""
