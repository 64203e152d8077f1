# SPDX-License-Identifier: Apache-2.0
"""Answers for the page: the same requests and records that commands have.

A question is a function of a room that takes a request and yields an answer.
`questions` finds them, `texts` reads requests from addresses, `schema` describes them
for programs, and `lines` writes answers as JSON Lines. Each answer is computed in a
process of its own: `worker` is its program, `pool` starts and bounds these processes,
`routes` has the routes.
"""
