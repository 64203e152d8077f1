# SPDX-License-Identifier: Apache-2.0
"""Figures of README.md and docs/: where each comes from, and whether it still holds.

`found` finds figures in Markdown, `ledger` compares them with their rows in
docs/figures/, `values` has what rows are computed from, `blocks` the text that is
generated whole.
"""
