# SPDX-License-Identifier: Apache-2.0
"""Attacks on encryption at the physical layer, one module each, found by scanning.

A module has an object ``ATTACK`` (`samara.phy.secrecy.attack.Attack`). Its name is the
module's, with hyphens.
"""
