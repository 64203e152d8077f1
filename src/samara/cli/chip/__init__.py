# SPDX-License-Identifier: Apache-2.0
"""`samara chip`: what the Grain-128 core costs in hardware."""
