# SPDX-License-Identifier: Apache-2.0
"""Schemes of encryption at the physical layer, one module each, found by scanning.

A module has a class under the name ``SCHEME`` (`samara.phy.secrecy.scheme`). Its name
is the module's, with hyphens.
"""
