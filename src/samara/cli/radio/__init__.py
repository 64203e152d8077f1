# SPDX-License-Identifier: Apache-2.0
"""Find radios that are plugged in, and ask what they can."""
