# SPDX-License-Identifier: Apache-2.0
"""Exchange messages over a link; keys and counters survive a crash."""
