# SPDX-License-Identifier: Apache-2.0
"""`samara phy`: encryption at the physical layer."""
