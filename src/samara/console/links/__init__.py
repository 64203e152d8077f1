# SPDX-License-Identifier: Apache-2.0
"""What the console needs of each kind of link: one module for each, found by scanning.

`samara.console.emulation` says what a module has.
"""
