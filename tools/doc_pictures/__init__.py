# SPDX-License-Identifier: Apache-2.0
"""The pictures of docs/: drawn by Mermaid from the text beside each."""
