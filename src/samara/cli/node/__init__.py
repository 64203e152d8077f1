# SPDX-License-Identifier: Apache-2.0
"""`samara node`: messages over a link; keys and counters survive a crash."""
