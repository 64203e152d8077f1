# SPDX-License-Identifier: Apache-2.0
"""The site of the documentation: pages made from the sources, and their links."""
