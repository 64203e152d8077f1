# SPDX-License-Identifier: Apache-2.0
"""Networks above links: IPv6 packets in the frames of constrained radios."""

from samara.errors import PacketError
from samara.net.lowpan import Context, Hop, Reassembly, identifier, payloads

__all__ = ["Context", "Hop", "PacketError", "Reassembly", "identifier", "payloads"]
