# SPDX-License-Identifier: Apache-2.0
"""How many frames samara, liquid-dsp and codec2 lose at the same energy.

`tools/phy-beside-peers` is the command.
"""
