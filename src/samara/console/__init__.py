# SPDX-License-Identifier: Apache-2.0
"""The console: a page in the browser that shows links at work.

`access` and `guard` decide who may use it, `conversation` runs two nodes on a link,
`links` has what each kind of link needs for that, `history` keeps what happened, and
`api` has the routes. Nodes and the emulated air are the same programs that the commands
start; the console has no second implementation of them.
"""
