# SPDX-License-Identifier: Apache-2.0
"""The link of a software-defined radio: samples, encrypted on the air."""
