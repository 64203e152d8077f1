# SPDX-License-Identifier: Apache-2.0
"""Traces of the current that a device draws, as power analyzers write them.

A trace is read in blocks, so that its length does not matter. Readers of formats are in
`samara.energy.trace.readers`, a module each; `samara.energy.trace.tracing` answers with
records what a device draws asleep and in each kind of event.
"""
