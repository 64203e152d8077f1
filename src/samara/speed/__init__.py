# SPDX-License-Identifier: Apache-2.0
"""How fast this machine seals messages, next to OpenSSL and a Rust crate."""
