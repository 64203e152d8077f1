# SPDX-License-Identifier: Apache-2.0
"""List radios, batteries, devices, medium accesses and memories; describe your own.

A part of your own is a table of a file, with values and units as a data sheet has
them. Commands take the file by --parts FILE. Files in samara-parts/ of the working
directory, and in ~/.config/samara/parts/, are found without it.

Without a command, the parts are listed.
"""
