# SPDX-License-Identifier: Apache-2.0
"""Routes that networks find by themselves: RPL (RFC 6550).

Nodes form a directed graph towards a root (DODAG). Each advertises its distance from
the root, its rank, and takes the neighbour by which its own rank is the lowest as its
parent. Downwards each node tells its parent which addresses are behind it, and every
router keeps those (storing mode). So a packet climbs until a node knows its
destination, and then goes down. Or each node tells the root who its parent is, and the
root writes the way into each packet (non-storing mode).

`messages` are the ICMPv6 messages, `trickle` says when distances are advertised (RFC
6206), `objectives` how long a link is (RFC 6552, RFC 6719), `counters` which of two
sequence numbers is newer, `children` keeps the routes, `advertising` tells the parent,
`tree` those of a root that alone keeps them, `headers` what RPL has in data packets,
`router` is one node without any input or output, and `routing` joins it to an
interface.
"""
