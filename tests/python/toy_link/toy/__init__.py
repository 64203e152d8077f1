# SPDX-License-Identifier: Apache-2.0
"""A kind of link in one folder: payloads are files of a directory."""
