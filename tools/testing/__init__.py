# SPDX-License-Identifier: Apache-2.0
"""The stages behind ./test, with nothing but Python's standard library.

A stage is a class with a name, a summary and `run(session)`; `stages.py` lists
them in their order. A session gives a stage its options, runs commands for it
and counts what it reports. A stage that reports nothing has failed.
"""
