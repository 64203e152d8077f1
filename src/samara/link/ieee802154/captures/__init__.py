# SPDX-License-Identifier: Apache-2.0
"""Captures of frames: files in pcap and pcapng, and their security."""
