# SPDX-License-Identifier: Apache-2.0
"""The types of all records, and the page that describes them: docs/json.md."""
